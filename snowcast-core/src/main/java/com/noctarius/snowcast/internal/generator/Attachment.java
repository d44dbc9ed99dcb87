// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.generator;

import com.noctarius.snowcast.Ordering;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastIllegalStateException;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.internal.clock.Clock;
import com.noctarius.snowcast.internal.clock.WaitQueue;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One grant in use: a logical node ID and a stretch {@code [floor, ceiling)} of ID time, of which every slot is issued
 * at most once. Never reused: another grant, also of the same node ID, is another {@code Attachment}.
 *
 * <p>A <em>slot</em> is {@code (timestamp << counterBits) | counter}, the ID without its node. All state that matters
 * is one atomic word, the last slot taken; its sign bit says <em>sealed</em>.
 *
 * <ul>
 *   <li>Slots come only from atomic read-modify-writes of the word (compare-and-set to move an idle word to the
 *       present, fetch-and-add to count on), so each is taken once and their order is total.
 *   <li>A fetch-and-add may hand out a slot whose millisecond has not begun, or that lies at or above the ceiling. The
 *       thread holds such a ticket and waits; it gives up the slot when it fails, and nobody else gets it.
 *   <li>Sealing is a change of the same word. What was taken before it is at or below the value that {@link #seal}
 *       returns; after it nothing can be taken.
 * </ul>
 *
 * <p>Clocks decide when a slot is issued, never whether it is unique. Times are milliseconds since the sequencer's
 * epoch (<em>ID time</em>). Thread-safe.
 *
 * <p>One class of this size, since all of it takes slots from the word, waits for them or ends it: a part of its own would
 * cost each ID a load more, or share the word.
 */
public final class Attachment {
    /** Returned instead of a slot when this attachment is sealed. */
    public static final long SEALED = -1;

    /** Returned by {@link #tryNext} instead of a slot when there is none at once. */
    public static final long EMPTY = -2;

    /** How long a call waits for the granted time to begin or to be extended. */
    public static final Duration MAX_LEASE_WAIT = Duration.ofSeconds(10);

    /** How far tickets may run ahead of ID time, but for what calls that race for the last of them take in excess. */
    static final long MAX_AHEAD_MILLIS = 64;

    /**
     * How far the word of a saturated sequencer may lie behind: its threads slept longer than they wanted, and the slots
     * of the milliseconds that they missed are still to be had.
     */
    static final long MAX_BEHIND_MILLIS = 10;

    /** Returned by {@link #redeem}. */
    private static final long AT_ONCE = 0;

    private static final long WAITED = 1;

    private static final VarHandle WORD;

    static {
        try {
            WORD = MethodHandles.lookup().findVarHandle(Attachment.class, "word", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static final AtomicLongFieldUpdater<Attachment> CEILING =
            AtomicLongFieldUpdater.newUpdater(Attachment.class, "ceiling");

    private final String name;
    private final SnowcastLayout layout;
    private final int logicalNodeId;
    private final long epochOffset;
    private final long floor;
    private final int counterBits;
    private final CounterStarts counterStart;
    private final Clock clock;
    private final IdTime idTime;
    private final Runnable extensionRequest;
    private final WaitQueue waiters;
    private final @Nullable SlotRuns runs;
    private final Counts counts;
    /** The word at the beginning: all slots above it, up to the last one taken, were taken or skipped. */
    private final long slotBefore;

    /** The last slot taken. Volatile reads may be stale: every decision made from one is confirmed by the update. */
    private volatile long word;

    /**
     * The first slot that may not be issued. It only rises, so a stale read is a stricter limit, never a laxer one.
     * Written by replies of the cluster, read by every call.
     */
    private volatile long ceiling;

    /**
     * The millisecond that was reached last by counting on from a full one. Written once per such millisecond; a stale
     * read makes the word move to the present and lose slots, no more.
     */
    private volatile long carriedMillis = Long.MIN_VALUE / 2;

    /** Since when and why extensions fail; empty if they do not. */
    private volatile String extensionFailure = "";

    /**
     * Starts to use a grant.
     *
     * @param floor the first millisecond that was granted
     * @param ceiling the millisecond behind the last that was granted
     * @param lastSlot the last slot of the attachment that this one continues, or 0: all slots will be above it
     * @param randomSalt varies the random counter starts
     * @param extensionRequest called by a thread that begins to wait for the ceiling; must not block
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
            Runnable extensionRequest) {
        this.name = config.name();
        this.layout = config.layout();
        this.logicalNodeId = logicalNodeId;
        this.epochOffset = config.epoch().getEpochOffset();
        this.floor = floor;
        this.counterBits = layout.counterBits();
        this.counterStart = new CounterStarts(config.counterStart(), layout, randomSalt);
        this.clock = clock;
        this.idTime = new IdTime(clock, epochOffset);
        this.waiters = new WaitQueue(clock);
        this.runs = config.ordering() == Ordering.RELAXED ? new SlotRuns(layout) : null;
        this.counts = counts;
        this.extensionRequest = extensionRequest;
        this.slotBefore = Math.max(lastSlot, Math.max((floor << counterBits) - 1, 0));
        this.word = slotBefore;
        this.ceiling = Math.min(ceiling, endOfTime()) << counterBits;
    }

    /** Takes the next slot, if not {@link #SEALED}; waits as {@code SnowcastSequencer.next()} describes. */
    public long next() throws InterruptedException {
        return runs == null ? nextInOrder() : nextOfRun(runs);
    }

    /** At a high rate the word mostly stands within the present millisecond, and nothing else is to be looked at. */
    private long nextInOrder() throws InterruptedException {
        long wall = wallMillis();
        long last = word;
        long expected = last + 1;
        // A grant ends with a millisecond: if one more slot is below the ceiling, so is the rest of this millisecond.
        if (last >> counterBits == wall && expected >> counterBits == wall && expected < ceiling) {
            long slot = (long) WORD.getAndAdd(this, 1L) + 1;
            return slot >> counterBits == wall ? slot : redeemUnlessSealed(slot, wall, false);
        }
        return nextInAnyMillisecond();
    }

    private long nextInAnyMillisecond() throws InterruptedException {
        boolean waited = false;
        while (true) {
            long wall = wallMillis();
            long last = word;
            if (last < 0) {
                return SEALED;
            }
            long base = presentSlot(wall);
            if (base > last && !isBehind(wall)) {
                if (mayMoveTo(base, wall, waited)) {
                    long slot = base + counterStart.at(wall);
                    if (moveWord(last, slot, slot)) {
                        return slot;
                    }
                } else {
                    waited = true;
                }
            } else if (mayCountOn(last, wall, waited)) {
                return redeemUnlessSealed((long) WORD.getAndAdd(this, 1L) + 1, wall, waited);
            } else {
                waited = true;
            }
        }
    }

    private long redeemUnlessSealed(long slot, long wall, boolean waited) throws InterruptedException {
        return slot <= 0 || redeem(slot, slot, wall, waited) == SEALED ? SEALED : slot;
    }

    /**
     * The next slot of the run that this thread has, or the first of a new one. A run is used only as long as the word
     * has not left its millisecond: so no call that returned before has got a slot of a later one.
     */
    private long nextOfRun(SlotRuns ofThreads) throws InterruptedException {
        int stripe = ofThreads.stripe();
        long slot = ofThreads.peek(stripe);
        long last = word;
        long wall = wallMillis();
        if (slot != 0 && slot >> counterBits == wall && last >> counterBits == wall && ofThreads.take(stripe, slot)) {
            return slot;
        }
        long base = presentSlot(wall);
        long first = base > last ? base : ofThreads.firstAbove(last);
        boolean inPresent = first >> counterBits == wall && wall >= floor;
        if (last >= 0 && inPresent && first + ofThreads.length() <= ceiling) {
            ofThreads.announce(stripe, first - last - 1);
            boolean drawn = WORD.compareAndSet(this, last, first + ofThreads.length() - 1);
            if (drawn) {
                ofThreads.put(stripe, first);
            } else {
                ofThreads.withdraw(stripe, first - last - 1);
            }
            if (word < 0) {
                // Whoever sealed it may have looked at this stripe before.
                counts.skip(ofThreads.drain(stripe));
            }
            if (drawn) {
                return first;
            }
        }
        return nextInOrder();
    }

    /**
     * Takes slots in steps of at most a quarter of a millisecond's, so that other callers are served in between, and
     * writes their IDs. Returns the index behind the last one: less than {@code to} if this was sealed meanwhile.
     */
    public int fill(long[] ids, int from, int to) throws InterruptedException {
        int index = from;
        boolean waited = false;
        while (index < to) {
            long wall = wallMillis();
            long last = word;
            if (last < 0) {
                return index;
            }
            long base = presentSlot(wall);
            if (base > last && !isBehind(wall)) {
                if (mayMoveTo(base, wall, waited)) {
                    long first = base + counterStart.at(wall);
                    int count = stepFrom(first, to - index);
                    if (moveWord(last, first, first + count - 1)) {
                        index = write(ids, index, first, count);
                    }
                } else {
                    waited = true;
                }
            } else if (mayCountOn(last, wall, waited)) {
                int count = stepFrom(last + 1, to - index);
                long first = (long) WORD.getAndAdd(this, (long) count) + 1;
                long redeemed = first <= 0 ? SEALED : redeem(first, first + count - 1, wall, waited);
                if (redeemed == SEALED) {
                    return index;
                }
                waited |= redeemed == WAITED;
                index = write(ids, index, first, count);
            } else {
                waited = true;
            }
        }
        return index;
    }

    /**
     * Takes the next slot if its millisecond has begun and it lies below the ceiling; else returns {@link #EMPTY}, or
     * {@link #SEALED}. Never waits.
     */
    public long tryNext() {
        while (true) {
            long wall = wallMillis();
            long last = word;
            if (last < 0) {
                return SEALED;
            }
            long base = presentSlot(wall);
            boolean moves = base > last && !isBehind(wall);
            long slot = moves ? base + counterStart.at(wall) : last + 1;
            long millis = slot >> counterBits;
            if (millis >= endOfTime()) {
                throw usedUp();
            }
            if (slot >= ceiling || (moves ? wall < floor : millis > idTime.at(wall, last >> counterBits))) {
                return EMPTY;
            }
            if (moves ? moveWord(last, slot, slot) : WORD.compareAndSet(this, last, slot)) {
                return slot;
            }
        }
    }

    /** The first slot of the present, below which an idle word has nothing to wait for. */
    private long presentSlot(long wall) {
        return Math.min(Math.max(wall, floor), endOfTime()) << counterBits;
    }

    /** Whether the word is not idle but saturated, and a little late. */
    private boolean isBehind(long wall) {
        return wall - carriedMillis <= MAX_BEHIND_MILLIS;
    }

    /** Whether an idle word may move up to the present; waits, and says no, if not yet. */
    private boolean mayMoveTo(long base, long wall, boolean waited) throws InterruptedException {
        if (base >= ceiling) {
            awaitCeiling(base, waited);
            return false;
        }
        if (wall < floor) {
            awaitFloor(waited);
            return false;
        }
        return true;
    }

    /** Moves an idle word up to the present, to the last of some slots. The wall clock has then caught up with the word. */
    private boolean moveWord(long last, long first, long slot) {
        long skipped = first - last - 1;
        counts.skip(skipped);
        if (!WORD.compareAndSet(this, last, slot)) {
            counts.skip(-skipped);
            return false;
        }
        idTime.wallHasCaughtUp();
        return true;
    }

    /** Whether the word may count on; waits, and says no, if not yet. Failing calls must not run the word away. */
    private boolean mayCountOn(long last, long wall, boolean waited) throws InterruptedException {
        if (last + 1 >= ceiling) {
            awaitCeiling(last + 1, waited);
            return false;
        }
        long lastMillis = last >> counterBits;
        long now = idTime.at(wall, lastMillis);
        if (lastMillis - now > MAX_AHEAD_MILLIS) {
            long startNanos = waitBegins(waited);
            try {
                idTime.parkUntil(now + 1, now, wall);
            } finally {
                counts.waitEnded(clock, startNanos);
            }
            return false;
        }
        return true;
    }

    /**
     * Waits until slots that were taken by counting on may be issued. Returns whether it has waited, {@link #AT_ONCE} or
     * {@link #WAITED}; or {@link #SEALED}.
     */
    private long redeem(long first, long slot, long wall, boolean waited) throws InterruptedException {
        long millis = slot >> counterBits;
        if (millis != (first - 1) >> counterBits) {
            carriedMillis = millis;
        }
        long now = idTime.at(wall, millis);
        if (now >= millis && slot < ceiling) {
            return AT_ONCE;
        }
        // A call that fails loses its slots. Nothing is to be done then, however it fails.
        counts.skip(slot - first + 1);
        if (now < millis) {
            long startNanos = waitBegins(waited);
            try {
                awaitMillis(millis, now, wall);
            } finally {
                counts.waitEnded(clock, startNanos);
            }
        }
        boolean counted = waited || now < millis;
        while (word >= 0 && slot >= ceiling) {
            awaitCeiling(slot, counted);
            counted = true;
        }
        if (word < 0) {
            return SEALED;
        }
        counts.skip(first - slot - 1);
        return WAITED;
    }

    /** Waits until a millisecond begins, or this attachment is found sealed. */
    private void awaitMillis(long millis, long nowBefore, long wallBefore) throws InterruptedException {
        long now = nowBefore;
        long wall = wallBefore;
        while (now < millis) {
            idTime.parkUntil(millis, now, wall);
            if (word < 0) {
                return;
            }
            wall = wallMillis();
            now = idTime.at(wall, millis);
        }
    }

    private long waitBegins(boolean waited) {
        if (!waited) {
            counts.waitBegins();
        }
        return clock.nanos();
    }

    /** How many slots a batch takes at a time: within the millisecond, and at most a quarter of one. */
    private int stepFrom(long first, int wanted) {
        int perMillisecond = layout.idsPerMillisecond();
        int leftInMillisecond = perMillisecond - (int) (first & (perMillisecond - 1));
        return Math.min(wanted, Math.min(leftInMillisecond, Math.max(perMillisecond / 4, 1)));
    }

    private int write(long[] ids, int index, long first, int count) {
        for (int i = 0; i < count; i++) {
            ids[index + i] = idOf(first + i);
        }
        return index + count;
    }

    private void awaitFloor(boolean waited) throws InterruptedException {
        if (!await(() -> isSealed() ? 0 : TimeUnit.MILLISECONDS.toNanos(floor - wallMillis()), waited)) {
            throw new SnowcastStateException("sequencer " + name + ": logical node " + logicalNodeId
                    + " may issue IDs from " + instant(floor) + " on, and this clock shows " + instant(wallMillis()));
        }
    }

    private boolean await(LongSupplier nanosLeft, boolean waited) throws InterruptedException {
        long startNanos = waitBegins(waited);
        try {
            return waiters.await(nanosLeft, MAX_LEASE_WAIT);
        } finally {
            counts.waitEnded(clock, startNanos);
        }
    }

    private SnowcastIllegalStateException usedUp() {
        return new SnowcastIllegalStateException("sequencer " + name + ": the time of layout " + layout
                + " is used up; it lasted to " + instant(layout.maxTimestamp()) + ", and this clock shows "
                + instant(wallMillis()) + ": take another name, with a later epoch or more bits of time");
    }

    private void awaitCeiling(long slot, boolean waited) throws InterruptedException {
        if (slot >> counterBits >= endOfTime()) {
            throw usedUp();
        }
        extensionRequest.run();
        if (!await(() -> isSealed() || slot < ceiling ? 0 : WaitQueue.UNTIL_WOKEN, waited)) {
            throw new SnowcastStateException(
                    "sequencer " + name + ": the lease of logical node " + logicalNodeId + " ended at "
                            + instant(ceilingMillis()) + " and was not extended within " + MAX_LEASE_WAIT + ": "
                            + (extensionFailure.isEmpty() ? "the cluster has not answered yet" : extensionFailure));
        }
    }

    /** Raises the ceiling after the cluster extended the grant; never lowers it. Has no effect once sealed. */
    public void extend(long ceilingMillis) {
        if (isSealed()) {
            return;
        }
        CEILING.accumulateAndGet(this, Math.min(ceilingMillis, endOfTime()) << counterBits, Math::max);
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
        long before = (long) WORD.getAndBitwiseOr(this, Long.MIN_VALUE);
        if (before >= 0) {
            // In this order: what is counted as taken before its skips would be counted as issued.
            counts.skip(runs == null ? 0 : runs.drain());
            counts.sealed(before - slotBefore);
        }
        waiters.wake();
        return before & Long.MAX_VALUE;
    }

    /**
     * Returns how many IDs were issued by this and the attachments of its sequencer before it. Exact when no call is
     * under way; never decreases.
     */
    public long issuedCount() {
        // In this order: see Counts, and SlotRuns.
        long takenBefore = counts.taken;
        long last = word;
        long notOfRuns = runs == null ? 0 : runs.unissued();
        long skipped = counts.skipped;
        if (last < 0) {
            return counts.report(takenBefore - skipped);
        }
        if (runs != null && word < 0) {
            return counts.reported; // Drained meanwhile.
        }
        return counts.report(takenBefore + last - slotBefore - notOfRuns - skipped);
    }

    /** Returns the last slot taken; once sealed, at least that. */
    public long lastSlot() {
        return word & Long.MAX_VALUE;
    }

    public boolean isSealed() {
        return word < 0;
    }

    public long millisOf(long slot) {
        return slot >> counterBits;
    }

    public long idOf(long slot) {
        return layout.compose(slot >> counterBits, logicalNodeId, (int) slot & (layout.idsPerMillisecond() - 1));
    }

    public long idTimeMillis() {
        return idTime.at(wallMillis(), lastSlot() >> counterBits);
    }

    /** Returns how much of the granted time is left; 0 if none. */
    public long remainingMillis() {
        return Math.max(ceilingMillis() - idTimeMillis(), 0);
    }

    /** Returns the millisecond behind the last that is granted. */
    public long ceilingMillis() {
        return ceiling >> counterBits;
    }

    public int logicalNodeId() {
        return logicalNodeId;
    }

    private long wallMillis() {
        return clock.millis() - epochOffset;
    }

    private long endOfTime() {
        return layout.maxTimestamp() + 1;
    }

    private Instant instant(long idMillis) {
        return Instant.ofEpochMilli(idMillis + epochOffset);
    }
}
