// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.vote;

import com.noctarius.snowcast.internal.base.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Decides by dynamic voting (Jajodia and Mutchler, ACM TODS 15(2), 1990) whether this data member may act as the owner
 * of its partitions. A vote is necessary because a member that was paused, cut off or removed may not notice this by
 * itself.
 *
 * <p>A data member <em>confirms</em> this member by answering that it has the same list of members. This member may act
 * while a majority of its <em>electorate</em>, the data members with which it last acted, confirms it. This member
 * itself counts as confirming. When a majority of the listed data members also confirms this member, the listed data
 * members become the electorate. Unlike the published protocol, a minority continues after a wait: only split-brain
 * protection stops one side of a split.
 *
 * <ul>
 *   <li>Confirmations that were requested before a member left the list do not count. With the shorter list an owner
 *       waits for fewer backups, so the other members must have the shorter list, too.
 *   <li>A <em>stale</em> member was paused or has just joined; any other member is <em>current</em>. The vote of a
 *       stale member does not count towards the majority of an electorate, because it may have been removed from the
 *       cluster together with the member that asks. But if the whole electorate confirms a member that has not just
 *       joined, the votes of stale members count. In this case no member was removed, even if the pauses were long.
 *   <li>A lite member has no vote. When it is promoted, it counts as one that has just joined, and all listed data
 *       members are its electorate. If none of them has ever acted, the oldest one acts when all others confirm it.
 *   <li>An <em>isolated</em> member is not confirmed, and some members of its electorate are <em>absent</em>: they are
 *       no longer listed. It continues with the listed members when the absent members have merged into its cluster, or
 *       run without snowcast, or when they are <em>silent</em>: for 3 seconds none has answered, no other member was
 *       removed, and none is sending its data from the losing side of a split. It also continues when Hazelcast has had
 *       the time to search for the absent members. A stale member waits for both silence and that time, unless one that
 *       acts confirms it. It then continues without its data: while it was paused, or before it joined, other members
 *       may have acted and then left. If a member that acts confirms it, only its own data is discarded. Otherwise no
 *       listed member may know those decisions, and all members discard their data.
 *   <li>An absent member has merged when it has joined under another name and knows the decisions of its side: all
 *       members of that side have sent their data.
 * </ul>
 *
 * <p>With split-brain protection, a quorum of data members must confirm this member. If {@linkplain #doQuorumsOverlap
 * any two quorums overlap}, the quorum replaces the majority of the electorate. Enough of the confirming members must
 * also know the decisions of former quorums, such as grants: see {@link Knowledge}. If too few members know, this
 * member is <em>behind</em>: it waits for members that know, even if all members are listed. It waits for 3 seconds,
 * and longer while a member is sending its data. Then the members that know may be gone: this member discards its own
 * data if a member that acts confirms it; otherwise all members discard theirs.
 *
 * <p>Thread-safe.
 */
public final class Electorate {
    /** How long a confirmation counts after its request, by the wall or monotonic clock, whichever moved further. */
    public static final long MAX_AGE_MILLIS = 10_000;

    private final Clock clock;
    private final long maxGapMillis;
    private final long searchMillis;

    /** How many data members, including this one, split-brain protection requires; 0 without it. */
    private final int quorum;

    private final Map<UUID, Confirmation> confirmations = new HashMap<>();
    private Set<UUID> electorate = Set.of();
    private Set<UUID> listed = Set.of();
    private int listedVersion;

    /**
     * A hash of the list's version and members, because the lists of two sides of a split may have the same version.
     */
    private long listHash;

    private @Nullable UUID self;

    /** The version that the list of members got when a member last left it. */
    private int shrunkAtVersion;

    private boolean hasJustJoined = true;

    /** Whether this member has been a lite member of this cluster. */
    private boolean wasLite;

    /** Whether this member was promoted and is the oldest of the data members. */
    private boolean startsPromoted;

    /** Whether this member has left a cluster for another one, and has not received a list of members since. */
    private boolean hasLeftCluster;

    private boolean wasPaused;

    /** The names of members before they merged into this cluster, by their present names. */
    private final Map<UUID, UUID> formerNames = new HashMap<>();

    private final Knowledge knowledge;

    private boolean acts;

    /** The version of the list of members with which this member last acted. */
    private int actedAtVersion;

