// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.table;

import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Runs random schedules, one for each seed. A failure says its seed, which {@code -Dsnowcast.seed=} repeats, and what
 * happens in those of its steps without which it would not fail.
 */
public final class Schedules {
    private static final @Nullable Long REPEATED = Long.getLong("snowcast.seed");

    /** A schedule whose steps draw from generators of their own: one that is left out leaves the others much the same. */
    public interface Schedule {
        /** Returns how many steps it has. */
        int steps();

        /** Runs the steps whose bit is set, once. */
        void run(BitSet steps);

        /** Returns what happened. */
        List<String> trace();
    }

    private Schedules() {}

    /** Whether one seed is repeated. */
    public static boolean isRepeated() {
        return REPEATED != null;
    }

    /** Returns a seed to begin with. */
    public static long anySeed() {
        return new Random().nextInt(1 << 30);
    }

    /**
     * Runs schedules with one seed after the other; or with the one of the system property only.
     *
     * @param done is given each that was run
     */
    public static <T extends Schedule> void run(long first, int rounds, LongFunction<T> schedules, Consumer<T> done) {
        long from = REPEATED == null ? first : REPEATED;
        long to = REPEATED == null ? first + rounds : from + 1;
        System.out.println("seeds " + from + " to " + (to - 1));
        for (long seed = from; seed < to; seed++) {
            T schedule = schedules.apply(seed);
            BitSet steps = new BitSet();
            steps.set(0, schedule.steps());
            if (failureOf(schedule, steps) != null) {
                throw shortest(seed, steps, schedules);
            }
            done.accept(schedule);
        }
    }

    /** Leaves out steps as long as the schedule fails without them as well. */
    private static AssertionError shortest(long seed, BitSet steps, LongFunction<? extends Schedule> schedules) {
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
        Schedule shortest = schedules.apply(seed);
        Throwable failure = failureOf(shortest, steps);
        return new AssertionError(
                "repeat with -Dsnowcast.seed=" + seed + "; these of its steps fail:\n  "
                        + String.join("\n  ", shortest.trace()) + "\n" + failure,
                failure);
    }

    private static @Nullable Throwable failureOf(Schedule schedule, BitSet steps) {
        try {
            schedule.run(steps);
            return null;
        } catch (AssertionError | RuntimeException e) {
            return e;
        }
    }
}
