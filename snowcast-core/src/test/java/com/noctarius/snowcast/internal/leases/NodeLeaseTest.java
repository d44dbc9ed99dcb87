// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import static com.noctarius.snowcast.internal.leases.FakeCluster.LEASE_MILLIS;
import static com.noctarius.snowcast.internal.leases.FakeCluster.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.NodeLease;
import com.noctarius.snowcast.NodeLeaseConfig;
import com.noctarius.snowcast.SnowcastNodeIdsExceededException;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencerAlreadyRegisteredException;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.internal.base.ManualClock;
import com.noctarius.snowcast.internal.base.Waiting;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

class NodeLeaseTest {
    private static final String NAME = "tsid0";

    private final ManualClock clock = ManualClock.autoAdvancing(START);
    private final FakeCluster cluster = new FakeCluster(clock);
    private final FakeMember member = cluster.join(clock);
    private final FakeMember other = cluster.join(clock);
    private final List<Integer> madeFor = new ArrayList<>();
    private final LeasedNode lease = lease(member);

    private static NodeLeaseConfig config(int maxNodeCount) {
        return NodeLeaseConfig.builder(NAME).maxNodeCount(maxNodeCount).build();
    }

    private static LeasedNode lease(FakeMember of) {
        return (LeasedNode) of.sequencers.lease(config(3));
    }

    private NodeLease.Generator generator(NodeLease of) {
        return of.generator(this::newGenerator, OtherGenerator::millisOf);
    }

    private LongSupplier newGenerator(int nodeId) {
        madeFor.add(nodeId);
        return new OtherGenerator(nodeId, clock);
    }

    /** Ends the grant at the owner, and lets the holder notice this at its next renewal. */
    private void lose() {
        member.coordinator.takeAway(NAME);
        clock.advanceMillis(LEASE_MILLIS / 2);
        member.sequencers.leaseKeeper.keep();
        member.coordinator.answerRenewal();
    }

    // --- the node ID

    @Test
    void holdersOfOneNameHaveDifferentNodeIdsUntilThereAreNoneLeft() {
        NodeLease second = lease(other);
        NodeLease third = lease(cluster.join(clock));
        assertThat(List.of(lease.nodeId(), second.nodeId(), third.nodeId())).containsExactlyInAnyOrder(0, 1, 2);

        FakeMember fourth = cluster.join(clock);
        assertThatThrownBy(() -> lease(fourth))
                .isInstanceOf(SnowcastNodeIdsExceededException.class)
                .hasMessageStartingWith("node lease tsid0: all 3 node IDs are in use: 3 attached");
        second.close();
        assertThat(lease(fourth).nodeId()).isNotIn(lease.nodeId(), third.nodeId());
    }

    @Test
    void leaseSaysFromWhenToWhenItsNodeIdIsValid() {
        assertThat(lease.validFrom()).isEqualTo(Instant.ofEpochMilli(START));
        assertThat(lease.validUntil()).isEqualTo(Instant.ofEpochMilli(START + LEASE_MILLIS));

        clock.advanceMillis(LEASE_MILLIS / 2);
        member.keep();
        member.coordinator.answerRenewal();
        assertThat(lease.validUntil()).isEqualTo(Instant.ofEpochMilli(START + LEASE_MILLIS / 2 + LEASE_MILLIS));
        assertThat(lease.stats().renewalCount()).isEqualTo(1);
        assertThat(lease.stats().leaseRemaining()).isEqualTo(Duration.ofMillis(LEASE_MILLIS));
    }

    @Test
    void nextHolderOfANodeIdMayUseTimesAfterTheLastOneOfTheFormer() throws InterruptedException {
        NodeLease.Generator generator = generator(lease);
        clock.advanceMillis(100);
        long last = OtherGenerator.millisOf(generator.next());
        int node = lease.nodeId();
        lease.close();

        List<NodeLease> all = List.of(lease(other), lease(cluster.join(clock)), lease(cluster.join(clock)));
        NodeLease same =
                all.stream().filter(each -> each.nodeId() == node).findFirst().orElseThrow();
        assertThat(same.validFrom()).isEqualTo(Instant.ofEpochMilli(last + 1));
    }

