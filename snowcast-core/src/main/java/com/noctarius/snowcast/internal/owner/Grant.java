// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import java.util.UUID;

/**
 * A node ID leased to a holder for a period of ID time, {@code [floor, ceiling)} in milliseconds since the sequencer's
 * epoch.
 *
 * @param incarnation the incarnation of the sequencer to which the grant belongs
 * @param leaseMillis the length of the lease, which a renewal adds to the present time: see {@link TableRules#ceiling}
 */
public record Grant(long incarnation, int logicalNodeId, Token token, long floor, long ceiling, long leaseMillis) {
    /**
     * The fencing token of a grant: a holder that does not present the current token can neither renew nor release the
     * grant. In a cluster, another client cannot guess the token, because only the holder and the members know the
     * holder's ID.
     *
     * @param tableId random, chosen when the table was created or lost its data
     * @param sequence the number of the table's change that made the grant
     * @param holder the holder that got the grant; the second half of its ID is random
     */
    public record Token(long tableId, long sequence, UUID holder) {}
}
