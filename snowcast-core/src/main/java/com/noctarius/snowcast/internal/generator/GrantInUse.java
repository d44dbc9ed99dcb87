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
 * A grant that this process uses: a leased node ID with its period {@code [floor, ceiling)} of ID time, and the last
 * slot taken in it. The next grant, even of the same node ID, is another object.
 *
 * <p>A <em>slot</em> is {@code (timestamp << counterBits) | counter}, the ID without its node. One atomic {@link #word}
 * decides which slots are taken: it is the last slot taken, with a sign bit that means <em>sealed</em> (ended). Because
 * sealing updates the same word, slots taken before the seal are at or below the value that {@link #seal} returns, and
 * no slot can be taken after the seal.
 *
 * <p>{@link Attachment} makes IDs of the slots; {@link Guard}, whose layout has no counter, takes the times of another
 * generator's IDs as slots. They inherit the fields, because a separate object would cost each ID one more memory
 * access.
 *
 * <p>Times, even those of the wall clock, are milliseconds since the epoch of the IDs (<em>ID time</em>), except where
 * the Javadoc says "since 1970". Thread-safe.
 */
public abstract class GrantInUse {
    /**
     * How long a call waits at most until its lease is renewed or replaced, and while the IDs of a guarded generator
     * are {@link Guard.Verdict#TOO_EARLY}.
     */
    public static final Duration MAX_LEASE_WAIT = Duration.ofSeconds(10);

    /** The index of the word in its array. Processors fetch two cache lines, so two before and after are unused. */
    static final int AT = 16;

    /** If ID time and the wall clock differ by this much or more, statistics report a problem. */
    static final long CLOCK_PROBLEM_MILLIS = 1_000;

    /**
     * The longest pause between the checks of a wait for the ceiling, or for later IDs of a guarded generator. The
     * first pauses are shorter, because a wrong read of the clock may have caused the wait.
     */
    private static final long MAX_PARK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final long MIN_PARK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** The kind and name of the sequencer or node lease, for messages. */
    final String subject;

    final SnowcastLayout layout;
    final int logicalNodeId;
    final long epochOffset;
    final int counterBits;
    final Clock clock;
    final CachedClock cachedClock;
    final IdTime idTime;
    final Renewer renewer;
    final WaitQueue waiters;
    final Counts counts;
    /** The initial value of the word. All slots above it, up to the last one taken, were taken or skipped. */
    final long slotBefore;

    /** The last slot taken; negative when sealed. A read may be stale, so slots are taken only by atomic updates. */
    final AtomicLongArray word = new AtomicLongArray(2 * AT + 1);

    /** The first slot that may not be issued. It only rises, so a stale read is a stricter limit. */
    private final AtomicLong ceilingSlot;

    private volatile Granted granted;

    /** The ID time at which the granted or renewed lease begins, and the monotonic time at which it arrived. */
    private record Granted(long millis, long nanos) {
        long at(long nowNanos) {
            return millis + TimeUnit.NANOSECONDS.toMillis(nowNanos - nanos);
        }
    }

    /** Why renewals fail; empty if none has failed since the last success. */
    private volatile String renewalFailure = "";

    /**
     * Starts to use a grant.
     *
     * @param epochOffset the epoch of the IDs, in milliseconds since 1970
     * @param counts the counts of this grant and of the grants before it
     */
    GrantInUse(
            String subject,
            SnowcastLayout layout,
            long epochOffset,
            Terms terms,
            Clock clock,
            Counts counts,
            Renewer renewer) {
        this.subject = subject;
        this.layout = layout;
        this.logicalNodeId = terms.logicalNodeId;
        this.epochOffset = epochOffset;
        this.counterBits = layout.counterBits();
        this.clock = clock;
        this.cachedClock = clock.cachedClock();
        this.idTime = new IdTime(clock, epochOffset, renewer);
        this.waiters = new WaitQueue(clock);
        this.counts = counts;
        this.renewer = renewer;
        this.granted = new Granted(Long.MAX_VALUE / 2, clock.nanos());
        this.slotBefore = Math.max(terms.lastSlot, Math.max((terms.floor << counterBits) - 1, 0));
        word.set(AT, slotBefore);
        this.ceilingSlot = new AtomicLong(Math.min(terms.ceiling, endOfTime()) << counterBits);
    }

    /**
     * The granted node ID and period.
     *
     * @param floor the first granted millisecond
     * @param ceiling the millisecond after the last granted one
     * @param lastSlot the slots of this grant are above this slot; 0 for no limit
     */
    public record Terms(int logicalNodeId, long floor, long ceiling, long lastSlot) {}

    /**
     * Returns whether a slot lies below the ceiling. For a standalone sequencer, first raises the ceiling above the
     * slot if necessary, and if the clocks allow it.
     */
    final boolean ensureGranted(long slot) {
        return slot < ceilingSlot.get() || tryExtendAbove(slot);
    }

    /** Raises the ceiling of a standalone sequencer above a slot, if the clocks allow it; returns whether it has. */
    private boolean tryExtendAbove(long slot) {
        long own = Math.min(renewer.standaloneCeiling(slot >> counterBits), endOfTime());
        if (own <= slot >> counterBits) {
            return false;
        }
        renew(own);
        grantedFrom(slot >> counterBits);
        return slot < ceilingSlot.get();
    }

    /**
     * Throws if a slot lies beyond the end of the layout's time, and the lease reaches that end. Without the condition
     * on the lease, a wrong clock alone could decide that the time is used up.
     */
    final void requireTimeLeft(long slot) {
        if (slot >> counterBits >= endOfTime()
                && Math.max(ceiling(), renewer.standaloneCeiling(endOfTime())) >= endOfTime()) {
            throw new SnowcastIllegalStateException(subject + ": the time of layout " + layout
                    + " is used up; it lasted to " + instant(layout.maxTimestamp()) + ", and this clock shows "
                    + instant(wall()) + ": take another name, with a later epoch or more bits of time");
        }
    }

    /**
     * Requests a renewal for a slot, and waits until {@code isAbove} returns false or this grant is sealed. Fails after
     * a time, and at once if the layout's time is used up.
     */
    final void awaitCeiling(long slot, BooleanSupplier isAbove, Supplier<String> what) throws InterruptedException {
        requireTimeLeft(slot);
        renewer.request(this);
        long startNanos = clock.nanos();
        long ceilingBefore = ceiling();
        if (!await(() -> isSealed() || !isAbove.getAsBoolean() ? 0 : pauseNanos(startNanos))) {
            throw new SnowcastStateException(subject + ": " + what.get() + "the lease of node ID " + logicalNodeId
                    + " lasts until " + instant(ceiling()) + " (this clock shows " + instant(wall())
                    + ") and was not renewed within " + MAX_LEASE_WAIT + ": " + whyNotRenewed(ceilingBefore));
        }
    }

    private String whyNotRenewed(long ceilingBefore) {
        String failure = renewalFailure;
        if (!failure.isEmpty()) {
            return failure;
        }
        long renewedBy = ceiling() - ceilingBefore;
        return renewedBy == 0
                ? "there was no answer yet"
                : "it was renewed by " + renewedBy + " ms, which is not enough";
    }

    /**
     * Returns whether a renewal is urgent: either a call is in {@link #await}, or the wall clock shows a time beyond
     * the ceiling, for example after the machine was suspended.
     */
    public final boolean lacksTime() {
        return waiters.isInUse() || clock.medianMillis() - epochOffset >= ceiling();
    }

    /** Returns how long to pause before the next check of a condition: as long as the wait so far, within limits. */
    final long pauseNanos(long startNanos) {
        return Math.min(Math.max(clock.nanos() - startNanos, MIN_PARK_NANOS), MAX_PARK_NANOS);
    }

    /** Records the ID time at which the lease begins, to which {@link #plausibleWall} adds monotonic time. */
    public final void grantedFrom(long idMillis) {
        granted = new Granted(idMillis, clock.nanos());
    }

    /** Returns how long ago the lease was granted or renewed, by the monotonic clock. */
    public final long leaseAgeMillis() {
        return TimeUnit.NANOSECONDS.toMillis(clock.nanos() - granted.nanos);
    }

    /** Raises the ceiling of a renewed lease; never lowers it. After the seal, the ceiling does not matter any more. */
    public final void renew(long newCeiling) {
        if (isSealed()) {
            return;
        }
        ceilingSlot.accumulateAndGet(Math.min(newCeiling, endOfTime()) << counterBits, Math::max);
        renewalFailure = "";
        waiters.wake();
    }

    public final void renewalFailed(String reason) {
        renewalFailure = reason;
    }

    public final String renewalFailure() {
        return renewalFailure;
    }

    /** Seals the grant and wakes waiting calls. Returns the last slot taken: no issued slot is or will be above it. */
    public final long seal() {
        long before = word.getAndAccumulate(AT, Long.MIN_VALUE, (last, sign) -> last | sign);
        if (before >= 0) {
            counts.sealed(before - slotBefore);
        }
        waiters.wake();
        return before & Long.MAX_VALUE;
    }

    final boolean await(LongSupplier nanosLeft) throws InterruptedException {
        return waiters.await(nanosLeft, MAX_LEASE_WAIT, counts.waits);
    }

    /**
     * Returns the time of the wall clock to use: the given one. If that is beyond the ceiling, the result is at most
     * the beginning of the lease plus the monotonic time since the grant or renewal arrived. For a standalone
     * sequencer, first raises the ceiling above the given time if necessary, and if the clocks allow it.
     */
    final long plausibleWall(long wall) {
        boolean isGranted = wall < ceiling() || tryExtendAbove(Math.min(wall, endOfTime()) << counterBits);
        return isGranted ? wall : Math.min(wall, granted.at(clock.nanos()));
    }

    /** Returns the last slot taken. After the seal it may be higher, because late calls still increment the word. */
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
        return idTime.at(plausibleWall(clock.medianMillis() - epochOffset), lastSlot() >> counterBits);
    }

    /** Returns how the wall clock differs from the time of IDs, as a message; empty if the difference is small. */
    public final String clockProblem() {
        long wall = clock.medianMillis() - epochOffset;
        long time = idTime.at(plausibleWall(wall), lastSlot() >> counterBits);
        if (wall - time >= CLOCK_PROBLEM_MILLIS) {
            return "this clock is " + (wall - time) + " ms ahead of what is granted; IDs continue by the"
                    + " monotonic clock";
        }
        return time - wall >= CLOCK_PROBLEM_MILLIS
                ? "this clock is " + (time - wall) + " ms behind the IDs that were issued; their time runs at half rate"
                        + " until it has caught up"
                : "";
    }

    /** Returns how much of the lease is left; 0 if nothing is left. */
    public final long remainingMillis() {
        return Math.max((renewer.isEndless() ? endOfTime() : ceiling()) - idTimeMillis(), 0);
    }

    /** Returns the millisecond after the last granted millisecond, in ID time. */
    public final long ceiling() {
        return ceilingSlot.get() >> counterBits;
    }

    public final int logicalNodeId() {
        return logicalNodeId;
    }

    /** Reads the wall clock; returns its time as ID time. */
    final long wall() {
        return cachedClock.read() - epochOffset;
    }

    final long endOfTime() {
        return layout.maxTimestamp() + 1;
    }

    final Instant instant(long idMillis) {
        return Instant.ofEpochMilli(idMillis + epochOffset);
    }

    /** Renews the lease of a grant in use. Thread-safe; no method blocks. */
    @FunctionalInterface
    public interface Renewer {
        /** Requests a renewal of a grant soon, because a call waits for it, or a replacement if the grant is sealed. */
        void request(GrantInUse grant);

        /**
         * Without a cluster or database, returns the ceiling that the clocks allow now, but at most slightly above the
         * given millisecond; both are ID times. With a cluster or database, which alone can renew the lease, returns a
         * time below every ceiling.
         */
        default long standaloneCeiling(long millis) {
            return Long.MIN_VALUE;
        }

        /** Returns whether the lease lasts to the end of the layout's time, and needs no renewal. */
        default boolean isEndless() {
            return false;
        }

        /**
         * Checks whether the wall clock has stepped or was misread, and counts the steps. Called when the wall clock is
         * far ahead of the last slot, or when ID time is ahead of the wall clock.
         *
         * @param firstMillis the first read of the wall clock, in milliseconds since 1970
         * @param againMillis the second read; equal to the first if the clock was read only once
         */
        default void clockWasRead(long firstMillis, long againMillis) {}
    }
}
