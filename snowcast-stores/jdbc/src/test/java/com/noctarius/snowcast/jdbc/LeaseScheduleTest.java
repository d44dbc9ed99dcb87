// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests several holders in chosen and random schedules: connections break, and former states replace the database. */
@Tag("integration")
class LeaseScheduleTest {
    private static final int SCHEDULES = Integer.getInteger("snowcast.lease.schedules", 20);

    @Test
    void anExpiredGrantIsEitherRenewedOrTaken() throws Exception {
        LeaseSchedule.Reached reached = new LeaseSchedule.Reached();
        int statement = 1;
        while (new LeaseSchedule(statement, reached).renewsWhileItIsTaken(statement)) {
            statement++;
        }
        assertThat(statement).isGreaterThan(6);
        assertThat(reached.toString()).contains("renewed=", "granted again=");
    }

    /** A loss that is noted by mistake would prevent new grants for longer than a lease. */
    @Test
    void noLossIsNotedWithoutAFailOver() throws Exception {
        long seed = Long.getLong("snowcast.seed", new Random().nextLong());
        LeaseSchedule.Reached reached = new LeaseSchedule.Reached();
        for (int i = 0; i < SCHEDULES; i++) {
            assertThat(new LeaseSchedule(seed + i, reached).lossesWithoutFailOver())
                    .as("-Dsnowcast.seed=%d -Dsnowcast.lease.schedules=1", seed + i)
                    .isZero();
        }
        assertThat(reached.toString()).contains("former grant renewed late=", "broken after a statement=");
    }

    @Test
    void aHolderWhoseDetachmentWasNotConfirmedNotesNoLoss() throws Exception {
        LeaseSchedule.Reached reached = new LeaseSchedule.Reached();
        for (int statement = 1; statement <= 12; statement++) {
            assertThat(new LeaseSchedule(1, 1, reached).lossesAfterALostAnswerToADetach(statement))
                    .as("statement %d", statement)
                    .isZero();
        }
        assertThat(reached.toString()).contains("granted again=");
    }

    @Test
    void aProcessNoticesThatALossIsForgotten() throws Exception {
        LeaseSchedule.Reached reached = new LeaseSchedule.Reached();
        for (int seed = 1; seed <= 10; seed++) {
            assertThat(new LeaseSchedule(seed, reached).attachesAfterItsLossIsForgotten())
                    .isFalse();
        }
        assertThat(reached.toString()).contains("renewed=30");
    }

    /** Both clocks of a suspended machine lag, so that they outvote the right clock of the database. */
    @Test
    void aSuspendedHolderNeitherRestoresAnExpiredGrantNorShortensTheWaitAfterALoss() throws Exception {
        LeaseSchedule.Reached reached = new LeaseSchedule.Reached();
        // With the median of the clocks, 187 shortened the wait, and 198 restored a grant.
        for (int seed = 181; seed <= 200; seed++) {
            new LeaseSchedule(seed, 2, reached).runWithASuspension();
        }
        assertThat(reached.toString()).contains("renewed after a loss=", "refused=", "granted again=");
    }

    @Test
    void noMomentOfANodeIdIsUsedByTwoHolders() throws Exception {
        long seed = Long.getLong("snowcast.seed", new Random().nextLong());
        LeaseSchedule.Reached reached = new LeaseSchedule.Reached();
        for (int i = 0; i < SCHEDULES; i++) {
            try {
                new LeaseSchedule(seed + i, reached).run();
            } catch (Throwable e) {
                throw new AssertionError("-Dsnowcast.seed=" + (seed + i) + " -Dsnowcast.lease.schedules=1: " + e, e);
            }
        }
        System.out.println(reached);
        assertThat(reached.rare())
                .allSatisfy((what, count) -> assertThat(count).as(what).isPositive());
    }
}
