// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.generator;

import com.noctarius.snowcast.SequencerConfig;
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

/**
 * One grant in use: a node ID and a stretch {@code [floor, ceiling)} of ID time, of which every slot is issued
 * at most once. Never reused: another grant, also of the same node ID, is another {@code Attachment}.
 *
 * <p>A <em>slot</em> is {@code (timestamp << counterBits) | counter}, the ID without its node. All state that matters
 * is one atomic word, the last slot taken; its sign bit says <em>sealed</em>.
 *
 * <ul>
 *   <li>Slots come only from atomic read-modify-writes of the word (compare-and-set to move an idle word to the
 *       present, fetch-and-add to count on), so each is taken once and their order is total.
 *   <li>A fetch-and-add may hand out a slot whose millisecond has not begun, or that lies at or above the ceiling. The
 *       thread keeps such a reserved slot and waits; it gives up the slot when it fails, and no other call gets it.
 *   <li>Sealing is a change of the same word. What was taken before it is at or below the value that {@link #seal}
 *       returns; after it nothing can be taken.
 * </ul>
 *
 * <p>Clocks decide when a slot is issued, never whether it is unique. Times are milliseconds since the sequencer's
 * epoch (<em>ID time</em>). Thread-safe.
 *
 * <p>The millisecond of a slot, the present ID time and the wall clock travel as three numbers and not as one value: an
 * object for each call would be allocated on the way of every ID that waits or reads the clock.
 *
 * <p>One class of this size: a part of its own would cost each ID a load more, or share the word.
 */
public final class Attachment {
    /** Returned instead of a slot when this attachment is sealed. */
    public static final long SEALED = -1;

    /** Returned by {@link #tryNext} instead of a slot when there is none at once. */
    public static final long EMPTY = -2;

    /** How long a call waits for the granted time to begin or to be extended. */
    public static final Duration MAX_LEASE_WAIT = Duration.ofSeconds(10);

    /**
     * How far reserved slots may run ahead of ID time, but for what calls that race for the last of them take in
     * excess.
     */
    static final long MAX_AHEAD_MILLIS = 64;

    /**
     * How far the word of a saturated sequencer may lie behind: its threads slept longer than they wanted, and the slots
     * of the milliseconds that they missed are still to be had.
     */
    static final long MAX_BEHIND_MILLIS = 10;

    /** Of so many slots taken by the cached clock, one call reads the clock. */
    private static final int SLOTS_PER_READ = 64;

    /** For so long after a millisecond with a high rate the calls go by the cached clock. */
    private static final long HIGH_RATE_MILLIS = 2 * MAX_BEHIND_MILLIS;

    private static final long NEVER = Long.MAX_VALUE;

    /** How far the time of IDs is from the wall clock where a user is told so. */
    private static final long CLOCK_PROBLEM_MILLIS = 1_000;

    /** A wait that a wrong read of the clock may have begun looks again this often, and more often at its beginning. */
    private static final long MAX_PARK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final long MIN_PARK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** Where the word stands in its array: with two cache lines on either side, since neighbours are fetched in pairs. */
    private static final int AT = 16;

    private final String name;
    private final SnowcastLayout layout;
    private final int logicalNodeId;
    private final long epochOffset;
    private final long floor;
    private final int counterBits;
    private final CounterStarts counterStart;
    private final Clock clock;
    private final CachedClock cachedClock;
    private final IdTime idTime;
    private final Lease lease;
    private final WaitQueue waiters;
    private final ReservedSlots reservedSlots;
    private final Counts counts;
    /** The word at the beginning: all slots above it, up to the last one taken, were taken or skipped. */
    private final long slotBefore;

    /**
     * The slot to which an idle word was moved last. A stale read makes a millisecond look busier than it was, and the next
     * one start in the lower half of the counter; no more.
     */
    private volatile long movedTo;

    /** The last slot taken. Volatile reads may be stale: every decision made from one is confirmed by the update. */
    private final AtomicLongArray word = new AtomicLongArray(2 * AT + 1);

    /**
     * The first slot that may not be issued. It only rises, so a stale read is a stricter limit, never a laxer one.
     * Written by replies of the cluster, read by every call.
     */
    private final AtomicLong ceiling;

    /**
     * The millisecond that was reached last by counting on from a full one. Written once per such millisecond; a stale
     * read makes the word move to the present and lose slots, no more.
     */
    private volatile long carriedMillis = Long.MIN_VALUE / 2;

