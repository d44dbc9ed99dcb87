// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.table;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A network that splits and merges, at random: see {@link SplitSchedule}. */
class MergeFuzzTest {
    private static final int ROUNDS = 5_000;
    private static final int SOAK_ROUNDS = 80_000;

    private int duplicates;
    private int needless;
    private int merges;
    private int losses;

    @Test
    void whatTwoSidesGaveIsReportedAndNotGivenAgainAfterTheMerge() {
        run(1, ROUNDS);
    }

    @Test
    @Tag("soak")
    void whatTwoSidesGaveIsReportedAndNotGivenAgainForLong() {
        run(Schedules.anySeed(), SOAK_ROUNDS);
    }

    private void run(long first, int rounds) {
        Schedules.run(first, rounds, SplitSchedule::new, schedule -> {
            duplicates += schedule.duplicates;
            needless += schedule.needless;
            merges += schedule.merges;
            losses += schedule.losses;
        });
        System.out.println(merges + " merges, " + losses + " losses, " + duplicates + " duplicates that were reported, "
                + needless + " reports of what only one side gave");
        if (!Schedules.isRepeated()) {
            assertThat(merges).isGreaterThan(rounds);
            assertThat(losses).isGreaterThan(rounds / 10);
            assertThat(duplicates).isGreaterThan(rounds / 4);
        }
    }
}
