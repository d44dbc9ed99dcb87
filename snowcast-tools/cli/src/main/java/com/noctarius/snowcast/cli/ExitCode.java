// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

/** How a command ended; {@code docs/cli.md} has the table. */
final class ExitCode {
    static final int DONE = 0;
    /** What was looked at is not as it should be. */
    static final int FOUND = 1;

    static final int WRONG_USE = 2;
    /** The cluster, database or file did not do its part. */
    static final int FAILED = 3;
    /** The command itself did not do its part: it ran out of memory, or has a defect. */
    static final int BROKEN = 4;

    private ExitCode() {}
}