    /** The present millisecond while calls go by the cached clock, to slots of {@link #cachedSlotMillis}. */
    private volatile long cachedMillis = NEVER;

    /** A millisecond that has begun, that the word has reached and that is granted: the present, or one behind it. */
    private volatile long cachedSlotMillis = NEVER;

    /**
     * Until when a call that finds the word at the present begins to use the cached clock. These three are racy; see
     * concurrency.md.
     */
    private volatile long highRateUntil = Long.MIN_VALUE;

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
     * @param floor the first millisecond that was granted
     * @param ceiling the millisecond behind the last that was granted
     * @param lastSlot the last slot of the attachment that this one continues, or 0: all slots will be above it
     * @param randomSalt varies the random counter starts
     * @param lease extends the granted time
     */
    public Attachment(
            SequencerConfig config,
            int logicalNodeId,
            long floor,
            long ceiling,
            long lastSlot,
            long randomSalt,
            Clock clock,
            Counts counts,
            Lease lease) {
        this.name = config.name();
        this.layout = config.layout();
        this.logicalNodeId = logicalNodeId;
        this.epochOffset = config.epoch().getEpochOffset();
        this.floor = floor;
        this.counterBits = layout.counterBits();
        this.counterStart = CounterStarts.of(config.counterStart(), layout, randomSalt);
        this.clock = clock;
        this.cachedClock = clock.cachedClock();
        this.idTime = new IdTime(clock, epochOffset, lease);
        this.waiters = new WaitQueue(clock);
        this.reservedSlots = new ReservedSlots(clock, idTime, layout.idsPerMillisecond());
        this.counts = counts;
        this.lease = lease;
        this.granted = new Granted(Long.MAX_VALUE / 2, clock.nanos());
        this.slotBefore = Math.max(lastSlot, Math.max((floor << counterBits) - 1, 0));
        this.movedTo = slotBefore + 1;
        word.set(AT, slotBefore);
        this.ceiling = new AtomicLong(Math.min(ceiling, endOfTime()) << counterBits);
    }

    /** Takes the next slot, if not {@link #SEALED}; waits as {@code SnowcastSequencer.next()} describes. */
    public long next() throws InterruptedException {
        // With the cached clock nothing is to be looked at but the slot, neither the word before nor the clock.
        if (usesCachedClock()) {
            long slot = word.getAndAdd(AT, 1) + 1;
            return isOfCachedMillis(slot) ? slot : redeem(slot, wallMillis());
        }
        return nextInAnyMillisecond();
    }

    private long nextInAnyMillisecond() throws InterruptedException {
        while (true) {
            long wall = wallMillis();
            long last = word.get(AT);
            if (last < 0) {
                return SEALED;
            }
            if (isFarAhead(wall, last)) {
                wall = readAgain(wall);
            }
            long base = presentSlot(wall);
            if (base > last && !isBehind(wall)) {
                long slot = base + startOf(wall, last);
                if (mayMoveTo(base, wall) && moveWord(last, slot)) {
                    return slot;
                }
            } else if (mayCountOn(last, wall)) {
                return redeem(word.getAndAdd(AT, 1) + 1, wall);
            }
        }
    }

    /**
     * Takes slots and writes their IDs, one slot as {@link #next()} and then, if no other call came in between, up to a
     * quarter of a millisecond's at once. Returns the index behind the last one: below {@code to} if this was sealed.
     */
    public int fill(long[] ids, int from, int to) throws InterruptedException {
        int counterMask = layout.idsPerMillisecond() - 1;
        int index = from;
        while (index < to) {
            long slot = next();
            if (slot == SEALED) {
                return index;
            }
            ids[index++] = idOf(slot);
            // Of the same millisecond: it has begun, and all of it is granted.
            int more = Math.min(to - index, Math.min(counterMask - ((int) slot & counterMask), counterMask / 4));
            if (word.compareAndSet(AT, slot, slot + more)) {
                for (int i = 1; i <= more; i++) {
                    ids[index++] = idOf(slot + i);
                }
            }
        }
        return index;
    }

