// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.explorer;

/**
 * The rare states that the rules of the electorate exist for, each with the rule's effect; {@link Membership} counts
 * them.
 */
enum MembershipState {
    /** A member does not know of an act without it: it may not act. */
    OUTDATED,
    /** A member is asked with another list than its own: it confirms nothing. */
    ASKED_UNDER_OTHER_LIST,
    /** A member that was paused is asked: its vote counts towards no majority. */
    STALE_VOTE,
    /** The oldest member was paused: it is not confirmed before it has asked again. */
    STALE_ELDER,
    /** A member that was paused is confirmed, and another one that it lists was not paused: it acts. */
    STALE_CONFIRMED,
    /** The same, but all members that it lists were paused: because all confirm, no member was removed. */
    STALE_CONFIRMED_BY_ALL,
    /** A confirmed member drops another one: confirmations for the former list do not count. */
    UNCONFIRMED_BY_DROP,
    /** A member is paused while it waits for the absent ones: that time does not count. */
    WAIT_PAUSED,
    /** The same after it has reached an absent one: its wait begins again. */
    WAIT_BEGUN_AGAIN,
    /** An absent member is reached: the isolated one waits until the two clusters merge. */
    ABSENT_REACHED,
    /** The absent members were silent: a member that was not paused continues with its data. */
    WENT_ON_AFTER_SILENCE,
    /** The wait of a stale member is over: it continues without its data. */
    WENT_ON_WITHOUT_DATA,
    /** An absent member has joined and sent its data: it is no longer absent. */
    EXCUSED
}
