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
 * Computes from votes whether this data member may act as the owner of its partitions, because a member that was
 * paused, cut off or removed does not notice that itself. It acts while a majority of its <em>electorate</em>, the data
 * members with which it last acted, confirms that they list it: dynamic voting (Jajodia and Mutchler, ACM TODS 15(2),
 * 1990). When a majority of the listed members confirms, they become the electorate.
 *
 * <ul>
 *   <li>This member asks all other data members every two seconds. A member confirms if it has the same list of members
 *       when it answers.
 *   <li>Confirmations from before a member left the list do not count: an owner that has just removed members from its
 *       list needs fewer backups.
 *   <li>A <em>stale</em> member was paused or has just joined. Its vote does not count for a majority: it may have been
 *       removed together with the member that asks. But if all confirm, no member was removed, however long all were
 *       paused.
 *   <li>An <em>isolated</em> member is not confirmed, and part of its electorate is no longer listed. It continues with
 *       the listed members when the absent ones have merged; or, unless it is stale, when they were silent for 3
 *       seconds; or when Hazelcast has had the time to search for them. If it is stale, it gives up its data: other
 *       members may have changed theirs and left.
 * </ul>
 *
 * <p>With split-brain protection, a quorum of data members must confirm. If {@linkplain #isQuorumOfAll any two quorums
 * overlap}, that replaces the majority of the electorate. A member <em>knows</em> the decisions once it has acted
 * itself, until it restarts or leaves its cluster. A member that came over from a losing side knows them once all
 * members of that side have sent their data. A quorum can leave some members out. Of the members that confirm, one more
 * than those must know, so that one of them took part in each former quorum. If there are too few, this member is
 * <em>behind</em>, and waits for members that know, even if all members are listed. Then it gives up its data, because
 * members that acted meanwhile may be gone. The number of all data members is the highest that was ever listed.
 *
 * <p>Thread-safe.
 */
public final class Electorate {
    /** How long a confirmation counts, from its request on, by the clock that moved further. */
    public static final long MAX_AGE_MILLIS = 10_000;

    private static final long SILENCE_MILLIS = 3_000;

    /** How often the other data members are asked: one answer to five requests in a row is enough. */
    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** The minimum interval of requests to a member. */
    public static final long MIN_PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Clock clock;
    private final long maxGapMillis;
    private final long searchMillis;

    /** How many data members, including this one, split-brain protection requires; 0 without it. */
    private final int quorum;

    private final Map<UUID, Confirmation> confirmations = new HashMap<>();
    private Set<UUID> electorate = Set.of();
    private Set<UUID> listed = Set.of();
    private int listedVersion;

    /** A hash of the version and the members: two sides of a split may have the same version. */
    private long listHash;

    private @Nullable UUID self;

    /** The version of the last list of members in which a member was missing. */
    private int shrunkAtVersion;

    private boolean hasJustJoined = true;
    private boolean stoodStill;

    /** How many data members were listed at once, as far as any member of the cluster knows. */
    private int mostListed;

    /** Whether this member started the cluster, and no member has acted in it yet. */
    private boolean begins;

    private boolean knows;

    /** Whether this member acts while it is confirmed: enough of the listed members knew, or gave up their data. */
    private boolean isSettled;

    private boolean acts;

    /** Whether this member is sending its data from the losing side of a split. */
    private boolean isComing;

    /** The members of the losing side that have not reported yet that they have sent their data; null if irrelevant. */
    private @Nullable Set<UUID> notArrived;

    /** When data was last given up in this cluster, in cluster time: older data must not be used. 0 for never. */
    private long givenUpMillis;

    private @Nullable Asked lastLook;
    private @Nullable Asked wokeUp; // Earlier requests say nothing about the time after it.
    private @Nullable Asked isolatedSince; // Moved forward by the time for which it was paused.
    private boolean hasReachedAbsent; // since then
    private @Nullable Asked silentSince;
    private @Nullable Asked lastRound;
    private long urgentPeriodNanos;

    /** When, by the wall clock and the monotonic one, and under which list of members a confirmation was requested. */
    public record Asked(int memberListVersion, long listHash, long millis, long nanos) {
        long millisUntil(Asked later) {
            return Math.max(later.millis - millis, TimeUnit.NANOSECONDS.toMillis(later.nanos - nanos));
        }

        private Asked earlier(long byMillis) {
            return new Asked(
                    memberListVersion, listHash, millis - byMillis, nanos - TimeUnit.MILLISECONDS.toNanos(byMillis));
        }
    }

