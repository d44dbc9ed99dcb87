// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.status.ClusterStatus;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.springframework.stereotype.Component;

/**
 * Asks the owners of the partitions. These take a logical node for attached as long as its lease is no older than that of a
 * holder who extends it. One whose holder was there and is gone cools down from then on: nobody will extend its lease.
 *
 * <p>Used by one thread at a time.
 */
@Component
final class ClusterReader implements ClusterSource {
    private static final String COOLING = "cooling";

    private final HazelcastInstance hazelcast;
    /** By sequencer and logical node, what the last answer said. */
    private Map<String, Seen> seen = Map.of();

    /** A logical node at an earlier moment. */
    private record Seen(Instant until, boolean isNamed, boolean isLeft) {}

    ClusterReader(HazelcastInstance hazelcast) {
        this.hazelcast = hazelcast;
    }

    @Override
    public ClusterState read() {
        ClusterStatus status = ClusterStatus.of(hazelcast);
        Map<String, Seen> now = new HashMap<>();
        for (ClusterStatus.Sequencer sequencer : status.sequencers()) {
            sequencer.nodes().forEach(node -> now.put(key(sequencer, node), look(sequencer, node)));
        }
        seen = now;
        return new ClusterState(
                status.time(),
                status.sequencers().stream().map(this::sequencer).toList(),
                status.integerSequences().stream().map(ClusterReader::pool).toList(),
                status.possibleDuplicates().stream()
                        .map(found -> new ClusterState.Duplicates(
                                found.sequencerName(), found.logicalNodeId(), found.from(), found.to()))
                        .toList(),
                status.possibleDuplicateIntegers().stream()
                        .map(found -> new ClusterState.DuplicateIntegers(
                                found.sequenceName(), Long.toString(found.first()), Long.toString(found.last())))
                        .toList());
    }

    private ClusterState.Sequencer sequencer(ClusterStatus.Sequencer sequencer) {
        List<ClusterState.Node> nodes = sequencer.nodes().stream()
                .map(node -> new ClusterState.Node(node.id(), state(sequencer, node), node.holder(), node.until()))
                .toList();
        // Those of which the owner does not know yet.
        int left = count(nodes, node -> node.state().equals(COOLING))
                - count(sequencer.nodes(), node -> !node.isAttached());
        return new ClusterState.Sequencer(
                sequencer.name(),
                Instant.ofEpochMilli(sequencer.epoch().getEpochOffset()),
                sequencer.layout().toString(),
                sequencer.layout().logicalNodeCount(),
                sequencer.nodeIdCount(),
                sequencer.timeEnds(),
                sequencer.turnsNegative(),
                nodes,
                sequencer.attachedCount() - left,
                sequencer.coolingCount() + left);
    }

    private static <T> int count(List<T> nodes, Predicate<T> condition) {
        return (int) nodes.stream().filter(condition).count();
    }

    private String state(ClusterStatus.Sequencer sequencer, ClusterStatus.Node node) {
        Seen now = seen.get(key(sequencer, node));
        return node.isAttached() && (now == null || !now.isLeft()) ? "attached" : COOLING;
    }

    /** A holder that the member does not know may be a client of another member, which extends its lease. */
    private Seen look(ClusterStatus.Sequencer sequencer, ClusterStatus.Node node) {
        boolean isNamed = node.holder().startsWith("member ") || node.holder().startsWith("client ");
        Seen before = seen.get(key(sequencer, node));
        boolean isLeft = !isNamed
                && before != null
                && (before.isNamed() || (before.isLeft() && before.until().equals(node.until())));
        return new Seen(node.until(), isNamed, isLeft);
    }

    private static String key(ClusterStatus.Sequencer sequencer, ClusterStatus.Node node) {
        return node.id() + " " + sequencer.name();
    }

    private static ClusterState.Pool pool(ClusterStatus.Integers pool) {
        return new ClusterState.Pool(
                pool.name(),
                Long.toString(pool.firstValue()),
                Long.toString(pool.lastValue()),
                Long.toString(pool.remaining()),
                pool.highest() < 0 ? null : Long.toString(pool.highest()),
                pool.lostSince());
    }
}