    /**
     * When members of this cluster last discarded their data, in cluster time, or by the clock of the member that has
     * started the cluster; data from before this time must not be used. 0 if never.
     */
    private long discardedMillis;

    private @Nullable Moment lastLook;
    private @Nullable Moment pauseEnded; // The end of the last pause: answers to earlier requests do not count.
    /** The wait of this member; null while it is neither isolated nor behind. */
    private @Nullable WaitForOthers waitForOthers;

    /** The time of a request for a confirmation, and the list of members at that time. */
    public record Asked(int memberListVersion, long listHash, Moment at) {}

    /**
     * Whether a member knows the decisions. The order matters: a count of the members with a standing includes those
     * with a higher standing.
     */
    public enum Standing {
        /** It does not know the decisions, for example because it has just joined the cluster. */
        NEW,
        /** It knew the decisions of the losing side of a split, and is sending its data from there. */
        COMING,
        /** It knows the decisions. */
        KNOWS,
        /** It knows the decisions, and may act at present. */
        ACTS
    }

    /**
     * A member's answer to a member that asks for its confirmation.
     *
     * @param listHash a hash of the member's list of members; 0 if it has no list yet
     * @param isCurrent whether the member is current, not stale
     * @param mostListed the highest number of data members listed at once, as far as the member knows
     * @param discardedMillis when members of its cluster last discarded their data, in cluster time; 0 for never
     */
    public record Vote(long listHash, boolean isCurrent, Standing standing, int mostListed, long discardedMillis) {}

    private record Confirmation(Asked asked, boolean isCurrent, Standing standing) {}

    /** Whether a member may act as an owner; if it may not, the event for which it waits. */
    public enum Eligibility {
        /** It may act. */
        CONFIRMED,
        /** It waits for confirmations. */
        UNCONFIRMED,
        /** It is not confirmed, and waits for the absent members of its electorate. */
        ISOLATED,
        /** A quorum confirms it, and it waits for members that know what former quorums have decided. */
        BEHIND;

        /** Returns whether the member waits for other members, and continues without them after some time. */
        public boolean isWaiting() {
            return this == ISOLATED || this == BEHIND;
        }
    }

    /** How a member that is isolated or behind ends its wait. */
    public enum Ending {
        /** It still waits. */
        NOT_YET,
        /** It goes on with its data. */
        WITH_DATA,
        /** It goes on, and discards its own data: a member that acts confirms it. */
        WITHOUT_OWN_DATA,
        /** It goes on, and all members discard their data: no listed member may know what was granted last. */
        WITHOUT_ALL_DATA
    }

    /**
     * Makes the electorate of a member that has not joined a cluster yet.
     *
     * @param maxGapMillis a longer time between two calls of {@link #decide} counts as a pause. Must be less than the
     *     time after which other members remove this member
     * @param searchMillis the time in which Hazelcast searches for other clusters, and merges if it finds one
     * @param quorum how many data members split-brain protection requires; 0 without it
     */
    public Electorate(Clock clock, long maxGapMillis, long searchMillis, int quorum) {
        this.clock = clock;
        this.maxGapMillis = maxGapMillis;
        this.searchMillis = searchMillis;
        this.quorum = quorum;
        this.knowledge = new Knowledge(quorum);
    }

    /** Returns the present time, with the list of members of the last decision. */
    public synchronized Asked asked() {
        return new Asked(listedVersion, listHash, now());
    }

    public Moment now() {
        return new Moment(clock.medianMillis(), clock.nanos());
    }

