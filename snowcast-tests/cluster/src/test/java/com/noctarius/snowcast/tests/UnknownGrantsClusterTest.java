// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.cluster.Address;
import com.hazelcast.cluster.ClusterState;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.internal.server.OperationPacketFilter;
import com.hazelcast.internal.server.PacketFilter;
import com.hazelcast.spi.impl.SpiDataSerializerHook;
import com.hazelcast.test.Accessors;
import com.hazelcast.test.PacketFiltersUtil;
import com.noctarius.snowcast.SnowcastNodeIdsExceededException;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.internal.cluster.ClusterTime;
import com.noctarius.snowcast.internal.cluster.ManyHolders;
import com.noctarius.snowcast.internal.cluster.Replicas;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests grants that the next owner of their partition does not know. */
@Tag("integration")
class UnknownGrantsClusterTest {
    private static final long LEASE_MILLIS = 60_000;
    private static final Map<String, String> ONE_NODE_ID = Map.of(
            "snowcast.lease.millis", Long.toString(LEASE_MILLIS),
            "snowcast.max.clock.skew.millis", Long.toString(2 * LEASE_MILLIS),
            "snowcast.node.id.range", Restart.ONE_NODE);

    private final String name = TestCluster.newName();

    /**
     * The holder does not receive the renewal, and keeps its former lease. The next holder begins at the end of that
     * lease. The cluster's {@link Ledger} checks this.
     */
    @Test
    void aRenewalThatTheBackupHasNotIsNotTheHolders() {
        OffsetClock clock = new OffsetClock(0);
        try (MockCluster cluster = MockCluster.of(3, ONE_NODE_ID)) {
            HazelcastInstance owner = cluster.owner(name);
            HazelcastInstance backup = cluster.backup(name);
            HazelcastInstance client = cluster.addClient(config -> onlyAt(owner, config, clock));
            SnowcastSequencer holder = TestCluster.create(client, name);
            int partition = owner.getPartitionService().getPartition(name).getPartitionId();
            AtomicInteger held = holdBackups(owner, partition);

            // Three quarters of the lease are used, so the holder renews it. When the renewal fails, the holder
            // retries.
            clock.setOffset(LEASE_MILLIS * 3 / 4);
            Await.until("an answer", () -> held.get() > 1 || holder.stats().renewalCount() > 0);
            ClientNetwork.cut(client, cluster.members());
            cluster.crash(owner);
            Await.until("a promotion", () -> Replicas.isOwner(backup, partition));
            cluster.awaitSafe();
            // Moves cluster time beyond the end of the lease that the new owner knows.
            cluster.members().forEach(member -> ClusterTime.setOffset(member, LEASE_MILLIS + 5_000));

            TestCluster.create(backup, name);
        }
    }

    /** Connects a client to one member only. Another member would retry the client's request after the crash. */
    @SuppressWarnings({"deprecation", "removal"}) // Hazelcast 5.4 does not have the replacement.
    private static void onlyAt(HazelcastInstance member, ClientConfig config, OffsetClock clock) {
        Address address = member.getCluster().getLocalMember().getAddress();
        config.getNetworkConfig().setSmartRouting(false).addAddress(address.getHost() + ':' + address.getPort());
        clock.install(config);
    }

    /**
     * Drops all operations that a member sends for a partition: backups, and also Hazelcast's later repairs of the
     * backup. Returns the count of dropped backups.
     */
    private static AtomicInteger holdBackups(HazelcastInstance owner, int partition) {
        AtomicInteger held = new AtomicInteger();
        PacketFilter backups = new OperationPacketFilter(Accessors.getSerializationService(owner)) {
            @Override
            protected Action filterOperation(Address endpoint, int factory, int type) {
                if (factory == SpiDataSerializerHook.F_ID && type == SpiDataSerializerHook.BACKUP) {
                    held.incrementAndGet();
                }
                return Action.DROP;
            }
        };
        PacketFiltersUtil.setCustomFilter(
                owner,
                (packet, endpoint) -> packet.getPartitionId() == partition
                        ? backups.filter(packet, endpoint)
                        : PacketFilter.Action.ALLOW);
        return held;
    }

    /**
     * The third member has changes of a former owner that the present owner never received. The third member must
     * accept the present owner's state, first as a copy of the whole partition, then as a single change.
     */
    @Test
    void aCopyGoesByThePresentOwnerThoughItsClockIsBehindThatOfAFormerOne() throws Exception {
        try (MockCluster cluster = MockCluster.of(3)) {
            HazelcastInstance owner = cluster.owner(name);
            HazelcastInstance copy = cluster.third(name);
            SnowcastSequencer holder = TestCluster.create(owner, name);
            Replicas.hearOfAnotherOwner(copy, owner, name, Duration.ofHours(1));
            cluster.crash(cluster.backup(name));
            cluster.awaitSafe();
            Replicas.requireEqual(cluster.members());

            Replicas.hearOfAnotherOwner(copy, owner, name, Duration.ofHours(1));
            holder.detachLogicalNode().attachLogicalNode();
            Replicas.requireEqual(cluster.members());
            long before = holder.next();
            cluster.crash(owner);
            cluster.addMember();
            cluster.awaitSafe();
            assertThat(TestCluster.create(copy, name).next()).isGreaterThan(before);
        }
    }

