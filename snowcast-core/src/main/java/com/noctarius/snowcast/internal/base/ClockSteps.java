// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

import java.util.concurrent.TimeUnit;

/**
 * Counts and measures the steps of the wall clock. A step is a movement relative to the monotonic clock between two
 * readings. Slewing, by which NTP moves a clock by at most half a millisecond per second, stays below the threshold. A
 * reading is the median of three reads, so a single wrong read does not count as a step; only {@link #wasMisread}
 * counts wrong reads. Thread-safe.
 */
public final class ClockSteps {
    private static final long THRESHOLD_MILLIS = 20;
    private static final long SLEWED_PART = 2_000;

    private final Clock clock;
    /** The last reading. Written under the monitor. */
    private volatile Look last;

    private Seen seen = new Seen(0, 0, 0, 0);

    /**
     * The numbers of steps, and the largest step in each direction. A suspension of the machine may cause a step
     * forward.
     */
    public record Seen(long forward, long backward, long maxForwardMillis, long maxBackwardMillis) {}

    /** A reading: how far the wall clock was ahead of the monotonic clock, and the monotonic time of the reading. */
    private record Look(long offsetMillis, long nanos) {
        static Look at(long wallMillis, long nanos) {
            return new Look(wallMillis - TimeUnit.NANOSECONDS.toMillis(nanos), nanos);
        }

        /**
         * Returns how far the wall clock stepped until a later reading; 0 if the difference is too small for a step.
         */
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

    /** Reads the clocks; returns by how many milliseconds the wall clock stepped since the last reading, or 0. */
    public synchronized long readClocks() {
        Look next = Look.at(clock.medianMillis(), clock.nanos());
        long step = last.stepTo(next);
        last = next;
        count(step);
        return step;
    }

    /**
     * Calls {@link #readClocks} if the given time of the wall clock shows a step since the last reading; else returns
     * 0.
     */
    public long readClocksIfOff(long wallMillis) {
        return last.stepTo(Look.at(wallMillis, clock.nanos())) == 0 ? 0 : readClocks();
    }

    /**
     * Compares two reads of the wall clock. If the first read was ahead of the second by at least the threshold, counts
     * one step forward and one back, and returns the difference in milliseconds; else returns 0.
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
