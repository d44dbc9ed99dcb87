// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The status of the whole cluster according to the owners of its partitions, or the status in the tables of a database.
 * The integers of sequences are strings, because JavaScript would round large numbers.
 *
 * @param time when the status was read, by the clock of the cluster or of the database
 * @param sequencers sequencers and node leases in the order of their names; only some of them if there are very many
 * @param sequencerCount the number of all sequencers and node leases
 * @param sequences the integer sequences of the database, in the order of their names; empty for a cluster
 * @param possibleDuplicates IDs that merges have reported as possible duplicates
 */
record ClusterState(
        Instant time,
        List<Sequencer> sequencers,
        int sequencerCount,
        List<Sequence> sequences,
        List<Duplicates> possibleDuplicates) {
    /**
     * A sequencer or a node lease.
     *
     * @param name its name
     * @param epoch the time from which the times in its IDs are counted; 1970 for a node lease
     * @param layout the bits of time, node ID and counter; {@code node lease} for a node lease
     * @param nodeCount the number of node IDs of the layout or the node lease
     * @param grantableCount the number of node IDs that the cluster or database may grant
     * @param timeEnds the end of the layout's time; the sequencer issues no IDs after it
     * @param turnsNegative the time from which IDs are negative as signed numbers; null if they never are
     * @param nodes the node IDs that are not free; only some of them if there are very many
     * @param attachedCount the number of attached node IDs
     * @param expiringCount the number of expiring node IDs
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
     * @param state {@code attached}, or {@code expiring} if it was released, but is not free yet
     * @param holder the member or client, and its address; the name of the process if a database grants the node IDs
     * @param until the end of the lease if attached; the time at which the node ID becomes free if expiring
     */
    record Node(int id, String state, String holder, Instant until) {}

    /**
     * An integer sequence of the database.
     *
     * @param name its name
     * @param firstValue the lowest integer
     * @param lastValue the highest integer
     * @param remaining the number of integers that are not reserved
     * @param highest the highest reserved integer; null if none is reserved
     */
    record Sequence(
            String name,
            String firstValue,
            String lastValue,
            String remaining,
            @Nullable String highest) {}

    /**
     * IDs that may have been issued twice.
     *
     * @param sequencer the sequencer
     * @param logicalNodeId the node ID; -1 for all node IDs
     * @param from the time of the first of these IDs
     * @param to the time after the last of these IDs
     */
    record Duplicates(String sequencer, int logicalNodeId, Instant from, Instant to) {}

    ClusterState at(Instant otherTime) {
        return new ClusterState(otherTime, sequencers, sequencerCount, sequences, possibleDuplicates);
    }
}
