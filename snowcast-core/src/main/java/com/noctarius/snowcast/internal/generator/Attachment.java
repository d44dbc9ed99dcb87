// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.generator;

import com.noctarius.snowcast.CounterStart;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.internal.base.Clock;
import com.noctarius.snowcast.internal.generator.GrantInUse.Renewer;

/**
 * Generates the IDs of a sequencer under one grant: takes each {@linkplain GrantInUse slot} of the leased node ID at
 * most once, and makes an ID of it.
 *
 * <p>Calls take slots only by atomic updates of the {@link #word}, the last slot taken. A compare-and-set moves the
 * word of an idle sequencer to the present millisecond; a fetch-and-add, or another compare-and-set, takes the next
 * slots. A fetch-and-add may return a slot whose millisecond has not begun, or that lies at or above the ceiling, the
 * end of the lease. The call keeps such a <em>reserved</em> slot until it may issue it. If the call fails, the slot is
 * lost.
 *
 * <p>Clocks decide when a slot is issued, never whether it is unique. Thread-safe, without a lock.
 *
 * <p>Methods pass the millisecond of a slot, the present ID time and the wall clock as three numbers, because an object
 * would have to be allocated for every ID that waits or reads the clock.
 */
public final class Attachment extends GrantInUse {
    /** Returned instead of a slot when this attachment is sealed. */
    public static final long SEALED = -1;

    /** Returned by {@link #tryNext} instead of a slot when none is available at once. */
    public static final long EMPTY = -2;

    /** How far reserved slots may be ahead of ID time. Each concurrent call may exceed this limit by one slot. */
    static final long MAX_AHEAD_MILLIS = 64;

    /**
     * How far the last slot of a saturated sequencer may be behind the present. It falls behind if threads sleep too
     * long. Within this limit, calls still use the slots of the missed milliseconds.
     */
    static final long MAX_BEHIND_MILLIS = 10;

    /** While calls use the cached clock, a call whose slot is a multiple of this number reads the real clock. */
    private static final int SLOTS_PER_READ = 64;

    /**
     * How long calls use the cached clock after a millisecond with a high rate, and how long a busy millisecond affects
     * the counter's start.
     */
    private static final long HIGH_RATE_MILLIS = 2 * MAX_BEHIND_MILLIS;

    private static final long NEVER = Long.MAX_VALUE;

    private final long floor;
    private final CounterStarts counterStart;
    private final ReservedSlots reservedSlots;

    // The next five fields are racy: a call may read an old value, or overwrite a newer one. This changes only how long
    // calls wait and which slots they skip. An ID depends on one of the fields, openMillis, of which any value that
    // was ever set is safe.

    /** The slot to which a call last moved the idle sequencer. */
    private volatile long movedTo;

    /** The last millisecond that a fetch-and-add reached because the millisecond before was full. */
    private volatile long carriedMillis = Long.MIN_VALUE / 2;

    /** While the cached clock shows this time, calls issue slots of {@link #openMillis} without a clock read. */
    private volatile long cachedMillis = NEVER;

    /**
     * A granted millisecond that has begun and whose slots are being taken: the present one, or the one before. Only
     * set after a check that its slots lie below the ceiling: the fast path, which issues them without such a check,
     * relies on it.
     */
    private volatile long openMillis = NEVER;

    /** Until this time, a call that reads the clock may let the next calls use the cached clock. */
    private volatile long highRateUntil = Long.MIN_VALUE;

    /**
     * Starts to use a grant.
     *
     * @param randomSalt varies the random counter starts
     * @param renewer renews the granted time
     */
    public Attachment(
            SequencerConfig config, Terms terms, long randomSalt, Clock clock, Counts counts, Renewer renewer) {
        super(
                "sequencer " + config.name(),
                config.layout(),
                config.epoch().getEpochOffset(),
                terms,
                clock,
                counts,
                renewer);
        this.floor = terms.floor();
        this.counterStart = CounterStarts.of(config.counterStart(), layout, randomSalt);
        this.reservedSlots = new ReservedSlots(clock, idTime, layout.idsPerMillisecond());
        this.movedTo = slotBefore + 1;
    }

    // --- slots: this decides that no ID is issued twice

    /** Takes the next slot, or returns {@link #SEALED}; waits as {@code SnowcastSequencer.next()} describes. */
    public long next() throws InterruptedException {
        // With the cached clock, a check of the slot is enough: the open millisecond has begun, all of its slots are
        // granted, and a sealed word gives a negative slot.
        if (usesCachedClock()) {
            long slot = word.getAndAdd(AT, 1) + 1;
            return isOfOpenMillis(slot) ? slot : redeem(slot, wall());
        }
        return nextInAnyMillisecond();
    }

