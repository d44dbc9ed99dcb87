// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Asks for a block.
 *
 * @param incarnation which incarnation of the sequence the holder belongs to; 0 to create the sequence if there is none
 * @param holder random, one per instance
 * @param requestNumber rises by one with each request of a holder that is not a repetition
 * @param size how many integers; 0 for none
 * @param highestGiven the highest integer that the holder was ever given; -1 if none
 * @param afterLoss where to continue if the pool was lost; null if no operator has resumed it
 */
public record ReserveRequest(
        String name,
        PoolDefinition definition,
        long incarnation,
        UUID holder,
        long requestNumber,
        long size,
        long highestGiven,
        @Nullable AfterLoss afterLoss) {
    /** Odd, and its bits look random: a change of one bit changes many. */
    private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

    /**
     * What an operator has decided after a loss.
     *
     * @param firstValue above all integers that are in use
     * @param lostBeforeMillis a loss at or after this moment is another one
     */
    public record AfterLoss(long firstValue, long lostBeforeMillis) {}

    /**
     * Returns what the pool remembers a new incarnation, or the end of a loss, by: random, and the same for a
     * repetition of the request. Another decision of the same holder is another request.
     */
    long epoch() {
        long own = holder.getLeastSignificantBits();
        return afterLoss == null
                ? own
                : own ^ (afterLoss.firstValue * SPREAD + afterLoss.lostBeforeMillis + 1) * SPREAD;
    }

    /** Returns a request that only creates the sequence, or learns of it. */
    public static ReserveRequest toOpen(
            String name, PoolDefinition definition, UUID holder, long highestGiven, @Nullable AfterLoss afterLoss) {
        return new ReserveRequest(name, definition, 0, holder, 0, 0, highestGiven, afterLoss);
    }
}
