// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

/**
 * The rare states that a rule of the table exists for, each with what the rule does; {@link TableWatch} counts them.
 */
public enum TableState {
    // --- attach
    /** The holder's incarnation was destroyed: it is told so. */
    ATTACH_TO_DESTROYED_LIFE,
    /** The request was answered in an incarnation that was destroyed: that answer is void. */
    ANSWERED_IN_DESTROYED_LIFE,
    /** The holder has another definition: refused. */
    ATTACH_WITH_OTHER_DEFINITION,
    /** It is not known what was granted before a loss of data: every attach is refused. */
    ATTACH_WHILE_RECOVERING,
    /** The request comes again: the same grant answers it. */
    ANSWERED_AGAIN,
    /** A request comes after a later one of its holder: refused. */
    LATE_REQUEST,
    /** The holder's former grant was never given back: released above what it used. */
    FORMER_GRANT_RELEASED,
    /** The former grant was released and then nothing could be granted: the holder keeps it. */
    FORMER_GRANT_KEPT,
    /**
     * A former grant is released although its incarnation is destroyed: the highest ID of that incarnation is counted
     * again.
     */
    FORMER_GRANT_OF_DESTROYED_LIFE,
    /** The holder's clock is ahead of cluster time by more than the skew: refused. */
    ATTACH_AHEAD_OF_CLUSTER,
    /** The holder's clock is behind cluster time by more than the skew: refused. */
    ATTACH_BEHIND_CLUSTER,
    /** IDs begin later than the skew above the clocks: refused. */
    FLOOR_AHEAD_OF_CLOCKS,
    /** All node IDs are in use: refused. */
    ALL_IN_USE,
    /** A lease ended without a detach: the node ID is another's, above all that was granted. */
    ENDED_LEASE_GRANTED,
    /** A node ID that was given back is granted again, above what was used. */
    GIVEN_BACK_GRANTED,
    /** After a loss, a node ID whose holder was taken over begins no lower than the table's floor. */
    FLOOR_OF_TABLE_ABOVE_NODE,
    /** After a loss, a node ID that the table does not know begins where the recovery ended. */
    GRANTED_FROM_RECOVERY_TIME,
    /** The holder used an ID that is ahead of all clocks: the grant ends a lease above it. */
    NEXT_ID_AHEAD_OF_CLOCKS,
    /** An incarnation follows a destroyed one: it begins above the highest ID of that one. */
    LIFE_AFTER_DESTROYED,
    /** The holder knows an incarnation that the table lost: it goes on. */
    LOST_LIFE_GOES_ON,
    /** A creation waits for holders of the destroyed incarnation. */
    SETTLING,
    /**
     * A holder that creates the sequencer again has not given back its grant of the destroyed incarnation: released.
     */
    RELEASED_BEFORE_CREATION,
    /** All grants of a destroyed incarnation are given back or too old: forgotten. */
    DESTROYED_LIFE_FORGOTTEN,

    // --- extend
    /** The grant is of an incarnation that was destroyed: the holder is told so. */
    EXTENSION_OF_DESTROYED_LIFE,
    /** The grant has another definition than the sequencer, as after a loss: its incarnation counts as destroyed. */
    EXTENSION_WITH_OTHER_DEFINITION,
    /**
     * The grant is of an incarnation that was never heard of, and the last known one is destroyed: counts as destroyed.
     */
    EXTENSION_WITHOUT_LIFE,
    /** The node ID is another holder's by now: refused. */
    EXTENSION_OF_OTHERS_NODE,
    /** The holder has a newer grant of the same node ID, or a merge gave it another token: refused. */
    EXTENSION_OF_FORMER_GRANT,
    /** The grant was given back before its extension came: refused. */
    EXTENSION_AFTER_DETACH,
    /** The table lost its data, and the lost table cannot have given the grant, or another after it: refused. */
    EXTENSION_NOT_OF_LOST_TABLE,
    /** The table lost its data, and the grant has not ended by any clock: taken over. */
    TAKEN_OVER_AFTER_LOSS,
    /** The sequencer was lost, too: taken over with its incarnation. */
    TAKEN_OVER_WITH_LIFE,
    /** The holder's time is behind cluster time: the grant ends a lease above cluster time. */
    EXTENSION_BEHIND_CLUSTER,
    /** The holder's time is ahead of cluster time by more than the skew: the grant ends no later than allowed. */
    EXTENSION_AHEAD_OF_CLUSTER,
    /** The grant reaches further than an extension would: it does not shrink. */
    EXTENSION_OF_NOTHING,

    // --- detach and destroy
    /** The node ID is not the holder's any more: its detach does nothing. */
    DETACH_OF_FORMER_GRANT,
    /** A grant of a destroyed incarnation is given back: its highest ID sinks. */
    HIGHEST_ID_SINKS,
    /** An incarnation that was destroyed before, or is unknown: nothing is destroyed. */
    DESTROY_OF_OTHER_LIFE,
    /** The incarnation is destroyed already: says so and changes nothing. */
    DESTROYED_AGAIN,

    // --- copies
    /** A change of a table that replaced another after a loss: the copy refuses it. */
    CHANGE_OF_OTHER_EPOCH,
    /** A new owner that never heard of the last changes counts lower: the copy starts over. */
    COPY_REPLACED_BY_LOWER,
    /** The owner started over after a loss: the copy does, too. */
    COPY_OF_NEW_EPOCH,
    /** A new owner has not heard of a destruction: the copy's incarnation goes on. */
    DESTRUCTION_UNDONE,
    /** A copy that was not sent all node IDs becomes the owner's: starts over. */
    PROMOTED_INCOMPLETE,
    /** A copy beyond the backups becomes the owner's although it has all that it was sent: starts over. */
    PROMOTED_BEYOND_BACKUPS,
    /** The new owner's clock is behind what former owners counted: its changes count above theirs. */
    PROMOTED_BEHIND_CHANGES,

    // --- merge
    /** The losing side does not know the sequencer. */
    MERGED_UNKNOWN_THERE,
    /** This side does not know the incarnation of the losing side: goes on with it. */
    MERGED_ADOPTED,
    /** This side destroyed the incarnation of the losing side: it counts as having used all. */
    MERGED_DESTROYED_HERE,
    /** The losing side destroyed the incarnation: all node IDs count as used. */
    MERGED_DESTROYED_THERE,
    /** This side's grant begins above all that the losing side granted: it stays. */
    MERGED_UNCHANGED,
    /** Only the losing side granted a node ID: its grant counts. */
    MERGED_THEIRS_ONLY,
    /** Both sides know one grant: the higher ceiling counts. */
    MERGED_ONE_GRANT,
    /** Both sides know one grant, which was given back on one of them: free above it. */
    MERGED_ONE_GRANT_GIVEN_BACK,
    /** One holder has a newer grant on this side: that counts, under a new token. */
    MERGED_ONE_HOLDER_MINE_NEWER,
    /** One holder has a newer grant on the losing side: that counts, under a new token. */
    MERGED_ONE_HOLDER_THEIRS_NEWER,
    /**
     * One of a holder's two grants was taken over after a loss, so its request is not known: it does not count as
     * sealed.
     */
    MERGED_ONE_HOLDER_TAKEN_OVER,
    /** Two holders, and this side's grant ends later: that counts, under a new token. */
    MERGED_TWO_HOLDERS_MINE,
    /** Two holders, and the losing side's grant ends later: that counts, under a new token. */
    MERGED_TWO_HOLDERS_THEIRS,
    /** One of the sides has lost its data since they parted: all that both granted is reported. */
    MERGED_AFTER_LOSS
}
