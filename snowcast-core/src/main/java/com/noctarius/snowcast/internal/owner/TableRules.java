// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import com.noctarius.snowcast.SnowcastLayout;

/**
 * The limits for the decisions about a table, by the owner of its partition or in a database: settings, and how far the
 * high-water mark is reserved at present.
 *
 * @param leaseMillis the lease of holders that request none, and the longest lease
 * @param maxSkewMillis how far a holder's clock may be ahead of cluster time, behind it, or behind a floor
 * @param lossWaitMillis how long a table that lost its data waits: the longest lease of any member or process + 2 ·
 *     skew + the time after which an owner that was cut off stops, or after which a transaction in a database has ended
 * @param firstNodeId the first node ID that may be granted
 * @param lastNodeId the last node ID that may be granted, unless the definition has fewer node IDs
 * @param durableUntilMillis the reserved high-water mark, in milliseconds since 1970: no grant ends later.
 *     {@link Long#MAX_VALUE} if there is none
 * @param durableProblem since when and why the high-water mark cannot be written; empty if it can
 */
public record TableRules(
        long leaseMillis,
        long maxSkewMillis,
        long lossWaitMillis,
        int firstNodeId,
        int lastNodeId,
        long durableUntilMillis,
        String durableProblem) {
    public TableRules(long leaseMillis, long maxSkewMillis, long lossWaitMillis, int firstNodeId, int lastNodeId) {
        this(leaseMillis, maxSkewMillis, lossWaitMillis, firstNodeId, lastNodeId, Long.MAX_VALUE, "");
    }

    public TableRules withDurableUntil(long millis, String problem) {
        return new TableRules(leaseMillis, maxSkewMillis, lossWaitMillis, firstNodeId, lastNodeId, millis, problem);
    }

    /** Returns these rules with a single node ID that may be granted: the one that the SQL store has chosen. */
    public TableRules withOnly(int nodeId) {
        return new TableRules(
                leaseMillis, maxSkewMillis, lossWaitMillis, nodeId, nodeId, durableUntilMillis, durableProblem);
    }

    /**
     * Returns the lease of a grant, in milliseconds: the requested lease, but at most {@link #leaseMillis}, which also
     * replaces a request of 0.
     */
    long leaseFor(long requestedMillis) {
        return requestedMillis == 0 ? leaseMillis : Math.min(requestedMillis, leaseMillis);
    }

    /**
     * Returns the end of a grant, in ID time: the holder's time plus the lease. The holder's time counts as at least
     * cluster time, and as at most the skew above cluster time.
     */
    long ceiling(long holderNow, long clusterNow, long requestedMillis) {
        return Math.min(Math.max(holderNow, clusterNow), clusterNow + maxSkewMillis) + leaseFor(requestedMillis);
    }

    /**
     * Returns the latest end that a grant may have, in ID time: the end of the layout, or an earlier high-water mark.
     */
    public long maxCeiling(Definition definition) {
        long endOfTime = definition.layout().maxTimestamp() + 1;
        return durableUntilMillis == Long.MAX_VALUE
                ? endOfTime
                : Math.min(endOfTime, definition.idTime(durableUntilMillis));
    }

    /** Returns the last node ID of a definition that may be granted. */
    public int lastNodeId(Definition definition) {
        return Math.min(lastNodeId, definition.nodeIdCount() - 1);
    }

    /** Returns how many node IDs may be granted; zero or negative if the range has none. */
    public int nodeIdCount(Definition definition) {
        return lastNodeId(definition) - firstNodeId + 1;
    }

    /**
     * Returns whether a table that lost its data may have made the grant of a renewal request, as the last grant of the
     * node ID. A forged grant must not be restored, because it would occupy its node ID until its end.
     *
     * <p>Each grant begins at most the skew ahead of cluster time, and at or above the end of the former grant of its
     * node ID. A grant that ends more than the skew ahead of cluster time is therefore the last one of its node ID,
     * unless it was released early: if a late renewal restores such a grant, it only occupies the node ID.
     */
    boolean mayHaveGranted(RenewRequest request, long nowMillis) {
        int node = request.logicalNodeId();
        SnowcastLayout layout = request.definition().layout();
        long latest = nowMillis + maxSkewMillis;
        long latestIdTime = request.definition().idTime(latest);
        return request.ceiling() > latestIdTime
                && request.ceiling() - latestIdTime <= leaseMillis + lossWaitMillis
                && request.ceiling() <= layout.maxTimestamp() + 1
                && node >= firstNodeId
                && node <= lastNodeId(request.definition())
                && request.definition().epochOffset() <= nowMillis
                && request.incarnation() <= latest;
    }
}
