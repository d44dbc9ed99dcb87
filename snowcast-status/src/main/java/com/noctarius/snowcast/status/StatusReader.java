// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.status;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.internal.cluster.SnowcastService;
import com.noctarius.snowcast.internal.hazelcast.Answers;
import com.noctarius.snowcast.internal.integers.PoolDefinition;
import com.noctarius.snowcast.internal.integers.PoolSnapshot;
import com.noctarius.snowcast.internal.integers.PoolValue;
import com.noctarius.snowcast.internal.table.Definition;
import com.noctarius.snowcast.internal.table.NodeState;
import com.noctarius.snowcast.internal.table.TableRules;
import com.noctarius.snowcast.internal.table.TableSnapshot;
import com.noctarius.snowcast.internal.wire.ClusterEvent.DuplicatesReported;
import com.noctarius.snowcast.internal.wire.ContainerSnapshot;
import com.noctarius.snowcast.status.ClusterStatus.Integers;
import com.noctarius.snowcast.status.ClusterStatus.Node;
import com.noctarius.snowcast.status.ClusterStatus.Sequencer;
import com.noctarius.snowcast.store.Block;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** Reads on a member what the owners of the partitions know. Used by one thread. */
final class StatusReader {
    /** How many owners are asked at the same time. */
    private static final int WINDOW = 64;

    private final HazelcastInstance member;
    private final SnowcastService service;
    private final Holders holders;
    private final List<Sequencer> sequencers = new ArrayList<>();
    private final List<Integers> integerSequences = new ArrayList<>();

    private StatusReader(HazelcastInstance member, SnowcastService service) {
        this.member = member;
        this.service = service;
        this.holders = Holders.knownTo(member);
    }

    static boolean isMember(HazelcastInstance hazelcast) {
        Objects.requireNonNull(hazelcast, "hazelcast");
        return hazelcast.getUserContext().get(SnowcastService.NAME) instanceof SnowcastService;
    }

    static ClusterStatus read(HazelcastInstance member) {
        SnowcastService service = (SnowcastService) member.getUserContext().get(SnowcastService.NAME);
        return new StatusReader(member, Objects.requireNonNull(service)).read();
    }

    private ClusterStatus read() {
        int partitions = member.getPartitionService().getPartitions().size();
        for (int from = 0; from < partitions; from += WINDOW) {
            List<CompletableFuture<ContainerSnapshot>> answers = IntStream.range(
                            from, Math.min(from + WINDOW, partitions))
                    .mapToObj(service::status)
                    .toList();
            for (CompletableFuture<ContainerSnapshot> answer : answers) {
                add(Answers.outcome("status of the cluster", service.calls().timeoutMillis(), () -> answer));
            }
        }
        sequencers.sort(Comparator.comparing(Sequencer::name));
        integerSequences.sort(Comparator.comparing(Integers::name));
        DuplicatesReported findings = service.findings();
        return new ClusterStatus(
                Instant.ofEpochMilli(nowMillis()), sequencers, integerSequences, findings.ids(), findings.integers());
    }

    private long nowMillis() {
        return service.clusterMillis();
    }

    private void add(ContainerSnapshot status) {
        for (TableSnapshot table : status.tables()) {
            Definition definition = table.lifecycle().living();
            if (definition != null) {
                sequencers.add(sequencer(table, definition));
            }
        }
        for (PoolSnapshot pool : status.pools().pools()) {
            PoolDefinition definition = pool.lifecycle().living();
            PoolValue value = pool.value();
            if (definition != null && value != null) {
                integerSequences.add(integers(pool, definition, value));
            }
        }
    }

    private Sequencer sequencer(TableSnapshot table, Definition definition) {
        TableRules rules = service.rules();
        long clusterNow = nowMillis() - definition.epochOffset();
        List<Node> inUse = new ArrayList<>();
        for (NodeState state : table.nodes()) {
            boolean isHeld = state.isHeld(clusterNow, rules.leaseMillis());
            if (isHeld || state.nextFloor() > clusterNow) {
                Instant until = Instant.ofEpochMilli(definition.epochOffset() + state.nextFloor());
                inUse.add(new Node(state.logicalNodeId(), isHeld, holders.name(state.holder()), until));
            }
        }
        int lastNodeId = Math.min(rules.lastNodeId(), definition.layout().logicalNodeCount() - 1);
        return new Sequencer(
                table.name(),
                SnowcastEpoch.byTimestamp(definition.epochOffset()),
                definition.layout(),
                definition.backupCount(),
                definition.startAbove(),
                Math.max(lastNodeId - rules.firstNodeId() + 1, 0),
                inUse);
    }

    private static Integers integers(PoolSnapshot pool, PoolDefinition definition, PoolValue value) {
        // Integers are 0 or greater: a sum that does not fit is below 0.
        long remaining = value.open().stream()
                .mapToLong(Block::count)
                .reduce(0, (sum, count) -> sum + count < 0 ? Long.MAX_VALUE : sum + count);
        boolean isLost = pool.lostSinceMillis() != 0 && !definition.hasParent();
        return new Integers(
                pool.name(),
                definition.firstValue(),
                definition.lastValue(),
                definition.backupCount(),
                definition.hasParent(),
                definition.isInClusterOrder(),
                value.highest(),
                remaining,
                isLost ? Instant.ofEpochMilli(pool.lostSinceMillis()) : null);
    }
}