    /** Takes the next slot if it may be issued now; else returns {@link #EMPTY} or {@link #SEALED}. Never waits. */
    public long tryNext() {
        for (long slot = word.get(AT) + 1; usesCachedClock() && isOfCachedMillis(slot); slot = word.get(AT) + 1) {
            if (word.compareAndSet(AT, slot - 1, slot)) {
                return slot;
            }
        }
        while (true) {
            long wall = wallMillis();
            long last = word.get(AT);
            if (last < 0) {
                return SEALED;
            }
            if (isFarAhead(wall, last)) {
                wall = readAgain(wall);
            }
            long base = presentSlot(wall);
            boolean moves = base > last && !isBehind(wall);
            long slot = moves ? base + startOf(wall, last) : last + 1;
            long millis = slot >> counterBits;
            if (isAtEndOfTime(slot)) {
                throw usedUp(wall);
            }
            if (isAboveCeiling(slot) || millis > idTime.at(wall, moves ? millis : last >> counterBits)) {
                return EMPTY;
            }
            if (moves ? moveWord(last, slot) : word.compareAndSet(AT, last, slot)) {
                useCachedClock(wall, millis);
                return slot;
            }
        }
    }

    /** Whether a read of the clock would move the word by more than reserved slots run ahead. */
    private boolean isFarAhead(long wall, long last) {
        return wall - (last >> counterBits) > MAX_AHEAD_MILLIS;
    }

    /**
     * Reads the clock a second time, so that a single wrong read moves the word nowhere. Returns the lower read; or what has
     * passed since the lease was granted, if the clock shows a time that is not granted.
     */
    private long readAgain(long wall) {
        long again = wallMillis();
        lease.clockWasRead(wall + epochOffset, again + epochOffset);
        return believed(Math.min(wall, again));
    }

    /** A clock beyond the ceiling has stepped, unless so much has passed by the monotonic clock, too. */
    private long believed(long wall) {
        boolean isGranted = wall < ceilingMillis() || !isAboveOwnCeiling(Math.min(wall, endOfTime()) << counterBits);
        return isGranted ? wall : Math.min(wall, granted.at(clock.nanos()));
    }

    /** The first slot of the present, below which an idle word has nothing to wait for. */
    private long presentSlot(long wall) {
        return Math.min(Math.max(wall, floor), endOfTime()) << counterBits;
    }

    /**
     * Whether the word is not idle but saturated, and a little late; with the cached clock that counts for the next
     * millisecond.
     */
    private boolean isBehind(long wall) {
        return wall - carriedMillis <= (wall < highRateUntil ? 1 : MAX_BEHIND_MILLIS);
    }

    /** Whether an idle word may move up to the present; waits, and says no, if not yet. */
    private boolean mayMoveTo(long base, long wall) throws InterruptedException {
        if (isAboveCeiling(base)) {
            awaitCeiling(base, wall, () -> isAboveCeiling(presentSlot(wallMillis())));
            return false;
        }
        // A floor far ahead is not waited for: IDs begin there, and their time runs at half rate, as after a step back.
        long now = idTime.at(wall, base >> counterBits);
        if (now < floor) {
            awaitMillis(floor, now, wall);
            return false;
        }
        return true;
    }

    /** Moves an idle word up to a slot of the present. The wall clock has then caught up with the word. */
    private boolean moveWord(long last, long slot) {
        long skipped = slot - last - 1;
        counts.skip(skipped);
        if (!word.compareAndSet(AT, last, slot)) {
            counts.skip(-skipped);
            return false;
        }
        idTime.wallHasCaughtUp();
        noteRate(slot >> counterBits, last);
        movedTo = slot;
        return true;
    }

    /** The counter at which an idle word starts, given its last slot. */
    private long startOf(long millis, long last) {
        boolean isRecent = millis - (last >> counterBits) <= HIGH_RATE_MILLIS;
        return counterStart.at(millis, isRecent ? countUpTo(last) : 0);
    }

    /** How many slots of the word's millisecond were taken when its last one was. */
    private long countUpTo(long last) {
        return last + 1 - Math.max(movedTo, last >> counterBits << counterBits);
    }

    /** Notes a high rate, if the last slot's millisecond had one when the word goes on to another. */
    private void noteRate(long millis, long last) {
        long before = last >> counterBits;
        if (millis - before <= HIGH_RATE_MILLIS && cachedClock.isWorth(countUpTo(last))) {
            highRateUntil = millis + HIGH_RATE_MILLIS;
        }
    }

    /**
     * At a high rate, lets calls go by the cached clock, to slots of a millisecond that is granted and was reached; not
     * while so many calls wait that each has to look whether its turn is over.
     */
    private void useCachedClock(long wall, long millis) {
        if (wall < highRateUntil
                && !reservedSlots.isCrowded()
                && wall - millis <= 1
                && (cachedMillis != wall || cachedSlotMillis != millis)) {
            cachedSlotMillis = millis;
            cachedMillis = wall;
        }
    }

    private boolean usesCachedClock() {
        return cachedClock.millis() - epochOffset == cachedMillis;
    }

