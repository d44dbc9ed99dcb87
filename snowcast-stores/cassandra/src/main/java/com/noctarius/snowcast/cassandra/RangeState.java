// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The ranges of a datacenter for one sequence as last read or written, and this process's claims. Thread-safe. */
final class RangeState {
    private static final Duration RATE_IS_KNOWN_AFTER = Duration.ofMinutes(1);
    private static final long FIRST_CLAIM_BACKOFF_MILLIS = 250;
    private static final int MAX_DOUBLINGS = 7;

    private final RangeSettings settings;
    private final ConsumptionRate rate;

    /** The row as this process last read or wrote it; null if it has to be read again. */
    private @Nullable DatacenterRow row;

    private @Nullable DatacenterRow lastSeen;
    private @Nullable Problem claimProblem;
    private long claims;
    private int claimFailuresInARow;
    private long claimNotBeforeNanos;
    private boolean isClaiming;
    private boolean isAllClaimed;
    private boolean isAutonomyLow;
    private int lostInARow;
    /** Whether a reservation has failed since the row was last seen. The rate excludes the time of failures. */
    private boolean isFailing;

    /**
     * A series of failed claims.
     *
     * @param since when the first claim failed
     * @param installed the highest integer of the installed ranges when the last claim failed;
     *     {@link DatacenterRow#NONE} if no row was known
     * @param cause why the last claim failed
     */
    record Problem(Instant since, long sinceNanos, long installed, RuntimeException cause) {
        @Override
        public String toString() {
            return "since " + since + ": " + cause;
        }
    }

    RangeState(RangeSettings settings, long nowNanos) {
        this.settings = settings;
        this.rate = new ConsumptionRate(nowNanos);
        this.claimNotBeforeNanos = nowNanos;
    }

    // --- the row

    synchronized @Nullable DatacenterRow row() {
        return row;
    }

    synchronized void saw(DatacenterRow present, long nowNanos) {
        DatacenterRow before = lastSeen;
        noteInstalled(present);
        if (isFailing) {
            rate.skipTo(nowNanos);
            isFailing = false;
        } else {
            rate.used(before == null ? 0 : present.usedSince(before), nowNanos);
        }
        row = present;
        lastSeen = present;
    }

    /** Returns whether a read of the row shows an earlier state than this process has seen. */
    synchronized boolean isSetBack(DatacenterRow present) {
        return lastSeen != null && present.isBehind(lastSeen);
    }

    /** Notes that the row may have changed, so it has to be read again. */
    synchronized void forget() {
        row = null;
    }

    /** Notes that a reservation failed. The rate stays constant until the row is read or changed again. */
    synchronized void reservationFailed() {
        isFailing = true;
    }

    synchronized String range() {
        return lastSeen == null ? "unknown" : lastSeen.toString();
    }

    /** Returns whether the ranges have no integers, as far as this process knows. */
    synchronized boolean isUsedUp() {
        return lastSeen == null || lastSeen.isNew() || lastSeen.remaining() == 0;
    }

    // --- claims

    /** Returns whether the caller should claim the next range now. If so, it must call {@link #endClaim} afterwards. */
    synchronized boolean beginClaim(long nowNanos) {
        DatacenterRow present = row;
        boolean begins = present != null
                && !present.isNew()
                && !present.hasPreloaded()
                && present.isUsed(settings.claimThreshold())
                && !isClaiming
                && !isAllClaimed
                && nowNanos - claimNotBeforeNanos >= 0;
        isClaiming |= begins;
        return begins;
    }

    /**
     * Notes the end of a claim, and takes over the next range from {@code seen}.
     *
     * @param seen the row that the claim read; null if it read no row
     */
    synchronized void endClaim(@Nullable DatacenterRow seen) {
        isClaiming = false;
        DatacenterRow present = row;
        if (seen != null) {
            noteInstalled(seen);
        }
        if (present != null && seen != null) {
            row = present.withPreloadedOf(seen);
            lastSeen = row;
        }
    }

    /** Resets the count of lost claims if a range was installed: a process of this datacenter has won a claim. */
    private void noteInstalled(DatacenterRow present) {
        if (lastSeen != null && present.installed() > lastSeen.installed()) {
            lostInARow = 0;
        }
    }

