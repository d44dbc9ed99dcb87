// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.hazelcast.client.test.TestHazelcastFactory;
import com.hazelcast.config.Config;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.internal.cluster.ClusterService;
import com.hazelcast.test.Accessors;
import com.noctarius.snowcast.internal.base.Clock;
import com.noctarius.snowcast.internal.base.ClockSteps;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests after which steps of a clock snowcast corrects Hazelcast's cluster time. The heartbeat interval is an hour, so
 * that Hazelcast itself does not correct its cluster time during a test.
 */
@Tag("integration")
class HazelcastTimeClusterTest {
    private static final long STEP_MILLIS = 50_000;

    /** The tolerance of a check, because a busy machine may pause between two readings of clocks. */
    private static final long BUSY_MILLIS = 20_000;

    @AutoClose("terminateAll")
    private static final TestHazelcastFactory FACTORY = new TestHazelcastFactory(2);

    private static HazelcastInstance master;
    private static HazelcastInstance other;

    private final StepClock clock = new StepClock();

    /** A clock whose time changes only when the test sets a step. */
    private static final class StepClock implements Clock {
        long millis;

        @Override
        public long millis() {
            return millis;
        }

        @Override
        public long nanos() {
            return 0;
        }

        @Override
        public void parkUntil(long untilMillis) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void parkNanos(long nanos) {
            throw new UnsupportedOperationException();
        }
    }

    @BeforeAll
    static void start() {
        master = FACTORY.newHazelcastInstance(config());
        other = FACTORY.newHazelcastInstance(config());
    }

    private static Config config() {
        return Members.config(
                "hazelcast.heartbeat.interval.seconds", "3600", "hazelcast.max.no.heartbeat.seconds", "36000");
    }

    /** Steps the clock of {@link HazelcastTime}. Returns how far this moved Hazelcast's cluster time, in ms. */
    private long movedAfter(HazelcastInstance member, long stepMillis) {
        ClusterService service = Accessors.getClusterService(member);
        HazelcastTime time = new HazelcastTime(Accessors.getNodeEngineImpl(member), new ClockSteps(clock));
        long beforeMillis = service.getClusterClock().getClusterTime() - System.currentTimeMillis();
        clock.millis += stepMillis;
        time.adjust();
        time.adjust();
        return service.getClusterClock().getClusterTime() - System.currentTimeMillis() - beforeMillis;
    }

    @Test
    void theMastersStepBackIsAdjusted() {
        assertThat(movedAfter(master, -STEP_MILLIS)).isCloseTo(STEP_MILLIS, within(BUSY_MILLIS));
    }

    @Test
    void theMastersStepAheadIsLeftToItsHeartbeats() {
        assertThat(movedAfter(master, STEP_MILLIS)).isCloseTo(0, within(BUSY_MILLIS));
    }

    @Test
    void anotherMembersStepAheadIsAdjusted() {
        assertThat(movedAfter(other, STEP_MILLIS)).isCloseTo(-STEP_MILLIS, within(BUSY_MILLIS));
    }

    @Test
    void anotherMembersStepBackIsLeftToTheMastersHeartbeats() {
        assertThat(movedAfter(other, -STEP_MILLIS)).isCloseTo(0, within(BUSY_MILLIS));
    }
}
