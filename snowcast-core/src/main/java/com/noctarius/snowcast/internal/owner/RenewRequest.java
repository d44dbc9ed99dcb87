// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import com.noctarius.snowcast.internal.owner.Grant.Token;
import java.util.UUID;

/**
 * A holder's request to renew its lease: to raise the ceiling of its grant.
 *
 * @param definition the holder's definition, with which a table that lost its data restores the sequencer
 * @param holderNow the holder's present time, in ID time
 * @param leaseMillis the requested lease, or 0 for {@link TableRules#leaseMillis}
 */
public record RenewRequest(
        String name,
        Definition definition,
        long incarnation,
        int logicalNodeId,
        Token token,
        long ceiling,
        long holderNow,
        long leaseMillis) {
    public UUID holder() {
        return token.holder();
    }
}
