// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import com.noctarius.snowcast.internal.base.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Whether this data member may act as the owner of its partitions: one that was paused, cut off or removed does not
 * know it. It acts while a majority of its <em>electorate</em>, the data members with which it last acted, confirms
 * that they list it: dynamic voting (Jajodia and Mutchler, ACM TODS 15(2), 1990); the rules are in docs/dev/design.md.
 *
 * <ul>
 *   <li>This member asks all other data members every two seconds. A member confirms if it has the same list of members
 *       when it answers.
 *   <li>Confirmations from before a member left the list do not count: an owner that has just dropped members wants
 *       fewer backups.
 *   <li>A <em>stale</em> member was paused or has just joined. Its vote makes no majority: it may have been removed
 *       together with the one that asks. But if all confirm, no member was removed, however long all were paused.
 *   <li>An <em>isolated</em> one is not confirmed, and part of its electorate is not listed any more. It continues with
 *       those that it lists when the absent ones have merged; or were silent for 3 seconds, unless it is stale; or when
 *       Hazelcast has had the time to search for them. If stale, without its data: others may have changed theirs and
 *       be gone.
 * </ul>
 *
 * <p>Thread-safe.
 */
public final class Electorate {
    /** How long a confirmation counts, from when it was asked for, by the clock that moved further. */
    public static final long MAX_AGE_MILLIS = 10_000;

    private static final long SILENCE_MILLIS = 3_000;

    /** How often the other data members are asked: of five questions in a row one answer is enough. */
    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** A member is asked no more often. */
    public static final long MIN_PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Clock clock;
    private final long maxGapMillis;
    private final long searchMillis;

    private final Map<UUID, Confirmation> confirmations = new HashMap<>();
    private Set<UUID> electorate = Set.of();
    private Set<UUID> listed = Set.of();
    private int listedVersion;

    /** Of the version and the members: two sides of a split may have one version. */
    private long listHash;

    private @Nullable UUID self;

    /** The version of the list of members from which a member was found missing last. */
    private int shrunkAtVersion;

    private boolean hasJustJoined = true;
    private boolean stoodStill;
    private @Nullable Asked lastLook;
    private @Nullable Asked wokeUp; // What was asked for before says nothing of the time after.
    private @Nullable Asked isolatedSince; // Later by the time for which it was paused meanwhile.
    private boolean hasReachedAbsent; // since then
    private @Nullable Asked silentSince;
    private @Nullable Asked lastRound;
    private long urgentPeriodNanos;

    /** When, by the wall clock and the monotonic one, and under which list of members a confirmation was asked for. */
    public record Asked(int memberListVersion, long listHash, long millis, long nanos) {
        long millisUntil(Asked later) {
            return Math.max(later.millis - millis, TimeUnit.NANOSECONDS.toMillis(later.nanos - nanos));
        }

        private Asked earlier(long byMillis) {
            return new Asked(
                    memberListVersion, listHash, millis - byMillis, nanos - TimeUnit.MILLISECONDS.toNanos(byMillis));
        }
    }

    /**
     * What a member says of itself to a member that asks.
     *
     * @param listHash a hash of its list of members; 0 if it has none yet
     * @param isCurrent whether it is not stale
     */
    public record Vote(long listHash, boolean isCurrent) {}

    private record Confirmation(Asked asked, boolean isCurrent) {}

    /** Whether a member may act as an owner, waits for confirmations, or waits for absent members. */
    public enum Eligibility {
        CONFIRMED,
        UNCONFIRMED,
        ISOLATED
    }

    /**
     * Makes the electorate of a member that is in no cluster yet.
     *
     * @param maxGapMillis how far two looks may lie apart; less than the time after which others remove this member
     * @param searchMillis within which time Hazelcast searches for other clusters and, if it finds one, merges
     */
    public Electorate(Clock clock, long maxGapMillis, long searchMillis) {
        this.clock = clock;
        this.maxGapMillis = maxGapMillis;
        this.searchMillis = searchMillis;
    }

