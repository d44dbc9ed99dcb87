// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import java.time.Clock;
import java.time.Instant;
import java.util.Calendar;
import java.util.Objects;

/**
 * The instant at which the time of a sequencer's IDs begins.
 *
 * <p>An epoch in the future is refused. A clock that shows a time before this version was made is known to be wrong,
 * and refuses none, so that a constant can have its epoch also if the class was loaded before the machine's clock was
 * set. Creating or attaching a sequencer fails with a {@link SnowcastUnavailableException} until the clock has passed
 * the epoch.
 *
 * <p>Immutable and thread-safe. Two epochs are equal when their offsets are. An argument that is null makes a method
 * throw {@link NullPointerException}.
 */
public final class SnowcastEpoch {
    /** A clock that shows an earlier time is wrong. */
    private static final Instant MADE = Instant.parse("2026-01-01T00:00:00Z");

    private final long epochOffset;

    private SnowcastEpoch(long epochOffset) {
        this.epochOffset = epochOffset;
    }

    /**
     * {@return an epoch that begins at a timestamp} <b>The timestamp is not checked</b>: seconds in place of
     * milliseconds give an epoch in January 1970, and a time in the future fails only when a sequencer is created.
     * Prefer {@link #byInstant}.
     *
     * @param timestampMillis milliseconds, not seconds, since 1970-01-01T00:00:00Z
     */
    public static SnowcastEpoch byTimestamp(long timestampMillis) {
        return new SnowcastEpoch(timestampMillis);
    }

    /**
     * {@return an epoch that begins at an instant, cut to milliseconds}
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
        return new SnowcastEpoch(notInFuture(instant.toEpochMilli(), clock));
    }

    /**
     * {@return an epoch that begins at a calendar's time, cut to full seconds} Calendars usually carry the milliseconds
     * of the moment they were made, and two processes have to come to the same epoch.
     *
     * @param calendar a calendar set to an instant that is not in the future
     * @throws SnowcastException if {@code calendar} lies in the future
     */
    public static SnowcastEpoch byCalendar(Calendar calendar) {
        Objects.requireNonNull(calendar, "calendar");
        long millis = calendar.getTimeInMillis();
        return new SnowcastEpoch(notInFuture(millis - Math.floorMod(millis, 1_000), Clock.systemUTC()));
    }

    private static long notInFuture(long offsetMillis, Clock clock) {
        Instant now = clock.instant();
        Instant epoch = Instant.ofEpochMilli(offsetMillis);
        if (epoch.isAfter(now)) {
            now = clock.instant(); // The read may have been wrong, and a constant has no second chance.
        }
        if (epoch.isAfter(now) && !now.isBefore(MADE)) {
            throw new SnowcastException("epoch must not lie in the future (this clock shows " + now + "): " + epoch);
        }
        return offsetMillis;
    }

    /**
     * {@return how many milliseconds have passed since this epoch, by the wall clock of this process; negative if the
     * epoch lies in the future} This is not the beginning of the epoch, which {@link #getEpochOffset} returns.
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
