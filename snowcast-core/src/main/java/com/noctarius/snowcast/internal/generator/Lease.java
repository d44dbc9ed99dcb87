// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.generator;

/** What extends the time that an {@link Attachment} may use. Thread-safe; no method blocks. */
@FunctionalInterface
public interface Lease {
    /** A call begins to wait for the ceiling: the cluster is to be asked for an extension soon. */
    void request();

    /**
     * Returns the ceiling that an attachment without a cluster may use from now on, a little above a millisecond if that
     * may be; else a time that lies before every ceiling. All in ID time.
     */
    default long ownCeilingMillis(long millis) {
        return Long.MIN_VALUE;
    }

    /** Whether the time lasts to the end of the layout, with no cluster to extend it. */
    default boolean isEndless() {
        return false;
    }

    /**
     * The word is about to move by more than reserved slots explain, or the clock is behind the word by more than they
     * explain. To be counted as a step of the clock, if it is one.
     *
     * @param firstMillis what the clock showed
     * @param againMillis what it showed when it was read again
     */
    default void clockWasRead(long firstMillis, long againMillis) {}
}
