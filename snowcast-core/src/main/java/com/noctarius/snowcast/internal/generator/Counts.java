// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.generator;

import com.noctarius.snowcast.internal.clock.Clock;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/**
 * What the attachments of one sequencer have done, all together: one {@code Counts} for all that follow each other.
 *
 * <p>No ID is counted when it is issued: that would cost as much as the ID. Slots are numbered, so the word itself says
 * how many were <em>taken</em>; counted are those of them that were <em>skipped</em>, which happens when an idle word moves
 * to the present, and in calls that wait. The difference was issued.
 *
 * <p>Skips are added before the word shows them as taken, and a reader looks at the word first. So what it computes is
 * never too high, but for calls that have taken a slot and are about to find that they must wait for it.
 *
 * <p>Thread-safe.
 */
public class Counts {
    private static final AtomicLongFieldUpdater<Counts> TAKEN = updater("taken");
    private static final AtomicLongFieldUpdater<Counts> SKIPPED = updater("skipped");
    private static final AtomicLongFieldUpdater<Counts> REPORTED = updater("reported");
    private static final AtomicLongFieldUpdater<Counts> WAITS = updater("waits");
    private static final AtomicLongFieldUpdater<Counts> WAIT_NANOS = updater("waitNanos");

    /** Slots that sealed attachments have taken. */
    volatile long taken;

    /** Slots of all attachments, also those not in {@link #taken} yet, which are not issued. Read after those taken. */
    volatile long skipped;

    /** The most that was ever returned as issued. */
    volatile long reported;

    private volatile long waits;
    /** How long calls waited that wait no more, all together. */
    private volatile long waitNanos;

    private static AtomicLongFieldUpdater<Counts> updater(String field) {
        return AtomicLongFieldUpdater.newUpdater(Counts.class, field);
    }

    /** Counts slots out that will not be issued, or are not issued yet; negative to take it back. */
    void skip(long slots) {
        if (slots != 0) {
            SKIPPED.getAndAdd(this, slots);
        }
    }

    /** Adds what an attachment has taken in all; to be called once, after it was sealed and its skips were added. */
    void sealed(long slots) {
        TAKEN.getAndAdd(this, slots);
    }

    /** Returns a number of issued IDs, or a greater one that was returned before. */
    long report(long issued) {
        return issued <= reported ? reported : REPORTED.accumulateAndGet(this, issued, Math::max);
    }

    public void waitBegins() {
        WAITS.getAndIncrement(this);
    }

    public void waitEnded(Clock clock, long sinceNanos) {
        long nanos = clock.nanos() - sinceNanos;
        WAIT_NANOS.getAndAdd(this, nanos);
        waited(nanos);
    }

    /** A call has waited. */
    protected void waited(long nanos) {}

    public long waits() {
        return waits;
    }

    public long waitNanos() {
        return waitNanos;
    }
}
