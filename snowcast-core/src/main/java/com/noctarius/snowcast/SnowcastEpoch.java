// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import java.time.Instant;
import java.util.Calendar;
import java.util.Objects;

/**
 * The instant at which the time of a sequencer's IDs begins.
 *
 * <p>Immutable and thread-safe. Two epochs are equal when their offsets are. An argument that is null makes a method throw
 * {@link NullPointerException}.
 */
public final class SnowcastEpoch {
    private final long epochOffset;

    private SnowcastEpoch(long epochOffset) {
        this.epochOffset = epochOffset;
    }

    /**
     * {@return an epoch that begins at a timestamp} It is not checked here: who creates a sequencer of an epoch that lies
     * in the future is refused.
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
            return new SnowcastEpoch(notInFuture(instant.toEpochMilli()));
        } catch (ArithmeticException e) {
            throw new SnowcastException(
                    "epoch must lie between " + Instant.ofEpochMilli(Long.MIN_VALUE) + " and now: " + instant, e);
        }
    }

    /**
     * {@return an epoch that begins at a calendar's time, cut to full seconds} Calendars usually carry the milliseconds of
     * the moment they were made, and two processes have to come to the same epoch.
     *
     * @param calendar a calendar set to an instant that is not in the future
     * @throws SnowcastException if {@code calendar} lies in the future
     */
    public static SnowcastEpoch byCalendar(Calendar calendar) {
        Objects.requireNonNull(calendar, "calendar");
        long millis = calendar.getTimeInMillis();
        return new SnowcastEpoch(notInFuture(millis - Math.floorMod(millis, 1_000)));
    }

    private static long notInFuture(long offsetMillis) {
        Instant now = Instant.now();
        if (offsetMillis > now.toEpochMilli()) {
            throw new SnowcastException(
                    "epoch must not lie in the future (now " + now + "): " + Instant.ofEpochMilli(offsetMillis));
        }
        return offsetMillis;
    }

    /** {@return the milliseconds since this epoch by the wall clock; negative if the epoch lies in the future} */
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
