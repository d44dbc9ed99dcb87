// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.cluster.Address;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.internal.cluster.ClusterTime;
import com.noctarius.snowcast.internal.cluster.Tables;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests full restarts. The new cluster waits until all former leases have ended, or reads a high-water mark. */
@Tag("integration")
class FullRestartClusterTest {
    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(200);
    private static final Map<String, String> WAITING = Restart.properties("snowcast.full.restart.wait", "true");

    @TempDir
    private Path directory;

    enum Means {
        WAIT,
        FLOOR
    }

    /** Starts a member, because the first member of a JVM takes longer to start than the measured waits. */
    @BeforeAll
    static void warmUp() {
        MockCluster.of(1).close();
    }

    private Map<String, String> properties(Means means) {
        return means == Means.WAIT ? WAITING : Restart.properties("snowcast.high.water.mark.dir", directory.toString());
    }

    @ParameterizedTest
    @EnumSource
    void afterACrashIdsBeginAboveThoseThatWereIssuedThoughTheClockWasSetBack(Means means) throws Exception {
        long setBack = Restart.LEASE - 200;
        long last;
        try (MockCluster before = MockCluster.of(0, properties(means))) {
            HazelcastInstance member = Restart.addMember(before, setBack);
            SnowcastSequencer sequencer = Restart.createAfterTheWait(member, "orders");
            long[] ids = sequencer.next(1_000);
            last = sequencer.timestampValue(ids[ids.length - 1]);
            before.crash(member);
        }
        try (MockCluster after = MockCluster.of(1, properties(means))) {
            assertThatThrownBy(() -> TestCluster.create(after.member(0), "orders"))
                    .isExactlyInstanceOf(SnowcastUnavailableException.class)
                    .hasMessageContaining("the cluster was started; no holder can be attached before 20");
            SnowcastSequencer sequencer = Restart.createAfterTheWait(after.member(0), "orders");
            long id = sequencer.next();
            assertThat(sequencer.logicalNodeId(id)).isEqualTo(5);
            assertThat(sequencer.timestampValue(id)).isGreaterThan(last);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aClientThatKeptRunningSharesNoIdWithTheNewHolders(Means means) throws Exception {
        try (MockCluster cluster = MockCluster.of(1, properties(means))) {
            // The client knows only the address of the first member. It does not find the new cluster, and continues
            // until its lease expires.
            Address address = cluster.member(0).getCluster().getLocalMember().getAddress();
            HazelcastInstance client = cluster.addClient(config -> {
                config.getNetworkConfig().addAddress(address.getHost() + ":" + address.getPort());
                config.getConnectionStrategyConfig().getConnectionRetryConfig().setInitialBackoffMillis(60_000);
            });
            SnowcastSequencer old = Restart.createAfterTheWait(client, "orders");
            IdLog oldIds = new IdLog();
            AtomicBoolean stopped = new AtomicBoolean();
            Threads going = Threads.start(1, index -> {
                while (!stopped.get()) {
                    old.tryNext().ifPresent(oldIds::add);
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            });
            Await.until("IDs", () -> oldIds.size() > 100);
            // Count the IDs before the new cluster starts: on a busy machine, the start may take longer than the
            // client's lease.
            int beforeTheCrash = oldIds.size();
            cluster.crash(cluster.member(0));
            HazelcastInstance member = cluster.addMember();
            assertThat(member.getCluster().getLocalMember().getAddress()).isNotEqualTo(address);

            SnowcastSequencer young = Restart.createAfterTheWait(cluster.member(0), "orders");
            long[] youngIds = young.next(1_000);
            stopped.set(true);
            going.join();
            assertThat(oldIds.size()).isGreaterThan(beforeTheCrash);
            IdCheck.requireUnique(young.layout(), List.of(oldIds.toArray(), youngIds));
            assertThat(young.logicalNodeId(youngIds[0])).isEqualTo(old.logicalNodeId(oldIds.toArray()[0]));
            assertThat(young.timestampValue(youngIds[0]))
                    .isGreaterThan(old.timestampValue(oldIds.toArray()[oldIds.size() - 1]));
        }
    }

    @Test
    void theWaitIsOfLeaseAndSkewAndBeginsWithTheClusterNotWithTheFirstUse() throws Exception {
        long start = System.currentTimeMillis();
        try (MockCluster cluster = MockCluster.of(1, WAITING)) {
            SnowcastSequencer first = Restart.createAfterTheWait(cluster.member(0), "orders");
            long begun = Restart.millisOf(first, first.next());
            assertThat(begun).isGreaterThanOrEqualTo(start + Restart.LEASE + Restart.SKEW);

            for (int partition = 0; partition < TestCluster.PARTITIONS; partition++) {
                Restart.createAfterTheWait(cluster.member(0), cluster.nameIn(partition));
            }
            // If each partition waited again, the attaches would take at least one lease per partition.
            assertThat(System.currentTimeMillis()).isLessThan(begun + TestCluster.PARTITIONS * Restart.LEASE);
        }
    }

    @Test
    void whoBecomesTheOwnerAfterTheWaitDoesNotWaitAnew() {
        try (MockCluster cluster = MockCluster.of(3, WAITING)) {
            Restart.createAfterTheWait(cluster.member(0), "orders").detachLogicalNode();
            cluster.awaitSafe();
            HazelcastInstance owner = cluster.owner("orders");
            int partition = owner.getPartitionService().getPartition("orders").getPartitionId();
            cluster.crash(owner);
            cluster.awaitSize();

            TestCluster.create(cluster.member(0), "orders");
            TestCluster.create(cluster.member(0), cluster.nameIn(partition));
        }
    }

    /** A partition that is used for the first time waits until the same time as the others. */
    @Test
    void membersThatComeBackInTurnToAClusterThatWaitsDoNotBeginTheWaitAnew() {
        long lease = TimeUnit.HOURS.toMillis(1);
        Map<String, String> properties =
                Restart.properties("snowcast.full.restart.wait", "true", "snowcast.lease.millis", Long.toString(lease));
        try (MockCluster cluster = MockCluster.of(1, properties)) {
            Set<Instant> ends = new HashSet<>();
            ends.add(endOfTheWait(cluster.member(0)));
            ClusterTime.setOffset(cluster.member(0), lease / 2);
            for (int round = 0; round < 3; round++) {
                HazelcastInstance back = cluster.addMember();
                cluster.awaitSafe();
                ends.add(endOfTheWait(back));
                ends.add(Tables.endOfTheWaitOfAPartitionThatBeginsNow(back));
                // In the first round, the member that came back crashes. In later rounds it takes over from the other
                // member, which crashes.
                cluster.crash(cluster.member(round == 0 ? 1 : 0));
                cluster.awaitSize();
            }
            assertThat(ends).hasSize(1);
        }
    }

    /** Returns the end of the wait, which the refusal of a new sequencer names. */
    private static Instant endOfTheWait(HazelcastInstance member) {
        try {
            throw new AssertionError("created during the wait: " + TestCluster.create(member, "orders"));
        } catch (SnowcastUnavailableException e) {
            String message = Objects.requireNonNull(e.getMessage());
            return Instant.parse(message.substring(message.lastIndexOf(' ') + 1));
        }
    }
}
