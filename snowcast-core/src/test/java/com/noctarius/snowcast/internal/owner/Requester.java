// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import java.util.UUID;

/**
 * Builds the requests of a holder.
 *
 * @param holder the identity of the holder
 * @param now the holder's clock, in milliseconds since 1970
 * @param definition the sequencer's definition according to the holder
 * @param incarnation the incarnation that the holder knows, or 0
 * @param lease the requested lease in milliseconds, or 0 for the cluster's
 * @param lastIdTime the highest timestamp that the holder has used, in ID time, or -1
 */
record Requester(UUID holder, long now, Definition definition, long incarnation, long lease, long lastIdTime) {
    static final String NAME = "orders";

    Requester(int number, long now, Definition definition) {
        this(new UUID(0, number), now, definition, 0, 0, -1);
    }

    Requester at(long otherNow) {
        return new Requester(holder, otherNow, definition, incarnation, lease, lastIdTime);
    }

    Requester of(Definition otherDefinition) {
        return new Requester(holder, now, otherDefinition, incarnation, lease, lastIdTime);
    }

    Requester in(long otherIncarnation) {
        return new Requester(holder, now, definition, otherIncarnation, lease, lastIdTime);
    }

    Requester asking(long otherLease) {
        return new Requester(holder, now, definition, incarnation, otherLease, lastIdTime);
    }

    Requester havingUsed(long otherLastMillis) {
        return new Requester(holder, now, definition, incarnation, lease, otherLastMillis);
    }

    AttachRequest attach(long requestNumber) {
        return new AttachRequest(NAME, definition, incarnation, holder, requestNumber, now, lease, lastIdTime);
    }

    RenewRequest renew(Grant grant) {
        return renew(grant, grant.ceiling());
    }

    RenewRequest renew(Grant grant, long ceiling) {
        return new RenewRequest(
                NAME,
                definition,
                grant.incarnation(),
                grant.logicalNodeId(),
                grant.token(),
                ceiling,
                now - definition.epochOffset(),
                lease);
    }

    static DetachRequest detach(Grant grant, long lastIdTime) {
        return new DetachRequest(NAME, grant.logicalNodeId(), grant.token(), lastIdTime);
    }
}
