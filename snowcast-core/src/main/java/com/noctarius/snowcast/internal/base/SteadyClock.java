// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

import java.util.concurrent.TimeUnit;

/**
 * The wall clock without its steps: a time that never runs back, and ignores single reads that are far off.
 *
 * <p>This time runs with the monotonic clock. It follows a difference from the wall clock of less than about
 * {@value #SMALL_MILLIS} ms, for example when a time server slews the wall clock: forward at once, and back by running
 * at half the speed of the monotonic clock. A larger difference is a step of the wall clock, which counts only when
 * every read in {@value #CONFIRMATION_SECONDS} seconds has shown it. This time then follows in the same way.
 *
 * <p>While this time is before 2020, it follows each step forward at once: see {@link #UNSET_BEFORE_MILLIS}.
 *
 * <p>Only reads of this clock notice a step, so read this clock several times in {@value #CONFIRMATION_SECONDS} s.
 * Thread-safe.
 */
public final class SteadyClock {
    /** A difference below this limit is not a step. The limit grows slowly with the time since the last read. */
    static final long SMALL_MILLIS = 100;

    /** How long all reads must show a step before the step counts. */
    public static final long CONFIRMATION_SECONDS = 60;

    /** 2020-01-01: a machine that shows an earlier time has booted without a clock and waits for a time server. */
    private static final long UNSET_BEFORE_MILLIS = 1_577_836_800_000L;

    private static final long CONFIRMATION_NANOS = TimeUnit.SECONDS.toNanos(CONFIRMATION_SECONDS);

    /** The wall clock may be slewed by one millisecond in this many milliseconds. */
    private static final long SLEWED_PART = 1_000;

    private final Clock clock;

    /** This time minus the monotonic clock. */
    private long offsetMillis;

    private long stepMillis;

    private long stepSinceNanos;
    private long readNanos;
    private final Halver halver = new Halver();

    /** Makes a clock that shows the wall clock's present time now. */
    public SteadyClock(Clock clock) {
        this(clock, clock.medianMillis());
    }

    /** Makes a clock that shows a given time now, even if the wall clock shows another one. */
    public SteadyClock(Clock clock, long millis) {
        this.clock = clock;
        this.readNanos = clock.nanos();
        this.offsetMillis = millis - TimeUnit.NANOSECONDS.toMillis(readNanos);
    }

    /** Returns the time, in milliseconds since 1970. */
    public synchronized long millis() {
        long nanos = clock.nanos();
        long monotonicMillis = TimeUnit.NANOSECONDS.toMillis(nanos);
        long aheadMillis = clock.millis() - monotonicMillis - offsetMillis;
        boolean isUnset = monotonicMillis + offsetMillis < UNSET_BEFORE_MILLIS;
        long elapsedMillis = monotonicMillis - TimeUnit.NANOSECONDS.toMillis(readNanos);
        long halfMillis = halver.halfOf(elapsedMillis);
        long smallMillis = SMALL_MILLIS + elapsedMillis / SLEWED_PART;
        if (Math.abs(aheadMillis) < smallMillis || isUnset) {
            // A small difference may be negative, but this time must not run back.
            offsetMillis += Math.max(aheadMillis, -halfMillis);
            stepMillis = 0;
        } else if (confirm(aheadMillis, nanos)) {
            offsetMillis += stepMillis > 0 ? stepMillis : Math.max(stepMillis, -halfMillis);
            stepMillis = stepMillis > 0 ? 0 : stepMillis;
        }
        readNanos = nanos;
        return monotonicMillis + offsetMillis;
    }

    /** Returns by how much the wall clock has stepped: the least of all reads since; 0 if there is no step. */
    public synchronized long stepMillis() {
        return stepMillis;
    }

    private boolean confirm(long aheadMillis, long nanos) {
        if (Long.signum(stepMillis) != Long.signum(aheadMillis)) {
            stepMillis = aheadMillis;
            stepSinceNanos = nanos;
        } else if (Math.abs(aheadMillis) < Math.abs(stepMillis)) {
            stepMillis = aheadMillis;
        }
        return nanos - stepSinceNanos >= CONFIRMATION_NANOS;
    }

    /** Halves the times between the reads of a clock, without losing anything to rounding. Not thread-safe. */
    public static final class Halver {
        /** The part of the elapsed time that was not halved yet: 0 or 1. */
        private long restMillis;

        /** Returns half of the elapsed time. A clock that is set back by this result at each read never runs back. */
        public long halfOf(long elapsedMillis) {
            long passedMillis = restMillis + elapsedMillis;
            restMillis = passedMillis % 2;
            return passedMillis / 2;
        }
    }
}
