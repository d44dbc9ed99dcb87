// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.cluster.ClusterState;
import com.hazelcast.config.Config;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.internal.cluster.Isolation;
import com.noctarius.snowcast.internal.cluster.Marks;
import com.noctarius.snowcast.internal.cluster.Tables;
import com.noctarius.snowcast.internal.owner.HighWaterMark;
import com.noctarius.snowcast.internal.owner.HighWaterMark.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("integration")
class DurableHighWaterMarkClusterTest {
    private static final long HOUR = 3_600_000;
    private static final Consumer<Config> QUORUM = config -> SplitNetwork.protect(config, 2);

    @TempDir
    private Path temporary;

    private Path directory;
    private Path own;
    private Map<String, String> properties;

    @BeforeEach
    void prepare() {
        directory = temporary.resolve("floors");
        own = temporary.resolve("own");
        properties = Restart.properties("snowcast.high.water.mark.dir", directory.toString());
    }

    @Test
    void afterTheLastMemberLeftInOrderGrantsBeginAtOnceAndAbove() throws Exception {
        long last = 0;
        AtomicLong markedUntil = new AtomicLong();
        for (int i = 0; i < 2; i++) {
            // The last IDs of the former cluster are only moments old. Without this pause, the new cluster might have
            // to wait until its time exceeds the times of these IDs.
            Await.until("a moment is over", () -> System.currentTimeMillis() > markedUntil.get() + 500);
            try (MockCluster cluster = MockCluster.of(2, properties)) {
                SnowcastSequencer sequencer = TestCluster.create(cluster.member(0), "orders");
                long[] ids = sequencer.next(1_000);
                assertThat(sequencer.timestampValue(ids[0])).isGreaterThan(last);
                last = sequencer.timestampValue(ids[ids.length - 1]);
                cluster.awaitSafe();
                cluster.leave(cluster.member(1));
                cluster.awaitSize(); // Member 0 must know that it is the last one.
                cluster.awaitSafe();
                Await.until("all partitions could grant", () -> Tables.hasBegunEverywhere(cluster.member(0)));
                cluster.leave(cluster.member(0));
                HighWaterMark mark = Marks.in(directory);
                assertThat(mark.state()).isEqualTo(State.CLOSED);
                assertThat(mark.untilMillis()).isGreaterThan(Restart.millisOf(sequencer, ids[ids.length - 1]));
                markedUntil.set(mark.untilMillis());
            }
        }
    }

    /** Lets a member leave as soon as all partitions could grant. Returns the state of the mark in a directory. */
    private static State stateAfterLeaving(MockCluster cluster, HazelcastInstance member, Path ofMark)
            throws Exception {
        Await.until("all partitions could grant", () -> Tables.hasBegunEverywhere(member));
        cluster.leave(member);
        return Marks.in(ofMark).state();
    }

    @Test
    void aGrantThatWasNotGivenBackCountsAsUsed() throws Exception {
        try (MockCluster cluster = MockCluster.of(1, properties)) {
            HazelcastInstance client = cluster.addClient();
            long now = System.currentTimeMillis();
            TestCluster.create(client, "orders").next();
            Await.until("all partitions could grant", () -> Tables.hasBegunEverywhere(cluster.member(0)));
            cluster.leave(cluster.member(0));

            HighWaterMark mark = Marks.in(directory);
            assertThat(mark.state()).isEqualTo(State.CLOSED);
            assertThat(mark.untilMillis()).isGreaterThanOrEqualTo(now + Restart.LEASE);
        }
    }

    /** In {@code NO_MIGRATION}, the leaving member still owns all partitions, although another member has joined. */
    @Test
    void whoLeavesOthersBehindDoesNotCloseItsMark() throws Exception {
        try (MockCluster cluster = MockCluster.of(1, properties)) {
            HazelcastInstance first = cluster.member(0);
            TestCluster.create(first, "orders").next();
            Await.until("all partitions could grant", () -> Tables.hasBegunEverywhere(first));
            TestCluster.changeState(first, ClusterState.NO_MIGRATION);
            cluster.addMember(Restart.floorIn(temporary.resolve("other")));
            cluster.leave(first);

            assertThat(Marks.in(directory).state()).isEqualTo(State.OPEN);
        }
    }

