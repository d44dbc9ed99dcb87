// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

/**
 * All data of a {@link NodeTable} except its node IDs.
 *
 * @param lifecycle the incarnations of the name, and the number of the last change
 * @param tableId random: distinguishes the table from one that was lost
 * @param recoveredMillis until when the table waits or waited after a loss, in cluster time; or 0
 * @param highestOfDestroyed the highest raw ID of destroyed incarnations, unsigned
 * @param usedUpTo where grants of node IDs without an entry may begin, in ID time
 */
public record TableHeader(
        Lifecycle lifecycle, long tableId, long recoveredMillis, long highestOfDestroyed, long usedUpTo) {
    /**
     * Returns the same header for a table with fewer entries: the removed node IDs count as used up to that ID time.
     */
    public TableHeader withUsedUpTo(long idTime) {
        return new TableHeader(lifecycle, tableId, recoveredMillis, highestOfDestroyed, idTime);
    }

    public String name() {
        return lifecycle.name();
    }
}
