// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

/** Rare states for which the table has rules, with the effect of each rule. {@link TableWatch} counts the states. */
public enum TableState {
    // --- attach
    /** The holder's incarnation was destroyed: the answer reports the destruction. */
    ATTACH_TO_DESTROYED_LIFE,
    /** The answer to the request was a grant of an incarnation that has been destroyed since: that grant is void. */
    ANSWERED_IN_DESTROYED_LIFE,
    /** The holder's definition differs from the table's: refused. */
    ATTACH_WITH_OTHER_DEFINITION,
    /** After a loss of data, the table does not know the former grants: it refuses every attach for a while. */
    ATTACH_WHILE_RECOVERING,
    /** The same request arrives again: it gets the same grant. */
    ANSWERED_AGAIN,
    /** A request arrives after a later one of the same holder, or again after its own grant was released: refused. */
    LATE_REQUEST,
    /**
     * The holder has not released its former grant: the table releases it, so the next grant of its node ID begins
     * above the used slots.
     */
    FORMER_GRANT_RELEASED,
    /** A holder with a grant requests another one, which is refused: the holder keeps its former grant. */
    FORMER_GRANT_KEPT,
    /** A former grant of a destroyed incarnation is released: the incarnation's highest ID is computed again. */
    FORMER_GRANT_OF_DESTROYED_LIFE,
    /** The holder's clock is ahead of cluster time by more than the skew: refused. */
    ATTACH_AHEAD_OF_CLUSTER,
    /** The holder's clock is behind cluster time by more than the skew: refused. */
    ATTACH_BEHIND_CLUSTER,
    /** The grant would begin more than the skew ahead of one of the clocks: refused. */
    FLOOR_AHEAD_OF_CLOCKS,
    /** All node IDs are in use: refused. */
    ALL_IN_USE,
    /**
     * A lease has expired without a detach: another holder gets the node ID, at or above the end of the expired lease.
     */
    ENDED_LEASE_GRANTED,
    /** A released node ID is granted again: the grant begins above the slots that the former holder has used. */
    GIVEN_BACK_GRANTED,
    /** After a loss, a node ID whose grant was taken over is granted again: from the end of the recovery on. */
    FLOOR_OF_TABLE_ABOVE_NODE,
    /** After a loss, a node ID that the table does not know is granted: from the end of the recovery on. */
    GRANTED_FROM_RECOVERY_TIME,
    /**
     * The holder has used an ID that is ahead of all clocks: the lease counts from that ID, but at the latest from
     * cluster time plus the skew.
     */
    NEXT_ID_AHEAD_OF_CLOCKS,
    /** A new incarnation follows a destroyed one: it begins above the highest ID of the destroyed one. */
    LIFE_AFTER_DESTROYED,
    /** The holder knows an incarnation that the table has lost: that incarnation continues. */
    LOST_LIFE_GOES_ON,
    /** A creation has to wait for holders of the destroyed incarnation. */
    SETTLING,
    /**
     * A holder that creates the sequencer again has a grant of the destroyed incarnation: the table releases this
     * grant.
     */
    RELEASED_BEFORE_CREATION,
    /** The wait for the holders of a destroyed incarnation is over: the table removes their grants. */
    DESTROYED_LIFE_FORGOTTEN,

    // --- renew
    /** The grant belongs to a destroyed incarnation: the answer reports the destruction. */
    RENEWAL_OF_DESTROYED_LIFE,
    /** The grant has another definition than the table: the incarnation of the grant counts as destroyed. */
    RENEWAL_WITH_OTHER_DEFINITION,
    /**
     * The table does not know the grant's incarnation, and its own one is destroyed: both incarnations count as
     * destroyed.
     */
    RENEWAL_WITHOUT_LIFE,
    /** Another holder has got the node ID since the grant: the renewal is refused. */
    RENEWAL_OF_OTHERS_NODE,
    /** The holder has a newer grant of the same node ID, or a merge gave it another token: refused. */
    RENEWAL_OF_FORMER_GRANT,
    /** The renewal arrives after the release of the grant: refused. */
    RENEWAL_AFTER_DETACH,
    /**
     * After a loss, the lost table cannot have made the grant, or may have made a later grant of the same node ID:
     * refused.
     */
    RENEWAL_NOT_OF_LOST_TABLE,
    /**
     * The table has lost its data, and the grant ends more than the skew ahead of cluster time: the table takes the
     * grant over.
     */
    TAKEN_OVER_AFTER_LOSS,
    /** The table has also lost the sequencer: it takes the grant over, together with its incarnation. */
    TAKEN_OVER_WITH_LIFE,
    /** The holder's time is behind cluster time: the new ceiling is cluster time plus the lease. */
    RENEWAL_BEHIND_CLUSTER,
    /**
     * The holder's time is ahead of cluster time by more than the skew: the new ceiling is cluster time plus the skew
     * plus the lease.
     */
    RENEWAL_AHEAD_OF_CLUSTER,
    /** The grant already reaches further than the renewal would: its ceiling stays. */
    RENEWAL_OF_NOTHING,

