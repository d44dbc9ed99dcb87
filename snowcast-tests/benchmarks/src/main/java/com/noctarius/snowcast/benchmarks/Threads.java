// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks;

/** Converts a number of threads to the name of a setting and back. */
public final class Threads {
    private Threads() {}

    /** Returns {@code "1 thread"}, {@code "2 threads"} and so on. */
    public static String setting(int threads) {
        return threads == 1 ? "1 thread" : threads + " threads";
    }

    public static int count(String setting) {
        return Integer.parseInt(setting.substring(0, setting.indexOf(' ')));
    }
}
