// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.peers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * The order of the faults of a run, which follows from a seed: each kind of fault once, then each kind again in another
 * order. Every generator gets the same faults, except faults that cannot happen to it.
 */
final class Schedule {
    /**
     * The number of places. At each place, a process takes IDs all the time. If the process is killed, a new process
     * follows.
     */
    static final int PLACES = 3;

    private static final List<Duration> CLOCK_STEPS = List.of(Duration.ofSeconds(2), Duration.ofSeconds(30));

    private final Random random;
    private final List<Fault> left = new ArrayList<>();

    Schedule(long seed) {
        this.random = new Random(seed);
    }

    /**
     * One fault of the schedule.
     *
     * @param place the place of the process that has the fault
     * @param lasts how long the fault lasts, in thousandths of a lease
     * @param calmMillis the time until the next fault
     */
    record Step(Fault fault, int place, int lasts, Duration clockStep, int calmMillis) {
        Duration lastsAtALeaseOf(Duration lease) {
            return lease.multipliedBy(lasts).dividedBy(1_000);
        }
    }

    /** Returns the next fault of the endless schedule. */
    Step next() {
        if (left.isEmpty()) {
            left.addAll(Fault.all());
            Collections.shuffle(left, random);
        }
        return new Step(
                left.remove(left.size() - 1),
                random.nextInt(PLACES),
                1_200 + random.nextInt(600),
                CLOCK_STEPS.get(random.nextInt(CLOCK_STEPS.size())),
                500 + random.nextInt(1_000));
    }
}
