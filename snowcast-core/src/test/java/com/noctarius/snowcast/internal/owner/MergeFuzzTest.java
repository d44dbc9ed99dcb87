// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests merges of tables in a network that splits and merges at random: see {@link SplitSchedule}. */
@Tag("integration")
class MergeFuzzTest {
    private static final int ROUNDS = 5_000;
    private static final int PROTECTED_ROUNDS = 2_000;

    private int duplicates;
    private int needless;
    private int merges;
    private int losses;
    private final Reached<TableState> reached = new Reached<>(TableState.class);
    private int reports;
    private int unnoticed;

    @Test
    void whatTwoSidesGaveIsReportedAndNotGivenAgainAfterTheMerge() {
        Schedules.run(ROUNDS, SplitSchedule::new, this::add);
        check(ROUNDS);
    }

    /**
     * The network has split into three sides. One side has renewed a lease; another side took the lease for expired,
     * and granted the rest of its time to another holder. That other side merges with one of the two remaining sides
     * before these two have merged with each other.
     */
    @Test
    void whatAHolderIssuedUnderALeaseThatAThirdSideTookForEndedIsReported() {
        Schedules.runOne(174_369_178, SplitSchedule::new, this::add);
        if (!Schedules.isRepeated()) {
            assertThat(duplicates).isPositive();
        }
    }

    @Test
    void withSplitBrainProtectionNothingIsGivenTwice() {
        Schedules.run(PROTECTED_ROUNDS, seed -> new SplitSchedule(seed, true), this::add);
        System.out.println(merges + " merges, " + unnoticed + " requests carried out for nothing");
        if (!Schedules.isRepeated()) {
            assertThat(merges).isGreaterThan(PROTECTED_ROUNDS);
            assertThat(unnoticed).isGreaterThan(PROTECTED_ROUNDS / 4);
            assertThat(duplicates).isZero();
        }
    }

    @Test
    @Tag("soak")
    void whatTwoSidesGaveIsReportedAndNotGivenAgainForLong() {
        check(Schedules.soak(SplitSchedule::new, this::add));
    }

    private void add(SplitSchedule schedule) {
        duplicates += schedule.duplicates;
        needless += schedule.needless;
        merges += schedule.merges;
        losses += schedule.losses;
        reached.addAll(schedule.reached);
        reports += schedule.reports;
        unnoticed += schedule.unnoticed;
    }

    private void check(int rounds) {
        System.out.println(rounds + " rounds, " + merges + " merges, " + losses + " losses, " + duplicates
                + " duplicates that were reported, " + reports + " findings, of which " + needless
                + " name no ID that was given twice, " + reached);
        Set<TableState> states = EnumSet.range(TableState.MERGED_UNKNOWN_THERE, TableState.MERGED_AFTER_LOSS);
        reached.require(states);
        if (!Schedules.isRepeated()) {
            assertThat(merges).isGreaterThan(rounds);
            assertThat(losses).isGreaterThan(rounds / 10);
            assertThat(duplicates).isGreaterThan(rounds / 4);
        }
    }
}
