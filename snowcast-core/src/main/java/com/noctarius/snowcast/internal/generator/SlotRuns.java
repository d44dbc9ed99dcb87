// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.generator;

import com.noctarius.snowcast.SnowcastLayout;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Short runs of slots that threads have drawn from the word in advance, for relaxed ordering. A thread uses the stripe
 * that its number falls on; threads of one stripe share its run.
 *
 * <p>A stripe holds the next slot of its run, or 0. A run is as long as its alignment, so the slot says where it ends. A
 * slot is issued by a compare-and-set from it to the next one. No slot is ever in two runs, so no value comes back, and a
 * run that is replaced by another thread's is lost but never issued twice.
 */
final class SlotRuns {
    private static final int MAX_LENGTH = 64;
    private static final int RUNS_PER_MILLISECOND = 32;
    private static final int STRIPES_PER_PROCESSOR = 4;

    /** Longs between two stripes: two cache lines, since neighbours are fetched in pairs. */
    private static final int STRIDE = 16;

    /** Behind a stripe's slot, in its cache line: how many slots were skipped when it got its runs. */
    private static final int SKIPPED = 1;

    private final int length;
    private final int stripeMask;
    private final AtomicLongArray nextSlots;

    SlotRuns(SnowcastLayout layout) {
        this.length = Math.max(Math.min(layout.idsPerMillisecond() / RUNS_PER_MILLISECOND, MAX_LENGTH), 1);
        int stripes = Integer.highestOneBit(Runtime.getRuntime().availableProcessors() * STRIPES_PER_PROCESSOR - 1) * 2;
        this.stripeMask = stripes - 1;
        this.nextSlots = new AtomicLongArray((stripes + 1) * STRIDE);
    }

    int stripe() {
        return ((int) Thread.currentThread().getId() & stripeMask) * STRIDE + STRIDE;
    }

    /** Returns the next slot of a stripe without taking it; 0 if there is none. */
    long peek(int stripe) {
        return nextSlots.get(stripe);
    }

    /** Takes the slot that {@link #peek} returned; false if another thread was first. */
    boolean take(int stripe, long slot) {
        return nextSlots.compareAndSet(stripe, slot, after(slot));
    }

    /**
     * Counts out what a run is about to skip: the slots below it, and the rest of itself. As long as it is also in its
     * stripe, that makes up for the rest of the run that it replaces. To be called before it is drawn from the word.
     */
    void announce(int stripe, long below) {
        nextSlots.getAndAdd(stripe + SKIPPED, below + length - 1);
    }

    /** Takes back what was announced: the run could not be drawn. */
    void withdraw(int stripe, long below) {
        nextSlots.getAndAdd(stripe + SKIPPED, -below - length + 1);
    }

    /** Keeps the rest of a run that was announced and whose first slot was issued. */
    void put(int stripe, long first) {
        long replaced = nextSlots.getAndSet(stripe, after(first));
        nextSlots.getAndAdd(stripe + SKIPPED, rest(replaced) - length + 1);
    }

    /**
     * Returns how many slots of those that were taken from the word for runs are not issued at present, at least: the
     * rests of runs, and what was skipped.
     */
    long unissued() {
        long skipped = 0;
        for (int stripe = STRIDE; stripe < nextSlots.length(); stripe += STRIDE) {
            skipped += nextSlots.get(stripe + SKIPPED);
        }
        // After what was skipped: a run that comes in between is whole and makes up for the one it replaces.
        for (int stripe = STRIDE; stripe < nextSlots.length(); stripe += STRIDE) {
            skipped += rest(nextSlots.get(stripe));
        }
        return skipped;
    }

    /** Ends all runs: what is left of them is not issued any more. Returns what {@link #unissued} did; it returns 0 then. */
    long drain() {
        long drained = 0;
        for (int stripe = STRIDE; stripe < nextSlots.length(); stripe += STRIDE) {
            drained += drain(stripe);
        }
        return drained;
    }

    /** As {@link #drain()}, for one stripe. */
    long drain(int stripe) {
        return rest(nextSlots.getAndSet(stripe, 0)) + nextSlots.getAndSet(stripe + SKIPPED, 0);
    }

    private long rest(long slot) {
        return slot == 0 ? 0 : length - (slot & (length - 1));
    }

    private long after(long slot) {
        long next = slot + 1;
        return (next & (length - 1)) == 0 ? 0 : next;
    }

    /** Returns where a run that lies above a slot can begin. */
    long firstAbove(long slot) {
        return (slot + length) & -length;
    }

    int length() {
        return length;
    }
}