    /** What a member knows of the decisions of its cluster. In ascending order: votes are counted from one on. */
    public enum Standing {
        /** It does not know them: it has not acted yet, or continued without others whose decisions it may lack. */
        NEW,
        /** It is sending its data from the losing side of a split. */
        COMING,
        /** It took part, or came over and has sent its data. */
        KNOWS,
        /** It may act. */
        ACTS
    }

    /**
     * A member's answer to a member that asks for its confirmation.
     *
     * @param listHash a hash of its list of members; 0 if it has none yet
     * @param isCurrent whether it is not stale
     * @param mostListed how many data members were listed at once, as far as it knows
     * @param givenUpMillis when data was last given up in its cluster, in cluster time; 0 for never
     */
    public record Vote(long listHash, boolean isCurrent, Standing standing, int mostListed, long givenUpMillis) {}

    private record Confirmation(Asked asked, boolean isCurrent, Standing standing) {}

    /** Whether a member may act as an owner; if not, what it waits for. */
    public enum Eligibility {
        /** It may act. */
        CONFIRMED,
        /** It waits for confirmations. */
        UNCONFIRMED,
        /** It is not confirmed, and waits for the absent members of its electorate. */
        ISOLATED,
        /** A quorum confirms it, and it waits for members that know what former quorums have decided. */
        BEHIND;

        /** Returns whether it waits for other members to merge, and continues without them after some time. */
        public boolean isWaiting() {
            return this == ISOLATED || this == BEHIND;
        }
    }

    /**
     * Makes the electorate of a member that has not joined a cluster yet.
     *
     * @param maxGapMillis the maximum time between two looks; less than the time after which others remove this member
     * @param searchMillis the time in which Hazelcast searches for other clusters and, if it finds one, merges
     * @param quorum how many data members split-brain protection requires; 0 without it
     */
    public Electorate(Clock clock, long maxGapMillis, long searchMillis, int quorum) {
        this.clock = clock;
        this.maxGapMillis = maxGapMillis;
        this.searchMillis = searchMillis;
        this.quorum = quorum;
    }

    /** Returns the present time, with the list of members of the last look. */
    public synchronized Asked asked() {
        return new Asked(listedVersion, listHash, clock.medianMillis(), clock.nanos());
    }