    /**
     * Reads the clocks, takes over the list of members, and decides whether this member may act.
     *
     * @param dataMembers all members that can vote, the oldest first; if this member is the oldest at its first
     *     decision, and was no lite member before, it counts as the one that started the cluster
     */
    public synchronized Eligibility decide(UUID thisMember, List<UUID> dataMembers, int memberListVersion) {
        Moment now = now();
        noteTime(now);
        acts = false;
        if (!dataMembers.contains(thisMember)) {
            return Eligibility.UNCONFIRMED; // A merge changes this member's UUID before the list has the new one.
        }
        // Skip an old list: another thread may have passed a later one.
        if (memberListVersion >= listedVersion && hash(memberListVersion, dataMembers) != listHash) {
            noteMembers(thisMember, dataMembers, memberListVersion, now);
        }
        boolean isConfirmed = doQuorumsOverlap() || isConfirmed(now);
        if (isConfirmed && hasQuorum(now) && isKnown(now)) {
            endWait();
            knowledge.settle();
            acts = true;
            actedAtVersion = listedVersion;
            // Stale votes count here, because the former electorate or a quorum has already confirmed this member. It
            // only matters that a majority of the listed members has this list, and stale members that confirm have it.
            if (2 * (count(now) + 1) > listed.size()) {
                electorate = listed;
            }
            return Eligibility.CONFIRMED;
        }
        boolean isCutOff = !isConfirmed && !listed.containsAll(electorate);
        boolean isBehind = isBehind(now);
        if (!isCutOff && !isBehind) {
            waitForOthers = null;
            return Eligibility.UNCONFIRMED;
        }
        if (waitForOthers == null) {
            waitForOthers = WaitForOthers.beginningAt(now);
        }
        return isBehind ? Eligibility.BEHIND : Eligibility.ISOLATED;
    }

    private void noteTime(Moment now) {
        Moment before = lastLook;
        if (before != null && before.millisUntil(now) > maxGapMillis) {
            wasPaused = true;
            pauseEnded = now;
            waitForOthers = waitForOthers == null ? null : waitForOthers.afterPause(before, now);
        }
        lastLook = now;
    }

    private void noteMembers(UUID thisMember, List<UUID> dataMembers, int memberListVersion, Moment now) {
        Set<UUID> members = Set.copyOf(dataMembers);
        boolean isOldest = thisMember.equals(dataMembers.get(0));
        startsPromoted = wasLite && isOldest;
        if (self == null && isOldest && !wasLite) {
            // This member has started the cluster, or all older members have left: then their data counts as lost.
            hasJustJoined = false;
            electorate = Set.of(thisMember);
            if (hasLeftCluster) {
                // The cluster that this member wanted to join is gone. Its former cluster made grants.
                discardedMillis = Math.max(discardedMillis, now.millis());
            } else {
                knowledge.startedCluster();
            }
        } else if (hasJustJoined && (self == null || !isOldest)) {
            // Until a member acts, its electorate consists of itself and the members that joined before it, because
            // members that joined later know no more decisions than it does. A promoted member keeps its place in the
            // list, so all others may know more.
            int elders = dataMembers.indexOf(thisMember);
            electorate = wasLite ? members : Set.copyOf(dataMembers.subList(0, elders + 1));
        }
        boolean isAnyGone = !members.containsAll(listed);
        if (isAnyGone) {
            shrunkAtVersion = memberListVersion;
            waitForOthers = waitForOthers == null ? null : waitForOthers.removedAt(now);
        }
        knowledge.listed(members.size(), isAnyGone);
        hasLeftCluster = false;
        self = thisMember;
        listed = members;
        listedVersion = memberListVersion;
        listHash = hash(memberListVersion, dataMembers);
        confirmations.keySet().retainAll(members);
        formerNames.keySet().retainAll(members);
    }

    private static long hash(int version, List<UUID> members) {
        long hash = version;
        for (UUID member : members) {
            hash = 31 * hash + (member.getMostSignificantBits() ^ member.getLeastSignificantBits());
        }
        return hash;
    }

    private boolean isConfirmed(Moment now) {
        int others = 0;
        int current = 0;
        boolean hasAnyActed = false;
        boolean isAnyActing = false;
        for (UUID member : electorate) {
            Confirmation confirmation = confirmations.get(member);
            if (confirmation != null && counts(confirmation, now)) {
                others++;
                current += confirmation.isCurrent ? 1 : 0;
                hasAnyActed |= confirmation.standing != Standing.NEW;
                isAnyActing |= confirmation.standing == Standing.ACTS && confirmation.isCurrent;
            }
        }
        // Several members that are promoted at once are not current for each other. One that acts then stands for all.
        boolean canBeWhole = !hasJustJoined || (startsPromoted && !hasAnyActed) || (wasLite && isAnyActing);
        return (canBeWhole && others + 1 == electorate.size()) || 2 * (current + 1) > electorate.size();
    }

    /** Returns whether any two quorums overlap, so that the members with which this member acted last do not matter. */
    public synchronized boolean doQuorumsOverlap() {
        return knowledge.doQuorumsOverlap();
    }

    private boolean hasQuorum(Moment now) {
        return count(now) + 1 >= quorum;
    }