    /** The grants that this member made may outlast it. Only the last member knows when all of them have ended. */
    @Test
    void whoHandsOverInOrderSaysSoInItsMarkButDoesNotLowerIt() throws Exception {
        Path other = temporary.resolve("other");
        try (MockCluster cluster = MockCluster.of(1, properties)) {
            HazelcastInstance joined = cluster.addMember(Restart.floorIn(other));
            cluster.awaitSafe();
            TestCluster.create(joined, cluster.nameOwnedBy(joined)).next();
            HighWaterMark before = Marks.in(other);
            cluster.leave(joined);

            assertThat(Marks.in(other).state()).isEqualTo(State.HANDED_OVER);
            assertThat(Marks.in(other).untilMillis()).isGreaterThanOrEqualTo(before.untilMillis());
        }
    }

    /**
     * The member that is gone has crashed here, but it could as well go on with clients on the other side of a split.
     */
    @Test
    void theLastMemberDoesNotOutweighOneThatDidNotLeaveInOrder() throws Exception {
        try (MockCluster cluster = MockCluster.of(2, properties)) {
            HazelcastInstance first = cluster.member(0);
            TestCluster.create(first, cluster.nameOwnedBy(cluster.member(1))).next();
            cluster.crash(cluster.member(1));
            cluster.awaitSize();
            Isolation.awaitEnd(cluster.members());
            assertThat(stateAfterLeaving(cluster, first, directory)).isEqualTo(State.OPEN);
        }
    }

    /** The other side of the split has a quorum, and goes on. */
    @Test
    void whoWasCutOffFromAQuorumDoesNotCloseItsMark() throws Exception {
        try (MockCluster cluster = MockCluster.of(0, properties)) {
            HazelcastInstance cutOff = cluster.addMember(QUORUM.andThen(Restart.floorIn(own)));
            List<HazelcastInstance> others = List.of(cluster.addMember(QUORUM), cluster.addMember(QUORUM));
            cluster.awaitSafe();
            TestCluster.create(cutOff, cluster.nameOwnedBy(cutOff)).next();
            SplitNetwork.cut(List.of(cutOff), others).suspected();
            assertThat(stateAfterLeaving(cluster, cutOff, own)).isEqualTo(State.OPEN);
        }
    }

    /** Alone, the last member has no quorum, but it has taken over everything. */
    @Test
    void theLastOfAQuorumClosesItsMark() throws Exception {
        try (MockCluster cluster = MockCluster.of(0, properties)) {
            HazelcastInstance last = cluster.addMember(QUORUM.andThen(Restart.floorIn(own)));
            List<HazelcastInstance> others = List.of(cluster.addMember(QUORUM), cluster.addMember(QUORUM));
            cluster.awaitSafe();
            TestCluster.create(last, cluster.nameOwnedBy(others.get(1))).next();
            for (HazelcastInstance other : others) {
                cluster.leave(other);
                cluster.awaitSize();
                cluster.awaitSafe();
            }
            assertThat(stateAfterLeaving(cluster, last, own)).isEqualTo(State.CLOSED);
        }
    }

    /** The member that is gone needs one more for a quorum, which may join it later. */
    @Test
    void whoWasCutOffFromTheOnlyOtherMemberDoesNotCloseItsMark() throws Exception {
        try (MockCluster cluster = MockCluster.of(0, properties)) {
            HazelcastInstance cutOff = cluster.addMember(QUORUM.andThen(Restart.floorIn(own)));
            HazelcastInstance other = cluster.addMember(QUORUM);
            cluster.leave(cluster.addMember(QUORUM));
            cluster.awaitSize();
            cluster.awaitSafe();
            TestCluster.create(cutOff, cluster.nameOwnedBy(cutOff)).next();
            SplitNetwork.cut(List.of(cutOff), List.of(other)).suspected();
            assertThat(stateAfterLeaving(cluster, cutOff, own)).isEqualTo(State.OPEN);
        }
    }

    /** Hazelcast then migrates nothing, so that no member hands its partitions over. */
    @Test
    void membersThatStopAtOnceDoNotWaitForEachOther() throws Exception {
        properties.put("hazelcast.graceful.shutdown.max.wait", "3600");
        try (MockCluster cluster = MockCluster.of(4, properties)) {
            TestCluster.create(cluster.member(0), "orders").next();
            cluster.awaitSafe();
            List<HazelcastInstance> members = List.copyOf(cluster.members());
            Threads.run(members.size(), index -> members.get(index).shutdown());
        }
    }