    @Test
    void sameConfigurationReturnsTheSameLease() {
        assertThat(lease(member)).isSameAs(lease);
        assertThat(member.sequencers.leased()).containsExactly(lease);
        assertThat(member.sequencers.created()).isEmpty();
    }

    @Test
    void otherNumberOfNodeIdsIsAnotherDefinition() {
        assertThatThrownBy(() -> member.sequencers.lease(config(4)))
                .isInstanceOf(SnowcastSequencerAlreadyRegisteredException.class)
                .hasMessage("node lease tsid0 is registered with another definition: maxNodeCount 3, not maxNodeCount 4"
                        + " (take the same in all processes, or another name)");
        assertThatThrownBy(() -> other.sequencers.lease(config(4)))
                .isInstanceOf(SnowcastSequencerAlreadyRegisteredException.class)
                .hasMessageStartingWith("node lease tsid0 is registered with another definition: maxNodeCount 3, not");
    }

    @Test
    void sequencerAndLeaseShareNoName() {
        String message =
                "node lease tsid0 cannot be used as a sequencer: the name stands for a node lease; take another"
                        + " name";
        assertThatThrownBy(() -> member.create(NAME))
                .isInstanceOf(SnowcastSequencerAlreadyRegisteredException.class)
                .hasMessage(message);
        assertThatThrownBy(() -> other.create(NAME))
                .isInstanceOf(SnowcastSequencerAlreadyRegisteredException.class)
                .hasMessage(message);
        other.create("orders0");
        NodeLeaseConfig orders =
                NodeLeaseConfig.builder("orders0").maxNodeCount(3).build();
        assertThatThrownBy(() -> member.sequencers.lease(orders))
                .isInstanceOf(SnowcastSequencerAlreadyRegisteredException.class)
                .hasMessage("sequencer orders0 cannot be used as a node lease: the name stands for a sequencer; take"
                        + " another name");
    }

    @Test
    void closedLeaseHasNoNodeIdAndGivesWayToAnother() {
        lease.close();
        lease.close();
        assertThat(member.coordinator.detaches).hasSize(1);
        assertThatThrownBy(lease::nodeId)
                .isInstanceOf(SnowcastStateException.class)
                .hasMessage("node lease tsid0 has no node ID: it was closed");
        assertThat(lease.stats().state()).isEqualTo(SnowcastSequenceState.Detached);
        assertThat(member.sequencers.leased()).isEmpty();

        NodeLease next = lease(member);
        assertThat(next).isNotSameAs(lease);
        assertThat(next.nodeId()).isBetween(0, 2);
        assertThat(member.sequencers.leased()).containsExactly(next);
    }

    @Test
    void destroyedLeaseMayBeLeasedAgainWithAnotherNumberOfNodeIdsAndLaterTimes() throws InterruptedException {
        NodeLease.Generator generator = generator(lease);
        NodeLease second = lease(other);
        long last = OtherGenerator.millisOf(generator.next());
        member.sequencers.destroy("lease", lease);

        assertThatThrownBy(generator::next)
                .isInstanceOf(SnowcastStateException.class)
                .hasMessage("node lease tsid0 must be Attached: it is Destroyed, it was destroyed");
        assertThatThrownBy(second::nodeId).isInstanceOf(SnowcastStateException.class);
        other.runTasks();
        NodeLease next = member.sequencers.lease(config(100));
        assertThat(next.maxNodeCount()).isEqualTo(100);
        assertThat(next.validFrom()).isAfter(Instant.ofEpochMilli(last));
    }

    // --- the guarded generator

