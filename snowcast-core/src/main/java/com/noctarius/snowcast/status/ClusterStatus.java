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
 * returns it. Each owner of partitions answers at a different moment, so the status is not a consistent snapshot.
 * Immutable. A {@code JdbcSnowcast} returns one, too: of its database instead of the owners, and with the integer
 * sequences of that database.
 *
 * @param time the cluster's time when the last owner answered
 * @param sequencers the existing sequencers and node leases, by name; at most {@value #MAX_SEQUENCERS}
 * @param sequencerCount how many exist
 * @param integerSequences all integer sequences of the database, by name; empty for a Hazelcast cluster, which has none
 * @param possibleDuplicates the last 100 reports of merges that the asked member has received since its start
 */
public record ClusterStatus(
        Instant time,
        List<Sequencer> sequencers,
        int sequencerCount,
        List<Integers> integerSequences,
        List<PossibleDuplicates> possibleDuplicates) {
    /** The maximum number of sequencers that a status lists; {@link #sequencerCount()} counts all of them. */
    public static final int MAX_SEQUENCERS = 10_000;

    /**
     * The maximum number of node IDs that a status lists in total; the counts of a sequencer include all its node IDs.
     */
    public static final int MAX_NODES = 10_000;

    /**
     * Copies the lists.
     *
     * @param time the cluster's time when the last owner answered
     * @param sequencers the listed sequencers and node leases
     * @param sequencerCount how many exist
     * @param integerSequences all that exist in the database
     * @param possibleDuplicates the reports of merges
     */
    public ClusterStatus {
        sequencers = List.copyOf(sequencers);
        integerSequences = List.copyOf(integerSequences);
        possibleDuplicates = List.copyOf(possibleDuplicates);
    }

    /**
     * A sequencer or a node lease; both have the same table.
     *
     * @param name its name
     * @param epoch its epoch; 1970 for a node lease
     * @param layout its layout
     * @param backupCount the number of synchronous backups of its table
     * @param startAbove an ID, or null; all IDs of the sequencer are above it, unsigned
     * @param nodeIdCount how many node IDs this cluster may grant, at most those of the layout
     * @param nodes the node IDs that are attached or expiring, by ID; all others are free. If the cluster has more than
     *     {@value #MAX_NODES}, some sequencers list fewer here than they count
     * @param attachedCount how many node IDs are attached
     * @param expiringCount how many expire
     * @param maxNodeCount how many node IDs a {@link com.noctarius.snowcast.NodeLease} has; 0 for a sequencer. The
     *     layout of a node lease is only how the cluster stores its times, not the layout of the IDs that its
     *     generators make
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
         * @param startAbove an ID that all IDs are above, or null
         * @param nodeIdCount how many node IDs this cluster may grant
         * @param nodes the node IDs that are not free
         * @param attachedCount how many node IDs are attached
         * @param expiringCount how many expire
         * @param maxNodeCount how many node IDs a node lease has; 0 for a sequencer
         */
        public Sequencer {
            nodes = List.copyOf(nodes);
        }

        /** {@return whether this is a {@link com.noctarius.snowcast.NodeLease}, and not a sequencer} */
        public boolean isNodeLease() {
            return maxNodeCount > 0;
        }

        /** {@return when the time of the layout ends, so that no more IDs are issued} */
        public Instant timeEnds() {
            return layout.endOfTime(epoch);
        }

        /** {@return the instant from which IDs are negative as a {@code long}; null if they never are} */
        public @Nullable Instant turnsNegative() {
            return layout.turnsNegative(epoch).orElse(null);
        }
    }

    /**
     * A node ID that cannot be granted to another holder, because it is attached or expiring.
     *
     * @param id the node ID
     * @param isAttached whether more than a quarter of its lease is left, and the owner of the partition has not seen
     *     the holder's member leave or its client disconnect; otherwise the node ID is expiring, and is free once no
     *     process can issue IDs with it. A client that was never connected to the owner, as with the routing mode
     *     {@code SINGLE_MEMBER}, counts as connected
     * @param holder the process that acquired it last: {@code member 10.0.0.5:5701}, {@code client orders-1 at 10.0.0.9
     *     #1f3a}, or {@code 10.0.0.9 #1f3a} for an instance that is gone or that the asked member is not connected to.
     *     The number distinguishes the instances of one host. For an IPv6 address the last six bytes are shown
     * @param until if attached, the end of the lease, which the holder renews; if expiring, when the node ID is free
     */
    public record Node(int id, boolean isAttached, String holder, Instant until) {}

    /**
     * An integer sequence of a database.
     *
     * @param name its name
     * @param firstValue its lowest integer
     * @param lastValue its highest integer
     * @param highest the highest reserved integer; -1 if there is none
     * @param remaining how many integers the sequence has left
     */
    public record Integers(String name, long firstValue, long lastValue, long highest, long remaining) {}
}
