// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import com.noctarius.snowcast.status.ClusterStatus;
import java.time.Instant;
import java.util.function.Supplier;

/**
 * Reads the status from the owners of the partitions, or from the database.
 *
 * @param name {@code cluster} or {@code database}, for messages
 * @param status reads the status; blocks
 */
record ClusterReader(String name, Supplier<ClusterStatus> status) implements ClusterSource {
    @Override
    public ClusterState read() {
        ClusterStatus status = this.status.get();
        return new ClusterState(
                status.time(),
                status.sequencers().stream().map(ClusterReader::sequencer).toList(),
                status.sequencerCount(),
                status.integerSequences().stream().map(ClusterReader::sequence).toList(),
                status.possibleDuplicates().stream()
                        .map(found -> new ClusterState.Duplicates(
                                found.sequencerName(), found.logicalNodeId(), found.from(), found.to()))
                        .toList());
    }

    private static ClusterState.Sequencer sequencer(ClusterStatus.Sequencer sequencer) {
        return new ClusterState.Sequencer(
                sequencer.name(),
                Instant.ofEpochMilli(sequencer.epoch().getEpochOffset()),
                sequencer.isNodeLease() ? "node lease" : sequencer.layout().toString(),
                sequencer.isNodeLease()
                        ? sequencer.maxNodeCount()
                        : sequencer.layout().logicalNodeCount(),
                sequencer.nodeIdCount(),
                sequencer.timeEnds(),
                sequencer.turnsNegative(),
                sequencer.nodes().stream()
                        .map(node -> new ClusterState.Node(
                                node.id(), node.isAttached() ? "attached" : "expiring", node.holder(), node.until()))
                        .toList(),
                sequencer.attachedCount(),
                sequencer.expiringCount());
    }

    private static ClusterState.Sequence sequence(ClusterStatus.Integers integers) {
        return new ClusterState.Sequence(
                integers.name(),
                Long.toString(integers.firstValue()),
                Long.toString(integers.lastValue()),
                Long.toString(integers.remaining()),
                integers.highest() < 0 ? null : Long.toString(integers.highest()));
    }
}
