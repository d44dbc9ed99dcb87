// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import com.noctarius.snowcast.internal.owner.Grant.Token;
import java.util.UUID;

/**
 * A table's entry of a node ID: its last grant, or where its next grant may begin. All times are ID time, in
 * milliseconds.
 *
 * @param version the number of the table's change that made this state; a higher number is newer
 * @param requestNumber the number of the holder's attach request that got the grant; see {@link #isRequestKnown}
 * @param floor if leased, where the grant begins; otherwise where the next grant may begin
 * @param ceiling if leased, where the grant ends; otherwise the same as the floor
 * @param leased whether the holder has not released the node ID, even if its lease has expired
 */
public record NodeState(
        int logicalNodeId, long version, Token token, long requestNumber, long floor, long ceiling, boolean leased) {

    private static final long UNKNOWN_REQUEST = 0;

    /** Returns the entry of a grant from before a loss of data, which its renewal restores; its floor is not known. */
    static NodeState restored(int logicalNodeId, Token token, long ceiling) {
        return new NodeState(logicalNodeId, 0, token, UNKNOWN_REQUEST, 0, ceiling, true);
    }

    /**
     * Returns the entry of a node ID whose IDs below the ID time {@code to} may have been issued by an unknown holder;
     * the next grant begins at {@code to} or later.
     */
    static NodeState used(int logicalNodeId, Token token, long to) {
        return new NodeState(logicalNodeId, token.sequence(), token, UNKNOWN_REQUEST, to, to, false);
    }

    /**
     * Returns whether it is known which attach request got the grant. It is not if a renewal has restored the grant
     * after a loss of data, or if the holder is unknown.
     */
    boolean isRequestKnown() {
        return requestNumber != UNKNOWN_REQUEST;
    }

    public UUID holder() {
        return token.holder();
    }

    /**
     * Returns where the next grant of this node ID may begin: at the end of the lease, or earlier if the holder
     * released the node ID before that end.
     */
    public long nextFloor() {
        return leased ? Math.max(floor, ceiling) : floor;
    }

    /**
     * Returns whether this node ID is <em>attached</em>: its holder has not released it, and its lease has not expired
     * by cluster time. A node ID that is neither attached nor {@linkplain #isFree free} is <em>expiring</em>: it was
     * released, or its holder is unknown after a split, but IDs with times after cluster time may have been issued.
     */
    public boolean isAttached(long clusterNow) {
        return leased && ceiling > clusterNow;
    }

    /**
     * Returns whether the next grant of this node ID may begin at cluster time or earlier. The node ID is then neither
     * attached nor expiring.
     */
    public boolean isFree(long clusterNow) {
        return nextFloor() <= clusterNow;
    }

    boolean hasToken(Token shown) {
        return leased && token.equals(shown);
    }

    boolean isSameGrantAs(NodeState other) {
        return token.equals(other.token);
    }

    /** Returns this entry with another change number. */
    NodeState at(long newVersion) {
        return new NodeState(logicalNodeId, newVersion, token, requestNumber, floor, ceiling, leased);
    }

    NodeState renewed(long newVersion, long newCeiling) {
        return new NodeState(logicalNodeId, newVersion, token, requestNumber, floor, newCeiling, leased);
    }

    /** Returns the entry of the released node ID, whose next grant may begin at {@code nextFloor}. */
    NodeState released(long newVersion, long nextFloor) {
        return new NodeState(logicalNodeId, newVersion, token, requestNumber, nextFloor, nextFloor, false);
    }

    /**
     * Returns this entry with a floor that is at least the given one, and with a new token. The table then refuses the
     * holder's renewal, so that the holder reports the last timestamp that it has used, and gets another grant.
     */
    NodeState withNewTokenAbove(long newFloor, Token newToken) {
        long from = Math.max(floor, newFloor);
        return new NodeState(
                logicalNodeId, newToken.sequence(), newToken, requestNumber, from, Math.max(ceiling, from), leased);
    }
}
