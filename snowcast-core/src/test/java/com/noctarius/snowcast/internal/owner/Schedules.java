// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import java.time.Duration;
import java.util.BitSet;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Runs random schedules, one for each seed. The error of a schedule that fails contains its seed, which
 * {@code -Dsnowcast.seed=} repeats, and the trace of a minimal set of its steps that still fails.
 */
final class Schedules {
    private static final @Nullable Long REPEATED = Long.getLong("snowcast.seed");

    private Schedules() {}

    /** Returns whether the system property selects a single seed. */
    static boolean isRepeated() {
        return REPEATED != null;
    }

    /**
     * Runs schedules with the seeds from 1 to {@code rounds}, or only the seed of the system property.
     *
     * @param done receives each schedule after its run
     */
    static void run(int rounds, LongFunction<SplitSchedule> schedules, Consumer<SplitSchedule> done) {
        run(1, seed -> seed <= rounds, schedules, done);
    }

    /** Runs the schedule of one seed, or of the seed of the system property. */
    static void runOne(long only, LongFunction<SplitSchedule> schedules, Consumer<SplitSchedule> done) {
        run(only, seed -> seed == only, schedules, done);
    }

    /**
     * Runs schedules for {@code -Dminutes=} minutes, 10 by default, with seeds from a random one on, or only the seed
     * of the system property.
     *
     * @param done receives each schedule after its run
     * @return the number of rounds
     */
    static int soak(LongFunction<SplitSchedule> schedules, Consumer<SplitSchedule> done) {
        long endNanos = System.nanoTime()
                + Duration.ofMinutes(Long.getLong("minutes", 10)).toNanos();
        return run(new Random().nextInt(1 << 30), seed -> endNanos - System.nanoTime() > 0, schedules, done);
    }

    private static int run(
            long first, LongPredicate goesOn, LongFunction<SplitSchedule> schedules, Consumer<SplitSchedule> done) {
        long from = REPEATED == null ? first : REPEATED;
        System.out.println("seeds from " + from);
        long seed = from;
        for (; REPEATED == null ? goesOn.test(seed) : seed == from; seed++) {
            SplitSchedule schedule = schedules.apply(seed);
            BitSet steps = new BitSet();
            steps.set(0, schedule.steps());
            if (failureOf(schedule, steps) != null) {
                throw shortest(seed, steps, schedules);
            }
            done.accept(schedule);
        }
        System.out.println("seeds to " + (seed - 1));
        return (int) (seed - from);
    }

    /** Finds a minimal set of steps with which the schedule still fails, and returns its error. */
    private static AssertionError shortest(long seed, BitSet steps, LongFunction<SplitSchedule> schedules) {
        int before;
        do {
            before = steps.cardinality();
            for (int step = steps.length() - 1; step >= 0; step--) {
                BitSet fewer = (BitSet) steps.clone();
                fewer.clear(step);
                if (failureOf(schedules.apply(seed), fewer) != null) {
                    steps.clear(step);
                }
            }
        } while (steps.cardinality() < before);
        SplitSchedule shortest = schedules.apply(seed);
        Throwable failure = failureOf(shortest, steps);
        return new AssertionError(
                "repeat with -Dsnowcast.seed=" + seed + "; these of its steps fail:\n  "
                        + String.join("\n  ", shortest.trace()) + "\n" + failure,
                failure);
    }

    private static @Nullable Throwable failureOf(SplitSchedule schedule, BitSet steps) {
        try {
            schedule.run(steps);
            return null;
        } catch (AssertionError | RuntimeException e) {
            return e;
        }
    }
}
