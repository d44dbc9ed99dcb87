// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.integers;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Short runs of positions that threads have taken from a block in advance, for relaxed ordering. A thread uses the
 * stripe that its number falls on; threads of one stripe share its run. Nothing is lost: what one stripe has left is
 * for all when there is nothing else.
 *
 * <p>Thread-safe, without a lock.
 */
final class PositionRuns {
    /** Returned instead of an integer: there is none. */
    static final long NONE = -1;

    private static final int MAX_LENGTH = 64;
    private static final int STRIPES_PER_PROCESSOR = 4;
    /** A block is not to be spread over the stripes before it is used. */
    private static final int MIN_RUNS_PER_STRIPE = 4;

    /** References between two stripes: two cache lines, since neighbours are fetched in pairs. */
    private static final int STRIDE = 32;

    private final int stripes =
            Integer.highestOneBit(Runtime.getRuntime().availableProcessors() * STRIPES_PER_PROCESSOR - 1) * 2;
    private final AtomicReferenceArray<Run> runs = new AtomicReferenceArray<>((stripes + 1) * STRIDE);
    /** Runs that were taken for a stripe which another thread had given one meanwhile. */
    private final Queue<Run> spare = new ConcurrentLinkedQueue<>();

    /** The next position of a run; padded by nothing, since the thread that fills a stripe makes it. */
    private static final class Run extends AtomicLong {
        private static final long serialVersionUID = 1L;

        private final transient BlockCursor cursor;
        private final long end;

        Run(BlockCursor cursor, long from, long end) {
            super(from);
            this.cursor = cursor;
            this.end = end;
        }

        long take() {
            long position = get() < end ? getAndIncrement() : end;
            return position < end ? cursor.at(position) : NONE;
        }

        /** At most: another thread may be about to take one. */
        long remaining() {
            return Math.max(end - get(), 0);
        }
    }

    PositionRuns() {
        Run none = new Run(BlockCursor.empty(), 0, 0);
        for (int i = 0; i < runs.length(); i++) {
            runs.set(i, none);
        }
    }

    private int stripe() {
        return ((int) Thread.currentThread().getId() & (stripes - 1)) * STRIDE + STRIDE;
    }

    /**
     * Returns the next integer of the run that this thread's stripe has, else one of the spare runs, or {@link #NONE}.
     * Were spare runs left for the end of a block, threads that share a stripe could set half of it aside, lost by a close.
     */
    long take() {
        long taken = runs.get(stripe()).take();
        return taken == NONE ? takeSpare() : taken;
    }

    private long takeSpare() {
        for (Run run = spare.peek(); run != null; run = spare.peek()) {
            long taken = run.take();
            if (taken != NONE) {
                return taken;
            }
            spare.remove(run);
        }
        return NONE;
    }

    /** Returns an integer that anybody has left, or {@link #NONE}. */
    long takeAny() {
        long taken = takeSpare();
        for (int i = 1; i <= stripes && taken == NONE; i++) {
            taken = runs.get(i * STRIDE).take();
        }
        return taken;
    }

    /** Takes all that is left, for nobody. */
    void discard() {
        while (takeAny() != NONE) {
            // The next one.
        }
    }

    long lengthFor(BlockCursor cursor) {
        return Math.min(Math.max(cursor.count / ((long) stripes * MIN_RUNS_PER_STRIPE), 1), MAX_LENGTH);
    }

    /** Gives this thread's stripe a run. Returns its first integer, which is the caller's. */
    long put(BlockCursor cursor, long from, long end) {
        int stripe = stripe();
        Run before = runs.get(stripe);
        Run fresh = new Run(cursor, from + 1, end);
        if (before.remaining() > 0 || !runs.compareAndSet(stripe, before, fresh)) {
            spare.add(fresh);
        }
        return cursor.at(from);
    }

    long remaining() {
        long sum = spare.stream().mapToLong(Run::remaining).sum();
        for (int i = 1; i <= stripes; i++) {
            sum += runs.get(i * STRIDE).remaining();
        }
        return sum;
    }
}
