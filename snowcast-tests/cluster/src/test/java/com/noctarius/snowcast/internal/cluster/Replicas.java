// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.internal.partition.InternalPartition;
import com.hazelcast.internal.partition.PartitionReplica;
import com.hazelcast.spi.impl.NodeEngineImpl;
import com.hazelcast.spi.impl.PartitionSpecificRunnable;
import com.hazelcast.test.Accessors;
import com.noctarius.snowcast.internal.owner.AttachRequest;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.Lifecycle;
import com.noctarius.snowcast.internal.owner.NodeState;
import com.noctarius.snowcast.internal.owner.NodeTable;
import com.noctarius.snowcast.internal.owner.PartitionContainer;
import com.noctarius.snowcast.internal.owner.ReplicatedTable;
import com.noctarius.snowcast.internal.owner.Snapshot;
import com.noctarius.snowcast.internal.owner.TableRules;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads, compares and changes replicas of tables. Compare them only while no member changes the tables. */
public final class Replicas {
    private Replicas() {}

    /**
     * The part of a table that must be equal in all replicas. This part lacks the number of the last change, because a
     * new owner raises this number in its own replica.
     */
    private record Content(
            @Nullable Definition definition,
            long incarnation,
            long destroyedUpTo,
            long highestId,
            long tableId,
            long floor,
            Map<Integer, NodeState> nodes) {

        static Content of(Snapshot snapshot, boolean withNodes) {
            return new Content(
                    snapshot.lifecycle().definition(),
                    snapshot.lifecycle().incarnation(),
                    snapshot.lifecycle().destroyedUpTo(),
                    snapshot.header().highestOfDestroyed(),
                    snapshot.header().tableId(),
                    snapshot.header().usedUpTo(),
                    withNodes
                            ? snapshot.entries().stream()
                                    .collect(Collectors.toMap(NodeState::logicalNodeId, Function.identity()))
                            : Map.of());
        }
    }

    /** Fails if a backup lacks a table of the partition's owner, or has a different {@link Content} of that table. */
    public static void requireEqual(List<HazelcastInstance> members) {
        for (InternalPartition partition :
                Accessors.getPartitionService(members.get(0)).getInternalPartitions()) {
            int partitionId = partition.getPartitionId();
            Map<String, Snapshot> ofOwner = tables(members, partition, 0);
            for (int index = 1; index < InternalPartition.MAX_REPLICA_COUNT; index++) {
                if (partition.getReplica(index) == null) {
                    continue;
                }
                Map<String, Snapshot> ofBackup = tables(members, partition, index);
                int replica = index;
                ofOwner.forEach((name, table) -> {
                    Snapshot copy = ofBackup.get(name);
                    // Only the owner has the node IDs of a destroyed incarnation. Replicas beyond the backup count have
                    // no node IDs.
                    boolean withNodes =
                            table.lifecycle().isAlive() && !table.lifecycle().isBeyondBackups(replica);
                    Content expected = Content.of(table, withNodes);
                    Content actual = copy == null ? null : Content.of(copy, withNodes);
                    if (!expected.equals(actual)) {
                        throw new AssertionError("sequencer " + name + " in partition " + partitionId + ": replica "
                                + replica + " has\n" + actual + "\nand the owner\n" + expected);
                    }
                });
            }
        }
    }

    private static Map<String, Snapshot> tables(
            List<HazelcastInstance> members, InternalPartition partition, int replicaIndex) {
        return onReplica(
                members,
                partition,
                replicaIndex,
                container -> container.snapshotFor(0).tables().stream()
                        .collect(Collectors.toMap(Snapshot::name, Function.identity())));
    }

    private static <T> T onReplica(
            List<HazelcastInstance> members,
            InternalPartition partition,
            int replicaIndex,
            Function<PartitionContainer, T> action) {
        PartitionReplica replica = partition.getReplica(replicaIndex);
        HazelcastInstance member = members.stream()
                .filter(each -> replica != null
                        && each.getCluster().getLocalMember().getUuid().equals(replica.uuid()))
                .findAny()
                .orElseThrow(() -> new AssertionError("no member is replica " + replicaIndex + " of " + partition));
        return onPartition(member, partition.getPartitionId(), action);
    }