    private boolean isKnown(Moment now) {
        return knowledge.isEnough(atLeast -> count(now, atLeast));
    }

    /** Returns whether a quorum confirms this member, but too few members know the decisions of former quorums. */
    private boolean isBehind(Moment now) {
        return hasQuorum(now) && !isKnown(now);
    }

    private boolean counts(Confirmation confirmation, Moment now) {
        return confirmation.asked.memberListVersion >= shrunkAtVersion
                && confirmation.asked.at.millisUntil(now) <= MAX_AGE_MILLIS
                && (pauseEnded == null || !confirmation.asked.at.isBefore(pauseEnded));
    }

    private int count(Moment now) {
        return count(now, Standing.NEW);
    }

    private int count(Moment now, Standing atLeast) {
        return confirming(now, atLeast).size();
    }

    private Set<UUID> confirming(Moment now, Standing atLeast) {
        return confirmations.entrySet().stream()
                .filter(each -> each.getValue().standing.compareTo(atLeast) >= 0)
                .filter(each -> counts(each.getValue(), now))
                .map(Map.Entry::getKey)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Returns the other data members that confirm this one. */
    public synchronized Set<UUID> confirming() {
        return confirming(now(), Standing.NEW);
    }

    public synchronized Vote vote() {
        return new Vote(listHash, isCurrent(), knowledge.standing(acts), knowledge.mostListed(), discardedMillis);
    }

    /**
     * Records a member's answer to a request. If a member has confirmed several times, only the confirmation that was
     * requested last counts.
     */
    public synchronized void answered(UUID member, Vote vote, Asked asked) {
        boolean confirms = vote.listHash == listHash && asked.listHash == listHash && listed.contains(member);
        if (confirms) {
            knowledge.confirmedBy(vote.standing, vote.mostListed);
            discardedMillis = Math.max(discardedMillis, vote.discardedMillis);
            UUID formerName = formerNames.get(member);
            if (formerName != null && vote.standing.compareTo(Standing.KNOWS) >= 0) {
                leaveElectorate(formerName);
            }
        }
        Confirmation before = confirmations.get(member);
        if (confirms && (before == null || !asked.at.isBefore(before.asked.at))) {
            confirmations.put(member, new Confirmation(asked, vote.isCurrent, vote.standing));
        }
    }

    /** Stops waiting for a member that runs without snowcast. */
    public synchronized void excuse(UUID member) {
        knowledge.excuse(member);
        leaveElectorate(member);
    }

    /**
     * Records that a member which has merged has sent its data. The member leaves the electorate under its former name
     * when it confirms this member and knows the decisions: then its whole side has sent its data.
     */
    public synchronized void hasSent(UUID member, UUID formerName) {
        knowledge.excuse(formerName);
        formerNames.put(member, formerName);
    }

    private void leaveElectorate(UUID member) {
        if (!listed.contains(member)) {
            electorate = Knowledge.without(electorate, member);
        }
    }

    // --- the losing side of a split

    /** Records that this member leaves its cluster for the winning cluster of a split, and sends its data there. */
    public synchronized void leavesLosingSide() {
        knowledge.leavesLosingSide(listed);
    }

    /** Returns the data members that this one lists. */
    public synchronized Set<UUID> listed() {
        return listed;
    }

    /**
     * Records that this member has sent its data from the losing side. {@code formerUuid}, its UUID on that side, is
     * null if some data was lost or could not be sent.
     */
    public synchronized void sentData(@Nullable UUID formerUuid) {
        knowledge.sentData(formerUuid);
    }

    // --- the wait of a member that is isolated or behind

    /**
     * Returns whether this member is current, not stale, so that its vote counts towards the majority of another
     * member's electorate.
     */
    synchronized boolean isCurrent() {
        return self != null && !wasPaused && !hasJustJoined;
    }

    /** Returns this member's UUID at its last decision; null before its first decision in this cluster. */
    public synchronized @Nullable UUID self() {
        return self;
    }

    /** Returns the version of the list of members with which this member last acted; 0 if it has not acted yet. */
    public synchronized int actedAtVersion() {
        return actedAtVersion;
    }

    public synchronized Set<UUID> absent() {
        return electorate.stream().filter(member -> !listed.contains(member)).collect(Collectors.toSet());
    }

    /**
     * Records that an absent member was reached. That member is alive in another cluster, so a merge can be expected.
     */
    public synchronized void reached() {
        if (waitForOthers != null && lastLook != null) {
            waitForOthers = waitForOthers.reachedAt(lastLook);
        }
    }

    private boolean isWaitOver() {
        WaitForOthers wait = waitForOthers;
        Moment now = lastLook;
        if (wait == null || now == null) {
            return false;
        }
        boolean isSearchOver = wait.since().millisUntil(now) > searchMillis;
        boolean isAnyComing = count(now, Standing.COMING) > count(now, Standing.KNOWS);
        boolean isUnconfirmedStale = !isBehind(now) && !isCurrent() && !isConfirmedByActing();
        if (isUnconfirmedStale) {
            return isSearchOver && wait.isSilentAt(now);
        }
        return isSearchOver || (wait.isSilentAt(now) && !isAnyComing);
    }

    /** Returns how many milliseconds this member waits at most if no absent member answers; pauses do not count. */
    public synchronized long waitMillis() {
        WaitForOthers wait = waitForOthers;
        Moment now = lastLook;
        return wait == null || now == null
                ? 0
                : Math.max(searchMillis - wait.since().millisUntil(now), 0);
    }

    /** Returns whether a member that acts, and is not stale, confirms this member. */
    private boolean isConfirmedByActing() {
        Moment now = now();
        return confirmations.values().stream()
                .anyMatch(each -> each.standing == Standing.ACTS && each.isCurrent && counts(each, now));
    }

    /** Returns how many more of the confirming members must know the decisions; 0 if this member is not behind. */
    public synchronized int missing() {
        Moment now = now();
        return isBehind(now) ? knowledge.missing(atLeast -> count(now, atLeast)) : 0;
    }

    /** Returns how this member goes on at present. */
    public synchronized Ending ending() {
        if (!isWaitOver()) {
            return Ending.NOT_YET;
        }
        if (isCurrent() && !isBehind(now())) {
            return Ending.WITH_DATA;
        }
        return isConfirmedByActing() ? Ending.WITHOUT_OWN_DATA : Ending.WITHOUT_ALL_DATA;
    }

    /**
     * Continues with the listed members as {@code expected} says, unless a pause, a vote or a new list has changed the
     * ending since; returns whether this member continues. The caller has discarded the data of this member if
     * {@code expected} is {@link Ending#WITHOUT_OWN_DATA}.
     *
     * @param nowMillis cluster time; if all members discard their data, no data from before this time is used
     */
    public synchronized boolean goOn(Ending expected, long nowMillis) {
        if (expected == Ending.NOT_YET || ending() != expected) {
            return false;
        }
        electorate = listed;
        endWait();
        if (expected == Ending.WITHOUT_ALL_DATA) {
            discardedMillis = Math.max(discardedMillis, nowMillis);
        }
        if (expected == Ending.WITHOUT_ALL_DATA && hasQuorum(now())) {
            knowledge.settle();
        } else if (expected != Ending.WITH_DATA) {
            knowledge.forget();
        }
        return true;
    }

    private void endWait() {
        hasJustJoined = false;
        wasPaused = false;
        waitForOthers = null;
    }

    /**
     * Returns when members of this cluster last discarded their data, in cluster time; 0 if never. Data from before
     * this time must not be used.
     */
    public synchronized long discardedMillis() {
        return discardedMillis;
    }

    /**
     * Resets the vote, because this member leaves its cluster. Keeps the highest number of listed members, and the
     * state that it needs while it sends its data to the winning side of a split.
     */
    public synchronized void reset() {
        hasLeftCluster |= self != null;
        wasLite = false;
        forgetVote();
        knowledge.reset();
    }

    /**
     * Records that this member is a lite member: it has no vote, and decisions are made without it. If it was a data
     * member before, it forgets its vote and what it knows.
     */
    public synchronized void noteLite() {
        wasLite = true;
        forgetVote();
        knowledge.forgetAll();
    }

    private void forgetVote() {
        confirmations.clear();
        formerNames.clear();
        listed = Set.of();
        listedVersion = 0;
        listHash = 0;
        self = null;
        shrunkAtVersion = 0;
        electorate = Set.of();
        hasJustJoined = true;
        wasPaused = false;
        waitForOthers = null;
        startsPromoted = false;
        acts = false;
        actedAtVersion = 0;
        discardedMillis = 0;
    }
}
