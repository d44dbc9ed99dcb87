// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

import java.util.concurrent.TimeUnit;

/**
 * Counts and measures the steps of the wall clock: how far it moved relative to the monotonic clock between two looks.
 * Slewing (NTP moves a clock by at most half a millisecond per second) stays below the threshold. A look reads the
 * clock three times, so a single wrong read does not count as a step. Thread-safe.
 */
public final class ClockSteps {
    private static final long THRESHOLD_MILLIS = 20;
    private static final long SLEWED_PART = 2_000;

    private final Clock clock;
    /** Written under the monitor. */
    private volatile Look last;

    private Seen seen = new Seen(0, 0, 0, 0);

    /** How many steps were seen, and the largest ones; a suspended machine causes a forward step when it resumes. */
    public record Seen(long forward, long backward, long maxForwardMillis, long maxBackwardMillis) {}

    /** How far the wall clock was ahead of the monotonic clock, and the monotonic time of that look. */
    private record Look(long offsetMillis, long nanos) {
        static Look at(long wallMillis, long nanos) {
            return new Look(wallMillis - TimeUnit.NANOSECONDS.toMillis(nanos), nanos);
        }

        /** Returns how far the wall clock stepped until another look; 0 if slewing explains it. */
        long stepTo(Look next) {
            long step = next.offsetMillis - offsetMillis;
            long slewed = TimeUnit.NANOSECONDS.toMillis(next.nanos - nanos) / SLEWED_PART;
            return Math.abs(step) < THRESHOLD_MILLIS + slewed ? 0 : step;
        }
    }

    public ClockSteps(Clock clock) {
        this.clock = clock;
        this.last = Look.at(clock.medianMillis(), clock.nanos());
    }

    /** Returns how many milliseconds the wall clock stepped since the last look; 0 if less than the threshold. */
    public synchronized long look() {
        Look next = Look.at(clock.medianMillis(), clock.nanos());
        long step = last.stepTo(next);
        last = next;
        count(step);
        return step;
    }

    /** Looks, but only if the given reading of the wall clock differs from the one expected since the last look. */
    public long lookIfOff(long wallMillis) {
        return last.stepTo(Look.at(wallMillis, clock.nanos())) == 0 ? 0 : look();
    }

    /**
     * Counts a read of the wall clock that was ahead of the next read as a step forward and one back; returns by how
     * many milliseconds it was ahead, or 0 if less than the threshold.
     */
    public synchronized long wasMisread(long firstMillis, long againMillis) {
        long ahead = firstMillis - againMillis;
        if (ahead < THRESHOLD_MILLIS) {
            return 0;
        }
        count(ahead);
        count(-ahead);
        return ahead;
    }

    private void count(long step) {
        if (step != 0) {
            seen = new Seen(
                    seen.forward + (step > 0 ? 1 : 0),
                    seen.backward + (step < 0 ? 1 : 0),
                    Math.max(seen.maxForwardMillis, step),
                    Math.max(seen.maxBackwardMillis, -step));
        }
    }

    public synchronized Seen seen() {
        return seen;
    }
}
