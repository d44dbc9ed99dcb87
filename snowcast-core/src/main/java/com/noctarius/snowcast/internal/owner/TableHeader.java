// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

/**
 * What is known of a {@link NodeTable} but for its node IDs.
 *
 * @param lifecycle the incarnations of the name, and the number of the last change
 * @param tableId random: distinguishes the table from one that was lost
 * @param recoveredMillis until when it waits or waited after a loss, in cluster time; or 0
 * @param highestOfDestroyed the highest raw ID of destroyed incarnations, unsigned
 * @param usedUpTo where grants of node IDs without an entry may begin, in ID time
 */
public record TableHeader(
        Lifecycle lifecycle, long tableId, long recoveredMillis, long highestOfDestroyed, long usedUpTo) {
    /** Returns the same with other node IDs: those that it does not have any more end there. */
    public TableHeader withUsedUpTo(long idTime) {
        return new TableHeader(lifecycle, tableId, recoveredMillis, highestOfDestroyed, idTime);
    }

    public String name() {
        return lifecycle.name();
    }
}