    /**
     * Looks at the clocks and at the list of members, and decides.
     *
     * @param dataMembers all members that can vote, the oldest first; if this member is the oldest at its first look,
     *     it has started the cluster
     */
    public synchronized Eligibility look(UUID thisMember, List<UUID> dataMembers, int memberListVersion) {
        Asked now = asked();
        noteTime(now);
        acts = false;
        if (!dataMembers.contains(thisMember)) {
            return Eligibility.UNCONFIRMED; // A merge changes this member's UUID before the list contains it.
        }
        // Another thread may have seen a later list already.
        if (memberListVersion >= listedVersion && hash(memberListVersion, dataMembers) != listHash) {
            noteMembers(thisMember, dataMembers, memberListVersion);
        }
        boolean isConfirmed = isQuorumOfAll() || isConfirmed(now);
        if (isConfirmed && hasQuorum(now) && isKnown(now)) {
            settle();
            acts = true;
            // Stale votes count, too: the former electorate has confirmed this member, and a stale member that has the
            // same list takes part in the next vote like any other.
            if (2 * (count(now) + 1) > listed.size()) {
                electorate = listed;
            }
            return Eligibility.CONFIRMED;
        }
        boolean isCutOff = !isConfirmed && !listed.containsAll(electorate);
        boolean isBehind = isBehind(now);
        if (!isCutOff && !isBehind) {
            isolatedSince = null;
            return Eligibility.UNCONFIRMED;
        }
        if (isolatedSince == null) {
            isolatedSince = now;
            silentSince = now;
            hasReachedAbsent = false;
        }
        return isBehind ? Eligibility.BEHIND : Eligibility.ISOLATED;
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

    /** While it was paused, it did not search for the others, so that time does not count. */
    private @Nullable Asked isolatedSinceAfter(long gapMillis) {
        // If there is another cluster, the pause may have interrupted Hazelcast's search: allow a complete one.
        return isolatedSince == null || hasReachedAbsent ? null : isolatedSince.earlier(-gapMillis);
    }

    private void noteMembers(UUID thisMember, List<UUID> dataMembers, int memberListVersion) {
        Set<UUID> members = Set.copyOf(dataMembers);
        boolean isOldest = thisMember.equals(dataMembers.get(0));
        if (self == null && isOldest) {
            hasJustJoined = false; // It has started the cluster.
            begins = true;
            electorate = Set.of(thisMember);
        } else if (hasJustJoined && !isOldest) {
            // A member that has not acted with others uses the members that joined before it; the later ones know no
            // more than it does.
            electorate = Set.copyOf(dataMembers.subList(0, dataMembers.indexOf(thisMember) + 1));
        }
        if (!members.containsAll(listed)) {
            shrunkAtVersion = memberListVersion;
            isSettled = false;
        }
        self = thisMember;
        listed = members;
        mostListed = Math.max(mostListed, members.size());
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

    /** Returns whether any two quorums overlap: then it does not matter with which members this one acted last. */
    public synchronized boolean isQuorumOfAll() {
        return 2 * quorum > mostListed;
    }

    private boolean hasQuorum(Asked now) {
        return count(now) + 1 >= quorum;
    }

    /**
     * Returns whether the members that confirm know what each former quorum has decided. Also ends {@link #begins} as
     * soon as one confirms that comes from an earlier cluster.
     */
    private boolean isKnown(Asked now) {
        if (quorum == 0 || isSettled) {
            return true;
        }
        begins &= count(now, Standing.COMING) == 0;
        // Another member that may act under this list has counted the members that know.
        return begins || count(now, Standing.ACTS) > 0 || knowing(now) >= neededToKnow();
    }

    private int knowing(Asked now) {
        return count(now, Standing.KNOWS) + (knows ? 1 : 0);
    }

    /** One more than a quorum can leave out. The count of members is capped so that the quorum is a majority. */
    private int neededToKnow() {
        return Math.max(Math.min(mostListed, 2 * quorum - 1) - quorum + 1, 1);
    }

    /** Returns whether a quorum confirms, but may lack decisions of another quorum. */
    private boolean isBehind(Asked now) {
        return hasQuorum(now) && !isKnown(now);
    }

    private boolean counts(Confirmation confirmation, Asked now) {
        return confirmation.asked.memberListVersion >= shrunkAtVersion
                && confirmation.asked.millisUntil(now) <= MAX_AGE_MILLIS
                && (wokeUp == null || confirmation.asked.nanos - wokeUp.nanos >= 0);
    }

    private int count(Asked now) {
        return count(now, Standing.NEW);
    }

    private int count(Asked now, Standing atLeast) {
        return confirming(now, atLeast).size();
    }

    private Set<UUID> confirming(Asked now, Standing atLeast) {
        return confirmations.entrySet().stream()
                .filter(each -> each.getValue().standing.compareTo(atLeast) >= 0)
                .filter(each -> counts(each.getValue(), now))
                .map(Map.Entry::getKey)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Returns how many other data members confirm this one. */
    public synchronized int count() {
        return count(asked());
    }

    /** Returns the other data members that confirm this one. */
    public synchronized Set<UUID> confirming() {
        return confirming(asked(), Standing.NEW);
    }

    /** Returns this member's answer to any member that asks. */
    public synchronized Vote vote() {
        return new Vote(listHash, isCurrent(), standing(), mostListed, givenUpMillis);
    }

    private Standing standing() {
        if (isComing) {
            return Standing.COMING;
        }
        if (acts) {
            return Standing.ACTS;
        }
        return knows ? Standing.KNOWS : Standing.NEW;
    }

    /** Notes a member's answer to a request; of two confirmations, that of the later request counts. */
    public synchronized void answered(UUID member, Vote vote, Asked asked) {
        boolean confirms = vote.listHash == listHash && asked.listHash == listHash && listed.contains(member);
        if (confirms) {
            mostListed = Math.max(mostListed, vote.mostListed);
            givenUpMillis = Math.max(givenUpMillis, vote.givenUpMillis);
        }
        Confirmation before = confirmations.get(member);
        if (confirms && (before == null || asked.nanos - before.asked.nanos >= 0)) {
            confirmations.put(member, new Confirmation(asked, vote.isCurrent, vote.standing));
        }
    }

    /**
     * Begins a round, in which all other data members are asked, if one is due: when the list of members has changed,
     * and every two seconds. Returns whether it has begun one.
     *
     * @param isUrgent whether this member is not confirmed. It then asks again 20 ms after a regular round, and doubles
     *     the interval each time, up to two seconds
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
     * Removes an absent member, because it does not run snowcast, or because it has joined again from another cluster
     * and its data was merged.
     */
    public synchronized void excuse(UUID member) {
        if (notArrived != null && notArrived.contains(member)) {
            notArrived = without(notArrived, member);
            arrive();
        }
        if (!listed.contains(member)) {
            electorate = without(electorate, member);
        }
    }

    private static Set<UUID> without(Set<UUID> members, UUID member) {
        return members.stream().filter(other -> !other.equals(member)).collect(Collectors.toUnmodifiableSet());
    }

    // --- the losing side of a split

    /** Notes that this member leaves its cluster for another one and sends its data there. */
    public synchronized void comesOver() {
        isComing = knows;
        notArrived = knows ? listed : null;
    }

    /** Returns the data members that this one lists. */
    public synchronized Set<UUID> listed() {
        return listed;
    }

    /**
     * Notes that this member has sent its data of the losing side, with its UUID there; null if it could not send all
     * data, or had lost some.
     */
    public synchronized void cameOver(@Nullable UUID formerUuid) {
        Set<UUID> others = notArrived;
        notArrived = others == null || formerUuid == null || !isComing ? null : without(others, formerUuid);
        isComing = false;
        arrive();
    }

    private void arrive() {
        if (!isComing && notArrived != null && notArrived.isEmpty()) {
            knows = true;
            notArrived = null;
        }
    }

    // --- the wait of a member that is isolated or behind

    /** Returns whether this member's vote counts for a majority of others, because it is not stale. */
    public synchronized boolean isCurrent() {
        return self != null && !stoodStill && !hasJustJoined;
    }

    /** Returns this member's UUID at its last look; null before the first look. */
    public synchronized @Nullable UUID self() {
        return self;
    }

    public synchronized Set<UUID> absent() {
        return electorate.stream().filter(member -> !listed.contains(member)).collect(Collectors.toSet());
    }

    /** Notes that an absent member was reached: it is alive in another cluster, and Hazelcast will merge the two. */
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
        boolean isSilent = silent.millisUntil(now) > SILENCE_MILLIS;
        boolean isAnyComing = count(now, Standing.COMING) > count(now, Standing.KNOWS);
        return isolated.millisUntil(now) > searchMillis || (isSilent && (isBehind(now) ? !isAnyComing : isCurrent()));
    }

    /** Returns how many more milliseconds, pauses excluded, this member waits if it stays isolated. */
    public synchronized long waitMillis() {
        Asked isolated = isolatedSince;
        Asked now = lastLook;
        return isolated == null || now == null ? 0 : Math.max(searchMillis - isolated.millisUntil(now), 0);
    }

    /** Returns whether this member, if it continues without the absent ones, may use its data. */
    public synchronized boolean keepsData() {
        return isCurrent() && !isBehind(asked());
    }

    /** Returns how many more of the members that confirm would have to know the decisions; 0 if enough do. */
    public synchronized int missing() {
        Asked now = asked();
        return isBehind(now) ? neededToKnow() - knowing(now) : 0;
    }

    /** Continues with the listed members. */
    public synchronized void goOn() {
        electorate = listed;
        hasJustJoined = false;
        stoodStill = false;
        isolatedSince = null;
    }

    /** Continues with the listed members, without any data from before a moment in cluster time. */
    public synchronized void goOnWithoutData(long sinceMillis) {
        givenUpMillis = Math.max(givenUpMillis, sinceMillis);
        goOn();
        if (hasQuorum(asked())) {
            settle(); // Without a quorum, another member may continue and decide more.
        }
    }

    private void settle() {
        hasJustJoined = false;
        stoodStill = false;
        isolatedSince = null;
        begins = false;
        knows = true;
        isSettled = true;
    }

    /** Returns the moment in cluster time before which data must not be used; 0 if all data may be used. */
    public synchronized long givenUpMillis() {
        return givenUpMillis;
    }

    /**
     * Forgets the cluster, because this member leaves it; except for what a member that comes over still needs, and how
     * many members were ever listed.
     */
    public synchronized void reset() {
        confirmations.clear();
        listed = Set.of();
        listedVersion = 0;
        listHash = 0;
        self = null;
        shrunkAtVersion = 0;
        goOn();
        hasJustJoined = true;
        begins = false;
        knows = false;
        isSettled = false;
        acts = false;
        givenUpMillis = 0;
    }
}
