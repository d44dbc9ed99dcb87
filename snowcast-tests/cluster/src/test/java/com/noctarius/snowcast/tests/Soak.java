// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The time limit of a test of the Maven profile {@code soak}: a share of the time that {@code -Dminutes=} sets. */
final class Soak {
    private static final Duration TOTAL = Duration.ofMinutes(Long.getLong("minutes", 10));

    private final long endNanos;

    private Soak(long endNanos) {
        this.endNanos = endNanos;
    }

    /** Starts the time of a test, which is a percentage of the total. */
    static Soak ofPercent(int percent) {
        return new Soak(System.nanoTime() + TOTAL.toNanos() / 100 * percent);
    }

    interface Schedule {
        /** Runs the schedule and returns a summary. Throws an {@code AssertionError} if the schedule fails. */
        String run(int number) throws Exception;
    }

    /** Runs schedules until the time is over, even if some of them fail. Then fails if a schedule has failed. */
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

    boolean goesOn() {
        return endNanos - System.nanoTime() > 0;
    }
}