    /** Whether a slot may be issued by the cached clock; of some it says no, and their calls read the clock. */
    private boolean isOfCachedMillis(long slot) {
        return slot >> counterBits == cachedSlotMillis && (slot & (SLOTS_PER_READ - 1)) != 0;
    }

    /** Whether the word may count on; waits, and says no, if not yet. Failing calls must not run the word away. */
    private boolean mayCountOn(long last, long wall) throws InterruptedException {
        if (isAboveCeiling(last + 1)) {
            awaitCeiling(last + 1, wall, () -> isAboveCeiling(last + 1));
            return false;
        }
        long lastMillis = last >> counterBits;
        long now = idTime.at(wall, lastMillis);
        if (lastMillis - now > MAX_AHEAD_MILLIS) {
            awaitMillis(now + 1, now, wall);
            return false;
        }
        return true;
    }

    /** Waits until a slot that was taken by counting on may be issued; returns it, or {@link #SEALED}. */
    private long redeem(long slot, long wall) throws InterruptedException {
        if (slot <= 0) {
            return SEALED;
        }
        long millis = slot >> counterBits;
        if (millis != (slot - 1) >> counterBits) {
            carriedMillis = millis;
            noteRate(millis, slot - 1);
            cachedMillis = NEVER; // Calls that fail must not run the word away.
        }
        long now = idTime.at(wall, millis);
        long turn = reservedSlots.turnOf(slot, millis, now);
        if (now >= turn && !isAboveCeiling(slot)) {
            useCachedClock(wall, millis);
            return slot;
        }
        // A call that fails loses its slot. Nothing is to be done then, however it fails.
        counts.skip(1);
        if (now < turn) {
            awaitMillis(turn, now, wall);
        }
        while (word.get(AT) >= 0 && isAboveCeiling(slot)) {
            awaitCeiling(slot, wall, () -> isAboveCeiling(slot));
        }
        if (word.get(AT) < 0) {
            return SEALED;
        }
        counts.skip(-1);
        return slot;
    }

    /** Waits until a millisecond begins, or this attachment is found sealed. */
    private void awaitMillis(long millis, long nowBefore, long wallBefore) throws InterruptedException {
        long startNanos = counts.waitBegins(clock);
        try {
            for (long now = nowBefore, wall = wallBefore; now < millis && !isSealed(); now = idTime.at(wall, millis)) {
                reservedSlots.parkUntil(millis, now, wall);
                wall = wallMillis();
            }
        } finally {
            counts.waitEnded(clock, startNanos);
        }
    }

    private boolean await(LongSupplier nanosLeft) throws InterruptedException {
        long startNanos = counts.waitBegins(clock);
        try {
            return waiters.await(nanosLeft, MAX_LEASE_WAIT);
        } finally {
            counts.waitEnded(clock, startNanos);
        }
    }

    /** Whether a slot may not be issued yet. Where no cluster has to be asked, the ceiling rises here. */
    private boolean isAboveCeiling(long slot) {
        return slot >= ceiling.get() && isAboveOwnCeiling(slot);
    }

    private boolean isAboveOwnCeiling(long slot) {
        long own = Math.min(lease.ownCeilingMillis(slot >> counterBits), endOfTime());
        if (own <= slot >> counterBits) {
            return true;
        }
        extend(own);
        return slot >= ceiling.get();
    }

    /** Whether a slot lies beyond the layout's time, and that time was granted to its end: no clock alone decides it. */
    private boolean isAtEndOfTime(long slot) {
        return slot >> counterBits >= endOfTime()
                && Math.max(ceilingMillis(), lease.ownCeilingMillis(endOfTime())) >= endOfTime();
    }

    private SnowcastIllegalStateException usedUp(long wall) {
        return new SnowcastIllegalStateException("sequencer " + name + ": the time of layout " + layout
                + " is used up; it lasted to " + instant(layout.maxTimestamp()) + ", and this clock shows "
                + instant(wall) + ": take another name, with a later epoch or more bits of time");
    }

    /** Waits until the ceiling lies above a slot, or above the slot that the clock shows by then. */
    private void awaitCeiling(long slot, long wall, BooleanSupplier isAbove) throws InterruptedException {
        if (isAtEndOfTime(slot)) {
            throw usedUp(wall);
        }
        lease.request();
        long startNanos = clock.nanos();
        if (!await(() -> isSealed() || !isAbove.getAsBoolean() ? 0 : pauseNanos(startNanos))) {
            throw new SnowcastStateException("sequencer " + name + ": the lease of node ID " + logicalNodeId
                    + " lasts until " + instant(ceilingMillis()) + " (this clock shows " + instant(wallMillis())
                    + ") and was not extended within " + MAX_LEASE_WAIT + ": "
                    + (extensionFailure.isEmpty() ? "the cluster has not answered yet" : extensionFailure));
        }
    }

