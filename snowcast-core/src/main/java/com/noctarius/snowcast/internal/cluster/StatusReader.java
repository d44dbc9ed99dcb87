// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.client.Client;
import com.hazelcast.cluster.Member;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.PossibleDuplicates;
import com.noctarius.snowcast.internal.hazelcast.Answers;
import com.noctarius.snowcast.internal.hazelcast.HolderId;
import com.noctarius.snowcast.internal.owner.ContainerSnapshot;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.NodeIdCounts;
import com.noctarius.snowcast.internal.owner.NodeState;
import com.noctarius.snowcast.internal.owner.Snapshot;
import com.noctarius.snowcast.internal.wire.RequestType;
import com.noctarius.snowcast.status.ClusterStatus;
import com.noctarius.snowcast.status.ClusterStatus.Node;
import com.noctarius.snowcast.status.ClusterStatus.Sequencer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Reads the status of the cluster on a member, from the owners of the partitions. Used by one thread. */
final class StatusReader {
    /** The number of concurrent requests to owners, whose answers are in memory at the same time. */
    private static final int WINDOW = 16;

    private final HazelcastInstance member;
    private final MemberTransport transport;
    private final GrantBounds bounds;
    private final Holders holders;
    private final List<Sequencer> sequencers = new ArrayList<>();
    private int sequencerCount;
    private int nodesLeft = ClusterStatus.MAX_NODES;

    StatusReader(HazelcastInstance member, MemberTransport transport, GrantBounds bounds, Holders holders) {
        this.member = member;
        this.transport = transport;
        this.bounds = bounds;
        this.holders = holders;
    }

    ClusterStatus read(List<PossibleDuplicates> found) {
        holders.noteConnected(member);
        int partitions = member.getPartitionService().getPartitions().size();
        for (int from = 0; from < partitions; from += WINDOW) {
            Map<Integer, CompletableFuture<ContainerSnapshot>> answers = IntStream.range(
                            from, Math.min(from + WINDOW, partitions))
                    .boxed()
                    .collect(Collectors.toMap(partition -> partition, this::ask));
            answers.forEach(
                    (partition, answer) -> outcome(partition, answer).tables().forEach(this::add));
        }
        sequencers.sort(Comparator.comparing(Sequencer::name));
        return new ClusterStatus(
                Instant.ofEpochMilli(bounds.clusterMillis()), sequencers, sequencerCount, List.of(), found);
    }

    private ContainerSnapshot outcome(int partition, CompletableFuture<ContainerSnapshot> answer) {
        return Answers.outcome(
                RequestType.STATUS_SUBJECT,
                transport.timeoutMillis(),
                () -> answer.isCompletedExceptionally() ? ask(partition) : answer);
    }

    private CompletableFuture<ContainerSnapshot> ask(int partition) {
        return transport.sendToOwner(partition, RequestType.STATUS, RequestType.Nothing.NOTHING);
    }

    private void add(Snapshot table) {
        Definition definition = table.lifecycle().living();
        if (definition == null) {
            return;
        }
        sequencerCount++;
        if (sequencers.size() == ClusterStatus.MAX_SEQUENCERS) {
            return;
        }
        long clusterNow = bounds.clusterMillis() - definition.epochOffset();
        NodeIdCounts counts =
                NodeIdCounts.of(table.entries(), clusterNow, bounds.rules().nodeIdCount(definition));
        List<Node> nodes = table.entries().stream()
                .filter(state -> !state.isFree(clusterNow))
                .limit(nodesLeft)
                .map(state -> node(definition, clusterNow, state))
                .toList();
        nodesLeft -= nodes.size();
        sequencers.add(new Sequencer(
                table.name(),
                Definition.epochOf(definition.epochOffset()),
                definition.layout(),
                definition.backupCount(),
                definition.startAbove(),
                Math.max(counts.total(), 0),
                nodes,
                counts.attached(),
                counts.expiring(),
                definition.leasedNodeCount()));
    }

    private Node node(Definition definition, long clusterNow, NodeState state) {
        Instant until = Instant.ofEpochMilli(definition.epochOffset() + state.nextFloor());
        return new Node(state.logicalNodeId(), state.isAttached(clusterNow), holders.name(state.holder()), until);
    }

    /**
     * The display names of holders in a status: those of the members, and of the clients that are connected to this
     * member. Names from earlier statuses are remembered, so that a process that has gone keeps its name while its node
     * IDs expire. All other holders are shown by their addresses. Thread-safe.
     */
    static final class Holders {
        /** The maximum number of names, usually more than a member has connections. */
        static final int MAX_NAMES = 20_000;

        private static final float LOAD_FACTOR = 0.75f;

        /** The names by the first half of the holders' IDs, the least recently used name first. */
        @SuppressWarnings("serial") // The map is never serialized.
        private final Map<Long, String> names = Collections.synchronizedMap(new LinkedHashMap<>(0, LOAD_FACTOR, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<Long, String> eldest) {
                return size() > MAX_NAMES;
            }
        });

        /** Records the names of the members, and of the clients that are connected to {@code member}. */
        void noteConnected(HazelcastInstance member) {
            for (Client client : member.getClientService().getConnectedClients()) {
                long half = HolderId.half(client.getSocketAddress(), client.getUuid());
                put(half, "client " + client.getName() + " at " + address(half));
            }
            for (Member each : member.getCluster().getMembers()) {
                put(
                        HolderId.half(each.getSocketAddress(), each.getUuid()),
                        "member " + each.getAddress().getHost() + ':'
                                + each.getAddress().getPort());
            }
        }

        void put(long half, String name) {
            names.put(half, name);
        }

        String name(UUID holder) {
            long half = holder.getMostSignificantBits();
            return names.getOrDefault(half, address(half));
        }

        /** Returns the address in a {@link HolderId}, with the part that distinguishes instances on one host. */
        static String address(long half) {
            String address = half >>> 48 == 0
                    ? String.format(
                            "%d.%d.%d.%d",
                            half >>> 40 & 0xFF, half >>> 32 & 0xFF, half >>> 24 & 0xFF, half >>> 16 & 0xFF)
                    : String.format("...:%x:%x:%x", half >>> 48, half >>> 32 & 0xFFFF, half >>> 16 & 0xFFFF);
            return address + String.format(" #%04x", half & 0xFFFF);
        }
    }
}
