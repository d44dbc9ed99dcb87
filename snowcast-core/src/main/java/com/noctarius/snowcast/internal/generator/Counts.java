// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.generator;

import com.noctarius.snowcast.internal.base.WaitQueue.Waits;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The counts of a sequencer's attachments, which follow one another and share this object.
 *
 * <p>IDs are not counted when they are issued, because that would cost as much as the ID itself. Slots are numbered, so
 * the last slot taken shows how many slots were <em>taken</em>. Only the <em>skipped</em> slots are counted: slots that
 * an idle sequencer passes over when it moves to the present, and slots of waiting calls. The number of issued IDs is
 * the number of taken slots minus the number of skipped slots.
 *
 * <p>A call that must wait for its slot counts the slot as skipped shortly after it has taken the slot. Until then, the
 * computed number of issued IDs is too high by this slot. See docs/dev/concurrency.md for the order of the updates and
 * reads.
 *
 * <p>Thread-safe.
 */
public final class Counts {
    /** How many slots sealed attachments have taken. */
    final AtomicLong taken = new AtomicLong();

    /** How many slots were skipped in all attachments, including the attachment in use. Read after {@link #taken}. */
    final AtomicLong skipped = new AtomicLong();

    /** The highest number of issued IDs that was returned to a reader. */
    private final AtomicLong reported = new AtomicLong();

    public final Waits waits = new Waits();

    /** Counts slots that will not be issued, or are not issued yet; a negative number subtracts such slots again. */
    void skip(long slots) {
        if (slots != 0) {
            skipped.getAndAdd(slots);
        }
    }

    /** Adds all slots that an attachment has taken; to be called once, after the seal. */
    void sealed(long slots) {
        taken.getAndAdd(slots);
    }

    /**
     * Returns the given number of issued IDs, or the highest number that this method has returned, if that is greater.
     * Readers therefore never see the number decrease.
     */
    long report(long issued) {
        return reported.accumulateAndGet(issued, Math::max);
    }
}
