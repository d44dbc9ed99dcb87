// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** Sends signals to processes of tests. */
final class Signals {
    private Signals() {}

    static void send(String signal, ProcessHandle process) throws IOException, InterruptedException {
        String pid = Long.toString(process.pid());
        if (new ProcessBuilder("kill", signal, pid).start().waitFor() != 0) {
            throw new AssertionError("kill " + signal + ' ' + process);
        }
    }

    /** Kills a process without letting it clean up, and waits until it is dead. */
    static void kill(Process process) {
        // Process.destroyForcibly would also close the input of the process, which could make it exit gracefully.
        process.toHandle().destroyForcibly();
        try {
            if (!process.waitFor(3, TimeUnit.MINUTES)) {
                throw new AssertionError("still alive: " + process);
            }
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }
}
