// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.PossibleDuplicateIntegers;
import com.noctarius.snowcast.PossibleDuplicates;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.internal.hazelcast.Answers;
import com.noctarius.snowcast.internal.holder.Findings;
import com.noctarius.snowcast.internal.owner.ContainerSnapshot;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.NodeState;
import com.noctarius.snowcast.internal.owner.PoolDefinition;
import com.noctarius.snowcast.internal.owner.RememberedReply;
import com.noctarius.snowcast.internal.owner.Snapshot;
import com.noctarius.snowcast.internal.owner.TableRules;
import com.noctarius.snowcast.status.ClusterStatus;
import com.noctarius.snowcast.status.ClusterStatus.Integers;
import com.noctarius.snowcast.status.ClusterStatus.Node;
import com.noctarius.snowcast.status.ClusterStatus.Sequencer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Reads on a member what the owners of the partitions know, as much as a request asks for. Used by one thread. */
public final class StatusReader {
    /** How many owners are asked at the same time, at most: what they answer is in memory together. */
    private static final int MAX_WINDOW = 16;

    private static final String READINGS = "snowcast:status";

    private final HazelcastInstance member;
    private final SnowcastService service;
    private final Holders holders;
    private final PageRequest request;
    private final List<Sequencer> sequencers = new ArrayList<>();
    private final List<Integers> integerSequences = new ArrayList<>();
    private int left;
    private int nodesTaken;
    /** What would have to be asked for after what was read so far. */
    private PageRequest next;

    private StatusReader(HazelcastInstance member, SnowcastService service, PageRequest request) {
        this.member = member;
        this.service = service;
        this.holders = Holders.knownTo(member);
        this.request = request;
        this.left = request.size();
        this.next = request;
    }

    /** Returns the status of the cluster: a member reads it, a client asks a member for it, part by part. */
    public static ClusterStatus status(HazelcastInstance hazelcast) {
        Objects.requireNonNull(hazelcast, "hazelcast");
        return isMember(hazelcast)
                ? StatusPage.readAll(
                        PageRequest.first(ClusterStatus.MAX_NODES, ClusterStatus.MAX_NODES),
                        request -> read(hazelcast, request))
                : StatusPage.readAll(
                        PageRequest.firstToSend(ClusterStatus.MAX_NODES),
                        request -> StatusTask.ask(hazelcast, request));
    }

    private static boolean isMember(HazelcastInstance hazelcast) {
        return hazelcast.getUserContext().get(SnowcastService.NAME) instanceof SnowcastService;
    }

    /** Reads, when all readings of this member that came before have ended. */
    static StatusPage read(HazelcastInstance member, PageRequest request) {
        SnowcastService service =
                Objects.requireNonNull((SnowcastService) member.getUserContext().get(SnowcastService.NAME));
        Readings readings = (Readings) member.getUserContext()
                .computeIfAbsent(READINGS, key -> new Readings(each -> new StatusReader(member, service, each).read()));
        return readings.read(request, service.transport().timeoutMillis());
    }

    private StatusPage read() {
        int partitions = member.getPartitionService().getPartitions().size();
        int window = 1; // Only when little has come is it likely that no more comes of more owners.
        for (int from = request.partition(); from < partitions; ) {
            int end = Math.min(from + window, partitions);
            List<CompletableFuture<ContainerSnapshot>> answers =
                    IntStream.range(from, end).mapToObj(service::status).toList();
            for (int partition = from; partition < end; partition++) {
                CompletableFuture<ContainerSnapshot> answer = answers.get(partition - from);
                ContainerSnapshot status = Answers.outcome(
                        "status of the cluster", service.transport().timeoutMillis(), () -> answer);
                if (!add(partition, status)) {
                    return page(List.of(), List.of(), next);
                }
            }
            from = end;
            window = Math.min(2 * window, MAX_WINDOW);
        }
        Findings findings = service.findings();
        return page(findings.ids(), findings.integers(), null);
    }

    private StatusPage page(
            List<PossibleDuplicates> ids, List<PossibleDuplicateIntegers> integers, @Nullable PageRequest following) {
        return new StatusPage(
                new ClusterStatus(Instant.ofEpochMilli(nowMillis()), sequencers, integerSequences, ids, integers),
                following);
    }

