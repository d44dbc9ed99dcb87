// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.generator;

import com.noctarius.snowcast.internal.base.Waits;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * The counts of all attachments of one sequencer, which follow each other and share one {@code Counts}.
 *
 * <p>IDs are not counted when they are issued, because that would cost as much as the ID itself. Slots are numbered, so
 * the word shows how many were <em>taken</em>. Only the <em>skipped</em> ones are counted: those that an idle word
 * passes when it moves to the present, and those of waiting calls. The difference is the number of issued IDs.
 *
 * <p>Skips are added before the word shows them as taken, and a reader reads the word first. So its result is never too
 * high, except for calls that have taken a slot and have not found yet that they must wait for it.
 *
 * <p>Thread-safe.
 */
public final class Counts {
    /** The slots that sealed attachments have taken. */
    final AtomicLong taken = new AtomicLong();

    /** The skipped slots of all attachments, including those that {@link #taken} lacks. Read after the taken ones. */
    final AtomicLong skipped = new AtomicLong();

    /** The highest count that was ever returned as issued. */
    private final AtomicLong reported = new AtomicLong();

    public final Waits waits;

    public Counts() {
        this(nanos -> {});
    }

    /** Makes counts; {@code waited} receives the nanoseconds of each wait. */
    public Counts(LongConsumer waited) {
        waits = new Waits(waited);
    }

    /** Counts slots that will not be issued, or are not issued yet; a negative number reverts that. */
    void skip(long slots) {
        if (slots != 0) {
            skipped.getAndAdd(slots);
        }
    }

    /** Adds all slots of an attachment; to be called once, after it was sealed and its skips were added. */
    void sealed(long slots) {
        taken.getAndAdd(slots);
    }

    /** Returns a number of issued IDs, or a greater number that was returned before. */
    long report(long issued) {
        return reported.accumulateAndGet(issued, Math::max);
    }
}
