// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Remembers which windows of one sequence in one shard a store uses, so that the threads of this process and of other
 * processes use different windows. Also remembers up to where the store has reserved each window, to detect that the
 * database has lost reservations. Thread-safe.
 */
final class WindowMemory {
    /** Used in place of the start of a window if there is no window. */
    static final long NONE = -1;

    /** How long the store keeps using its windows before it begins with the lowest open windows again. */
    private static final long LOOK_AGAIN_NANOS = TimeUnit.MINUTES.toNanos(1);

    /**
     * A window counts as contended if two reservations of this store in the window are less than this time apart, and
     * another process has reserved integers of the window in between.
     */
    private static final long CONTENTION_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** How long threads share the windows in use after a search has found no other window. */
    private static final long SHARE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** The maximum number of windows whose reserved end is remembered. */
    private static final int MAX_GIVEN = 1_000;

    private final ReentrantLock lock = new ReentrantLock();

    // --- guarded by the lock
    private final Deque<Long> free = new ArrayDeque<>();
    private final TreeSet<Long> used = new TreeSet<>();
    private final NavigableMap<Long, Given> given = new TreeMap<>();
    private long bound = NONE;
    private long boundNanos;
    private long sharedUntilNanos = System.nanoTime();
    private long clock;

    /**
     * Up to where a window was reserved, how many blocks were given back to it, and when this was recorded: as a tick
     * of {@link #clock}, and as a time.
     */
    private record Given(long end, long giveBacks, long tick, long nanos) {}

    /**
     * One attempt to reserve.
     *
     * @param window the start of the window to use; {@link #NONE} to search for another window
     * @param from where the search begins
     * @param tick the value of {@link #clock} when the attempt began: reservations that were recorded up to this tick
     *     were committed before the attempt
     */
    record Attempt(long window, long from, long tick) {}

    /** The reserved integers {@code low} to {@code high - 1}, in the window from {@code start} to {@code end - 1}. */
    record Reserved(long start, long end, long low, long high, long giveBacks, String state) {}

    /**
     * Begins an attempt; returns null if {@link #lookFrom} must be called first. An attempt that searches begins at the
     * bound given to that method, or above it.
     */
    @Nullable
    Attempt begin() {
        lock.lock();
        try {
            long now = System.nanoTime();
            if (bound == NONE || now - boundNanos > LOOK_AGAIN_NANOS) {
                return null;
            }
            Long window = free.pollLast();
            if (window == null && now - sharedUntilNanos < 0 && !used.isEmpty()) {
                window = new ArrayList<>(used).get(ThreadLocalRandom.current().nextInt(used.size()));
            }
            long from = used.isEmpty() ? bound : Math.max(bound, used.last() + 1);
            return window == null ? new Attempt(NONE, from, clock) : new Attempt(window, window, clock);
        } finally {
            lock.unlock();
        }
    }

    /** Forgets which windows are in use, and makes the next attempts search from the given bound on. */
    void lookFrom(long newBound) {
        lock.lock();
        try {
            bound = newBound;
            boundNanos = System.nanoTime();
            free.clear();
            used.clear();
        } finally {
            lock.unlock();
        }
    }

    long bound() {
        lock.lock();
        try {
            return Math.max(0, bound);
        } finally {
            lock.unlock();
        }
    }

    /** Notes that no other window was found. For {@link #SHARE_NANOS}, threads share the windows in use. */
    void share() {
        lock.lock();
        try {
            sharedUntilNanos = System.nanoTime() + SHARE_NANOS;
        } finally {
            lock.unlock();
        }
    }

    /** Ends an attempt that got no integers from its window. */
    void drop(Attempt attempt) {
        lock.lock();
        try {
            used.remove(attempt.window());
            free.remove(attempt.window());
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether the database has lost a reservation of this store from before the attempt. */
    boolean isForgotten(Attempt attempt, Reserved reserved) {
        lock.lock();
        try {
            Given known = given.get(reserved.start());
            if (known == null || known.tick() > attempt.tick()) {
                return false;
            }
            return reserved.giveBacks() < known.giveBacks()
                    || (reserved.giveBacks() == known.giveBacks() && reserved.low() < known.end());
        } finally {
            lock.unlock();
        }
    }

    /** Ends an attempt that failed; its window may be used again. */
    void release(Attempt attempt) {
        lock.lock();
        try {
            if (used.contains(attempt.window()) && !free.contains(attempt.window())) {
                free.addLast(attempt.window());
            }
        } finally {
            lock.unlock();
        }
    }

    /** Ends an attempt that has reserved integers. */
    void end(Attempt attempt, Reserved reserved) {
        lock.lock();
        try {
            long now = System.nanoTime();
            long start = reserved.start();
            boolean isUsedUp = reserved.high() == reserved.end();
            if (isUsedUp || (isContended(start, reserved.low(), now) && now - sharedUntilNanos > 0)) {
                free.remove(start);
                if (isUsedUp) {
                    used.remove(start);
                } else {
                    used.add(start);
                }
            } else if (used.add(start) || !free.contains(start)) {
                free.addLast(start);
            }
            remember(start, reserved, now);
        } finally {
            lock.unlock();
        }
    }

    private boolean isContended(long start, long low, long now) {
        Given known = given.get(start);
        return known != null && low > known.end() && now - known.nanos() < CONTENTION_NANOS;
    }

    private void remember(long start, Reserved reserved, long now) {
        Given known = given.get(start);
        // Two threads that share a window may arrive here in any order, so keep the later reservation.
        if (known == null
                || reserved.giveBacks() > known.giveBacks()
                || (reserved.giveBacks() == known.giveBacks() && reserved.high() > known.end())) {
            clock++;
            given.put(start, new Given(reserved.high(), reserved.giveBacks(), clock, now));
            if (given.size() > MAX_GIVEN) {
                given.pollFirstEntry();
            }
        }
    }

    /** Returns the start of the highest remembered window that begins at or below an integer; 0 if there is none. */
    long startOfWindowWith(long integer) {
        lock.lock();
        try {
            Long start = given.floorKey(integer);
            return start == null ? 0 : start;
        } finally {
            lock.unlock();
        }
    }
}
