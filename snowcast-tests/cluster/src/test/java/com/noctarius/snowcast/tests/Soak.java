// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import java.time.Duration;

/** The time that a test of the profile {@code soak} has: a share of {@code -Dminutes=}. */
final class Soak {
    private static final Duration TOTAL = Duration.ofMinutes(Long.getLong("minutes", 10));

    private final long endNanos;

    private Soak(long endNanos) {
        this.endNanos = endNanos;
    }

    /** Begins a test's time. */
    static Soak ofPercent(int percent) {
        return new Soak(System.nanoTime() + TOTAL.toNanos() / 100 * percent);
    }

    /** Whether there is time left. */
    boolean goesOn() {
        return endNanos - System.nanoTime() > 0;
    }
}