    @Test
    void aClusterInWhichNothingCouldBeGrantedKeepsTheMark() {
        Marks.leave(directory, "other", 1_000);
        try (MockCluster cluster = MockCluster.of(0, awaitingFloorsOf(2))) {
            HazelcastInstance member = cluster.addMember(DurableHighWaterMarkClusterTest::impatient);
            assertThatThrownBy(() -> TestCluster.create(member, "orders")).isInstanceOf(SnowcastException.class);
            cluster.leave(member);
        }

        assertThat(Marks.in(directory)).isEqualTo(new HighWaterMark(1_000, 1_000, State.OPEN));
    }

    private Map<String, String> awaitingFloorsOf(int members) {
        return Restart.properties(
                "snowcast.high.water.mark.dir", directory.toString(),
                "snowcast.high.water.mark.members", Integer.toString(members));
    }

    /** Shortens the call time-out, because a call that waits for missing marks fails only at its time-out. */
    private static void impatient(Config config) {
        config.setProperty("hazelcast.operation.call.timeout.millis", "1500");
    }

    @Test
    void theErrorAfterACrashSaysUntilWhen() {
        long until = System.currentTimeMillis() + HOUR;
        Marks.leave(directory, "other", until);
        try (MockCluster cluster = MockCluster.of(1, properties)) {
            assertThatThrownBy(() -> TestCluster.create(cluster.member(0), "orders"))
                    .isExactlyInstanceOf(SnowcastUnavailableException.class)
                    .hasMessageEndingWith("no holder can be attached before " + Instant.ofEpochMilli(until));
            assertThat(Marks.in(directory).untilMillis()).isGreaterThanOrEqualTo(until);
        }
    }

    @Test
    void asManyMembersMarksAsWantedAreAwaitedAndTheHighestCounts() throws Exception {
        Path first = temporary.resolve("first");
        Path second = temporary.resolve("second");
        Marks.leave(first, "other", 1_000);
        try (MockCluster cluster = MockCluster.of(0, awaitingFloorsOf(2))) {
            HazelcastInstance early =
                    cluster.addMember(Restart.floorIn(first).andThen(DurableHighWaterMarkClusterTest::impatient));
            assertThatThrownBy(() -> TestCluster.create(early, "orders"))
                    .isInstanceOf(SnowcastException.class)
                    .hasMessageContaining("the high-water marks of 2 members are awaited");

            long until = System.currentTimeMillis() + 1_500;
            Marks.leave(second, "other", until);
            HazelcastInstance other = cluster.addMember(Restart.floorIn(second));
            SnowcastSequencer sequencer = Restart.createAfterTheWait(other, "orders");
            assertThat(Restart.millisOf(sequencer, sequencer.next())).isGreaterThanOrEqualTo(until);

            // The cluster keeps the mark of a member that has crashed, and members that join later receive it.
            cluster.awaitSafe();
            cluster.crash(other);
            cluster.awaitSize();
            Isolation.awaitEnd(cluster.members());
            HazelcastInstance late = cluster.addMember(Restart.floorIn(temporary.resolve("third")));
            cluster.awaitSafe();
            TestCluster.create(late, cluster.nameOwnedBy(late));
        }
    }

    @Test
    void whoBecomesTheOwnerBeforeTheBeginningWaitsForIt() {
        try (MockCluster cluster = MockCluster.of(0, awaitingFloorsOf(3))) {
            HazelcastInstance first = cluster.addMember(DurableHighWaterMarkClusterTest::impatient);
            assertThatThrownBy(() -> TestCluster.create(first, "orders")).isInstanceOf(SnowcastException.class);
            HazelcastInstance second = cluster.addMember(DurableHighWaterMarkClusterTest::impatient);
            cluster.awaitSafe();
            assertThatThrownBy(() -> TestCluster.create(first, cluster.nameOwnedBy(second)))
                    .isInstanceOf(SnowcastException.class)
                    .hasMessageContaining("are awaited");

            String name = cluster.nameOwnedBy(first);
            cluster.crash(first);
            cluster.awaitSize();
            cluster.awaitSafe();
            Isolation.awaitEnd(cluster.members());
            assertThatThrownBy(() -> TestCluster.create(second, name))
                    .isInstanceOf(SnowcastException.class)
                    .hasMessageContaining("are awaited");
        }
    }

