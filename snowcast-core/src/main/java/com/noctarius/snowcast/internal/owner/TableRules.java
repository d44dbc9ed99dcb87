// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import com.noctarius.snowcast.SnowcastLayout;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * The settings by which a partition owner decides.
 *
 * @param leaseMillis the lease of holders that ask for none, and the longest that is granted
 * @param maxSkewMillis how far a holder's clock may run ahead of cluster time, or lie behind a floor
 * @param recoveryMillis how long a table that lost its data waits: lease + 2 · skew + the time in which an owner that
 *     was cut off stops
 * @param firstNodeId the first node ID that may be granted
 * @param lastNodeId the last one; definitions with fewer end earlier
 * @param durableUntilMillis no grant ends later, since 1970: so far the high-water mark is reserved
 * @param durableProblem since when and why the high-water mark cannot be written; empty if it can
 * @param isGone whether a holder's member has left or its client has disconnected, as far as the owner knows: shown,
 *     and nothing is decided by it
 */
public record TableRules(
        long leaseMillis,
        long maxSkewMillis,
        long recoveryMillis,
        int firstNodeId,
        int lastNodeId,
        long durableUntilMillis,
        String durableProblem,
        Predicate<UUID> isGone) {
    public TableRules(long leaseMillis, long maxSkewMillis, long recoveryMillis, int firstNodeId, int lastNodeId) {
        this(leaseMillis, maxSkewMillis, recoveryMillis, firstNodeId, lastNodeId, Long.MAX_VALUE, "", holder -> false);
    }

    public TableRules withDurableUntil(long millis, String problem) {
        return new TableRules(
                leaseMillis, maxSkewMillis, recoveryMillis, firstNodeId, lastNodeId, millis, problem, isGone);
    }

    public TableRules withGone(Predicate<UUID> isHolderGone) {
        return new TableRules(
                leaseMillis,
                maxSkewMillis,
                recoveryMillis,
                firstNodeId,
                lastNodeId,
                durableUntilMillis,
                durableProblem,
                isHolderGone);
    }

    /** Returns the lease of a holder that asks for one; 0 asks for none. */
    long leaseFor(long requestedMillis) {
        return requestedMillis == 0 ? leaseMillis : Math.min(requestedMillis, leaseMillis);
    }

    /**
     * Returns the end of a grant, in ID time: the lease above the time of the holder's IDs, which counts as no less
     * than cluster time, and as ahead of it by the skew at most.
     */
    long ceiling(long holderNow, long clusterNow, long requestedMillis) {
        return Math.min(Math.max(holderNow, clusterNow), clusterNow + maxSkewMillis) + leaseFor(requestedMillis);
    }

    /** Returns the latest end of a grant in a layout, in ID time. */
    public long maxCeiling(Definition definition) {
        long endOfTime = definition.layout().maxTimestamp() + 1;
        return durableUntilMillis == Long.MAX_VALUE
                ? endOfTime
                : Math.min(endOfTime, definition.idTime(durableUntilMillis));
    }

    /** Returns the last node ID that may be granted. */
    public int lastNodeId(Definition definition) {
        return Math.min(lastNodeId, definition.nodeIdCount() - 1);
    }

    /** Returns how many node IDs may be granted; not positive if the range has none. */
    public int nodeIdCount(Definition definition) {
        return lastNodeId(definition) - firstNodeId + 1;
    }

    /**
     * Whether a table that was lost can have given the grant that a request extends, and no other after it. What no
     * member can have granted is forged, and would keep its node ID for as long.
     */
    boolean mayHaveGranted(ExtendRequest request, long nowMillis) {
        int node = request.logicalNodeId();
        SnowcastLayout layout = request.definition().layout();
        long latest = nowMillis + maxSkewMillis;
        long latestIdTime = request.definition().idTime(latest);
        return request.ceiling() > latestIdTime
                && request.ceiling() - latestIdTime <= leaseMillis + recoveryMillis
                && request.ceiling() <= layout.maxTimestamp() + 1
                && node >= firstNodeId
                && node <= lastNodeId(request.definition())
                && request.definition().epochOffset() <= nowMillis
                && request.incarnation() <= latest;
    }
}
