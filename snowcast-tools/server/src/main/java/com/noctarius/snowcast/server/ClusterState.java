// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the owners of the partitions know, of the whole cluster, or what the tables of a database say. Integers are
 * texts: JavaScript would round numbers.
 *
 * @param time when they were asked, by the clock of the cluster or of the database
 * @param sequencers in the order of their names, node leases among them; of very many not all
 * @param sequencerCount how many there are
 * @param sequences the integer sequences of the database, in the order of their names; none of a cluster
 * @param possibleDuplicates IDs that may exist twice, as merges reported them
 */
record ClusterState(
        Instant time,
        List<Sequencer> sequencers,
        int sequencerCount,
        List<Sequence> sequences,
        List<Duplicates> possibleDuplicates) {
    /**
     * A sequencer.
     *
     * @param name its name
     * @param epoch when the time of its IDs begins
     * @param layout the bits of time, node ID and counter; {@code node lease} of a node lease
     * @param nodeCount how many node IDs the layout or the node lease has
     * @param grantableCount how many of them this cluster may grant
     * @param timeEnds when the time of the layout ends, so that no more IDs are issued
     * @param turnsNegative from when on IDs are negative as signed numbers; null if they never are
     * @param nodes those that are not free; of a cluster with very many not all of them
     * @param attachedCount how many are attached
     * @param expiringCount how many expire
     */
    record Sequencer(
            String name,
            Instant epoch,
            String layout,
            int nodeCount,
            int grantableCount,
            Instant timeEnds,
            @Nullable Instant turnsNegative,
            List<Node> nodes,
            int attachedCount,
            int expiringCount) {}

    /**
     * A node ID that is not free.
     *
     * @param id the node ID
     * @param state {@code attached}, or {@code expiring}: not free yet, since its holder may still use it
     * @param holder the member or client, and its address
     * @param until when the lease ends, or when the node is free again
     */
    record Node(int id, String state, String holder, Instant until) {}

    /**
     * An integer sequence of the database.
     *
     * @param name its name
     * @param firstValue the lowest integer
     * @param lastValue the highest integer
     * @param remaining how many are not reserved
     * @param highest the highest that was reserved; null if none was
     */
    record Sequence(
            String name,
            String firstValue,
            String lastValue,
            String remaining,
            @Nullable String highest) {}

    /**
     * IDs that may exist twice.
     *
     * @param sequencer the sequencer
     * @param logicalNodeId the node ID, or -1 for all
     * @param from the time of the first of these IDs
     * @param to the time after the last
     */
    record Duplicates(String sequencer, int logicalNodeId, Instant from, Instant to) {}

    ClusterState at(Instant otherTime) {
        return new ClusterState(otherTime, sequencers, sequencerCount, sequences, possibleDuplicates);
    }
}
