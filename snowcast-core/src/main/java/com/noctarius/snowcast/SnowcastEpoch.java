// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import java.time.Clock;
import java.time.Instant;
import java.util.Calendar;
import java.util.Objects;

/**
 * The epoch of a sequencer: the instant from which its IDs count their time.
 *
 * <p>{@link #byInstant} and {@link #byCalendar} reject an epoch in the future, unless the clock shows a time before
 * 2026. In that case the clock is obviously wrong, and the two methods accept an epoch in the future, too. A class that
 * has an epoch as a constant can therefore be loaded before the machine's clock is set. Until the clock has passed the
 * epoch, creating or attaching a sequencer fails with a {@link SnowcastUnavailableException}.
 *
 * <p>Immutable and thread-safe. Two epochs are equal if their offsets are equal. The methods that create an epoch throw
 * {@link NullPointerException} for a null argument.
 */
public final class SnowcastEpoch {
    /** A clock that shows an earlier time is wrong. */
    private static final Instant MADE = Instant.parse("2026-01-01T00:00:00Z");

    /**
     * 2000-01-01: a positive number below this value is more likely a number of seconds, a year or a date than
     * milliseconds.
     */
    private static final long FIRST_OF_NUMBERS = 946_684_800_000L;

    private final long epochOffset;
    private final boolean isNumber;

    private SnowcastEpoch(long epochOffset, boolean isNumber) {
        this.epochOffset = epochOffset;
        this.isNumber = isNumber;
    }

    /**
     * {@return an epoch that begins at a timestamp} This method does not check the timestamp. {@link SequencerConfig}
     * rejects a number above 0 that is a time before 2000, because it may be a number of seconds, a year or a date. If
     * the time is in the future, creating the sequencer fails. Prefer {@link #byInstant}.
     *
     * @param timestampMillis milliseconds, not seconds, since 1970-01-01T00:00:00Z
     */
    public static SnowcastEpoch byTimestamp(long timestampMillis) {
        return new SnowcastEpoch(timestampMillis, true);
    }

    /** Returns whether this epoch was given as a number that is probably not in milliseconds. */
    boolean isNoMilliseconds() {
        return isNumber && epochOffset > 0 && epochOffset < FIRST_OF_NUMBERS;
    }

    /**
     * {@return an epoch that begins at an instant, rounded down to milliseconds}
     *
     * @param instant an instant that is not in the future
     * @throws SnowcastException if {@code instant} lies in the future, or 292 million years or more from 1970
     */
    public static SnowcastEpoch byInstant(Instant instant) {
        Objects.requireNonNull(instant, "instant");
        try {
            return byInstant(instant, Clock.systemUTC());
        } catch (ArithmeticException e) {
            throw new SnowcastException(
                    "epoch must lie between " + Instant.ofEpochMilli(Long.MIN_VALUE) + " and now: " + instant, e);
        }
    }

    static SnowcastEpoch byInstant(Instant instant, Clock clock) {
        return new SnowcastEpoch(notInFuture(instant.toEpochMilli(), clock), false);
    }

    /**
     * {@return an epoch that begins at a calendar's time, rounded down to seconds} A calendar usually contains the
     * milliseconds of the moment when it was created, and without the rounding, each process would have another epoch.
     *
     * @param calendar a calendar set to an instant that is not in the future
     * @throws SnowcastException if {@code calendar} lies in the future
     */
    public static SnowcastEpoch byCalendar(Calendar calendar) {
        Objects.requireNonNull(calendar, "calendar");
        long millis = calendar.getTimeInMillis();
        return new SnowcastEpoch(notInFuture(millis - Math.floorMod(millis, 1_000), Clock.systemUTC()), false);
    }

    private static long notInFuture(long offsetMillis, Clock clock) {
        Instant now = clock.instant();
        Instant epoch = Instant.ofEpochMilli(offsetMillis);
        if (epoch.isAfter(now)) {
            // Read again: a single wrong reading would make a class that has the epoch as a constant unusable.
            now = clock.instant();
        }
        if (epoch.isAfter(now) && !now.isBefore(MADE)) {
            throw new SnowcastException("epoch must not lie in the future (this clock shows " + now + "): " + epoch);
        }
        return offsetMillis;
    }

    /**
     * {@return how many milliseconds have passed since this epoch, by the wall clock of this process; negative if the
     * epoch lies in the future} For the epoch itself use {@link #getEpochOffset}.
     */
    public long getEpochTimestamp() {
        return Instant.now().toEpochMilli() - epochOffset;
    }

    /** {@return the beginning of this epoch, in milliseconds since 1970-01-01T00:00:00Z} */
    public long getEpochOffset() {
        return epochOffset;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SnowcastEpoch epoch && epoch.epochOffset == epochOffset;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(epochOffset);
    }

    @Override
    public String toString() {
        return "SnowcastEpoch{" + Instant.ofEpochMilli(epochOffset) + '}';
    }
}
