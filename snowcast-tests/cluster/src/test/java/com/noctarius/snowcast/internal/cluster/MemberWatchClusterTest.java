// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.client.test.TestHazelcastFactory;
import com.hazelcast.cluster.ClusterState;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.logging.ILogger;
import com.hazelcast.spi.impl.NodeEngineImpl;
import com.hazelcast.test.Accessors;
import com.hazelcast.test.HazelcastTestSupport;
import com.noctarius.snowcast.internal.base.Clock;
import com.noctarius.snowcast.internal.base.SystemClock;
import com.noctarius.snowcast.internal.vote.Electorate;
import com.noctarius.snowcast.internal.vote.Electorate.Eligibility;
import com.noctarius.snowcast.internal.vote.Electorate.Standing;
import com.noctarius.snowcast.internal.vote.Electorate.Vote;
import com.noctarius.snowcast.tests.Await;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests how a member judges by Hazelcast's member list whether it may act as an owner. */
@Tag("integration")
class MemberWatchClusterTest {
    private static final long MAX_GAP_MILLIS = 5_000;

    @AutoClose("terminateAll")
    private final TestHazelcastFactory factory = new TestHazelcastFactory();

    private final HandClock clock = new HandClock();

    /** A clock whose time changes only when the test says so. */
    private static final class HandClock implements Clock {
        private long millis = 1_000_000;

        @Override
        public long millis() {
            return millis;
        }