    @Test
    void leaseHasOneGuardedGenerator() {
        generator(lease);
        assertThatThrownBy(() -> generator(lease))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "node lease tsid0 has a guarded generator already, and two with one node ID would repeat each"
                                + " other's IDs: use the one that was returned first");
        assertThat(madeFor).hasSize(1);
    }

    @Test
    void generatorThatCannotBeMadeMayBeMadeLater() throws InterruptedException {
        assertThatThrownBy(() -> lease.generator(
                        nodeId -> {
                            throw new IllegalStateException("not yet");
                        },
                        OtherGenerator::millisOf))
                .hasMessage("not yet");
        assertThatThrownBy(() -> lease.generator(nodeId -> null, OtherGenerator::millisOf))
                .hasMessage("newGenerator returned null");
        generator(lease).next();
    }

    @Test
    void lostNodeIdMakesAnotherGenerator() throws InterruptedException {
        NodeLease.Generator generator = generator(lease);
        long before = generator.next();
        lose();
        assertThatThrownBy(lease::nodeId)
                .hasMessageStartingWith("node lease tsid0 has no node ID: it lost the lease of node ID "
                        + OtherGenerator.nodeIdOf(before));
        clock.onNextPark(member::runTasks);

        long after = generator.next();
        assertThat(OtherGenerator.nodeIdOf(after)).isEqualTo(lease.nodeId());
        assertThat(madeFor).containsExactly(OtherGenerator.nodeIdOf(before), lease.nodeId());
        assertThat(OtherGenerator.millisOf(after)).isGreaterThan(OtherGenerator.millisOf(before));
        assertThat(lease.stats().leaseLossCount()).isEqualTo(1);
    }

    /** Most generators throw after their clock was set back, and some throw on every later call. */
    @Test
    void lostNodeIdMakesAnotherGeneratorAlsoIfTheFormerOneThrows() throws InterruptedException {
        boolean[] isUseless = new boolean[1];
        NodeLease.Generator generator = lease.generator(
                nodeId -> {
                    LongSupplier ids = newGenerator(nodeId);
                    boolean isFirst = madeFor.size() == 1;
                    return () -> {
                        if (isFirst && isUseless[0]) {
                            throw new IllegalArgumentException("clock moved backwards");
                        }
                        return ids.getAsLong();
                    };
                },
                OtherGenerator::millisOf);
        long before = generator.next();
        isUseless[0] = true;
        assertThatThrownBy(generator::next).hasMessage("clock moved backwards");
        lose();
        clock.onNextPark(member::runTasks);
        long after = generator.next();
        assertThat(madeFor).hasSize(2);
        assertThat(OtherGenerator.millisOf(after)).isGreaterThan(OtherGenerator.millisOf(before));
    }

    /** The generator makes an ID whose time is too early; when it is called again, its grant is lost, and it throws. */
    @Test
    void lostNodeIdMakesAnotherGeneratorAlsoIfTheFormerOneThrowsAtASecondTry() throws InterruptedException {
        int[] calls = new int[1];
        long earlyMillis = clock.millis();
        clock.advanceMillis(5);
        NodeLease.Generator generator = lease.generator(
                nodeId -> {
                    LongSupplier ids = newGenerator(nodeId);
                    return () -> switch (++calls[0]) {
                        case 2 -> OtherGenerator.idOf(earlyMillis, nodeId, 0);
                        case 3 -> {
                            lose();
                            clock.onNextPark(member::runTasks);
                            throw new IllegalArgumentException("clock moved backwards");
                        }
                        default -> ids.getAsLong();
                    };
                },
                OtherGenerator::millisOf);
        long before = generator.next();
        long after = generator.next();
        assertThat(madeFor).hasSize(2);
        assertThat(OtherGenerator.millisOf(after)).isGreaterThan(OtherGenerator.millisOf(before));
    }

    @Test
    void sameNodeIdOfAnotherGrantMakesAnotherGeneratorToo() throws InterruptedException {
        LeasedNode alone = (LeasedNode) member.sequencers.lease(
                NodeLeaseConfig.builder("two0").maxNodeCount(2).build());
        other.sequencers.lease(NodeLeaseConfig.builder("two0").maxNodeCount(2).build());
        NodeLease.Generator generator = generator(alone);
        long before = generator.next();
        alone.clusterChanged("its cluster is gone");
        member.runTasks();

        clock.advanceMillis(LEASE_MILLIS);
        member.keep();
        long after = generator.next();
        assertThat(OtherGenerator.nodeIdOf(after)).isEqualTo(OtherGenerator.nodeIdOf(before));
        assertThat(madeFor).hasSize(2);
    }

    /** In each of the next {@code times} parks, lets 250 ms pass and answers the pending renewals. */
    private static void answerWhileWaiting(FakeMember of, int times) {
        for (int i = 0; i < times; i++) {
            of.clock.onNextPark(() -> {
                of.clock.advanceMillis(250);
                of.keep();
                while (of.coordinator.renewalCount() > 0) {
                    of.coordinator.answerRenewal();
                }
            });
        }
    }

    /**
     * Lets time pass while a member's machine is suspended: of the member's two clocks, only the wall clock advances.
     */
    private void suspend(FakeMember of, long millis) {
        clock.advanceMillis(millis);
        of.clock.stepWall(millis);
    }

    @Test
    void generatorGoesOnSoonAfterItsMachineWasSuspended() throws InterruptedException {
        ManualClock own = ManualClock.autoAdvancing(START);
        FakeMember suspended = cluster.join(own);
        NodeLease.Generator generator =
                lease(suspended).generator(nodeId -> new OtherGenerator(nodeId, own), OtherGenerator::millisOf);
        generator.next();
        suspend(suspended, LEASE_MILLIS + 100);
        answerWhileWaiting(suspended, 8);

        long startNanos = own.nanos();
        assertThat(OtherGenerator.millisOf(generator.next())).isGreaterThanOrEqualTo(START + LEASE_MILLIS + 100);
        assertThat(own.nanos() - startNanos).isLessThanOrEqualTo(1_500_000_000L);
    }

    @Test
    void leaseOfAMachineThatWasSuspendedIsValidAgainSoonAlsoIfNoCallWaits() {
        FakeMember suspended = cluster.join(ManualClock.autoAdvancing(START));
        NodeLease of = lease(suspended);
        suspend(suspended, LEASE_MILLIS + 100);
        for (int i = 0; i < 5; i++) {
            suspended.clock.advanceMillis(250);
            suspended.keep();
        }
        suspended.coordinator.answerRenewal();
        assertThat(of.validUntil()).isAfter(Instant.ofEpochMilli(suspended.clock.millis()));
    }

    @Test
    void clockThatStaysAheadAsksForARenewalOnceASecond() {
        clock.stepWall(10 * LEASE_MILLIS);
        for (int i = 0; i < 40; i++) {
            clock.advanceMillis(250);
            member.keep();
            while (member.coordinator.renewalCount() > 0) {
                member.coordinator.answerRenewal();
            }
        }
        assertThat(lease.stats().renewalCount()).isEqualTo(10);
    }

    @Test
    void callThatNoRenewalHelpsSaysSo() throws InterruptedException {
        NodeLease.Generator generator = lease.generator(
                nodeId -> () -> OtherGenerator.idOf(clock.millis() + 3_600_000, nodeId, 0), OtherGenerator::millisOf);
        answerWhileWaiting(member, 100);
        assertThatThrownBy(generator::next)
                .isInstanceOf(SnowcastStateException.class)
                .hasMessageEndingWith("was not renewed within PT10S: it was renewed by 10000 ms, which is not enough");
    }

    @Test
    void idThatWasMadeBeforeTheLossIsNotLetOutAfterIt() throws InterruptedException {
        List<Long> made = new ArrayList<>();
        NodeLease.Generator generator = lease.generator(
                nodeId -> {
                    OtherGenerator ids = new OtherGenerator(nodeId, clock);
                    return () -> {
                        long id = ids.getAsLong();
                        if (made.isEmpty()) {
                            lease.clusterChanged("its cluster is gone");
                            member.runTasks();
                        }
                        made.add(id);
                        return id;
                    };
                },
                OtherGenerator::millisOf);
        long id = generator.next();
        assertThat(made).hasSizeGreaterThan(1);
        assertThat(id).isNotEqualTo(made.get(0));
        assertThat(OtherGenerator.nodeIdOf(id))
                .isEqualTo(lease.nodeId())
                .isNotEqualTo(OtherGenerator.nodeIdOf(made.get(0)));
    }

    /** Returns a guarded generator that is careless: its times go back with its clock, and its counter is always 0. */
    private NodeLease.Generator carelessGenerator() {
        return lease.generator(
                nodeId -> () -> OtherGenerator.idOf(clock.millis(), nodeId, 0), OtherGenerator::millisOf);
    }

    @Test
    void generatorWhoseClockIsSetBackWaits() throws InterruptedException {
        NodeLease.Generator generator = carelessGenerator();
        clock.advanceMillis(50);
        long before = generator.next();
        clock.stepWall(-40);
        long after = generator.next();
        assertThat(OtherGenerator.millisOf(after)).isGreaterThanOrEqualTo(OtherGenerator.millisOf(before));
    }

    @Test
    void generatorWhoseClockIsSetBackFarFailsAndSaysWhy() throws InterruptedException {
        NodeLease.Generator generator = carelessGenerator();
        generator.next();
        clock.stepWall(-3_600_000);
        assertThatThrownBy(generator::next)
                .isInstanceOf(SnowcastStateException.class)
                .hasMessageContaining("earlier ones may exist already. Its clock is behind");
        clock.stepWall(3_600_000);
        generator.next();
    }

    @Test
    void generatorThatStaysAheadIsReplacedAfterAWait() throws InterruptedException {
        long[] latest = new long[1];
        NodeLease.Generator generator = lease.generator(
                nodeId -> {
                    madeFor.add(nodeId);
                    long[] last = new long[1];
                    return () -> {
                        last[0] = Math.max(last[0], clock.millis());
                        return OtherGenerator.idOf(last[0], nodeId, (int) latest[0]++);
                    };
                },
                OtherGenerator::millisOf);
        long before = generator.next();
        clock.stepWall(3_600_000);
        clock.onNextPark(() -> clock.stepWall(-3_600_000));
        assertThatThrownBy(generator::next)
                .isInstanceOf(SnowcastStateException.class)
                .hasMessageContaining("the generator made an ID of 2023-11-14T23:13:20Z");
        member.runTasks();

        long after = generator.next();
        assertThat(OtherGenerator.millisOf(after)).isBetween(OtherGenerator.millisOf(before), clock.millis());
        assertThat(madeFor).hasSize(2);
        assertThat(member.warnings())
                .anyMatch(line -> line.endsWith("its generator is ahead of this process's clock, and is replaced"));
    }

    @Test
    void leaseThatTheClusterDoesNotRenewIsNotGivenUp() {
        NodeLease.Generator generator = generator(lease);
        clock.advanceMillis(LEASE_MILLIS);
        assertThatThrownBy(generator::next).isInstanceOf(SnowcastStateException.class);
        assertThat(lease.stats().leaseLossCount()).isZero();
        assertThat(lease.nodeId()).isNotNegative();
    }

    @Test
    void callsThatWaitForTheNextGrantShareOneGenerator() throws Exception {
        ManualClock blocking = ManualClock.blocking(START);
        FakeMember alone = new FakeCluster(blocking).join(blocking);
        LeasedNode lost = lease(alone);
        AtomicInteger made = new AtomicInteger();
        NodeLease.Generator generator = lost.generator(
                nodeId -> {
                    made.getAndIncrement();
                    return new OtherGenerator(nodeId, blocking);
                },
                OtherGenerator::millisOf);
        generator.next();
        lost.clusterChanged("its cluster is gone");
        List<Waiting<Long>> calls = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            calls.add(Waiting.start(generator::next));
        }
        blocking.awaitParked(calls.size());
        blocking.advanceMillis(5);
        alone.runTasks();

        List<Long> ids = new ArrayList<>();
        for (Waiting<Long> call : calls) {
            ids.add(call.get());
        }
        assertThat(ids).doesNotHaveDuplicates();
        assertThat(made).hasValue(2);
    }

    @Test
    void closeWhileACallWaitsEndsTheWait() {
        NodeLease.Generator generator = generator(lease);
        clock.advanceMillis(LEASE_MILLIS);
        clock.onNextPark(lease::close);
        assertThatThrownBy(generator::next)
                .isInstanceOf(SnowcastStateException.class)
                .hasMessageEndingWith("it is Detached, it was closed");
    }

    @Test
    void interruptEndsTheWaitAndIsKeptByTheCallWithoutACheckedException() {
        NodeLease.Generator generator = generator(lease);
        clock.advanceMillis(LEASE_MILLIS);
        Thread.currentThread().interrupt();
        assertThatThrownBy(generator::next).isInstanceOf(InterruptedException.class);
        Thread.currentThread().interrupt();
        assertThatThrownBy(generator::getAsLong)
                .isInstanceOf(SnowcastUnavailableException.class)
                .hasMessage("node lease tsid0: the thread was interrupted while it waited for an ID");
        assertThat(Thread.interrupted()).isTrue();
    }

    // --- listeners

    @Test
    void listenersHearOfALossAndOfTheNextNodeId() {
        List<String> heard = listen();
        int before = lease.nodeId();
        member.keep();
        assertThat(heard).isEmpty();
        lose();
        member.sequencers.leaseKeeper.keep();
        member.runTasks();
        member.keep();
        assertThat(heard).containsExactly("lost " + before, "changed " + lease.nodeId());
    }

    @Test
    void listenersHearOfALeaseThatEndsAndIsRenewedLater() {
        List<String> heard = listen();
        int node = lease.nodeId();
        clock.advanceMillis(LEASE_MILLIS);
        member.keep();
        assertThat(heard).containsExactly("lost " + node);
        member.coordinator.answerRenewal();
        member.keep();
        assertThat(heard).containsExactly("lost " + node, "changed " + node);
    }

    @Test
    void listenersThatFailAreLoggedAndTheNextOneIsCalled() {
        lease.onLost(nodeId -> {
            throw new IllegalStateException("no");
        });
        lease.onLost(nodeId -> {
            throw new NoClassDefFoundError("org/example/Mail");
        });
        List<String> heard = listen();
        int before = lease.nodeId();
        lose();
        member.keep();
        assertThat(heard).contains("lost " + before);
        assertThat(member.warnings())
                .filteredOn(line -> line.contains("A listener failed: "))
                .hasSize(2);
    }

    @Test
    void closeCallsNoListener() {
        List<String> heard = listen();
        lease.close();
        member.keep();
        assertThat(heard).isEmpty();
    }

    @Test
    void listenersHearOnceOfADestruction() {
        List<String> heard = listen();
        int node = lease.nodeId();
        member.sequencers.destroy("lease", lease);
        assertThat(member.sequencers.leased()).isEmpty();
        for (int i = 0; i < 3; i++) {
            member.keep();
        }
        assertThat(heard).containsExactly("lost " + node);
        assertThat(member.sequencers.leaseKeeper.nodeLeases).isEmpty();
    }

    private List<String> listen() {
        List<String> heard = new ArrayList<>();
        lease.onLost(nodeId -> heard.add("lost " + nodeId));
        lease.onChanged(nodeId -> heard.add("changed " + nodeId));
        return heard;
    }
}
