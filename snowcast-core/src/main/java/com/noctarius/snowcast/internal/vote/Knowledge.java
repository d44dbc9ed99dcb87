// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.vote;

import com.noctarius.snowcast.internal.vote.Electorate.Standing;
import java.util.Set;
import java.util.UUID;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Decides, with split-brain protection, whether enough of the members that confirm this one know the decisions of
 * former quorums, such as grants. Without protection it always decides that enough know.
 *
 * <p>A member <em>knows</em> the decisions of its cluster after it has acted itself, or has discarded its data while a
 * quorum confirmed it. It no longer knows the decisions after it has restarted, has left the cluster, was a lite
 * member, or has discarded its data without a quorum. A member from the losing side of a split may have known the
 * decisions of its side. Such a member knows the decisions of the joined cluster when all members of its side have sent
 * their data.
 *
 * <p>A quorum of <em>q</em> of <em>n</em> data members can leave out <em>n − q</em> members. More than <em>n − q</em>
 * members must confirm <em>and</em> know, so that at least one of them took part in each former quorum. <em>n</em> is
 * the highest number of data members that were ever listed at once, but at most 2<em>q</em> − 1. A single confirming
 * member that may act is enough, because it has counted the members that know. One case needs no member that knows the
 * decisions: the first act of the member that started the cluster. This does not apply if a confirming member knows
 * decisions of this cluster, or of the losing side of a split.
 *
 * <p>Guarded by the monitor of its {@link Electorate}.
 */
final class Knowledge {
    private final int quorum;

    /**
     * The highest number of data members listed at once, as far as this member and the members that have confirmed it
     * know.
     */
    private int mostListed;

    /**
     * Whether this member started the cluster, has not acted yet, and was confirmed by no member that knows decisions,
     * of this cluster or of the losing side of a split, or that was in another cluster.
     */
    private boolean mayActFirst;

    private boolean knows;

    /**
     * Whether this member has acted, or has discarded its data while a quorum confirmed it. Stays true until a member
     * leaves the list, or this member leaves the cluster.
     */
    private boolean isSettled;

    /**
     * Whether this member knew the decisions of the losing side of a split, and is sending its data to the winning
     * side.
     */
    private boolean isComing;

    /**
     * The members of the losing side that have not reported yet that they have sent their data; null if no report is
     * awaited.
     */
    private @Nullable Set<UUID> notArrived;

    /** Makes the knowledge of a member that has not joined a cluster yet; a quorum of 0 means no protection. */
    Knowledge(int quorum) {
        this.quorum = quorum;
    }

    /** Returns whether any two quorums overlap. */
    boolean doQuorumsOverlap() {
        return 2 * quorum > mostListed;
    }

    int mostListed() {
        return mostListed;
    }

    /**
     * Returns whether this member need not wait for more members that know the decisions of former quorums.
     *
     * @param confirming returns how many members confirm this one with at least a standing
     */
    boolean isEnough(ToIntFunction<Standing> confirming) {
        // A confirming member that may act has passed this check itself, so one such member is enough.
        return quorum == 0
                || isSettled
                || mayActFirst
                || confirming.applyAsInt(Standing.ACTS) > 0
                || missing(confirming) <= 0;
    }

    /** Returns how many more of the confirming members must know the decisions. */
    int missing(ToIntFunction<Standing> confirming) {
        return neededToKnow() - confirming.applyAsInt(Standing.KNOWS) - (knows ? 1 : 0);
    }

    /**
     * Returns one more than the number of members that a quorum can leave out. Counts at most {@code 2 * quorum - 1}
     * members, of which the quorum is a majority.
     */
    private int neededToKnow() {
        return Math.max(Math.min(mostListed, 2 * quorum - 1) - quorum + 1, 1);
    }

    Standing standing(boolean acts) {
        if (isComing) {
            return Standing.COMING;
        }
        if (acts) {
            return Standing.ACTS;
        }
        return knows ? Standing.KNOWS : Standing.NEW;
    }

    /** Records that this member counts as the one that started the cluster, so that it may act first. */
    void startedCluster() {
        mayActFirst = true;
    }

    /** Records a list of data members. */
    void listed(int dataMembers, boolean isAnyGone) {
        mostListed = Math.max(mostListed, dataMembers);
        isSettled &= !isAnyGone;
    }

    /** Records that a member confirms this one. */
    void confirmedBy(Standing standing, int itsMostListed) {
        // A member that has seen more members than this one was in another cluster. It may be unable to send its data.
        mayActFirst &= standing == Standing.NEW && itsMostListed <= mostListed;
        mostListed = Math.max(mostListed, itsMostListed);
    }

    /** Records that this member acts, or has discarded its data while a quorum confirmed it. */
    void settle() {
        mayActFirst = false;
        knows = true;
        isSettled = true;
    }

    /**
     * Records that this member has discarded its data, and that others may have made decisions that it does not know.
     */
    void forget() {
        knows = false;
    }

    /**
     * Records that this member leaves its cluster. Keeps the highest number of listed members, and the state that it
     * needs while it sends its data to the winning side of a split.
     */
    void reset() {
        mayActFirst = false;
        knows = false;
        isSettled = false;
    }

    /** Records that this member is a lite member, to which no decision is sent. */
    void forgetAll() {
        reset();
        isComing = false;
        notArrived = null;
    }

    /** Records that this member leaves its cluster, with the listed members, for the winning cluster of a split. */
    void leavesLosingSide(Set<UUID> listed) {
        isComing = knows;
        notArrived = knows ? listed : null;
    }

    /** Records that this member has sent its data; {@code formerUuid} is null if it has not sent all. */
    void sentData(@Nullable UUID formerUuid) {
        Set<UUID> others = notArrived;
        notArrived = others == null || formerUuid == null || !isComing ? null : without(others, formerUuid);
        isComing = false;
        arrive();
    }

    /** Records that a member of the losing side has sent its data, or runs without snowcast. */
    void excuse(UUID member) {
        if (notArrived != null && notArrived.contains(member)) {
            notArrived = without(notArrived, member);
            arrive();
        }
    }

    private void arrive() {
        if (!isComing && notArrived != null && notArrived.isEmpty()) {
            knows = true;
            notArrived = null;
        }
    }

    static Set<UUID> without(Set<UUID> members, UUID member) {
        return members.stream().filter(other -> !other.equals(member)).collect(Collectors.toUnmodifiableSet());
    }
}
