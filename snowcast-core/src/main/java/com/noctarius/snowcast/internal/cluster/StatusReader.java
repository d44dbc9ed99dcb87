// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.PossibleDuplicates;
import com.noctarius.snowcast.internal.hazelcast.Answers;
import com.noctarius.snowcast.internal.leases.InstanceSnowcast;
import com.noctarius.snowcast.internal.owner.ContainerSnapshot;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.NodeIdCounts;
import com.noctarius.snowcast.internal.owner.NodeState;
import com.noctarius.snowcast.internal.owner.Snapshot;
import com.noctarius.snowcast.internal.wire.ClusterEvent.DuplicatesReported;
import com.noctarius.snowcast.internal.wire.RequestType;
import com.noctarius.snowcast.internal.wire.StatusPage;
import com.noctarius.snowcast.internal.wire.StatusPage.Request;
import com.noctarius.snowcast.status.ClusterStatus;
import com.noctarius.snowcast.status.ClusterStatus.Node;
import com.noctarius.snowcast.status.ClusterStatus.Sequencer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Reads one part of a status, on a member, from the owners of the partitions. Used by one thread. */
final class StatusReader {
    /** How many owners are asked at the same time, at most: what they answer is in memory together. */
    private static final int MAX_WINDOW = 16;

    /** What a part has at most, in node IDs: 100 to 200 KB, so that many clients that ask take little memory. */
    private static final int MAX_SIZE = 2_000;
    /** What a name takes in a part, compared with a node ID. */
    private static final int NAME_SIZE = 10;

    private final HazelcastInstance member;
    private final MemberTransport transport;
    private final GrantBounds bounds;
    private final InstanceSnowcast snowcast;
    private final Holders holders;
    private final Request request;
    private final List<Sequencer> sequencers = new ArrayList<>();
    private int left = MAX_SIZE;
    private int nodesTaken;
    /** What would have to be asked for after what was read so far. */
    private Request next;

    StatusReader(
            HazelcastInstance member,
            MemberTransport transport,
            GrantBounds bounds,
            InstanceSnowcast snowcast,
            Holders holders,
            Request request) {
        this.member = member;
        this.transport = transport;
        this.bounds = bounds;
        this.snowcast = snowcast;
        this.holders = holders;
        this.request = request;
        this.next = request;
    }

    StatusPage read() {
        int partitions = member.getPartitionService().getPartitions().size();
        int window = 1; // Only when little has come is it likely that no more comes of more owners.
        for (int from = request.partition(); from < partitions; ) {
            int end = Math.min(from + window, partitions);
            List<CompletableFuture<ContainerSnapshot>> answers =
                    IntStream.range(from, end).mapToObj(this::ask).toList();
            for (int partition = from; partition < end; partition++) {
                CompletableFuture<ContainerSnapshot> answer = answers.get(partition - from);
                ContainerSnapshot status = Answers.outcome(StatusPage.SUBJECT, transport.timeoutMillis(), () -> answer);
                if (!add(partition, status)) {
                    return page(List.of(), next);
                }
            }
            from = end;
            window = Math.min(2 * window, MAX_WINDOW);
        }
        DuplicatesReported found = snowcast.findings();
        return page(found == null ? List.of() : found.ids(), null);
    }

    /** Asks the owner of a partition what it knows. */
    private CompletableFuture<ContainerSnapshot> ask(int partition) {
        return transport.sendToOwner(
                partition, RequestType.STATUS, RequestType.Nothing.NOTHING, transport.timeoutMillis());
    }

    private StatusPage page(List<PossibleDuplicates> ids, @Nullable Request following) {
        return new StatusPage(
                new ClusterStatus(Instant.ofEpochMilli(nowMillis()), sequencers, List.of(), ids), following);
    }

    private long nowMillis() {
        return bounds.clusterMillis();
    }

    /** Returns whether there was room for all of it. */
    private boolean add(int partition, ContainerSnapshot status) {
        if (partition != request.partition()) {
            next = request.after(partition, "", Request.WHOLE_NAME, nodesTaken);
        }
        return status.tables().stream()
                .sorted(Comparator.comparing(Snapshot::name))
                .allMatch(table -> addSequencer(partition, table));
    }

    private boolean addSequencer(int partition, Snapshot table) {
        Definition definition = table.lifecycle().living();
        String name = table.name();
        if (definition == null || !request.isToCome(partition, name)) {
            return true;
        }
        if (left <= NAME_SIZE) {
            return false;
        }
        left -= NAME_SIZE;
        long clusterNow = nowMillis() - definition.epochOffset();
        List<Node> nodes = new ArrayList<>();
        boolean isCut = false;
        for (NodeState state : table.entries()) {
            boolean isHeld = state.attached(); // As the owner has judged.
            if (!isHeld && state.isFree(clusterNow)) {
                continue;
            }
            if (nodesTaken == request.nodesLeft() || !request.isToCome(partition, name, state.logicalNodeId())) {
                continue;
            }
            if (left == 0) {
                isCut = true;
                break;
            }
            left--;
            nodesTaken++;
            Instant until = Instant.ofEpochMilli(definition.epochOffset() + state.nextFloor());
            nodes.add(new Node(state.logicalNodeId(), isHeld, holders.name(state.holder()), until));
        }
        NodeIdCounts counts = NodeIdCounts.of(
                table.entries(), NodeState::attached, clusterNow, bounds.rules().nodeIdCount(definition));
        sequencers.add(sequencer(name, definition, nodes, counts));
        int last = isCut ? nodes.get(nodes.size() - 1).id() : Request.WHOLE_NAME;
        next = request.after(partition, name, last, nodesTaken);
        return !isCut;
    }

    private static Sequencer sequencer(String name, Definition definition, List<Node> nodes, NodeIdCounts counts) {
        return new Sequencer(
                name,
                Definition.epochOf(definition.epochOffset()),
                definition.layout(),
                definition.backupCount(),
                definition.startAbove(),
                Math.max(counts.total(), 0),
                nodes,
                counts.attached(),
                counts.expiring(),
                definition.leasedNodeCount());
    }
}