    private long nowMillis() {
        return service.clusterMillis();
    }

    /** Returns whether there was room for all of it. */
    private boolean add(int partition, ContainerSnapshot status) {
        if (partition != request.partition()) {
            next = request.after(partition, "", PageRequest.WHOLE_NAME, nodesTaken);
        }
        return status.pools().stream()
                        .sorted(Comparator.comparing(Snapshot::name))
                        .allMatch(pool -> addIntegers(partition, pool))
                && status.tables().stream()
                        .sorted(Comparator.comparing(Snapshot::name))
                        .allMatch(table -> addSequencer(partition, table));
    }

    private boolean addIntegers(int partition, Snapshot<PoolDefinition, RememberedReply> pool) {
        PoolDefinition definition = pool.lifecycle().living();
        if (definition == null || pool.kind() == Snapshot.Kind.HEADER) {
            return true;
        }
        Integers sequence = integers(pool, definition);
        String key = PageRequest.key(sequence);
        if (!request.isToCome(partition, key)) {
            return true;
        }
        if (left < PageRequest.NAME_SIZE) {
            return false;
        }
        left -= PageRequest.NAME_SIZE;
        integerSequences.add(sequence);
        next = request.after(partition, key, PageRequest.WHOLE_NAME, nodesTaken);
        return true;
    }

    private boolean addSequencer(int partition, Snapshot<Definition, NodeState> table) {
        Definition definition = table.lifecycle().living();
        String key = PageRequest.key(table);
        if (definition == null || !request.isToCome(partition, key)) {
            return true;
        }
        if (left <= PageRequest.NAME_SIZE) {
            return false;
        }
        left -= PageRequest.NAME_SIZE;
        long clusterNow = nowMillis() - definition.epochOffset();
        List<Node> nodes = new ArrayList<>();
        int attached = 0;
        int expiring = 0;
        boolean isCut = false;
        for (NodeState state : table.entries()) {
            boolean isHeld = state.attached(); // As the owner has judged.
            if (!isHeld && state.isFree(clusterNow)) {
                continue;
            }
            attached += isHeld ? 1 : 0;
            expiring += isHeld ? 0 : 1;
            if (nodesTaken == request.nodesLeft() || !request.isToCome(partition, key, state.logicalNodeId())) {
                continue;
            }
            if (left == 0) {
                isCut = true;
                continue; // Only to be counted.
            }
            left--;
            nodesTaken++;
            Instant until = Instant.ofEpochMilli(definition.epochOffset() + state.nextFloor());
            nodes.add(new Node(state.logicalNodeId(), isHeld, holders.name(state.holder()), until));
        }
        sequencers.add(sequencer(table, definition, nodes, attached, expiring));
        int last = isCut ? nodes.get(nodes.size() - 1).id() : PageRequest.WHOLE_NAME;
        next = request.after(partition, key, last, nodesTaken);
        return !isCut;
    }

    private Sequencer sequencer(
            Snapshot<Definition, NodeState> table,
            Definition definition,
            List<Node> nodes,
            int attached,
            int expiring) {
        TableRules rules = service.rules();
        return new Sequencer(
                table.name(),
                SnowcastEpoch.byTimestamp(definition.epochOffset()),
                definition.layout(),
                definition.backupCount(),
                definition.startAbove(),
                Math.max(rules.nodeIdCount(definition), 0),
                nodes,
                attached,
                expiring,
                definition.leasedNodeCount());
    }

    private static Integers integers(Snapshot<PoolDefinition, RememberedReply> pool, PoolDefinition definition) {
        boolean isLost = pool.lossMillis() != 0;
        long left = definition.lastValue() - Math.min(pool.used(), definition.lastValue());
        long remaining = left < 0 ? Long.MAX_VALUE : left; // If all that a long can count are left, and 0.
        return new Integers(
                pool.name(),
                definition.firstValue(),
                definition.lastValue(),
                definition.backupCount(),
                definition.isInClusterOrder(),
                pool.used(),
                isLost ? 0 : remaining,
                isLost ? Instant.ofEpochMilli(pool.lossMillis()) : null);
    }
}