    /** As long as the wait has lasted: soon after a wrong read, and seldom while the cluster is away. */
    private long pauseNanos(long startNanos) {
        return Math.min(Math.max(clock.nanos() - startNanos, MIN_PARK_NANOS), MAX_PARK_NANOS);
    }

    /**
     * Notes from when on the lease counts: from then on IDs go by the monotonic clock, should the wall clock show a time
     * beyond the ceiling.
     */
    public void grantedFrom(long idMillis) {
        granted = new Granted(idMillis, clock.nanos());
    }

    /** Returns how long ago the lease was granted or extended, by the monotonic clock. */
    public long leaseAgeMillis() {
        return TimeUnit.NANOSECONDS.toMillis(clock.nanos() - granted.nanos);
    }

    /** Raises the ceiling after the cluster extended the grant; never lowers it. Has no effect once sealed. */
    public void extend(long ceilingMillis) {
        if (isSealed()) {
            return;
        }
        ceiling.accumulateAndGet(Math.min(ceilingMillis, endOfTime()) << counterBits, Math::max);
        extensionFailure = "";
        waiters.wake();
    }

    public void extensionFailed(String reason) {
        extensionFailure = reason;
    }

    public String extensionFailure() {
        return extensionFailure;
    }

    /**
     * Seals this attachment: calls that wait fail, later calls fail. Returns the last slot taken; every slot that was or
     * will be issued is at or below it.
     */
    public long seal() {
        long before = word.getAndAccumulate(AT, Long.MIN_VALUE, (last, sign) -> last | sign);
        if (before >= 0) {
            counts.sealed(before - slotBefore);
        }
        waiters.wake();
        return before & Long.MAX_VALUE;
    }

    /** Returns how many IDs this and its predecessors issued: exact if no call is under way; never decreases. */
    public long issuedCount() {
        // In this order: see Counts.
        long takenBefore = counts.taken.get();
        long last = word.get(AT);
        long skipped = counts.skipped.get();
        if (last < 0) {
            return counts.report(takenBefore - skipped);
        }
        return counts.report(takenBefore + last - slotBefore - skipped);
    }

    /** Returns the last slot taken; once sealed, at least that. */
    public long lastSlot() {
        return word.get(AT) & Long.MAX_VALUE;
    }

    public boolean isSealed() {
        return word.get(AT) < 0;
    }

    public long millisOf(long slot) {
        return slot >> counterBits;
    }

    public long idOf(long slot) {
        return layout.compose(slot >> counterBits, logicalNodeId, (int) slot & (layout.idsPerMillisecond() - 1));
    }

    public long idTimeMillis() {
        return idTime.at(believed(clock.medianMillis() - epochOffset), lastSlot() >> counterBits);
    }

    /** Returns what is wrong with the wall clock, as far as the time of IDs does not follow it; else nothing. */
    public String clockProblem() {
        long wall = clock.medianMillis() - epochOffset;
        long time = idTime.at(believed(wall), lastSlot() >> counterBits);
        if (wall - time >= CLOCK_PROBLEM_MILLIS) {
            return "this clock is " + (wall - time) + " ms ahead of what the cluster has granted; IDs continue by the"
                    + " monotonic clock";
        }
        return time - wall >= CLOCK_PROBLEM_MILLIS
                ? "this clock is " + (time - wall) + " ms behind the IDs that were issued; their time runs at half rate"
                        + " until it has caught up"
                : "";
    }

    /** Returns how much of the granted time is left; 0 if none. */
    public long remainingMillis() {
        return Math.max((lease.isEndless() ? endOfTime() : ceilingMillis()) - idTimeMillis(), 0);
    }

    /** Returns the millisecond behind the last that is granted. */
    public long ceilingMillis() {
        return ceiling.get() >> counterBits;
    }

    public int logicalNodeId() {
        return logicalNodeId;
    }

    private long wallMillis() {
        return cachedClock.read() - epochOffset;
    }

    private long endOfTime() {
        return layout.maxTimestamp() + 1;
    }

    private Instant instant(long idMillis) {
        return Instant.ofEpochMilli(idMillis + epochOffset);
    }
}
