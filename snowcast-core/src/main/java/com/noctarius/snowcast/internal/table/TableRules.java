// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.table;

/**
 * What the partition owner goes by.
 *
 * @param leaseMillis the lease of holders that ask for none, and the longest that is granted
 * @param maxSkewMillis how far a holder's clock may run ahead of cluster time, or lie behind a floor
 * @param recoveryMillis how long a table that lost its data waits: lease + 2 · skew + the heartbeat time-out
 * @param firstNodeId the first node ID that may be granted
 * @param lastNodeId the last one; layouts with fewer end earlier
 */
public record TableRules(long leaseMillis, long maxSkewMillis, long recoveryMillis, int firstNodeId, int lastNodeId) {

    /** Returns the lease of a holder that asks for one; 0 asks for none. */
    long leaseFor(long requestedMillis) {
        return requestedMillis == 0 ? leaseMillis : Math.min(requestedMillis, leaseMillis);
    }
}
