// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.clock;

import java.util.concurrent.TimeUnit;

/**
 * Counts and sizes the steps of the wall clock: how far it moved away from the monotonic clock between two looks.
 * Slewing (NTP moves a clock by at most half a millisecond per second) stays below the threshold.
 *
 * <p>Thread-safe.
 */
public final class ClockSteps {
    /** What counts as a step, in milliseconds. */
    public static final long THRESHOLD_MILLIS = 20;

    private final Clock clock;
    private long offsetMillis;
    private Seen seen = Seen.NOTHING;

    /**
     * What was seen so far.
     *
     * @param forward steps into the future; a suspended machine makes one when it resumes
     * @param backward steps into the past
     * @param maxForwardMillis the largest into the future
     * @param maxBackwardMillis the largest into the past
     */
    public record Seen(long forward, long backward, long maxForwardMillis, long maxBackwardMillis) {
        /** No step. */
        public static final Seen NOTHING = new Seen(0, 0, 0, 0);
    }

    public ClockSteps(Clock clock) {
        this.clock = clock;
        this.offsetMillis = offset();
    }

    private long offset() {
        return clock.millis() - TimeUnit.NANOSECONDS.toMillis(clock.nanos());
    }

    /**
     * Looks at the clocks.
     *
     * @return by how many milliseconds the wall clock stepped since the last look; 0 if by less than the threshold
     */
    public synchronized long look() {
        long offset = offset();
        long step = offset - offsetMillis;
        offsetMillis = offset;
        if (step >= THRESHOLD_MILLIS) {
            seen = new Seen(
                    seen.forward + 1, seen.backward, Math.max(seen.maxForwardMillis, step), seen.maxBackwardMillis);
        } else if (step <= -THRESHOLD_MILLIS) {
            seen = new Seen(
                    seen.forward, seen.backward + 1, seen.maxForwardMillis, Math.max(seen.maxBackwardMillis, -step));
        } else {
            step = 0;
        }
        return step;
    }

    /** Returns what was seen so far. */
    public synchronized Seen seen() {
        return seen;
    }
}
