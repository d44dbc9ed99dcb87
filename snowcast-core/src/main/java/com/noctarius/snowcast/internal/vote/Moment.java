// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.vote;

import java.util.concurrent.TimeUnit;

/** A time by the wall clock and by the monotonic clock of this process. */
public record Moment(long millis, long nanos) {
    /** Returns the milliseconds until a later moment, by the clock that moved further. */
    long millisUntil(Moment later) {
        return Math.max(later.millis - millis, TimeUnit.NANOSECONDS.toMillis(later.nanos - nanos));
    }

    /**
     * Returns the moment later by the time between two others. Each clock moves by its own time: a step that is set
     * back afterwards has no effect.
     */
    Moment movedBy(Moment from, Moment to) {
        return new Moment(millis + to.millis - from.millis, nanos + to.nanos - from.nanos);
    }

    /** Compares by the monotonic clock. */
    boolean isBefore(Moment other) {
        return nanos - other.nanos < 0;
    }
}