    /**
     * If clocks were set back, the second member's mark, which is still unknown, may be ahead of the present time.
     * Grants must begin above this mark.
     */
    @Test
    void whoLosesItsDataBeforeTheBeginningWaitsForItAllTheSame() {
        long until = System.currentTimeMillis() + TimeUnit.DAYS.toMillis(1);
        Path second = temporary.resolve("second");
        Marks.leave(second, "other", until);
        try (MockCluster cluster = MockCluster.of(0, awaitingFloorsOf(2))) {
            HazelcastInstance first = cluster.addMember(DurableHighWaterMarkClusterTest::impatient);
            assertThatThrownBy(() -> TestCluster.create(first, "orders")).isInstanceOf(SnowcastException.class);
            Tables.loseAll(first);
            assertThatThrownBy(() -> TestCluster.create(first, "orders")).hasMessageContaining("are awaited");

            cluster.addMember(Restart.floorIn(second));
            cluster.awaitSafe();
            String name = cluster.nameOwnedBy(first);
            assertThatThrownBy(() -> TestCluster.create(first, name))
                    .hasMessageEndingWith("no holder can be attached before " + Instant.ofEpochMilli(until));
        }
    }

    /** The mark is a day ahead, as after the clock was set back. Former leases may last until the mark. */
    @Test
    void whoLosesItsDataAfterTheBeginningWaitsForTheMarkAllTheSame() {
        long until = System.currentTimeMillis() + TimeUnit.DAYS.toMillis(1);
        Marks.leave(directory, "other", until);
        try (MockCluster cluster = MockCluster.of(1, properties)) {
            HazelcastInstance member = cluster.member(0);
            Await.until("all partitions could grant", () -> Tables.hasBegunEverywhere(member));
            Tables.loseAll(member);
            assertThatThrownBy(() -> TestCluster.create(member, "orders"))
                    .hasMessageEndingWith("no holder can be attached before " + Instant.ofEpochMilli(until));
        }
    }

    /** The marks of the former cluster do not cover grants that this cluster may have made before the loss. */
    @Test
    void whoLosesItsDataBeforeTheBeginningWaitsAsAfterAnyLoss() {
        Path second = temporary.resolve("second");
        Marks.leave(second, "other", System.currentTimeMillis() - HOUR);
        try (MockCluster cluster = MockCluster.of(0, awaitingFloorsOf(2))) {
            HazelcastInstance first = cluster.addMember(DurableHighWaterMarkClusterTest::impatient);
            assertThatThrownBy(() -> TestCluster.create(first, "orders")).isInstanceOf(SnowcastException.class);
            Tables.loseAll(first);
            // This check also creates each partition's container, which notes the loss. This must happen before the
            // second member joins, because from then on the first member knows both high-water marks.
            for (int partition = 0; partition < TestCluster.PARTITIONS; partition++) {
                assertThat(Tables.attached(first, cluster.nameIn(partition))).isZero();
            }

            cluster.addMember(Restart.floorIn(second));
            cluster.awaitSafe();
            String name = cluster.nameOwnedBy(first);
            assertThatThrownBy(() -> TestCluster.create(first, name))
                    .hasMessageContaining("no holder can be attached before");
        }
    }

    /**
     * Members may have different leases, and after a full restart the mark of a single member must cover all grants.
     */
    @Test
    void aMarkCoversTheLongestLeaseOfAnyMember() throws Exception {
        properties.put("snowcast.lease.millis", Long.toString(HOUR / 60));
        properties.put("snowcast.max.lease.millis", Long.toString(HOUR));
        try (MockCluster cluster = MockCluster.of(1, properties)) {
            long before = System.currentTimeMillis();
            TestCluster.create(cluster.member(0), "orders").next();
            assertThat(Marks.in(directory).untilMillis()).isGreaterThan(before + HOUR);
        }
    }

    @Test
    void aMemberThatJoinsNeedsNoFloorOfItsOwn() throws Exception {
        Path old = temporary.resolve("old");
        Marks.leave(old, "other", System.currentTimeMillis() + HOUR);
        try (MockCluster cluster = MockCluster.of(1, properties)) {
            TestCluster.create(cluster.member(0), TestCluster.newName()).next();
            HazelcastInstance joined = cluster.addMember(Restart.floorIn(old));
            cluster.awaitSafe();

            TestCluster.create(joined, cluster.nameOwnedBy(joined)).next();
            TestCluster.create(joined, cluster.nameOwnedBy(cluster.member(0))).next();
            assertThat(Marks.in(old).untilMillis()).isGreaterThan(System.currentTimeMillis() + HOUR / 2);
        }
    }