    synchronized void claimed() {
        claims++;
        lostInARow = 0;
        isAllClaimed = false;
    }

    /** Notes a claim that another process, of this or another datacenter, has won, or that timed out. */
    synchronized void claimLost() {
        lostInARow++;
    }

    /** Notes that this datacenter has a claim that is not installed yet. Usually, another process has made it. */
    synchronized void claimedByAnother() {
        lostInARow = 0;
        isAllClaimed = false;
    }

    /**
     * Returns how many integers the next claim should contain.
     *
     * @param left how many integers no datacenter has claimed
     */
    synchronized long claimSize(long left) {
        return settings.claimSize(lostInARow, left);
    }

    synchronized void allClaimed() {
        isAllClaimed = true;
    }

    /** Notes a failed claim. Returns whether it is the first failure of a series. */
    synchronized boolean claimFailed(@Nullable DatacenterRow seen, RuntimeException cause, long nowNanos) {
        Problem before = claimProblem;
        DatacenterRow known = seen == null ? lastSeen : seen;
        claimProblem = new Problem(
                before == null ? Instant.now() : before.since,
                before == null ? nowNanos : before.sinceNanos,
                known == null ? DatacenterRow.NONE : known.installed(),
                cause);
        long bound = FIRST_CLAIM_BACKOFF_MILLIS << Math.min(claimFailuresInARow++, MAX_DOUBLINGS);
        claimNotBeforeNanos = nowNanos
                + TimeUnit.MILLISECONDS.toNanos(ThreadLocalRandom.current().nextLong(bound / 2, bound + 1));
        return before == null;
    }

    /** Returns whether this process's claims failed, and a range was installed since. */
    synchronized boolean isClaimProblemOvercome() {
        return claimProblem != null && lastSeen != null && lastSeen.installed() > claimProblem.installed;
    }

    /** Notes that claims do not fail any more. Returns when they began to fail; null if they did not fail. */
    synchronized @Nullable Instant claimWorked() {
        Problem before = claimProblem;
        claimProblem = null;
        claimFailuresInARow = 0;
        return before == null ? null : before.since;
    }

    synchronized @Nullable Problem claimProblem() {
        return claimProblem;
    }

    // --- autonomy

    /**
     * Returns whether the autonomy has fallen below {@code minAutonomy} since the previous call; false while the rate
     * is not known.
     */
    synchronized boolean autonomyFell(long nowNanos) {
        DatacenterRow present = lastSeen;
        if (present == null || present.isNew() || !isRateKnown(nowNanos)) {
            return false;
        }
        boolean wasLow = isAutonomyLow;
        isAutonomyLow =
                RangeSettings.autonomy(present.remaining(), perSecond(nowNanos)).compareTo(settings.minAutonomy()) < 0;
        return isAutonomyLow && !wasLow;
    }

    private double perSecond(long nowNanos) {
        return isFailing ? rate.lastPerSecond() : rate.perSecond(nowNanos);
    }

    private boolean isRateKnown(long nowNanos) {
        return rate.observed(nowNanos).compareTo(RATE_IS_KNOWN_AFTER) >= 0;
    }

    synchronized DatacenterRangeStats stats(
            String sequence, String datacenter, ReservationStats reservations, long nowNanos) {
        DatacenterRow present = lastSeen == null || lastSeen.isNew() ? null : lastSeen;
        Problem problem = claimProblem;
        double perSecond = perSecond(nowNanos);
        long remaining = present == null ? 0 : present.remaining();
        return new DatacenterRangeStats(
                sequence,
                datacenter,
                present == null ? 0 : present.reservedMin(),
                present == null ? -1 : present.reservedMax(),
                remaining,
                present == null ? 0 : present.preloaded(),
                perSecond,
                isRateKnown(nowNanos),
                RangeSettings.autonomy(remaining, perSecond),
                settings.suggestedSize(perSecond),
                claims,
                reservations,
                problem == null ? Duration.ZERO : Duration.ofNanos(nowNanos - problem.sinceNanos),
                problem == null ? "" : "no range can be claimed " + problem);
    }
}
