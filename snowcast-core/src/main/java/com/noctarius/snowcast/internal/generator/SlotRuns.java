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

    final int length;
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

    /** Keeps the rest of a run whose first slot was issued. */
    void put(int stripe, long first) {
        nextSlots.set(stripe, after(first));
    }

    private long after(long slot) {
        long next = slot + 1;
        return (next & (length - 1)) == 0 ? 0 : next;
    }

    /** Returns where a run that lies above a slot can begin. */
    long firstAbove(long slot) {
        return (slot + length) & -length;
    }
}
