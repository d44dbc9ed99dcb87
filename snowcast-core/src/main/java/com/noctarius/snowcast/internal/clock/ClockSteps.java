// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.clock;

import java.util.concurrent.TimeUnit;

/**
 * Counts and sizes the steps of the wall clock: how far it moved away from the monotonic clock between two looks.
 * Slewing (NTP moves a clock by at most half a millisecond per second) stays below the threshold. Thread-safe.
 */
public final class ClockSteps {
    private static final long THRESHOLD_MILLIS = 20;

    private final Clock clock;
    private long offsetMillis;
    private Seen seen = new Seen(0, 0, 0, 0);

    /** How many steps were seen, and the largest; a suspended machine makes one forward when it resumes. */
    public record Seen(long forward, long backward, long maxForwardMillis, long maxBackwardMillis) {}

    public ClockSteps(Clock clock) {
        this.clock = clock;
        this.offsetMillis = offset();
    }

    private long offset() {
        return clock.millis() - TimeUnit.NANOSECONDS.toMillis(clock.nanos());
    }

    /** Returns by how many milliseconds the wall clock stepped since the last look; 0 if by less than the threshold. */
    public synchronized long look() {
        long offset = offset();
        long step = offset - offsetMillis;
        offsetMillis = offset;
        if (Math.abs(step) < THRESHOLD_MILLIS) {
            return 0;
        }
        seen = new Seen(
                seen.forward + (step > 0 ? 1 : 0),
                seen.backward + (step < 0 ? 1 : 0),
                Math.max(seen.maxForwardMillis, step),
                Math.max(seen.maxBackwardMillis, -step));
        return step;
    }

    public synchronized Seen seen() {
        return seen;
    }
}
