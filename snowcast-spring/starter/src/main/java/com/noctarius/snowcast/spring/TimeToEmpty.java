// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.IntegerSequenceStats;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How long the integers in hand last. */
final class TimeToEmpty {
    private TimeToEmpty() {}

    /** Returns null if it is not known: no integer is used, or none was reserved yet. */
    static @Nullable Duration of(IntegerSequenceStats stats) {
        boolean isUnused = stats.reservationCount() == 0 && stats.problem().isEmpty();
        return isUnused || stats.timeToEmpty().equals(IntegerSequenceStats.ENDLESS) ? null : stats.timeToEmpty();
    }
}