        @Override
        public long nanos() {
            return TimeUnit.MILLISECONDS.toNanos(millis);
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

    /** In the list of its former cluster the member is alone, and would confirm itself if that list counted. */
    @Test
    void aLookThatReadTheFormerListDoesNotCountAfterTheMemberHasLeft() throws InterruptedException {
        NodeEngineImpl nodeEngine = Accessors.getNodeEngineImpl(factory.newHazelcastInstance(Members.config()));
        Electorate electorate = new Electorate(SystemClock.INSTANCE, 5_000, 10_000, 0);
        AtomicReference<MemberWatch> toReset = new AtomicReference<>();
        Thread leaving = new Thread(() -> Objects.requireNonNull(toReset.get()).reset());
        MemberWatch eligibility = new MemberWatch(
                nodeEngine,
                electorate,
                member -> {
                    leaving.start();
                    awaitEndOrBlock(leaving);
                    return false;
                },
                nodeEngine.getLogger(MemberWatch.class));
        toReset.set(eligibility);
        assertThat(eligibility.decide()).isEqualTo(Eligibility.CONFIRMED);
        leaving.join();

        assertThat(electorate.self()).isNull();
        UUID elder = new UUID(0, 1);
        UUID self = new UUID(0, 2);
        assertThat(electorate.decide(self, List.of(elder, self), 1)).isEqualTo(Eligibility.UNCONFIRMED);
    }

    /** All members are in the list, but the members that knew the latest decisions have lost them by a restart. */
    @Test
    void aMemberThatIsBehindSaysSoWhenItGivesUpItsData() {
        NodeEngineImpl nodeEngine = Accessors.getNodeEngineImpl(factory.newHazelcastInstance(Members.config()));
        UUID other = factory.newHazelcastInstance(Members.config())
                .getCluster()
                .getLocalMember()
                .getUuid();
        long noSearchMillis = -1;
        Electorate electorate = new Electorate(clock, MAX_GAP_MILLIS, noSearchMillis, 2);
        ILogger logger = nodeEngine.getLogger(MemberWatch.class);
        List<String> logged = new CopyOnWriteArrayList<>();
        nodeEngine.getLoggingService().addLogListener(Level.WARNING, event -> {
            if (event.getLogRecord().getLoggerName().equals(MemberWatch.class.getName())) {
                logged.add(event.getLogRecord().getMessage());
            }
        });
        MemberWatch watch = new MemberWatch(nodeEngine, electorate, member -> false, logger);
        watch.decide();
        Electorate.Asked asked = electorate.asked();
        electorate.answered(other, new Vote(asked.listHash(), true, Standing.KNOWS, 3, 0), asked);
        assertThat(watch.decide()).isEqualTo(Eligibility.BEHIND);
        clock.millis += 3_001;
        watch.seekOrGoOn(() -> 1, () -> {});

        assertThat(logged)
                .singleElement()
                .asString()
                .contains("Too few of the data members")
                .contains("without its data");
        assertThat(watch.decide()).isEqualTo(Eligibility.CONFIRMED);
        assertThat(electorate.discardedMillis()).isEqualTo(1);
    }

    /** Its elder has crashed before it confirmed this member. The other member acts: it keeps its data. */
    @Test
    void aMemberThatOneThatActsConfirmsDiscardsItsOwnDataOnly() {
        NodeEngineImpl nodeEngine = Accessors.getNodeEngineImpl(factory.newHazelcastInstance(Members.config()));
        UUID self = nodeEngine.getLocalMember().getUuid();
        UUID other = factory.newHazelcastInstance(Members.config())
                .getCluster()
                .getLocalMember()
                .getUuid();
        long noSearchMillis = -1;
        Electorate electorate = new Electorate(clock, MAX_GAP_MILLIS, noSearchMillis, 0);
        electorate.decide(self, List.of(new UUID(0, 1), self, other), 1);
        MemberWatch watch =
                new MemberWatch(nodeEngine, electorate, member -> false, nodeEngine.getLogger(MemberWatch.class));
        assertThat(watch.decide()).isEqualTo(Eligibility.ISOLATED);
        Electorate.Asked asked = electorate.asked();
        electorate.answered(other, new Vote(asked.listHash(), true, Standing.ACTS, 3, 0), asked);

        clock.millis += 3_001;
        List<Eligibility> whenDiscarded = new CopyOnWriteArrayList<>();
        watch.seekOrGoOn(() -> 1, () -> whenDiscarded.add(watch.decide()));

        assertThat(whenDiscarded).as("it may not act before").containsExactly(Eligibility.ISOLATED);
        assertThat(watch.decide()).isEqualTo(Eligibility.CONFIRMED);
        assertThat(electorate.discardedMillis()).isZero();
    }

    /** Hazelcast neither answers the search of another cluster while its own is FROZEN, nor merges the two. */
    @Test
    void aMemberOfAFrozenClusterIsReached() {
        HazelcastInstance one = factory.newHazelcastInstance(Members.config());
        HazelcastInstance other = factory.newHazelcastInstance(Members.config());
        NodeEngineImpl nodeEngine = Accessors.getNodeEngineImpl(one);
        long searchMillis = 60_000;
        Electorate electorate = new Electorate(clock, MAX_GAP_MILLIS, searchMillis, 0);
        MemberWatch watch =
                new MemberWatch(nodeEngine, electorate, member -> false, nodeEngine.getLogger(MemberWatch.class));
        watch.decide();
        Electorate.Asked asked = electorate.asked();
        UUID otherUuid = other.getCluster().getLocalMember().getUuid();
        electorate.answered(otherUuid, new Vote(asked.listHash(), true, Standing.ACTS, 2, 0), asked);
        assertThat(watch.decide()).isEqualTo(Eligibility.CONFIRMED);
        HazelcastTestSupport.suspectMember(one, other);
        HazelcastTestSupport.suspectMember(other, one);
        Await.until("two clusters", () -> sizeOf(one) == 1 && sizeOf(other) == 1);
        Await.until("a FROZEN cluster", () -> isFrozen(other));
        clock.millis += 2 * MAX_GAP_MILLIS; // The confirmation no longer counts.
        assertThat(watch.decide()).isEqualTo(Eligibility.ISOLATED);
        clock.millis += 1_000;
        assertThat(watch.decide()).isEqualTo(Eligibility.ISOLATED);
        assertThat(electorate.waitMillis()).isEqualTo(searchMillis - 1_000);

        Await.until("the wait that a pause restarts after an absent member was reached", () -> {
            clock.millis += MAX_GAP_MILLIS + 1;
            watch.seekOrGoOn(() -> 1, () -> {});
            return electorate.waitMillis() == searchMillis;
        });
    }

    private static boolean isFrozen(HazelcastInstance member) {
        try {
            member.getCluster().changeClusterState(ClusterState.FROZEN);
            return true;
        } catch (IllegalStateException e) { // Partitions still migrate.
            return false;
        }
    }

    private static int sizeOf(HazelcastInstance member) {
        return member.getCluster().getMembers().size();
    }

    private static void awaitEndOrBlock(Thread thread) {
        while (thread.isAlive() && thread.getState() != Thread.State.BLOCKED) {
            Thread.onSpinWait();
        }
    }
}
