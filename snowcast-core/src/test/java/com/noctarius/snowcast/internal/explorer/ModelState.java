// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.explorer;

/**
 * Rare states of the members in a {@link Model}, with what happens in each. {@code TableState} has the rare states of
 * the node table.
 */
enum ModelState {
    /** The owner crashes before the backup receives a change: the change is lost, and its answer never arrives. */
    CHANGE_LOST_WITH_OWNER,
    /**
     * The next owner lacks a change that another backup has received: the next owner's changes have higher numbers than
     * that change.
     */
    OWNER_BEHIND_BACKUP,
    /** A former owner wakes up when all other members are gone: it continues without its data. */
    FORMER_OWNER_GOES_ON,
    /** A request reaches the former owner, whose side has no quorum: the former owner gives no answer. */
    FORMER_SIDE_STOPPED
}
