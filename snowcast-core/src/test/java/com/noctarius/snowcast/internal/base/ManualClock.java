// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A wall clock and a monotonic clock that a test drives. Time passes only in {@link #advanceMillis},
 * {@link #advanceNanos} and, if the clock is {@linkplain #autoAdvancing auto-advancing}, in calls that park.
 * {@link #stepWall} moves the wall clock alone. Thread-safe.
 */
public final class ManualClock implements Clock {
    private static final long NANOS_PER_MILLI = MILLISECONDS.toNanos(1);

    private final boolean autoAdvance;
    private final Queue<Runnable> onPark = new ArrayDeque<>();
    private final Set<Thread> parked = new HashSet<>();
    /**
     * The last result of {@link #nanos} in each thread. The next {@link #parkNanos} of the thread begins at that time.
     */
    private final ThreadLocal<Long> lastRead = new ThreadLocal<>();

    private long nanos;
    private long wallOffset;
    private int parkCount;
    private int readCount;
    private int wrongRead;
    private long wrongByMillis;
    private CachedClock cached = new CachedClock(this, Long.MAX_VALUE, task -> {});

    private ManualClock(boolean autoAdvance, long millis) {
        this.autoAdvance = autoAdvance;
        this.wallOffset = millis;
    }

    /**
     * Returns a clock for tests with one thread. A wait for a limited time does not block, but advances the time to the
     * end of the wait.
     */
    public static ManualClock autoAdvancing(long millis) {
        return new ManualClock(true, millis);
    }

    /**
     * Returns a clock whose waits end when the test advances the time at all, steps the wall clock, or unparks or
     * interrupts the thread.
     */
    public static ManualClock blocking(long millis) {
        return new ManualClock(false, millis);
    }

    /**
     * Gives this clock a cached time, for rates of {@code highRate} or more IDs per millisecond; {@link #tick} updates
     * it.
     */
    public ManualClock caching(long highRate) {
        cached = new CachedClock(this, highRate, task -> {});
        return this;
    }

    /** Updates the cached time once, as the ticking thread would. */
    public boolean tick() {
        return cached.tick();
    }

    @Override
    public CachedClock cachedClock() {
        return cached;
    }

    public synchronized int readCount() {
        return readCount;
    }

    @Override
    public synchronized long millis() {
        readCount++;
        return wall() + (readCount == wrongRead ? wrongByMillis : 0);
    }

    private long wall() {
        return wallOffset + NANOSECONDS.toMillis(nanos);
    }

    /**
     * Makes one later read of the wall clock wrong, as can happen on a virtual machine: the first {@code readsBefore}
     * reads are still correct, and the next one is off by {@code byMillis}.
     */
    public synchronized void lieOnce(int readsBefore, long byMillis) {
        wrongRead = readCount + readsBefore + 1;
        wrongByMillis = byMillis;
    }

    public synchronized boolean hasLied() {
        return readCount >= wrongRead;
    }

    @Override
    public synchronized long nanos() {
        lastRead.set(nanos);
        return nanos;
    }

    @Override
    public void parkUntil(long millis) throws InterruptedException {
        long begin;
        long wait;
        synchronized (this) { // No time may pass between the two reads.
            begin = nanos;
            wait = (millis - wall()) * NANOS_PER_MILLI - nanos % NANOS_PER_MILLI;
        }
        park(begin, wait);
    }

    @Override
    public void parkNanos(long nanos) throws InterruptedException {
        Long begin = lastRead.get(); // The thread has computed the wait from this time.
        lastRead.remove();
        park(begin == null ? present() : begin, nanos);
    }

    /** Lets time pass: both clocks advance, and every parked thread wakes up. */
    public void advanceMillis(long millis) {
        advanceNanos(MILLISECONDS.toNanos(millis));
    }

    public synchronized void advanceNanos(long passed) {
        nanos += passed;
        parked.forEach(LockSupport::unpark);
    }

    /** Steps the wall clock, as an operator or a time server may. The monotonic clock does not step. */
    public synchronized void stepWall(long millis) {
        wallOffset += millis;
        parked.forEach(LockSupport::unpark);
    }

    /**
     * Runs {@code action} in the next call that parks, in place of the wait. A second action runs in the second call
     * that parks.
     */
    public synchronized void onNextPark(Runnable action) {
        onPark.add(action);
    }

    public synchronized int parkCount() {
        return parkCount;
    }

    /** Blocks until exactly {@code count} threads are parked. */
    public synchronized void awaitParked(int count) throws InterruptedException {
        while (parked.size() != count) {
            wait();
        }
    }

    private void park(long begin, long parkNanos) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        Runnable action = beginPark();
        if (action != null) {
            action.run();
        } else if (parkNanos == WaitQueue.UNTIL_WOKEN) {
            block(Long.MAX_VALUE);
        } else if (autoAdvance) {
            advanceNanos(Math.max(parkNanos, 0));
        } else {
            block(begin + parkNanos);
        }
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    private synchronized @Nullable Runnable beginPark() {
        parkCount++;
        return onPark.poll();
    }

    private void block(long endNanos) {
        setParked(true);
        if (present() < endNanos) {
            LockSupport.park(this);
        }
        setParked(false);
    }

    private synchronized long present() {
        return nanos;
    }

    private synchronized void setParked(boolean isParked) {
        if (isParked) {
            parked.add(Thread.currentThread());
        } else {
            parked.remove(Thread.currentThread());
        }
        notifyAll();
    }
}