    // --- detach and destroy
    /** The holder no longer has the node ID: the detach has no effect. */
    DETACH_OF_FORMER_GRANT,
    /** A grant of a destroyed incarnation is released: the highest ID of that incarnation decreases. */
    HIGHEST_ID_SINKS,
    /** The request is to destroy another incarnation than the present one: the present one stays. */
    DESTROY_OF_OTHER_LIFE,
    /**
     * The incarnation has already been destroyed: the answer is the same as after the first request, and nothing
     * changes.
     */
    DESTROYED_AGAIN,

    // --- copies
    /**
     * A copy receives a change of a table with another ID, because the owner's table or the copy's was lost: the copy
     * rejects the change.
     */
    CHANGE_OF_OTHER_EPOCH,
    /**
     * A new owner has lower change numbers, because it lacks the last changes and its clock is behind: the copy takes
     * over the new owner's state.
     */
    COPY_REPLACED_BY_LOWER,
    /** The owner has begun a new table after a loss: the copy replaces its own table. */
    COPY_OF_NEW_EPOCH,
    /** A new owner lacks a destruction that the copy has received: the incarnation continues in the copy, too. */
    DESTRUCTION_UNDONE,
    /** A copy that lacks node IDs is promoted: it starts a recovery, unless the sequencer was destroyed. */
    PROMOTED_INCOMPLETE,
    /**
     * A copy beyond the backup count is promoted: even if it seems complete, it starts a recovery, unless the sequencer
     * was destroyed.
     */
    PROMOTED_BEYOND_BACKUPS,
    /**
     * The new owner's clock is behind the time that is part of a former owner's change number: the new owner still uses
     * higher numbers.
     */
    PROMOTED_BEHIND_CHANGES,

    // --- merge
    /** The losing side does not know the sequencer: this side's node IDs stay as they are. */
    MERGED_UNKNOWN_THERE,
    /** This side does not know the losing side's incarnation: this side continues that incarnation. */
    MERGED_ADOPTED,
    /** This side has destroyed the losing side's incarnation: all that the losing side has granted counts as used. */
    MERGED_DESTROYED_HERE,
    /**
     * The losing side has destroyed the incarnation: all node IDs count as used up to the end of the losing side's
     * grants.
     */
    MERGED_DESTROYED_THERE,
    /**
     * This side's grant of a node ID begins at or above the end of the losing side's grant. If the same holder has
     * ended the losing side's grant before, this side's grant may also begin at or above the beginning of that grant.
     * This side's grant remains valid.
     */
    MERGED_UNCHANGED,
    /** Only the losing side has granted a node ID: this side takes its grant over. */
    MERGED_THEIRS_ONLY,
    /** Both sides have the same grant of a node ID: the higher ceiling counts. */
    MERGED_ONE_GRANT,
    /** Both sides have the same grant, and at least one has released it: the node ID is free from the later end on. */
    MERGED_ONE_GRANT_GIVEN_BACK,
    /** The holder is the same, and its grant on this side is newer: that grant counts, with a new token. */
    MERGED_ONE_HOLDER_MINE_NEWER,
    /** The holder is the same, and its grant on the losing side is newer: that grant counts, with a new token. */
    MERGED_ONE_HOLDER_THEIRS_NEWER,
    /** The holder is the same, but the request of one grant is unknown after a loss: neither grant counts as sealed. */
    MERGED_ONE_HOLDER_TAKEN_OVER,
    /** The holders differ, and this side's grant ends later: that grant counts, with a new token. */
    MERGED_TWO_HOLDERS_MINE,
    /** The holders differ, and the losing side's grant ends later: that grant counts, with a new token. */
    MERGED_TWO_HOLDERS_THEIRS,
    /** One side has lost its data since the separation: the merge also reports IDs from before the separation. */
    MERGED_AFTER_LOSS
}