    /** Returns the present, under the list that was looked at last. */
    public synchronized Asked asked() {
        return new Asked(listedVersion, listHash, clock.millis(), clock.nanos());
    }

    /**
     * Looks at the clocks and at the list of members, and decides.
     *
     * @param dataMembers all that can vote, the oldest first; this one begins the cluster if it is that when it looks
     *     first
     */
    public synchronized Eligibility look(UUID thisMember, List<UUID> dataMembers, int memberListVersion) {
        Asked now = asked();
        noteTime(now);
        if (!dataMembers.contains(thisMember)) {
            return Eligibility.UNCONFIRMED; // A merge changes this member's UUID before it lists it.
        }
        // Another thread may have seen a later list meanwhile.
        if (memberListVersion >= listedVersion && hash(memberListVersion, dataMembers) != listHash) {
            noteMembers(thisMember, dataMembers, memberListVersion);
        }
        if (isConfirmed(now)) {
            hasJustJoined = false;
            stoodStill = false;
            isolatedSince = null;
            if (2 * (count(now) + 1) > listed.size()) {
                electorate = listed;
            }
            return Eligibility.CONFIRMED;
        }
        if (listed.containsAll(electorate)) {
            isolatedSince = null;
            return Eligibility.UNCONFIRMED;
        }
        if (isolatedSince == null) {
            isolatedSince = now;
            silentSince = now;
            hasReachedAbsent = false;
        }
        return Eligibility.ISOLATED;
    }

    private void noteTime(Asked now) {
        long gapMillis = lastLook == null ? 0 : lastLook.millisUntil(now);
        if (gapMillis > maxGapMillis) {
            stoodStill = true;
            wokeUp = now;
            isolatedSince = isolatedSinceAfter(gapMillis);
        }
        lastLook = now;
    }

    /** The time for which it was paused is no time in which it looked for the others. */
    private @Nullable Asked isolatedSinceAfter(long gapMillis) {
        // If there is another cluster, Hazelcast's search may have been cut off: it is to have a whole one.
        return isolatedSince == null || hasReachedAbsent ? null : isolatedSince.earlier(-gapMillis);
    }

    private void noteMembers(UUID thisMember, List<UUID> dataMembers, int memberListVersion) {
        Set<UUID> members = Set.copyOf(dataMembers);
        boolean isOldest = thisMember.equals(dataMembers.get(0));
        if (self == null && isOldest) {
            hasJustJoined = false; // It has begun the cluster.
            electorate = Set.of(thisMember);
        } else if (hasJustJoined && !isOldest) {
            // A member that has not acted with others goes by those that were there before; the others know no more
            // than it does.
            electorate = Set.copyOf(dataMembers.subList(0, dataMembers.indexOf(thisMember) + 1));
        }
        if (!members.containsAll(listed)) {
            shrunkAtVersion = memberListVersion;
        }
        self = thisMember;
        listed = members;
        listedVersion = memberListVersion;
        listHash = hash(memberListVersion, dataMembers);
        confirmations.keySet().retainAll(members);
    }

    private static long hash(int version, List<UUID> members) {
        long hash = version;
        for (UUID member : members) {
            hash = 31 * hash + (member.getMostSignificantBits() ^ member.getLeastSignificantBits());
        }
        return hash;
    }

    private boolean isConfirmed(Asked now) {
        int others = 0;
        int current = 0;
        for (UUID member : electorate) {
            Confirmation confirmation = confirmations.get(member);
            if (confirmation != null && counts(confirmation, now)) {
                others++;
                current += confirmation.isCurrent ? 1 : 0;
            }
        }
        return (others + 1 == electorate.size() && !hasJustJoined) || 2 * (current + 1) > electorate.size();
    }

    private boolean counts(Confirmation confirmation, Asked now) {
        return confirmation.asked.memberListVersion >= shrunkAtVersion
                && confirmation.asked.millisUntil(now) <= MAX_AGE_MILLIS
                && (wokeUp == null || confirmation.asked.nanos - wokeUp.nanos >= 0);
    }

