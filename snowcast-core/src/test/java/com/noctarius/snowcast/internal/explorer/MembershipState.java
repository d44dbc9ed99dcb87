// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.explorer;

/**
 * Rare states for which the electorate has rules, with the effect of each rule. {@link Membership} counts the states,
 * and says when a member has <em>missed an act</em>. A <em>stale</em> member was paused for so long that others may
 * have removed it.
 */
enum MembershipState {
    /** A member has missed an act of another member: it is not confirmed, so it does not act. */
    OUTDATED,
    /**
     * A member is asked by a member that has another list of members: the asked member does not confirm the asking one.
     */
    ASKED_UNDER_OTHER_LIST,
    /** A stale member is asked: its vote counts towards no majority. */
    STALE_VOTE,
    /** The oldest member is stale: it is confirmed only after it has asked the other members again. */
    STALE_ELDER,
    /** A stale member is confirmed, and a member that it lists is not stale: the stale member acts. */
    STALE_CONFIRMED,
    /**
     * A stale member is confirmed by all members that it lists, which are stale, too: no member was removed, and the
     * stale member acts.
     */
    STALE_CONFIRMED_BY_ALL,
    /** A confirmed member removes another member: confirmations of the former list no longer count. */
    UNCONFIRMED_BY_DROP,
    /** A member is paused while it waits for absent members: the time of the pause does not count. */
    WAIT_PAUSED,
    /** A member that has reached an absent member is paused: its wait begins again. */
    WAIT_BEGUN_AGAIN,
    /** An isolated member reaches an absent member: it waits until the two clusters merge. */
    ABSENT_REACHED,
    /** The absent members do not answer an isolated member that is not stale: it continues with its data. */
    WENT_ON_AFTER_SILENCE,
    /** The wait of a stale member ends: it continues without its data, and so do all others. */
    WENT_ON_WITHOUT_DATA,
    /**
     * A member that acts confirms a stale one, whose wait ends: it continues without its data; the others keep theirs.
     */
    WENT_ON_WITHOUT_OWN_DATA,
    /** An absent member has merged and sent its data: it no longer counts as absent. */
    EXCUSED
}