    /** Replaces a member's copy of a table with an empty one. */
    public static void forget(HazelcastInstance member, String name) {
        int partitionId = member.getPartitionService().getPartition(name).getPartitionId();
        onPartition(member, partitionId, container -> {
            container.put(name, new ReplicatedTable(name, 1));
            return true;
        });
    }

    /** Returns an action that restores a member's copy of a sequencer's table to its present state. */
    public static Runnable rememberTable(HazelcastInstance member, String name) {
        int partitionId = member.getPartitionService().getPartition(name).getPartitionId();
        Snapshot now = onPartition(
                member, partitionId, container -> container.table(name).snapshotFor(0));
        return () -> onPartition(member, partitionId, container -> {
            ReplicatedTable restored = new ReplicatedTable(name, now.header().tableId());
            restored.join(now, null, false);
            container.put(name, restored);
            return true;
        });
    }

    /**
     * Simulates another owner, whose clock was ahead: it took over, granted a node ID, and crashed after only
     * {@code copy} had received its changes.
     */
    public static void hearOfAnotherOwner(
            HazelcastInstance copy, HazelcastInstance owner, String name, Duration ahead) {
        int partitionId = owner.getPartitionService().getPartition(name).getPartitionId();
        PartitionContainer other = new PartitionContainer();
        other.join(onPartition(owner, partitionId, container -> container.snapshotFor(1)), null, false);
        long nowMillis = System.currentTimeMillis() + ahead.toMillis();
        other.becomeOwner(1, nowMillis, nowMillis);
        NodeTable table = other.table(name).table();
        table.attach(
                new AttachRequest(
                        name, Objects.requireNonNull(table.definition()), 0, UUID.randomUUID(), 1, nowMillis, 0, -1),
                nowMillis,
                new TableRules(1_000, 0, 1_000, 0, 8_191));
        onPartition(copy, partitionId, container -> {
            container.join(other.snapshotFor(1), UUID.randomUUID(), true);
            return true;
        });
    }

    /** Makes a member behave as if it had received no partition yet. */
    public static void missAll(HazelcastInstance member) {
        Members.service(member).containers().reset();
    }

    public static boolean has(HazelcastInstance member, int partitionId) {
        return Members.service(member).containers().get(partitionId) != null;
    }

    /** Returns the number of the last change in a member's copy of a table. */
    public static long lastChange(HazelcastInstance member, String name) {
        int partitionId = member.getPartitionService().getPartition(name).getPartitionId();
        return onPartition(member, partitionId, container -> {
            return container.snapshotFor(0).tables().stream()
                    .map(Snapshot::lifecycle)
                    .filter(lifecycle -> lifecycle.name().equals(name))
                    .mapToLong(Lifecycle::changeNumber)
                    .max()
                    .orElse(0);
        });
    }

    /** Returns the names of all sequencers in the partition of {@code name}, as a member's copy has them. */
    static List<String> tables(HazelcastInstance member, String name) {
        int partitionId = member.getPartitionService().getPartition(name).getPartitionId();
        return onPartition(
                member,
                partitionId,
                container -> container.snapshotFor(0).tables().stream()
                        .map(Snapshot::name)
                        .toList());
    }

    public static boolean isOwner(HazelcastInstance member, int partitionId) {
        return Accessors.getPartitionService(member).getPartition(partitionId).isLocal();
    }

    /** Runs an action with a member's container of a partition, on the thread of that partition. */
    static <T> T onPartition(HazelcastInstance member, int partitionId, Function<PartitionContainer, T> action) {
        NodeEngineImpl nodeEngine = Accessors.getNodeEngineImpl(member);
        SnowcastService service = nodeEngine.getService(SnowcastService.NAME);
        CompletableFuture<T> result = new CompletableFuture<>();
        nodeEngine.getOperationService().execute(new PartitionSpecificRunnable() {
            @Override
            public int getPartitionId() {
                return partitionId;
            }

            @Override
            public void run() {
                result.complete(action.apply(service.containers().backupOrMade(partitionId)));
            }
        });
        return result.orTimeout(3, TimeUnit.MINUTES).join();
    }
}
