// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

/** The exit codes; {@code docs/cli.md} has the table. */
final class ExitCode {
    static final int DONE = 0;
    /** The command found a problem, such as duplicates, in what it checked. */
    static final int FOUND = 1;

    static final int WRONG_USE = 2;
    /** The cluster, the database or a file failed. */
    static final int FAILED = 3;
    /** The command itself failed: it ran out of memory, or has a bug. */
    static final int BROKEN = 4;

    private ExitCode() {}
}