    private long nextInAnyMillisecond() throws InterruptedException {
        while (true) {
            long wall = wall();
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
                if (admitMoveTo(base, wall) && moveWord(last, slot)) {
                    return slot;
                }
            } else if (admitCounting(last, wall)) {
                return redeem(word.getAndAdd(AT, 1) + 1, wall);
            }
        }
    }

    /**
     * Writes IDs into an array. Repeats two steps: takes one slot as {@link #next()} does; then, if no other call has
     * taken a slot in between, takes up to a quarter of a millisecond's slots at once. Returns the index after the last
     * ID, which is below {@code to} only if this attachment is sealed.
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
            // Take more slots of the same millisecond, which has begun and is granted completely.
            int more = Math.min(to - index, Math.min(counterMask - ((int) slot & counterMask), counterMask / 4));
            if (word.compareAndSet(AT, slot, slot + more)) {
                for (int i = 1; i <= more; i++) {
                    ids[index++] = idOf(slot + i);
                }
            }
        }
        return index;
    }

    /**
     * Takes the next slot if it may be issued now; else returns {@link #EMPTY} or {@link #SEALED}, or throws if the
     * layout's time is used up. Never waits.
     */
    public long tryNext() {
        for (long slot = word.get(AT) + 1; usesCachedClock() && isOfOpenMillis(slot); slot = word.get(AT) + 1) {
            if (word.compareAndSet(AT, slot - 1, slot)) {
                return slot;
            }
        }
        while (true) {
            long wall = wall();
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
            requireTimeLeft(slot);
            if (!ensureGranted(slot) || millis > idTime.at(wall, moves ? millis : last >> counterBits)) {
                return EMPTY;
            }
            if (moves ? moveWord(last, slot) : word.compareAndSet(AT, last, slot)) {
                useCachedClock(wall, millis);
                return slot;
            }
        }
    }

    /** Returns whether a call may move the idle sequencer to the present. If not, waits and returns false. */
    private boolean admitMoveTo(long base, long wall) throws InterruptedException {
        if (!ensureGranted(base)) {
            awaitCeiling(base, () -> !ensureGranted(presentSlot(plausibleWall(wall()))), () -> "");
            return false;
        }
        // Do not wait for a floor that is far ahead of the clock: ID time is then the floor itself, and runs at half
        // speed, as after the clock was set back.
        long now = idTime.at(wall, base >> counterBits);
        if (now < floor) {
            awaitMillis(floor, now, wall);
            return false;
        }
        return true;
    }

    /** Moves the idle sequencer to a slot of the present; returns false if another call was faster. */
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

    /**
     * Returns whether a call may take the next slot. If it may not yet, waits and returns false. Without this check,
     * calls that fail would use up slots far ahead.
     */
    private boolean admitCounting(long last, long wall) throws InterruptedException {
        if (!ensureGranted(last + 1)) {
            awaitCeiling(last + 1, () -> !ensureGranted(last + 1), () -> "");
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

    /** Waits until a reserved slot may be issued; returns it, or {@link #SEALED}. */
    private long redeem(long slot, long wall) throws InterruptedException {
        if (slot <= 0) {
            return SEALED;
        }
        long millis = slot >> counterBits;
        if (millis != (slot - 1) >> counterBits) {
            carriedMillis = millis;
            noteRate(millis, slot - 1);
            cachedMillis = NEVER; // The next calls read the clock, so that failing calls do not use up slots far ahead.
        }
        long now = idTime.at(wall, millis);
        long turn = reservedSlots.turnOf(slot, millis, now);
        if (now >= turn && ensureGranted(slot)) {
            useCachedClock(wall, millis);
            return slot;
        }
        // Count the slot as skipped now, because it is lost if this call fails.
        counts.skip(1);
        if (now < turn) {
            awaitMillis(turn, now, wall);
        }
        while (word.get(AT) >= 0 && !ensureGranted(slot)) {
            awaitCeiling(slot, () -> !ensureGranted(slot), () -> "");
        }
        if (word.get(AT) < 0) {
            return SEALED;
        }
        counts.skip(-1);
        return slot;
    }

    private boolean usesCachedClock() {
        return cachedClock.millis() - epochOffset == cachedMillis;
    }

    /** Returns whether a slot may be issued without a clock read; false for some, so that calls read the clock. */
    private boolean isOfOpenMillis(long slot) {
        return slot >> counterBits == openMillis && (slot & (SLOTS_PER_READ - 1)) != 0;
    }

    /**
     * At a high rate, lets the next calls issue slots of a granted millisecond by the cached clock. Does not do this in
     * a crowd, in which each call must check whether its slot ends a turn: see {@link ReservedSlots}.
     */
    private void useCachedClock(long wall, long millis) {
        if (wall < highRateUntil
                && !reservedSlots.isCrowded()
                && wall - millis <= 1
                && (cachedMillis != wall || openMillis != millis)) {
            openMillis = millis;
            cachedMillis = wall;
        }
    }

    // --- pace: this decides when calls continue and which slots they skip, never whether an ID is unique

    /** Returns whether the given time would skip so many slots that the clock must be read a second time. */
    private boolean isFarAhead(long wall, long last) {
        return wall - (last >> counterBits) > MAX_AHEAD_MILLIS;
    }

    /** Reads the clock a second time, so that a wrong read skips no slots; returns the ID time of the lower read. */
    private long readAgain(long wall) {
        long again = wall();
        renewer.clockWasRead(wall + epochOffset, again + epochOffset);
        return plausibleWall(Math.min(wall, again));
    }

    /** Returns the first slot of the present millisecond, but not before the floor or after the layout's time. */
    private long presentSlot(long wall) {
        return Math.min(Math.max(wall, floor), endOfTime()) << counterBits;
    }

    /**
     * Returns whether the sequencer is saturated and slightly late, not idle: a millisecond was full within the last
     * {@link #MAX_BEHIND_MILLIS}. At a high rate of IDs, this limit is one millisecond.
     */
    private boolean isBehind(long wall) {
        return wall - carriedMillis <= (wall < highRateUntil ? 1 : MAX_BEHIND_MILLIS);
    }

    /** Returns the counter at which the idle sequencer starts in a millisecond. */
    private long startOf(long millis, long last) {
        boolean isRecent = millis - (last >> counterBits) <= HIGH_RATE_MILLIS;
        return counterStart.at(millis, isRecent ? countUpTo(last) : 0);
    }

    /** Returns how many slots of the given slot's millisecond were taken, up to and including that slot. */
    private long countUpTo(long last) {
        return last + 1 - Math.max(movedTo, last >> counterBits << counterBits);
    }

    /** Enables the use of the cached clock if the millisecond of the last slot had a high rate of IDs. */
    private void noteRate(long millis, long last) {
        long before = last >> counterBits;
        if (millis - before <= HIGH_RATE_MILLIS && cachedClock.startIfWorth(countUpTo(last))) {
            highRateUntil = millis + HIGH_RATE_MILLIS;
        }
    }

    /** Waits until a millisecond begins or this attachment is sealed. */
    private void awaitMillis(long millis, long nowBefore, long wallBefore) throws InterruptedException {
        long startNanos = counts.waits.begin(clock);
        try {
            for (long now = nowBefore, wall = wallBefore; now < millis && !isSealed(); now = idTime.at(wall, millis)) {
                reservedSlots.parkUntil(millis, now, wall);
                wall = plausibleWall(wall());
            }
        } finally {
            counts.waits.end(clock, startNanos);
        }
    }

    // --- IDs

    /** Returns how many IDs this attachment and its predecessors have issued: see {@link Counts}. */
    public long issuedCount() {
        // Read taken first: after a seal between these reads, this attachment's slots count not at all, instead of
        // twice.
        // Read skipped last: it then includes the skipped ones of the slots that the word shows as taken. A result that
        // is too low does no harm, because report() returns the highest result so far.
        long takenBefore = counts.taken.get();
        long last = word.get(AT);
        long skipped = counts.skipped.get();
        if (last < 0) {
            return counts.report(takenBefore - skipped);
        }
        return counts.report(takenBefore + last - slotBefore - skipped);
    }

    public long idOf(long slot) {
        return layout.compose(slot >> counterBits, logicalNodeId, (int) slot & (layout.idsPerMillisecond() - 1));
    }

    /**
     * Computes the counter at which an idle sequencer starts in a millisecond: 0, or a hash of the millisecond. Shortly
     * after a busy millisecond, the hash is in the lower half of the range, so that at least half of it is left.
     */
    record CounterStarts(long mask, long salt) {
        /** A millisecond is busy if it had more than one ID and used more than 1/{@value} of the counter's range. */
        static final int BUSY_PART = 64;

        static CounterStarts of(CounterStart counterStart, SnowcastLayout layout, long salt) {
            boolean isRandom = counterStart == CounterStart.RANDOM;
            return new CounterStarts(isRandom ? layout.idsPerMillisecond() - 1 : 0, salt);
        }

        /**
         * Returns the counter; the hash is the finalizer of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
         *
         * @param recentCount how many IDs a millisecond shortly before had; 0 if there was none
         */
        long at(long millis, long recentCount) {
            if (mask == 0) {
                return 0;
            }
            boolean isBusy = recentCount > Math.max((mask + 1) / BUSY_PART, 1);
            long z = millis + salt;
            z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
            z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
            return (z ^ (z >>> 31)) & (isBusy ? mask >> 1 : mask);
        }
    }
}
