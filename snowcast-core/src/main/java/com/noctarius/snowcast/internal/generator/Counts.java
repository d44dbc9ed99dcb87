// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.generator;

import com.noctarius.snowcast.internal.base.Waits;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * What the attachments of one sequencer have done, all together: one {@code Counts} for all that follow each other.
 *
 * <p>No ID is counted when it is issued: that would cost as much as the ID. Slots are numbered, so the word itself says
 * how many were <em>taken</em>; counted are those of them that were <em>skipped</em>, which happens when an idle word
 * moves to the present, and in calls that wait. The difference was issued.
 *
 * <p>Skips are added before the word shows them as taken, and a reader looks at the word first. So what it computes is
 * never too high, but for calls that have taken a slot and are about to find that they must wait for it.
 *
 * <p>Thread-safe.
 */
public final class Counts {
    /** Slots that sealed attachments have taken. */
    final AtomicLong taken = new AtomicLong();

    /** Slots of all attachments, also those not in {@link #taken} yet, which are not issued. Read after those taken. */
    final AtomicLong skipped = new AtomicLong();

    /** The most that was ever returned as issued. */
    private final AtomicLong reported = new AtomicLong();

    public final Waits waits;

    public Counts() {
        this(nanos -> {});
    }

    /** Also passes the nanoseconds of each wait on. */
    public Counts(LongConsumer waited) {
        waits = new Waits(waited);
    }

    /** Counts slots out that will not be issued, or are not issued yet; negative to take it back. */
    void skip(long slots) {
        if (slots != 0) {
            skipped.getAndAdd(slots);
        }
    }

    /** Adds what an attachment has taken in all; to be called once, after it was sealed and its skips were added. */
    void sealed(long slots) {
        taken.getAndAdd(slots);
    }

    /** Returns a number of issued IDs, or a greater one that was returned before. */
    long report(long issued) {
        return reported.accumulateAndGet(issued, Math::max);
    }
}
