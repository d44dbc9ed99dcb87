// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.integers;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.internal.table.Schedules;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A network that splits into up to three sides and merges, at random: see {@link PoolSplitSchedule}. */
@Tag("integration")
class PoolMergeFuzzTest {
    private static final int ROUNDS = 5_000;

    private int duplicates;
    private int merges;

    @Test
    void whatTwoSidesHandedOutIsReportedAndNotHandedOutAgainAfterTheMerge() {
        Schedules.run(ROUNDS, PoolSplitSchedule::new, this::add);
        check(ROUNDS);
    }

    @Test
    @Tag("soak")
    void whatTwoSidesHandedOutIsReportedAndNotHandedOutAgainForLong() {
        check(Schedules.soak(PoolSplitSchedule::new, this::add));
    }

    private void add(PoolSplitSchedule schedule) {
        duplicates += schedule.duplicates;
        merges += schedule.merges;
    }

    private void check(int rounds) {
        System.out.println(rounds + " rounds, " + merges + " merges, " + duplicates + " duplicates that were reported");
        if (!Schedules.isRepeated()) {
            assertThat(merges).isGreaterThan(rounds);
            assertThat(duplicates).isGreaterThan(rounds);
        }
    }
}
