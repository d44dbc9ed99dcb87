// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import com.noctarius.snowcast.internal.owner.Grant.Token;
import java.util.UUID;

/**
 * What the table knows of a node ID that was granted at least once. All times are ID time, in milliseconds.
 *
 * @param version the number of the table's change that made this state; the higher one is the newer
 * @param requestNumber by which request
 * @param floor attached: where the grant begins; else where the next one may begin
 * @param ceiling attached: where the grant ends; else the same as the floor
 * @param attached whether the holder has not given it back
 */
public record NodeState(
        int logicalNodeId, long version, Token token, long requestNumber, long floor, long ceiling, boolean attached) {

    /** A grant of a table that was lost: request 0, from the beginning of ID time on. */
    static NodeState ofLostTable(int logicalNodeId, Token token, long ceiling) {
        return new NodeState(logicalNodeId, 0, token, 0, 0, ceiling, true);
    }

    /** A node ID that counts as used up to an ID time, though it is not known who held it. */
    static NodeState used(int logicalNodeId, Token token, long to) {
        return new NodeState(logicalNodeId, token.sequence(), token, 0, to, to, false);
    }

    public UUID holder() {
        return token.holder();
    }

    /** Where the next grant of this node ID may begin; never falls. */
    public long nextFloor() {
        return attached ? Math.max(floor, ceiling) : floor;
    }

    /**
     * Whether this node ID counts as <em>attached</em>, by the one rule of status, metrics and messages: its lease has
     * not ended by cluster time; and the owner has not seen the holder's member leave or its client disconnect. What is
     * not attached and not {@linkplain #isFree free} is <em>expiring</em>: its holder may still issue IDs.
     */
    public boolean isHeld(long clusterNow, TableRules rules) {
        return attached && ceiling > clusterNow && !rules.isGone().test(holder());
    }

    /** Whether no holder can issue IDs of it by cluster time, so that it is neither attached nor expiring. */
    public boolean isFree(long clusterNow) {
        return nextFloor() <= clusterNow;
    }

    /**
     * Returns this as a status shows it: {@link #attached} only if it {@link #isHeld}, else up to when it is expiring.
     */
    NodeState judged(long clusterNow, TableRules rules) {
        return isHeld(clusterNow, rules) ? this : released(version, nextFloor());
    }

    boolean hasToken(Token shown) {
        return attached && token.equals(shown);
    }

    boolean isSameGrantAs(NodeState other) {
        return token.equals(other.token);
    }

    /** The same state, as a change of another table. */
    NodeState at(long newVersion) {
        return new NodeState(logicalNodeId, newVersion, token, requestNumber, floor, ceiling, attached);
    }

    NodeState extended(long newVersion, long newCeiling) {
        return new NodeState(logicalNodeId, newVersion, token, requestNumber, floor, newCeiling, attached);
    }

    /** The node ID is free from a floor on. */
    NodeState released(long newVersion, long nextFloor) {
        return new NodeState(logicalNodeId, newVersion, token, requestNumber, nextFloor, nextFloor, false);
    }

    /**
     * The same grant from a floor on, under a new token: its holder cannot extend it, but says what it used and gets
     * another one.
     */
    NodeState above(long newFloor, Token newToken) {
        long from = Math.max(floor, newFloor);
        return new NodeState(
                logicalNodeId, newToken.sequence(), newToken, requestNumber, from, Math.max(ceiling, from), attached);
    }
}
