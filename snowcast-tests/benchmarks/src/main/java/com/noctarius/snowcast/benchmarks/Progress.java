// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks;

import java.util.concurrent.TimeUnit;

/** Prints what is being measured, with the time since the start. */
final class Progress {
    private static final long BEGIN = System.nanoTime();

    private Progress() {}

    static void say(String what) {
        System.out.printf("%4d s  %s%n", TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - BEGIN), what);
    }
}
