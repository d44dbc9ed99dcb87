// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Counts and measures the steps of the wall clock. A step is a movement relative to the monotonic clock, between two
 * readings, that exceeds possible slewing by {@value #THRESHOLD_MILLIS} ms or more. NTP slews a clock by at most half a
 * millisecond per second. A reading is the median of three reads, so a single wrong read does not count as a step; only
 * {@link #readClocksIfOff} counts wrong reads. Thread-safe.
 */
public final class ClockSteps {
    private static final long THRESHOLD_MILLIS = 20;
    private static final long SLEWED_PART = 2_000;

    private final Clock clock;
    /** The last reading. Written under the monitor. */
    private volatile Look last;

    private Seen seen = new Seen(0, 0, 0, 0);

    /** The numbers of steps, and the largest in each direction. A suspended machine may cause a step forward. */
    public record Seen(long forward, long backward, long maxForwardMillis, long maxBackwardMillis) {}

    /** A reading: how far the wall clock was ahead of the monotonic clock, and the monotonic time of the reading. */
    private record Look(long offsetMillis, long nanos) {
        static Look at(long wallMillis, long nanos) {
            return new Look(wallMillis - TimeUnit.NANOSECONDS.toMillis(nanos), nanos);
        }

        /** Returns how far the wall clock stepped until a later reading; 0 if the difference is too small. */
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
     * Checks two successive reads of the wall clock. If the first is ahead of the second by {@value #THRESHOLD_MILLIS}
     * ms or more, the first was wrong: counts one step forward and one back, logs that, and returns 0. Otherwise calls
     * {@link #readClocks} if the second read shows a step since the last reading.
     */
    public long readClocksIfOff(long firstMillis, long againMillis, Consumer<String> log) {
        if (firstMillis - againMillis >= THRESHOLD_MILLIS) {
            count(firstMillis - againMillis);
            count(againMillis - firstMillis);
            log.accept("A read of the wall clock showed " + Instant.ofEpochMilli(firstMillis) + ", and the next one "
                    + Instant.ofEpochMilli(againMillis) + "; IDs go by the second");
            return 0;
        }
        return last.stepTo(Look.at(againMillis, clock.nanos())) == 0 ? 0 : readClocks();
    }

    private synchronized void count(long step) {
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
