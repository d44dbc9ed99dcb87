// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import java.util.UUID;

/**
 * A node ID for a stretch of ID time, {@code [floor, ceiling)} in milliseconds since the sequencer's epoch.
 *
 * @param incarnation which incarnation of the sequencer it belongs to
 * @param leaseMillis by how much an extension will raise the ceiling above the present
 */
public record Grant(long incarnation, int logicalNodeId, Token token, long floor, long ceiling, long leaseMillis) {
    /**
     * The fencing token of a grant: a holder that does not show the current one can neither extend the grant nor give
     * it back. It cannot be guessed, since only the holder and the members know the holder's identity.
     *
     * @param tableId random, drawn when the table came to be or lost its data
     * @param sequence counts the grants within a table
     * @param holder who got the grant: random
     */
    public record Token(long tableId, long sequence, UUID holder) {}
}
