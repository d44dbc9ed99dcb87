// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A network that splits into up to three sides and merges, at random: see {@link PoolSplitSchedule}. */
@Tag("integration")
class PoolMergeFuzzTest {
    private static final int ROUNDS = 5_000;

    private int duplicates;
    private int merges;
    private int losses;
    private final Reached<PoolState> reached = new Reached<>(PoolState.class);
    private int unnoticed;

    @Test
    void whatTwoSidesHandedOutIsReportedAndNotHandedOutAgainAfterTheMerge() {
        Schedules.run(ROUNDS, PoolSplitSchedule::new, this::add);
        check(ROUNDS);
    }

    @Test
    void withSplitBrainProtectionNothingIsHandedOutTwiceAndNothingIsReported() {
        Schedules.run(ROUNDS, seed -> new PoolSplitSchedule(seed, true), this::add);
        System.out.println(merges + " merges, " + unnoticed + " requests carried out for nothing");
        if (!Schedules.isRepeated()) {
            assertThat(merges).isGreaterThan(ROUNDS);
            assertThat(unnoticed).isGreaterThan(ROUNDS);
            assertThat(duplicates).isZero();
        }
    }

    @Test
    @Tag("soak")
    void whatTwoSidesHandedOutIsReportedAndNotHandedOutAgainForLong() {
        check(Schedules.soak(PoolSplitSchedule::new, this::add));
    }

    private void add(PoolSplitSchedule schedule) {
        duplicates += schedule.duplicates;
        merges += schedule.merges;
        losses += schedule.losses;
        reached.addAll(schedule.reached);
        unnoticed += schedule.unnoticed;
    }

    private void check(int rounds) {
        System.out.println(rounds + " rounds, " + merges + " merges, " + losses + " losses, " + duplicates
                + " duplicates that were reported, "
                + reached);
        reached.require(EnumSet.range(PoolState.MERGED_UNKNOWN_THERE, PoolState.MERGED_WITH_DUPLICATES));
        if (!Schedules.isRepeated()) {
            assertThat(merges).isGreaterThan(rounds);
            assertThat(losses).isGreaterThan(rounds / 10);
            assertThat(duplicates).isGreaterThan(rounds);
        }
    }
}
