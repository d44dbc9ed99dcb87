// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.generator;

import com.noctarius.snowcast.internal.base.Clock;
import com.noctarius.snowcast.internal.generator.GrantInUse.Renewer;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The time of IDs, in milliseconds since the epoch: the wall clock, but while the last {@linkplain GrantInUse slot}
 * taken is ahead of the wall clock, it runs at least at half the speed of the monotonic clock. ID time therefore equals
 * a wall clock that runs normally, and continues if the wall clock stops or is set back repeatedly. If the last slot is
 * more than {@link #STEP_BACK_MILLIS} ahead, for example because the wall clock was set back, ID time continues from
 * that slot at half speed.
 *
 * <p>This time decides how long calls wait, never which slots they get. Thread-safe.
 */
final class IdTime {
    static final long STEP_BACK_MILLIS = 2 * Attachment.MAX_AHEAD_MILLIS;

    private final Clock clock;
    private final long epochOffset;
    private final Renewer renewer;

    /**
     * If {@link #halfRate} is at least this far behind ID time, it is set to ID time. A smaller lag remains: if the
     * wall clock stops, calls wait until half speed has made up for it.
     */
    private static final long MAX_LAG_MILLIS = 16;

    /** The minimum of ID time while the last slot is ahead of the wall clock; null if there is none. Racy. */
    private volatile @Nullable HalfRate halfRate;

    /** {@code startMillis}, plus half of the time since {@code startNanos}. */
    private record HalfRate(long startMillis, long startNanos) {
        private static final long NANOS_PER_ID_MILLI = 2_000_000;

        long at(long nanos) {
            return startMillis + (nanos - startNanos) / NANOS_PER_ID_MILLI;
        }
    }

    IdTime(Clock clock, long epochOffset, Renewer renewer) {
        this.clock = clock;
        this.epochOffset = epochOffset;
        this.renewer = renewer;
    }

    /**
     * Returns the time, given the wall clock and the millisecond of the last slot. The result is the wall clock only if
     * the wall clock is not far behind the last slot, so that a wait for the wall clock is always short.
     */
    long at(long wall, long lastMillis) {
        if (lastMillis <= wall) {
            return wall;
        }
        long nanos = clock.nanos();
        HalfRate rate = halfRate;
        long least = rate == null ? Long.MIN_VALUE : rate.at(nanos);
        long time = Math.max(wall, least);
        if (lastMillis - time > STEP_BACK_MILLIS) {
            time = lastMillis;
        }
        if (time - MAX_LAG_MILLIS >= least) {
            halfRate = new HalfRate(time, nanos);
        }
        if (time > wall) {
            renewer.clockWasRead(wall + epochOffset, wall + epochOffset);
        }
        return time;
    }

    /** Parks the thread until a time; may return earlier. {@code now} is the result of {@link #at} for {@code wall}. */
    void parkUntil(long millis, long now, long wall) throws InterruptedException {
        if (now != wall) {
            clock.parkNanos((millis - now) * HalfRate.NANOS_PER_ID_MILLI);
            return;
        }
        long present = clock.millis() - epochOffset;
        if (present < millis) {
            clock.parkUntil(millis + epochOffset);
        } else if (present - wall > STEP_BACK_MILLIS) {
            // The clock is ahead of what is granted, so that ID time moves with the monotonic clock.
            clock.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis - now));
        }
    }

    /** Ends the half speed, because a call has moved the last slot taken to the present. */
    void wallHasCaughtUp() {
        if (halfRate != null) {
            halfRate = null;
        }
    }
}
