// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

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

    /** A random schedule. */
    interface Schedule {
        /** Runs it, and returns what to tell; fails by an AssertionError. */
        String run(int number) throws Exception;
    }

    /** Runs schedules until the time is over, also when some fail, and fails at the end if some did. */
    void repeat(Schedule schedule) throws Exception {
        List<AssertionError> failures = new ArrayList<>();
        for (int i = 0; goesOn(); i++) {
            try {
                System.out.println(schedule.run(i));
            } catch (AssertionError e) {
                System.out.println("FAILED: " + e.getMessage());
                failures.add(e);
            }
        }
        if (!failures.isEmpty()) {
            AssertionError all = new AssertionError(failures.size() + " schedules failed");
            failures.forEach(all::addSuppressed);
            throw all;
        }
    }

    /** Whether there is time left. */
    boolean goesOn() {
        return endNanos - System.nanoTime() > 0;
    }
}
