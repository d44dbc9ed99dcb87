// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.status;

import com.noctarius.snowcast.PossibleDuplicates;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastLayout;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of a cluster: which process holds which node ID.
 * {@link com.noctarius.snowcast.SnowcastSystem#clusterStatus} returns it. Each owner of partitions answers at a
 * different moment, so the status of a cluster is not a consistent snapshot. A {@code JdbcSnowcast} returns the status
 * of its database, which also lists integer sequences. Immutable.
 *
 * @param time cluster time when the last owner has answered, or the time of the database
 * @param sequencers the existing sequencers and node leases, by name; at most {@value #MAX_SEQUENCERS}
 * @param sequencerCount how many sequencers and node leases exist
 * @param integerSequences the integer sequences whose windows (ranges of integers) are in the database, by name; empty
 *     for a Hazelcast cluster
 * @param possibleDuplicates the last 100 possible duplicates that merges have reported to the queried member since its
 *     start; empty for a database
 */
public record ClusterStatus(
        Instant time,
        List<Sequencer> sequencers,
        int sequencerCount,
        List<Integers> integerSequences,
        List<PossibleDuplicates> possibleDuplicates) {
    /** The maximum number of sequencers and node leases in a status; {@link #sequencerCount()} counts all of them. */
    public static final int MAX_SEQUENCERS = 10_000;

    /**
     * The maximum number of node IDs that a status lists in total; the counts of a sequencer also include node IDs that
     * are not listed.
     */
    public static final int MAX_NODES = 10_000;

    /**
     * Copies the lists.
     *
     * @param time cluster time when the last owner has answered, or the time of the database
     * @param sequencers the listed sequencers and node leases
     * @param sequencerCount how many sequencers and node leases exist
     * @param integerSequences the integer sequences of the database
     * @param possibleDuplicates the possible duplicates that merges have reported
     * @throws NullPointerException if a list or an element of a list is null
     */
    public ClusterStatus {
        sequencers = List.copyOf(sequencers);
        integerSequences = List.copyOf(integerSequences);
        possibleDuplicates = List.copyOf(possibleDuplicates);
    }

    /**
     * The state of a sequencer or node lease.
     *
     * @param name its name
     * @param epoch its epoch; 1970 for a node lease
     * @param layout its layout
     * @param backupCount the number of synchronous backups of its table of node IDs
     * @param startAbove an ID below all IDs of the sequencer, compared unsigned; or null
     * @param nodeIdCount how many node IDs this cluster may grant, at most as many as the layout has
     * @param nodes the node IDs that are attached or expiring, by ID; all others are free. If the cluster has more than
     *     {@value #MAX_NODES} of them, some sequencers list fewer here than the sum of {@code attachedCount} and
     *     {@code expiringCount}
     * @param attachedCount how many node IDs are attached
     * @param expiringCount how many node IDs are expiring
     * @param maxNodeCount how many node IDs a {@link com.noctarius.snowcast.NodeLease} has; 0 for a sequencer. The
     *     layout of a node lease shows only how the cluster stores its times; the IDs of its generators may have
     *     another layout
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
         * @param backupCount the number of synchronous backups of its table of node IDs
         * @param startAbove an ID below all IDs of the sequencer, or null
         * @param nodeIdCount how many node IDs this cluster may grant
         * @param nodes the node IDs that are not free
         * @param attachedCount how many node IDs are attached
         * @param expiringCount how many node IDs are expiring
         * @param maxNodeCount how many node IDs a node lease has; 0 for a sequencer
         * @throws NullPointerException if the list or an element of the list is null
         */
        public Sequencer {
            nodes = List.copyOf(nodes);
        }

        /** {@return true for a {@link com.noctarius.snowcast.NodeLease}, false for a sequencer} */
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
     * @param isAttached true if the lease has not ended, even if its holder has crashed; false if the node ID is
     *     expiring: it was released, or its holder is unknown after a split, but IDs with times before {@code until}
     *     may have been issued
     * @param holder the process that acquired the node ID last: {@code member 10.0.0.5:5701}, {@code client orders-1 at
     *     10.0.0.9 #1f3a}, or {@code 10.0.0.9 #1f3a} for an instance that is not connected to the queried member, and
     *     was not connected when the member read an earlier status. The number after {@code #} distinguishes the
     *     instances of one host. For an IPv6 address the last six bytes are shown. The status of a database has the
     *     name of the process instead
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
