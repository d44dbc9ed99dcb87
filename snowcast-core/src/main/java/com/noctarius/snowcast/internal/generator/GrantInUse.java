// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.generator;

import com.noctarius.snowcast.SnowcastIllegalStateException;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.internal.base.CachedClock;
import com.noctarius.snowcast.internal.base.Clock;
import com.noctarius.snowcast.internal.base.WaitQueue;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * One grant in use: a node ID and a stretch {@code [floor, ceiling)} of ID time, and how much of that was taken. Never
 * reused: another grant, also of the same node ID, is another object.
 *
 * <p>A <em>slot</em> is {@code (timestamp << counterBits) | counter}, the ID without its node. All state that matters
 * is one atomic word, the last slot taken; its sign bit says <em>sealed</em>. Sealing is a change of the same word.
 * What was taken before it is at or below the value that {@link #seal} returns; after it nothing can be taken.
 *
 * <p>Who takes slots is the subclass: {@link Attachment} makes IDs of them, {@link Guard} takes the times of IDs that
 * another generator has made, in a layout without counter. The fields are inherited and not in a part of their own,
 * which would cost each ID one more load.
 *
 * <p>Times are milliseconds since the epoch of the IDs (<em>ID time</em>). Thread-safe.
 */
public abstract class GrantInUse {
    /** How long a call waits for the granted time to begin or to be extended. */
    public static final Duration MAX_LEASE_WAIT = Duration.ofSeconds(10);

    /** Where the word stands in its array: two cache lines on either side, since processors fetch them in pairs. */
    static final int AT = 16;

    /** How far the time of IDs is from the wall clock where a user is told so. */
    static final long CLOCK_PROBLEM_MILLIS = 1_000;

    /** A wait that a wrong read of the clock may have begun looks again this often, and more often at its beginning. */
    private static final long MAX_PARK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final long MIN_PARK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** What it is a grant of, in words. */
    final String subject;

    final SnowcastLayout layout;
    final int logicalNodeId;
    final long epochOffset;
    final int counterBits;
    final Clock clock;
    final CachedClock cachedClock;
    final IdTime idTime;
    final Lease lease;
    final WaitQueue waiters;
    final Counts counts;
    /** The word at the beginning: all slots above it, up to the last one taken, were taken or skipped. */
    final long slotBefore;

    /** The last slot taken. Volatile reads may be stale: every decision made from one is confirmed by the update. */
    final AtomicLongArray word = new AtomicLongArray(2 * AT + 1);

    /**
     * The first slot that may not be issued. It only rises, so a stale read is a stricter limit, never a laxer one.
     * Written by replies of the cluster, read by every call.
     */
    private final AtomicLong ceiling;

    /** Written when the lease is granted or extended; read where the wall clock shows a time that is not granted. */
    private volatile Granted granted;

    /** An ID time from which on the lease counts, and when it was granted by the monotonic clock. */
    private record Granted(long millis, long nanos) {
        long at(long nowNanos) {
            return millis + TimeUnit.NANOSECONDS.toMillis(nowNanos - nanos);
        }
    }

    /** Since when and why extensions fail; empty if they do not. */
    private volatile String extensionFailure = "";

    /**
     * Starts to use a grant.
     *
     * @param subject what it is a grant of, in words
     * @param layout of the IDs
     * @param epochOffset the epoch of the IDs, in milliseconds since 1970
     * @param terms what was granted
     * @param counts what the grants before this one have done, too
     * @param lease extends the granted time
     */
    GrantInUse(
            String subject,
            SnowcastLayout layout,
            long epochOffset,
            Terms terms,
            Clock clock,
            Counts counts,
            Lease lease) {
        this.subject = subject;
        this.layout = layout;
        this.logicalNodeId = terms.logicalNodeId;
        this.epochOffset = epochOffset;
        this.counterBits = layout.counterBits();
        this.clock = clock;
        this.cachedClock = clock.cachedClock();
        this.idTime = new IdTime(clock, epochOffset, lease);
        this.waiters = new WaitQueue(clock);
        this.counts = counts;
        this.lease = lease;
        this.granted = new Granted(Long.MAX_VALUE / 2, clock.nanos());
        this.slotBefore = Math.max(terms.lastSlot, Math.max((terms.floor << counterBits) - 1, 0));
        word.set(AT, slotBefore);
        this.ceiling = new AtomicLong(Math.min(terms.ceiling, endOfTime()) << counterBits);
    }

    /**
     * What was granted.
     *
     * @param floor the first millisecond
     * @param ceiling the millisecond behind the last
     * @param lastSlot the last slot of the grant that this one continues, or 0: all slots will be above it
     */
    public record Terms(int logicalNodeId, long floor, long ceiling, long lastSlot) {}

    /** Raises the ceiling where no cluster has to be asked; returns whether a slot lies below it and may be issued. */
    final boolean raiseCeilingAbove(long slot) {
        return slot < ceiling.get() || raiseOwnCeilingAbove(slot);
    }

    private boolean raiseOwnCeilingAbove(long slot) {
        long own = Math.min(lease.ownCeilingMillis(slot >> counterBits), endOfTime());
        if (own <= slot >> counterBits) {
            return false;
        }
        extend(own);
        return slot < ceiling.get();
    }

    /** Whether a slot lies beyond the layout's time, and that was granted to its end: no clock alone decides it. */
    final boolean isAtEndOfTime(long slot) {
        return slot >> counterBits >= endOfTime()
                && Math.max(ceilingMillis(), lease.ownCeilingMillis(endOfTime())) >= endOfTime();
    }

    final SnowcastIllegalStateException usedUp(long wall) {
        return new SnowcastIllegalStateException(subject + ": the time of layout " + layout
                + " is used up; it lasted to " + instant(layout.maxTimestamp()) + ", and this clock shows "
                + instant(wall) + ": take another name, with a later epoch or more bits of time");
    }

    /** Waits until a slot is no longer above the ceiling; fails when that has lasted too long. */
    final void awaitCeiling(BooleanSupplier isAbove, Supplier<String> what) throws InterruptedException {
        lease.request();
        long startNanos = clock.nanos();
        long ceilingBefore = ceilingMillis();
        if (!await(() -> isSealed() || !isAbove.getAsBoolean() ? 0 : pauseNanos(startNanos))) {
            throw new SnowcastStateException(subject + ": " + what.get() + "the lease of node ID " + logicalNodeId
                    + " lasts until " + instant(ceilingMillis()) + " (this clock shows " + instant(wallMillis())
                    + ") and was not extended within " + MAX_LEASE_WAIT + ": " + whyNotExtended(ceilingBefore));
        }
    }

    private String whyNotExtended(long ceilingBefore) {
        String failure = extensionFailure;
        if (!failure.isEmpty()) {
            return failure;
        }
        long extendedBy = ceilingMillis() - ceilingBefore;
        return extendedBy == 0
                ? "there was no answer yet"
                : "it was extended by " + extendedBy + " ms, which is not enough";
    }

    /**
     * Whether granted time is lacking: a call waits for it, or the wall clock shows a time beyond it, as after the
     * machine was suspended. Then the next extension is due soon, however young the lease is.
     */
    public final boolean lacksTime() {
        return waiters.isInUse() || clock.medianMillis() - epochOffset >= ceilingMillis();
    }

    /** As long as the wait has lasted: soon after a wrong read, and seldom while the cluster is away. */
    final long pauseNanos(long startNanos) {
        return Math.min(Math.max(clock.nanos() - startNanos, MIN_PARK_NANOS), MAX_PARK_NANOS);
    }

    /**
     * Notes from when on the lease counts: from then on IDs go by the monotonic clock, should the wall clock show a
     * time beyond the ceiling.
     */
    public final void grantedFrom(long idMillis) {
        granted = new Granted(idMillis, clock.nanos());
    }

    /** Returns how long ago the lease was granted or extended, by the monotonic clock. */
    public final long leaseAgeMillis() {
        return TimeUnit.NANOSECONDS.toMillis(clock.nanos() - granted.nanos);
    }

    /** Raises the ceiling after the cluster extended the grant; never lowers it. Has no effect once sealed. */
    public final void extend(long ceilingMillis) {
        if (isSealed()) {
            return;
        }
        ceiling.accumulateAndGet(Math.min(ceilingMillis, endOfTime()) << counterBits, Math::max);
        extensionFailure = "";
        waiters.wake();
    }

    public final void extensionFailed(String reason) {
        extensionFailure = reason;
    }

    public final String extensionFailure() {
        return extensionFailure;
    }

    /**
     * Seals it: calls that wait fail, later calls fail. Returns the last slot taken; every slot that was or will be
     * issued is at or below it.
     */
    public final long seal() {
        long before = word.getAndAccumulate(AT, Long.MIN_VALUE, (last, sign) -> last | sign);
        if (before >= 0) {
            counts.sealed(before - slotBefore);
        }
        waiters.wake();
        return before & Long.MAX_VALUE;
    }

    final boolean await(LongSupplier nanosLeft) throws InterruptedException {
        long startNanos = counts.waits.begin(clock);
        try {
            return waiters.await(nanosLeft, MAX_LEASE_WAIT);
        } finally {
            counts.waits.end(clock, startNanos);
        }
    }

    /** A clock beyond the ceiling has stepped, unless so much has passed by the monotonic clock, too. */
    final long believed(long wall) {
        boolean isGranted = wall < ceilingMillis() || raiseOwnCeilingAbove(Math.min(wall, endOfTime()) << counterBits);
        return isGranted ? wall : Math.min(wall, granted.at(clock.nanos()));
    }

    /** Returns the last slot taken; once sealed, at least that. */
    public final long lastSlot() {
        return word.get(AT) & Long.MAX_VALUE;
    }

    public final boolean isSealed() {
        return word.get(AT) < 0;
    }

    public final long millisOf(long slot) {
        return slot >> counterBits;
    }

    public final long idTimeMillis() {
        return idTime.at(believed(clock.medianMillis() - epochOffset), lastSlot() >> counterBits);
    }

    /** Returns what is wrong with the wall clock, as far as the time of IDs does not follow it; else nothing. */
    public final String clockProblem() {
        long wall = clock.medianMillis() - epochOffset;
        long time = idTime.at(believed(wall), lastSlot() >> counterBits);
        if (wall - time >= CLOCK_PROBLEM_MILLIS) {
            return "this clock is " + (wall - time) + " ms ahead of what is granted; IDs continue by the"
                    + " monotonic clock";
        }
        return time - wall >= CLOCK_PROBLEM_MILLIS
                ? "this clock is " + (time - wall) + " ms behind the IDs that were issued; their time runs at half rate"
                        + " until it has caught up"
                : "";
    }

    /** Returns how much of the granted time is left; 0 if none. */
    public final long remainingMillis() {
        return Math.max((lease.isEndless() ? endOfTime() : ceilingMillis()) - idTimeMillis(), 0);
    }

    /** Returns the millisecond behind the last that is granted. */
    public final long ceilingMillis() {
        return ceiling.get() >> counterBits;
    }

    public final int logicalNodeId() {
        return logicalNodeId;
    }

    final long wallMillis() {
        return cachedClock.read() - epochOffset;
    }

    final long endOfTime() {
        return layout.maxTimestamp() + 1;
    }

    final Instant instant(long idMillis) {
        return Instant.ofEpochMilli(idMillis + epochOffset);
    }

    /** What extends the time that an {@link Attachment} may use. Thread-safe; no method blocks. */
    @FunctionalInterface
    public interface Lease {
        /**
         * A call begins to wait for the ceiling: the cluster is to be asked for an extension soon, and again and again
         * while the grant {@linkplain #lacksTime lacks time}.
         */
        void request();

        /**
         * Returns the ceiling that an attachment without a cluster may use from now on, a little above a millisecond if
         * that may be; else a time that lies before every ceiling. All in ID time.
         */
        default long ownCeilingMillis(long millis) {
            return Long.MIN_VALUE;
        }

        /** Whether the time lasts to the end of the layout, with no cluster to extend it. */
        default boolean isEndless() {
            return false;
        }

        /**
         * The word is about to move by more than reserved slots explain, or the clock is behind the word by more than
         * they explain. To be counted as a step of the clock, if it is one.
         *
         * @param firstMillis what the clock showed
         * @param againMillis what it showed when it was read again
         */
        default void clockWasRead(long firstMillis, long againMillis) {}
    }
}
