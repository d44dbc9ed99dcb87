// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.generator;

import com.noctarius.snowcast.internal.base.WaitQueue.Waits;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The counts of a sequencer's attachments, which follow one another and share this object.
 *
 * <p>To count each issued ID would cost as much as the ID itself. Slots are numbered, so the last slot taken shows how
 * many slots were <em>taken</em>. Only the <em>skipped</em> slots are counted: slots that an idle sequencer passes over
 * when it moves to the present, and slots of waiting calls. The number of issued IDs is the difference. It is too high
 * while a call has taken a slot and has not found yet that it must wait. Thread-safe.
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

    /** Returns the highest number of issued IDs so far, so that no reader sees a decrease. */
    long report(long issued) {
        return reported.accumulateAndGet(issued, Math::max);
    }
}