    /** The backup has had its role since the first assignment, and acknowledged no change, so nothing was granted. */
    @Test
    void aNewNameBeginsThoughItsOwnerCrashedBeforeItHadSentAnything() throws Exception {
        try (MockCluster cluster = MockCluster.of(3)) {
            HazelcastInstance backup = cluster.backup(name);
            HazelcastInstance owner = cluster.owner(name);
            int partition = owner.getPartitionService().getPartition(name).getPartitionId();
            Await.until(
                    "the owner's and the copy",
                    () -> Replicas.has(owner, partition) && Replicas.has(backup, partition));
            Replicas.missAll(backup);
            assertThat(Replicas.has(backup, partition)).isFalse();
            cluster.crash(owner);
            Await.until("a promotion", () -> Replicas.isOwner(backup, partition));
            cluster.awaitSafe();
            assertThat(TestCluster.create(backup, name).next()).isNotZero();
        }
    }

    /** The other members leave before an owner has noted that its partition was empty. */
    @Test
    void aNewNameBeginsThoughMembersLeftInOrderAsSoonAsPartitionsWereAssigned() {
        // A member needs two seconds to leave, so the three clusters run at the same time.
        Threads.run(3, UnknownGrantsClusterTest::requireABeginningThoughAllLeftBut);
    }

    private static void requireABeginningThoughAllLeftBut(int staying) throws InterruptedException {
        try (MockCluster cluster = MockCluster.of(3)) {
            List<HazelcastInstance> leaving = new ArrayList<>(cluster.members());
            HazelcastInstance stays = leaving.remove(staying);
            Accessors.getPartitionService(cluster.member(0)).firstArrangement();
            Await.until(
                    "all know the assignment",
                    () -> leaving.stream()
                            .allMatch(
                                    each -> Accessors.getPartitionService(each).isPartitionAssignmentDone()));
            leaving.forEach(cluster::leave);
            for (int partition = 0; partition < TestCluster.PARTITIONS; partition++) {
                assertThat(TestCluster.create(stays, cluster.nameIn(partition)).next())
                        .as("an ID of member %s, which stays", staying)
                        .isNotZero();
            }
        }
    }

    /** The only data member crashes, but the cluster continues with the lite member, which still has its grant. */
    @Test
    void anOwnerThatWasNeverSentTheDataAttachesNobodyUntilNobodyUnknownCanBeLeft() throws Exception {
        try (MockCluster cluster = MockCluster.of(1, ONE_NODE_ID)) {
            HazelcastInstance lite = cluster.addMember(config -> config.setLiteMember(true));
            SnowcastSequencer holder = TestCluster.create(lite, name);
            cluster.crash(cluster.member(0));
            HazelcastInstance fresh = cluster.addMember();
            Await.until("partitions", () -> fresh.getPartitionService().isLocalMemberSafe());

            requireRefusal(fresh);
            assertThat(holder.next()).isNotZero();
        }
    }

    /**
     * A new member takes the place of the backup. When the new member becomes the owner, it has none of the backup's
     * grants.
     */
    @Test
    void aReplicaThatReturnedWithoutTheDataAttachesNobodyUntilNobodyUnknownCanBeLeft() throws Exception {
        try (TcpCluster cluster = TcpCluster.of(3, ONE_NODE_ID)) {
            HazelcastInstance other = cluster.third(name);
            SnowcastSequencer holder = TestCluster.create(other, name);

            requireRefusal(cluster.loseDataOf(name));
            assertThat(holder.next()).isNotZero();
        }
    }

    /**
     * While the cluster is frozen, the replica that returned receives no copy of the partition. It receives only later
     * changes, here one of another name.
     */
    @Test
    void aReplicaThatReturnedAndHeardOfOtherNamesOnlyAttachesNobodyEither() throws Exception {
        try (TcpCluster cluster = TcpCluster.of(3, ONE_NODE_ID)) {
            HazelcastInstance owner = cluster.owner(name);
            HazelcastInstance backup = cluster.backup(name);
            HazelcastInstance other = cluster.third(name);
            int partition = other.getPartitionService().getPartition(name).getPartitionId();
            String otherName = cluster.nameIn(partition);
            SnowcastSequencer holder = TestCluster.create(other, name);
            TestCluster.changeState(owner, ClusterState.FROZEN);
            int port = TcpCluster.portOf(backup);
            cluster.crash(backup);
            HazelcastInstance returned = cluster.addMemberAt(port);
            Await.until("its place", () -> cluster.isReplica(returned, name, 1));
            TestCluster.create(other, otherName);
            assertThat(Replicas.has(returned, partition)).isTrue();

            cluster.crash(owner);
            cluster.awaitSize();
            TestCluster.changeState(returned, ClusterState.ACTIVE);
            Await.until("a promotion", () -> Replicas.isOwner(returned, partition));
            cluster.awaitSafe();

            // If the holder has already renewed its lease, the owner knows the grant again. Then all node IDs are in
            // use, and the owner throws SnowcastNodeIdsExceededException.
            assertThatThrownBy(() -> ManyHolders.snowcast(returned).createSequencer(name, TestCluster.EPOCH))
                    .isInstanceOfAny(SnowcastUnavailableException.class, SnowcastNodeIdsExceededException.class);
            assertThat(holder.next()).isNotZero();
        }
    }

    private void requireRefusal(HazelcastInstance owner) {
        assertThatThrownBy(() -> ManyHolders.snowcast(owner).createSequencer(name, TestCluster.EPOCH))
                .isExactlyInstanceOf(SnowcastUnavailableException.class)
                .hasMessageContaining("no holder can be attached before 20");
    }
}
