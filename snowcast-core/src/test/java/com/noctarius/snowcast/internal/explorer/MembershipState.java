// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.explorer;

/**
 * The rare states that a rule of the electorate exists for, each with what the rule does; {@link Membership} counts
 * them.
 */
enum MembershipState {
    /** A member does not know what was done without it: it may not act. */
    OUTDATED,
    /** A member is asked under another list than its own: it confirms nothing. */
    ASKED_UNDER_OTHER_LIST,
    /** A member that stood still is asked: its vote makes no majority. */
    STALE_VOTE,
    /** The oldest member stood still: it is not confirmed before it has asked again. */
    STALE_ELDER,
    /** A member that stood still is confirmed, and another one that it lists did not stand still: it acts. */
    STALE_CONFIRMED,
    /** The same, but all that it lists stood still: since all confirm, no member was removed. */
    STALE_CONFIRMED_BY_ALL,
    /** A confirmed member drops another one: what it was told under the former list does not count. */
    UNCONFIRMED_BY_DROP,
    /** A member is paused while it waits for the absent ones: that time does not count. */
    WAIT_PAUSED,
    /** The same after it has reached an absent one: its wait begins again. */
    WAIT_BEGUN_AGAIN,
    /** An absent member is reached: the isolated one waits until the two clusters merge. */
    ABSENT_REACHED,
    /** The absent members were silent: a member that did not stand still goes on with its data. */
    WENT_ON_AFTER_SILENCE,
    /** The wait of a stale member is over: it goes on without its data. */
    WENT_ON_WITHOUT_DATA,
    /** An absent member has come over and told what it knew: it is absent no more. */
    EXCUSED
}