    /**
     * The test sets the time. In real time, a holder on a busy machine could miss a renewal before its lease reaches
     * the mark.
     */
    @Test
    void noGrantReachesBeyondWhatCouldBeWritten() throws Exception {
        OffsetClock clock = new OffsetClock(0);
        properties.put("snowcast.lease.millis", Long.toString(HOUR));
        try (MockCluster cluster = MockCluster.of(0, properties)) {
            HazelcastInstance member = cluster.addMember(clock::install);
            SnowcastSequencer sequencer = TestCluster.create(member, "orders");
            sequencer.next();
            Path gone = temporary.resolve("gone");
            Files.move(directory, gone);
            long until = Marks.in(gone).untilMillis();
            // Advance the time until renewals have extended the lease to the mark. The owner cannot extend the lease
            // beyond the mark, and refuses further renewals.
            while (sequencer.stats().leaseRemaining().toMillis() + clock.millis() < until) {
                long next = Math.min(clock.millis() + HOUR * 3 / 4, until - HOUR / 2);
                TimeStep.to(next - System.currentTimeMillis(), clock, cluster.members(), List.of(sequencer));
            }
            setTime(member, clock, until - HOUR / 30);
            long last = sequencer.next();
            assertThat(Restart.millisOf(sequencer, last)).isBetween(until - HOUR / 30, until - 1);
            setTime(member, clock, until);
            // After a step of the clock, ID time advances with the elapsed time, but not beyond the mark.
            assertThat(Restart.millisOf(sequencer, sequencer.next())).isLessThan(until);
            // A background thread writes the mark. A refusal names the reason only after that thread's first failure.
            Await.until(
                    "a renewal that is refused for it",
                    () -> sequencer.stats().problem().contains(cannotBeWritten(member)));
            assertThatThrownBy(() -> TestCluster.create(member, "others"))
                    .isExactlyInstanceOf(SnowcastUnavailableException.class)
                    .hasMessageContaining(
                            "the high-water mark is reserved up to " + Instant.ofEpochMilli(until) + " only")
                    .hasMessageContaining(cannotBeWritten(member));

            Files.move(gone, directory);
            Await.until(
                    "an ID beyond the mark",
                    () -> sequencer.tryNext().stream().anyMatch(id -> Restart.millisOf(sequencer, id) >= until));
            TestCluster.create(member, "others").next();
        }
    }

    /** Both awaited marks are known, but the member must not grant, because it cannot write its own mark. */
    @Test
    void aMemberThatCanWriteNothingRefusesAtOnceAndSaysSinceWhen() throws Exception {
        try (MockCluster cluster = MockCluster.of(0, awaitingFloorsOf(2))) {
            HazelcastInstance full = cluster.addMember();
            Files.move(directory, temporary.resolve("gone"));
            Files.writeString(directory, "");
            cluster.addMember(Restart.floorIn(temporary.resolve("other")));
            cluster.awaitSafe();

            assertThatThrownBy(() -> TestCluster.create(full, cluster.nameOwnedBy(full)))
                    .isExactlyInstanceOf(SnowcastUnavailableException.class)
                    .hasMessageContaining(cannotBeWritten(full));
        }
    }

    private String cannotBeWritten(HazelcastInstance member) {
        return "the high-water mark of member "
                + member.getCluster().getLocalMember().getAddress() + ", snowcast.high.water.mark.dir=" + directory
                + ", cannot be written since 20";
    }

    private static void setTime(HazelcastInstance member, OffsetClock clock, long millis) {
        TimeStep.to(millis - System.currentTimeMillis(), clock, List.of(member), List.of());
    }

    @Test
    void aDamagedFileStopsTheStartWithItsPath() throws IOException {
        Marks.leave(directory, "other", 1_000);
        Path file = Marks.ofCluster(directory).resolve("other.high-water-mark");
        Files.writeString(file, Files.readString(file).replace("1000", "9999"));

        assertThatThrownBy(() -> MockCluster.of(1, properties))
                .hasMessageStartingWith("snowcast.high.water.mark.dir=" + directory + ": ")
                .hasMessageContaining(file + " is damaged (its checksum is wrong)");
    }
}
