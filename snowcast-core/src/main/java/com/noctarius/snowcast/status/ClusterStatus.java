// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.status;

import com.noctarius.snowcast.PossibleDuplicates;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastLayout;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of a cluster: which process has which node ID. {@link com.noctarius.snowcast.SnowcastSystem#clusterStatus}
 * returns it. Each owner of partitions answers for a moment of its own, so the parts need not belong to one instant.
 * Immutable. A {@code JdbcSnowcast} has such a status, too, with a database in place of the owners, and with the
 * integer sequences of that database.
 *
 * @param time the cluster's time when the last of them answered
 * @param sequencers those that exist, by name, node leases among them; at most {@value #MAX_SEQUENCERS}
 * @param sequencerCount how many exist
 * @param integerSequences all that exist in the database, by name; empty of a Hazelcast cluster, which has none
 * @param possibleDuplicates the last 100 reports of merges that reached the member to which the request was sent, since
 *     its start
 */
public record ClusterStatus(
        Instant time,
        List<Sequencer> sequencers,
        int sequencerCount,
        List<Integers> integerSequences,
        List<PossibleDuplicates> possibleDuplicates) {
    /** How many sequencers a status lists at most; {@link #sequencerCount()} has all of them. */
    public static final int MAX_SEQUENCERS = 10_000;

    /** How many node IDs a status lists at most, of all sequencers; the counts of a sequencer are of all its nodes. */
    public static final int MAX_NODES = 10_000;

    /**
     * Copies the lists.
     *
     * @param time the cluster's time when the last owner answered
     * @param sequencers those that are listed
     * @param sequencerCount how many exist
     * @param integerSequences all that exist in the database
     * @param possibleDuplicates what merges reported
     */
    public ClusterStatus {
        sequencers = List.copyOf(sequencers);
        integerSequences = List.copyOf(integerSequences);
        possibleDuplicates = List.copyOf(possibleDuplicates);
    }

    /**
     * A sequencer, or a node lease, which has the same table.
     *
     * @param name its name
     * @param epoch its epoch; 1970 of a node lease
     * @param layout its layout
     * @param backupCount the number of synchronous backups of its table
     * @param startAbove the ID that all IDs are above, unsigned, or null
     * @param nodeIdCount how many node IDs this cluster may grant, at most those of the layout
     * @param nodes the node IDs that are attached or expire, by ID; all others are free. If the cluster has more than
     *     {@value #MAX_NODES}, some sequencers have fewer here than they count
     * @param attachedCount how many node IDs are attached
     * @param expiringCount how many expire
     * @param maxNodeCount how many node IDs a {@link com.noctarius.snowcast.NodeLease} has; 0 of a sequencer. The
     *     layout of a node lease says how its times are kept, and means nothing for the IDs of its generators
     */
    public record Sequencer(
            String name,
            SnowcastEpoch epoch,
            SnowcastLayout layout,
            int backupCount,
            @Nullable Long startAbove,
            int nodeIdCount,
            List<Node> nodes,
            int attachedCount,
            int expiringCount,
            int maxNodeCount) {
        /**
         * Copies the list.
         *
         * @param name its name
         * @param epoch its epoch
         * @param layout its layout
         * @param backupCount the number of synchronous backups of its table
         * @param startAbove the ID that all IDs are above, or null
         * @param nodeIdCount how many node IDs this cluster may grant
         * @param nodes the node IDs that are not free
         * @param attachedCount how many node IDs are attached
         * @param expiringCount how many expire
         * @param maxNodeCount how many node IDs a node lease has; 0 of a sequencer
         */
        public Sequencer {
            nodes = List.copyOf(nodes);
        }

        /** {@return whether it is a {@link com.noctarius.snowcast.NodeLease}, and not a sequencer} */
        public boolean isNodeLease() {
            return maxNodeCount > 0;
        }

        /** {@return when the time of the layout ends, so that no more IDs are issued} */
        public Instant timeEnds() {
            return layout.endOfTime(epoch);
        }

        /** {@return from when on IDs are negative as a {@code long}; null if they never are} */
        public @Nullable Instant turnsNegative() {
            return layout.turnsNegative(epoch).orElse(null);
        }
    }

    /**
     * A node ID that no other holder can be granted: attached, or expiring.
     *
     * @param id its ID
     * @param isAttached whether more than a quarter of its lease is left, and the owner of the partition has not seen
     *     the holder's member leave or its client disconnect; else it expires when no process can issue IDs of it. A
     *     client that was never connected to the owner, as with the routing mode {@code SINGLE_MEMBER}, counts as alive
     *     until then
     * @param holder the process that it was granted to last: {@code member 10.0.0.5:5701}, {@code client orders-1 at
     *     10.0.0.9 #1f3a}, or {@code 10.0.0.9 #1f3a} of an instance that is gone, or that the member that was asked is
     *     not connected to; the number distinguishes the instances of one host, and of an IPv6 address there are the
     *     last six bytes
     * @param until the end of the lease, which the holder extends; or when the node is free
     */
    public record Node(int id, boolean isAttached, String holder, Instant until) {}

    /**
     * An integer sequence of a database.
     *
     * @param name its name
     * @param firstValue its lowest integer
     * @param lastValue its highest integer
     * @param highest the highest integer that was reserved; -1 if none
     * @param remaining how many integers the sequence has left
     */
    public record Integers(String name, long firstValue, long lastValue, long highest, long remaining) {}
}
