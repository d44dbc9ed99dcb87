// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.peers;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.peers.Schedule.Step;
import com.noctarius.snowcast.peers.Subject.Need;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PeersScheduleTest {
    private static List<Step> steps(long seed, int count) {
        Schedule schedule = new Schedule(seed);
        return Stream.generate(schedule::next).limit(count).toList();
    }

    @Test
    void aSeedAlwaysGivesTheSameSchedule() {
        assertThat(steps(7, 100)).isEqualTo(steps(7, 100)).isNotEqualTo(steps(8, 100));
    }

    @Test
    void eachKindOfFaultHappensOnceBeforeOneHappensAgain() {
        int kinds = Fault.values().length;
        List<Step> steps = steps(7, 3 * kinds);
        for (int round = 0; round < 3; round++) {
            assertThat(steps.subList(round * kinds, (round + 1) * kinds))
                    .extracting(Step::fault)
                    .containsExactlyInAnyOrder(Fault.values());
        }
    }

    @Test
    void aFaultOutlastsALease() {
        Duration lease = Duration.ofSeconds(10);
        assertThat(steps(7, 1_000))
                .extracting(step -> step.lastsAtALeaseOf(lease))
                .allSatisfy(lasts -> assertThat(lasts).isBetween(Duration.ofSeconds(12), Duration.ofSeconds(18)));
    }

    @Test
    void faultsReachWhatAGeneratorNeeds() {
        assertThat(Fault.KILL.reaches(Need.NOTHING)).isTrue();
        assertThat(Fault.SPLIT.reaches(Need.CLUSTER)).isTrue();
        assertThat(Fault.SPLIT.reaches(Need.DATABASE)).isFalse();
        assertThat(Fault.DATABASE_DUMP.reaches(Need.NOTHING)).isFalse();
    }
}
