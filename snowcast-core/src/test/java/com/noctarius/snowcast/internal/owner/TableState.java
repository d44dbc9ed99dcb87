// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

/**
 * The rare states that the rules of the table exist for, each with the rule's effect; {@link TableWatch} counts them.
 */
public enum TableState {
    // --- attach
    /** The holder's incarnation was destroyed: the answer says so. */
    ATTACH_TO_DESTROYED_LIFE,
    /** The request was answered in an incarnation that was destroyed: that answer is void. */
    ANSWERED_IN_DESTROYED_LIFE,
    /** The holder has another definition: refused. */
    ATTACH_WITH_OTHER_DEFINITION,
    /** The table does not know the grants before a loss of data: it refuses every attach. */
    ATTACH_WHILE_RECOVERING,
    /** The request arrives again: the same grant answers it. */
    ANSWERED_AGAIN,
    /** A request arrives after a later one of its holder: refused. */
    LATE_REQUEST,
    /** The holder never released its former grant: it is released above the used slots. */
    FORMER_GRANT_RELEASED,
    /** The former grant was released and then no node ID was available: the holder keeps it. */
    FORMER_GRANT_KEPT,
    /**
     * A former grant is released although its incarnation is destroyed: the highest ID of that incarnation is computed
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
    /** A lease expired without a detach: another holder gets the node ID, above the whole grant. */
    ENDED_LEASE_GRANTED,
    /** A released node ID is granted again, above the used slots. */
    GIVEN_BACK_GRANTED,
    /** After a loss, a node ID whose grant was taken over begins no lower than the table's floor. */
    FLOOR_OF_TABLE_ABOVE_NODE,
    /** After a loss, a node ID that the table does not know begins at the end of the recovery. */
    GRANTED_FROM_RECOVERY_TIME,
    /** The holder used an ID that is ahead of all clocks: the grant ends a lease above it. */
    NEXT_ID_AHEAD_OF_CLOCKS,
    /** An incarnation follows a destroyed one: it begins above the highest ID of that one. */
    LIFE_AFTER_DESTROYED,
    /** The holder knows an incarnation that the table lost: that incarnation continues. */
    LOST_LIFE_GOES_ON,
    /** A creation waits for holders of the destroyed incarnation. */
    SETTLING,
    /**
     * A holder that creates the sequencer again has not released its grant of the destroyed incarnation: it is released
     * now.
     */
    RELEASED_BEFORE_CREATION,
    /** All grants of a destroyed incarnation are released or too old: the table forgets them. */
    DESTROYED_LIFE_FORGOTTEN,

    // --- renew
    /** The grant belongs to a destroyed incarnation: the answer says so. */
    RENEWAL_OF_DESTROYED_LIFE,
    /**
     * The grant has another definition than the sequencer, for example after a loss: its incarnation counts as
     * destroyed.
     */
    RENEWAL_WITH_OTHER_DEFINITION,
    /** The table does not know the grant's incarnation, and the last known one is destroyed: it counts as destroyed. */
    RENEWAL_WITHOUT_LIFE,
    /** Another holder has the node ID by now: refused. */
    RENEWAL_OF_OTHERS_NODE,
    /** The holder has a newer grant of the same node ID, or a merge gave it another token: refused. */
    RENEWAL_OF_FORMER_GRANT,
    /** The grant was released before its renewal arrived: refused. */
    RENEWAL_AFTER_DETACH,
    /**
     * The table lost its data, and the lost table cannot have made the grant, or may have made another after it:
     * refused.
     */
    RENEWAL_NOT_OF_LOST_TABLE,
    /** The table lost its data, and the grant has not ended by any clock: taken over. */
    TAKEN_OVER_AFTER_LOSS,
    /** The sequencer was lost, too: the grant is taken over with its incarnation. */
    TAKEN_OVER_WITH_LIFE,
    /** The holder's time is behind cluster time: the grant ends a lease above cluster time. */
    RENEWAL_BEHIND_CLUSTER,
    /** The holder's time is ahead of cluster time by more than the skew: the grant ends no later than allowed. */
    RENEWAL_AHEAD_OF_CLUSTER,
    /** The grant reaches further than a renewal would: it does not shrink. */
    RENEWAL_OF_NOTHING,

    // --- detach and destroy
    /** The holder no longer has the node ID: its detach has no effect. */
    DETACH_OF_FORMER_GRANT,
    /** A grant of a destroyed incarnation is released: the highest ID decreases. */
    HIGHEST_ID_SINKS,
    /** The incarnation was destroyed before, or is unknown: nothing is destroyed. */
    DESTROY_OF_OTHER_LIFE,
    /** The incarnation is destroyed already: the answer says so, and nothing changes. */
    DESTROYED_AGAIN,

    // --- copies
    /** A change of a table that replaced another after a loss: the copy refuses it. */
    CHANGE_OF_OTHER_EPOCH,
    /** A new owner that never received the last changes has lower numbers: the copy starts over. */
    COPY_REPLACED_BY_LOWER,
    /** The owner started over after a loss: the copy does, too. */
    COPY_OF_NEW_EPOCH,
    /** A new owner has not received a destruction: the copy's incarnation continues. */
    DESTRUCTION_UNDONE,
    /** A copy that did not receive all node IDs is promoted: it starts over. */
    PROMOTED_INCOMPLETE,
    /** A copy beyond the backups is promoted although it has everything that it was sent: it starts over. */
    PROMOTED_BEYOND_BACKUPS,
    /** The new owner's clock is behind the change numbers of former owners: its changes have higher numbers. */
    PROMOTED_BEHIND_CHANGES,

    // --- merge
    /** The losing side does not know the sequencer. */
    MERGED_UNKNOWN_THERE,
    /** This side does not know the incarnation of the losing side: it takes it over. */
    MERGED_ADOPTED,
    /** This side destroyed the incarnation of the losing side: everything counts as used. */
    MERGED_DESTROYED_HERE,
    /** The losing side destroyed the incarnation: all node IDs count as used. */
    MERGED_DESTROYED_THERE,
    /** This side's grant begins above all grants of the losing side: it stays. */
    MERGED_UNCHANGED,
    /** Only the losing side granted a node ID: its grant counts. */
    MERGED_THEIRS_ONLY,
    /** Both sides know one grant: the higher ceiling counts. */
    MERGED_ONE_GRANT,
    /** Both sides know one grant, which was released on one of them: the node ID is free above it. */
    MERGED_ONE_GRANT_GIVEN_BACK,
    /** One holder has a newer grant on this side: it counts, under a new token. */
    MERGED_ONE_HOLDER_MINE_NEWER,
    /** One holder has a newer grant on the losing side: it counts, under a new token. */
    MERGED_ONE_HOLDER_THEIRS_NEWER,
    /**
     * One of a holder's two grants was taken over after a loss, so its request is unknown: it does not count as sealed.
     */
    MERGED_ONE_HOLDER_TAKEN_OVER,
    /** Two holders, and this side's grant ends later: it counts, under a new token. */
    MERGED_TWO_HOLDERS_MINE,
    /** Two holders, and the losing side's grant ends later: it counts, under a new token. */
    MERGED_TWO_HOLDERS_THEIRS,
    /** One of the sides has lost its data since the separation: the merge reports everything that both granted. */
    MERGED_AFTER_LOSS
}
