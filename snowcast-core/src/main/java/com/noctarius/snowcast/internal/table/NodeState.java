// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.table;

import java.util.UUID;

/**
 * What the table knows of a logical node ID that was granted at least once.
 *
 * @param logicalNodeId the node ID
 * @param version the number of the table's change that made this state; the higher one is the newer
 * @param token the last grant
 * @param holder who got it
 * @param requestNumber by which request
 * @param since lowest ID time that the present owner of the table gave of it, by a grant or an extension; {@code MAX_VALUE}
 *     if none. A bound unless a holder's clock was set back by more than the skew
 * @param floor attached: where the grant begins; else where the next one may begin
 * @param ceiling attached: where the grant ends; else the same as the floor
 * @param attached whether the holder has not given it back
 */
public record NodeState(
        int logicalNodeId,
        long version,
        Token token,
        UUID holder,
        long requestNumber,
        long since,
        long floor,
        long ceiling,
        boolean attached) {

    /** Where the next grant of this node ID may begin; never falls. */
    long nextFloor() {
        return attached ? Math.max(floor, ceiling) : floor;
    }

    /**
     * Whether its holder extends it, as far as can be told: one that lives does so when half of its lease is used, and one
     * that has less than a quarter left is gone.
     *
     * @param clusterNow cluster time, as ID time
     * @param leaseMillis the longest lease
     */
    boolean isHeld(long clusterNow, long leaseMillis) {
        return attached && ceiling > clusterNow + leaseMillis / 4;
    }

    boolean isSameGrantAs(NodeState other) {
        return token.equals(other.token) && holder.equals(other.holder);
    }

    NodeState extended(long newVersion, long newSince, long newCeiling) {
        return new NodeState(
                logicalNodeId, newVersion, token, holder, requestNumber, newSince, floor, newCeiling, attached);
    }

    /** The same grant, but of which the other side of a network that was split may have issued IDs below a floor. */
    NodeState above(long newVersion, long newFloor) {
        return new NodeState(
                logicalNodeId,
                newVersion,
                token,
                holder,
                requestNumber,
                since,
                Math.max(floor, newFloor),
                ceiling,
                attached);
    }

    /** The same grant, but of which the other side of a network that was split may have issued IDs from a time on. */
    NodeState sharedSince(long otherSince) {
        return new NodeState(
                logicalNodeId,
                version,
                token,
                holder,
                requestNumber,
                Math.min(since, otherSince),
                floor,
                ceiling,
                attached);
    }

    /** The same grant under another token: its holder cannot extend it, but tell what it used and get a new one. */
    NodeState under(Token newToken, long newVersion) {
        return new NodeState(
                logicalNodeId, newVersion, newToken, holder, requestNumber, since, floor, ceiling, attached);
    }

    NodeState released(long newVersion, long newSince, long nextFloor) {
        return new NodeState(
                logicalNodeId, newVersion, token, holder, requestNumber, newSince, nextFloor, nextFloor, false);
    }
}
