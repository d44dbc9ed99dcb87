// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

/** The rare states that a rule of a pool exists for, each with what the rule does; {@link PoolWatch} counts them. */
public enum PoolState {
    // --- reserve
    /** The holder's incarnation was destroyed: it is told so. */
    RESERVE_OF_DESTROYED_LIFE,
    /** The holder knows an incarnation that this cluster does not: refused. */
    RESERVE_OF_UNKNOWN_LIFE,
    /** The request comes again: the same block answers it. */
    ANSWERED_AGAIN,
    /** A request comes after a later one of its holder, or what it was given is given back: refused. */
    LATE_REQUEST,
    /** An incarnation follows a destroyed one: it begins above all that was handed out. */
    LIFE_AFTER_DESTROYED,
    /** The holder was given integers that the pool counts as open: left out. */
    HOLDER_KNOWS_MORE,
    /** All that the pool had was lost: hands out nothing. */
    STOPPED_AFTER_LOSS,
    /** An operator said where to go on after a loss. */
    RESUMED_AFTER_LOSS,

    // --- give back
    /** The end of the last block comes back, and nothing was reserved since: open again. */
    GIVEN_BACK,
    /** The block is of an incarnation that was destroyed: a gap. */
    GIVEN_BACK_OF_OTHER_LIFE,
    /** Something has changed since the block was handed out: a gap. */
    GIVEN_BACK_TOO_LATE,
    /** The holder's last reply is forgotten, as after a merge: a gap. */
    GIVEN_BACK_UNKNOWN,

    // --- destroy
    /** The incarnation is another one, or none: nothing is destroyed. */
    DESTROY_OF_OTHER_LIFE,
    /** The incarnation is destroyed already: says so and changes nothing. */
    DESTROYED_AGAIN,

    // --- copies
    /** A copy that lacks the newest value becomes the owner's: the value is lost. */
    PROMOTED_INCOMPLETE,
    /** A copy beyond the backups becomes the owner's although it has the newest value: the value is lost. */
    PROMOTED_BEYOND_BACKUPS,
    /** The new owner's clock is behind what former owners counted: its changes count above theirs. */
    PROMOTED_BEHIND_CHANGES,

    // --- merge
    /** The losing side does not know the sequence. */
    MERGED_UNKNOWN_THERE,
    /** This side does not know the sequence, or has lost its value: goes on with the other's. */
    MERGED_ADOPTED_UNKNOWN,
    /** This side has destroyed the sequence, and the losing side has a later incarnation: goes on with that. */
    MERGED_ADOPTED_LATER_LIFE,
    /** The losing side has destroyed this side's incarnation, or never heard of it. */
    MERGED_OTHER_LIFE,
    /** Both sides go on with one incarnation. */
    MERGED_ONE_LIFE,
    /** Both sides may have handed out the same: reported. */
    MERGED_WITH_DUPLICATES,
    /** Enough owners followed that the last common one may be forgotten: all counts as handed out. Seldom reached. */
    MERGED_WITHOUT_COMMON_OWNER
}
