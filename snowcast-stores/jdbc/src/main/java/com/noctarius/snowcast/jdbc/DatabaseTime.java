// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.internal.base.Clock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The time that this process uses for decisions about leases: the median of three times. These are the time of the
 * database's clock, the time of this process's clock, and the time of this process's last decision plus the time that
 * has elapsed since by a monotonic clock. The first decision uses the database's clock alone. Later, if one of the
 * three times is wrong, even the database's, this neither ends nor prolongs a lease. After a suspension of the machine,
 * two of them may lag: what may have happened meanwhile is decided by
 * {@link LeaseTables.DatabaseIdentity#latestMillis}. Thread-safe.
 */
final class DatabaseTime {
    /** The clock of this process; null to use the database's clock alone. */
    private final @Nullable Clock clock;

    private final long maxSkewMillis;
    private final System.Logger logger;

    // --- guarded by this
    private @Nullable Decided last;
    private boolean isWarned;

    private record Decided(long millis, long nanos) {}

    DatabaseTime(@Nullable Clock clock, long maxSkewMillis, System.Logger logger) {
        this.clock = clock;
        this.maxSkewMillis = maxSkewMillis;
        this.logger = logger;
    }

    /** Returns the time for a decision, given the present time of the database's clock. */
    synchronized long at(long databaseMillis) {
        if (clock == null) {
            return databaseMillis;
        }
        long nanos = clock.nanos();
        long millis = databaseMillis;
        if (last != null) {
            long expected = last.millis + TimeUnit.NANOSECONDS.toMillis(nanos - last.nanos);
            millis = median(databaseMillis, clock.medianMillis(), expected);
        }
        last = new Decided(millis, nanos);
        warn(databaseMillis - millis);
        return millis;
    }

    private static long median(long one, long two, long three) {
        return Math.max(Math.min(one, two), Math.min(Math.max(one, two), three));
    }

    private void warn(long aheadMillis) {
        boolean isWrong = Math.abs(aheadMillis) > maxSkewMillis;
        if (isWrong && !isWarned) {
            logger.log(
                    System.Logger.Level.WARNING,
                    "The clocks of the database and of this process differ: the database is {0} ahead of the time by"
                            + " which this process renews its leases",
                    Duration.ofMillis(aheadMillis));
        }
        isWarned = isWrong;
    }
}
