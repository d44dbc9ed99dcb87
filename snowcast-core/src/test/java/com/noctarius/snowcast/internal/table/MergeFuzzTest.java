// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random schedules of a network that splits and merges; see {@link SplitSchedule}. A failure prints its seed, which
 * {@code -Dsnowcast.seed=} repeats, and the steps without which it would not fail.
 */
class MergeFuzzTest {
    private static final int ROUNDS = 5_000;
    private static final int SOAK_ROUNDS = 80_000;

    @Test
    void whatTwoSidesGaveIsReportedAndNotGivenAgainAfterTheMerge() {
        run(Long.getLong("snowcast.seed", 1), ROUNDS);
    }

    @Test
    @Tag("soak")
    void whatTwoSidesGaveIsReportedAndNotGivenAgainForLong() {
        run(Long.getLong("snowcast.seed", new Random().nextInt(1 << 30)), SOAK_ROUNDS);
    }

    private static void run(long first, int allRounds) {
        int rounds = Long.getLong("snowcast.seed") == null ? allRounds : 1;
        System.out.println("merges of sequencers: seeds " + first + " to " + (first + rounds - 1));
        int duplicates = 0;
        int needless = 0;
        int merges = 0;
        int losses = 0;
        for (long seed = first; seed < first + rounds; seed++) {
            SplitSchedule schedule = new SplitSchedule(seed);
            BitSet steps = new BitSet();
            steps.set(0, SplitSchedule.ALL_STEPS);
            try {
                schedule.run(steps);
            } catch (AssertionError | RuntimeException e) {
                throw shortest(seed, steps, e);
            }
            duplicates += schedule.duplicates;
            needless += schedule.needless;
            merges += schedule.merges;
            losses += schedule.losses;
        }
        System.out.println(merges + " merges, " + losses + " losses, " + duplicates + " duplicates that were reported, "
                + needless + " reports of what only one side gave");
        if (rounds > 1) {
            assertThat(merges).isGreaterThan(rounds);
            assertThat(losses).isGreaterThan(rounds / 10);
            assertThat(duplicates).isGreaterThan(rounds / 10);
        }
    }

    /** Leaves out all steps without which the schedule fails as well. */
    private static AssertionError shortest(long seed, BitSet steps, Throwable failure) {
        Throwable last = failure;
        SplitSchedule schedule = new SplitSchedule(seed);
        for (int size = steps.cardinality() + 1; size > steps.cardinality(); ) {
            size = steps.cardinality();
            for (int step = SplitSchedule.ALL_STEPS - 1; step >= 0; step--) {
                if (steps.get(step)) {
                    steps.clear(step);
                    SplitSchedule tried = new SplitSchedule(seed);
                    Throwable failed = failureOf(tried, steps);
                    if (failed == null) {
                        steps.set(step);
                    } else {
                        last = failed;
                        schedule = tried;
                    }
                }
            }
        }
        return new AssertionError(
                "repeat with -Dsnowcast.seed=" + seed + "; of its steps these suffice:\n  "
                        + String.join("\n  ", schedule.trace),
                last);
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
