// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

/**
 * All data of a {@link NodeTable} except the entries of its node IDs.
 *
 * @param lifecycle the incarnations of the name, and the number of the last change
 * @param tableId a random number that distinguishes the table from lost tables of the same name
 * @param waitEndMillis the end of the wait after a loss of data or a start of the cluster, in cluster time; 0 if there
 *     was no wait
 * @param highestOfDestroyed the highest raw ID of destroyed incarnations, unsigned
 * @param usedUpTo where grants of node IDs without an entry may begin, in ID time
 */
public record TableHeader(
        Lifecycle lifecycle, long tableId, long waitEndMillis, long highestOfDestroyed, long usedUpTo) {
    /**
     * Returns this header for a table that lacks some entries. Node IDs without an entry count as used below
     * {@code idTime}.
     */
    public TableHeader withUsedUpTo(long idTime) {
        return new TableHeader(lifecycle, tableId, waitEndMillis, highestOfDestroyed, idTime);
    }

    public String name() {
        return lifecycle.name();
    }
}
