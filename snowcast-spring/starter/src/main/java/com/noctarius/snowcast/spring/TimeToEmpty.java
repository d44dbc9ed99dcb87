// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.IntegerSequence;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The time for which the reserved integers of a sequence last. */
final class TimeToEmpty {
    private TimeToEmpty() {}

    /** Returns the time; null if no integers are used, or before the first reservation has succeeded or failed. */
    static @Nullable Duration of(IntegerSequence.Stats stats) {
        boolean isUnused = stats.reservationCount() == 0 && stats.problem().isEmpty();
        return isUnused || stats.timeToEmpty().equals(IntegerSequence.Stats.ENDLESS) ? null : stats.timeToEmpty();
    }
}
