// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

import java.util.concurrent.TimeUnit;

/**
 * The wall clock without its steps: a time that never runs back, and that a wrong read of the wall clock does not move.
 *
 * <p>The time runs with the monotonic clock. It follows the wall clock at once where the two are less than
 * {@value #SMALL_MILLIS} ms apart, as they are while a time server slews the wall clock. A larger difference is a step.
 * It counts only when every read of {@value #CONFIRMATION_SECONDS} seconds has shown it. Then the time follows a step
 * forward at once: the machine was suspended, or its clock was corrected. After a step back the time runs at half of
 * the rate of the monotonic clock until the wall clock has caught up.
 *
 * <p>Each read looks at both clocks; read it several times in a confirmation period. Thread-safe.
 */
public final class SteadyClock {
    /** The largest difference that is not a step. */
    static final long SMALL_MILLIS = 100;

    /** How long all reads must show a step before it counts. */
    public static final long CONFIRMATION_SECONDS = 60;

    /** 2020-01-01: a machine that shows an earlier time has booted without a clock and waits for a time server. */
    private static final long UNSET_BEFORE_MILLIS = 1_577_836_800_000L;

    private static final long CONFIRMATION_NANOS = TimeUnit.SECONDS.toNanos(CONFIRMATION_SECONDS);

    /** The wall clock may be slewed by one millisecond in this many. */
    private static final long SLEWED_PART = 1_000;

    private final Clock clock;

    /** This time minus the monotonic clock. */
    private long offsetMillis;

    /** How far the wall clock is ahead: the smallest difference during the present step; 0 if there is no step. */
    private long stepMillis;

    private long stepSinceNanos;
    private long readNanos;
    private final HalfRate halfRate = new HalfRate();

    /** Makes a clock that shows what the wall clock shows now. */
    public SteadyClock(Clock clock) {
        this(clock, clock.medianMillis());
    }

    /** Makes a clock that shows a time now; if the wall clock shows another one, that is a step. */
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
        long halfMillis = halfRate.halfOf(elapsedMillis);
        long smallMillis = SMALL_MILLIS + elapsedMillis / SLEWED_PART;
        if (Math.abs(aheadMillis) < smallMillis || isUnset) {
            // Not below the time returned before: a small difference may be negative.
            offsetMillis += Math.max(aheadMillis, -halfMillis);
            stepMillis = 0;
        } else if (confirm(aheadMillis, nanos)) {
            offsetMillis += stepMillis > 0 ? stepMillis : Math.max(stepMillis, -halfMillis);
            stepMillis = stepMillis > 0 ? 0 : stepMillis;
        }
        readNanos = nanos;
        return monotonicMillis + offsetMillis;
    }

    /** Returns how far the wall clock was ahead of this clock (negative: behind) at the last read; 0 without a step. */
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

    /** Halves the time since the last read of a clock; frequent reads lose nothing to rounding. Not thread-safe. */
    public static final class HalfRate {
        /** The elapsed time that was not halved yet: 0 or 1. */
        private long restMillis;

        /**
         * Returns half of the elapsed time, never more than all of it: a time that must not run back may be reduced by
         * that.
         */
        public long halfOf(long elapsedMillis) {
            long passedMillis = restMillis + elapsedMillis;
            restMillis = passedMillis % 2;
            return passedMillis / 2;
        }
    }
}
