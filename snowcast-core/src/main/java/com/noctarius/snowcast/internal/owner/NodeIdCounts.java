// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import com.noctarius.snowcast.SnowcastNodeIdsExceededException;
import java.time.Instant;

/**
 * The numbers of the node IDs of a sequencer, by state.
 *
 * @param attached the {@linkplain NodeState#isAttached attached} node IDs
 * @param expiring the other node IDs that are not {@linkplain NodeState#isFree free}
 * @param total all node IDs that may be granted, including the free ones
 */
public record NodeIdCounts(int attached, int expiring, int total) {
    /** Counts entries at the cluster time {@code clusterNow}, which is in ID time. */
    public static NodeIdCounts of(Iterable<NodeState> states, long clusterNow, int total) {
        int attached = 0;
        int expiring = 0;
        for (NodeState state : states) {
            if (state.isAttached(clusterNow)) {
                attached++;
            } else if (!state.isFree(clusterNow)) {
                expiring++;
            }
        }
        return new NodeIdCounts(attached, expiring, total);
    }

    /**
     * Returns the exception for a request that gets no node ID; {@code more} is a note on the node IDs in use, or
     * empty.
     */
    public SnowcastNodeIdsExceededException exceeded(String subject, String more, long nextFreeMillis) {
        return new SnowcastNodeIdsExceededException(subject + ": all " + total + " node IDs are in use: " + attached
                + " attached, " + expiring + " expiring" + more
                + "; unless its holder renews it, the next is free at " + Instant.ofEpochMilli(nextFreeMillis));
    }
}
