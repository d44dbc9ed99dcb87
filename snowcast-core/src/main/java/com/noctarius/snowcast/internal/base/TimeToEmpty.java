// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

import com.noctarius.snowcast.IntegerSequence;
import java.time.Duration;
import java.util.Optional;

/** The time for which the reserved integers of a sequence last, for the meters in all frameworks. */
public final class TimeToEmpty {
    private TimeToEmpty() {}

    /** Returns the time; empty if no integers are used, or before the first reservation has succeeded or failed. */
    public static Optional<Duration> of(IntegerSequence.Stats stats) {
        boolean isUnused = stats.reservationCount() == 0 && stats.problem().isEmpty();
        return isUnused || stats.timeToEmpty().equals(IntegerSequence.Stats.ENDLESS)
                ? Optional.empty()
                : Optional.of(stats.timeToEmpty());
    }
}
