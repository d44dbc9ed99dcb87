// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import com.noctarius.snowcast.SnowcastNodeIdsExceededException;
import java.time.Instant;
import java.util.function.Predicate;

/**
 * The numbers of node IDs that cannot be granted to another holder at present.
 *
 * @param attached node IDs whose holders renew their leases
 * @param expiring node IDs whose holders are gone or do not renew, and whose lease has not expired yet
 * @param total all node IDs that can be granted
 */
public record NodeIdCounts(int attached, int expiring, int total) {
    public static final NodeIdCounts NONE = new NodeIdCounts(0, 0, 0);

    /** Counts states by a time of the cluster; {@code isHeld} says which of them are attached. */
    public static NodeIdCounts of(Iterable<NodeState> states, Predicate<NodeState> isHeld, long clusterNow, int total) {
        int attached = 0;
        int expiring = 0;
        for (NodeState state : states) {
            if (isHeld.test(state)) {
                attached++;
            } else if (!state.isFree(clusterNow)) {
                expiring++;
            }
        }
        return new NodeIdCounts(attached, expiring, total);
    }

    /**
     * Returns the exception for a request that gets no node ID.
     *
     * @param subject the sequencer or node lease, in words
     * @param more what else is known of those that are not free, in words
     */
    public SnowcastNodeIdsExceededException exceeded(String subject, String more, long nextFreeMillis) {
        return new SnowcastNodeIdsExceededException(subject + ": all " + total + " node IDs are in use: " + attached
                + " attached, " + expiring + " expiring" + more
                + "; unless its holder renews it, the next is free at " + Instant.ofEpochMilli(nextFreeMillis));
    }

    public NodeIdCounts plus(NodeIdCounts other) {
        return new NodeIdCounts(attached + other.attached, expiring + other.expiring, total + other.total);
    }
}