    private int count(Asked now) {
        return (int) confirmations.values().stream()
                .filter(confirmation -> counts(confirmation, now))
                .count();
    }

    public synchronized int count() {
        return count(asked());
    }

    /** Returns what this member answers to any that asks. */
    public synchronized Vote vote() {
        return new Vote(listHash, isCurrent());
    }

    /** Notes what a member answered that was asked then; of two confirmations, that of the later question counts. */
    public synchronized void answered(UUID member, Vote vote, Asked asked) {
        boolean confirms = vote.listHash == listHash && asked.listHash == listHash && listed.contains(member);
        Confirmation before = confirmations.get(member);
        if (confirms && (before == null || asked.nanos - before.asked.nanos >= 0)) {
            confirmations.put(member, new Confirmation(asked, vote.isCurrent));
        }
    }

    /**
     * Begins a round, in which all other data members are asked, if one is due: when the list of members has changed,
     * and every two seconds. Returns whether it does.
     *
     * @param isUrgent whether this member is not confirmed. It then asks again 20 ms after a regular round, and each
     *     time after twice as long, up to the two seconds
     */
    public synchronized boolean beginRoundIfDue(boolean isUrgent) {
        Asked now = asked();
        Asked last = lastRound;
        boolean hasListOfLast = last != null && last.listHash == listHash;
        if (!isUrgent || !hasListOfLast) {
            urgentPeriodNanos = MIN_PERIOD_NANOS;
        }
        long periodNanos = isUrgent ? urgentPeriodNanos : PERIOD_NANOS;
        if (last != null && hasListOfLast && now.nanos - last.nanos < periodNanos) {
            return false;
        }
        lastRound = now;
        urgentPeriodNanos = Math.min(2 * urgentPeriodNanos, PERIOD_NANOS);
        return true;
    }

    /**
     * Removes an absent member: it has no snowcast, or has joined again from another cluster and what it knew was
     * merged.
     */
    public synchronized void excuse(UUID member) {
        if (!listed.contains(member)) {
            electorate =
                    electorate.stream().filter(other -> !other.equals(member)).collect(Collectors.toUnmodifiableSet());
        }
    }

    /** Whether this member's vote makes a majority for others: it is not stale. */
    public synchronized boolean isCurrent() {
        return self != null && !stoodStill && !hasJustJoined;
    }

    /** Returns this member, as it was called when it last looked; null before. */
    public synchronized @Nullable UUID self() {
        return self;
    }

    public synchronized Set<UUID> absent() {
        return electorate.stream().filter(member -> !listed.contains(member)).collect(Collectors.toSet());
    }

    /** Notes that an absent member was reached: it lives in another cluster, and Hazelcast will merge the two. */
    public synchronized void reached() {
        silentSince = lastLook;
        hasReachedAbsent = true;
    }

    public synchronized boolean isWaitOver() {
        Asked isolated = isolatedSince;
        Asked silent = silentSince;
        Asked now = lastLook;
        if (isolated == null || silent == null || now == null) {
            return false;
        }
        return isolated.millisUntil(now) > searchMillis || (isCurrent() && silent.millisUntil(now) > SILENCE_MILLIS);
    }

    /** Returns for how many more milliseconds, in which it is not paused, this member waits if it stays isolated. */
    public synchronized long waitMillis() {
        Asked isolated = isolatedSince;
        Asked now = lastLook;
        return isolated == null || now == null ? 0 : Math.max(searchMillis - isolated.millisUntil(now), 0);
    }

    /** Goes on with those that are listed. A member that was not current must have given up its data before. */
    public synchronized void goOn() {
        electorate = listed;
        hasJustJoined = false;
        stoodStill = false;
        isolatedSince = null;
    }

    /** Forgets all, because this member leaves its cluster. */
    public synchronized void reset() {
        confirmations.clear();
        listed = Set.of();
        listedVersion = 0;
        listHash = 0;
        self = null;
        shrunkAtVersion = 0;
        goOn();
        hasJustJoined = true;
    }
}
