// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import com.datastax.oss.driver.api.core.cql.Row;
import java.util.Objects;
import java.util.UUID;

/**
 * What a datacenter has of a sequence. As long as the row lives, {@code reserved_max} and {@code last_integer} only grow.
 *
 * @param incarnation tells this row from one that was lost
 * @param last the last integer that a process reserved, or one below the first
 * @param reservedMin the first of the range that processes reserve from
 * @param reservedMax the last of it, or {@link #NONE} while the row is new
 * @param preloadedMin the first of the next range
 * @param preloadedMax the last of it, or {@link #NONE} if there is none
 */
record DatacenterRow(
        UUID incarnation, long last, long reservedMin, long reservedMax, long preloadedMin, long preloadedMax) {
    /** Below every integer, and below "nothing was claimed". */
    static final long NONE = -2;

    static DatacenterRow of(Row row) {
        return new DatacenterRow(
                Objects.requireNonNull(row.getUuid("incarnation"), "incarnation"),
                longOf(row, "last_integer"),
                longOf(row, "reserved_min"),
                longOf(row, "reserved_max"),
                longOf(row, "preloaded_min"),
                longOf(row, "preloaded_max"));
    }

    static long longOf(Row row, String column) {
        return row.isNull(column) ? NONE : row.getLong(column);
    }

    /**
     * Whether this is a row that was written by stores alone. What else there may be is a part of one, or parts of two: from
     * a backup, from a replica that was away for too long, or by hand.
     */
    static boolean isSound(Row row) {
        if (row.isNull("incarnation")) {
            return false;
        }
        DatacenterRow present = of(row);
        boolean isPreloadedSound = present.hasPreloaded()
                ? present.reservedMax < present.preloadedMin && present.preloadedMin <= present.preloadedMax
                : present.preloadedMin == NONE;
        return isPreloadedSound
                && (present.isNew()
                        ? present.last == NONE && present.reservedMin == NONE && !present.hasPreloaded()
                        : present.reservedMin - 1 <= present.last && present.last <= present.reservedMax);
    }

    /** Whether nobody has said yet above what its ranges lie. */
    boolean isNew() {
        return reservedMax == NONE;
    }

    boolean hasPreloaded() {
        return preloadedMax != NONE;
    }

    /** How many integers are left in the range that processes reserve from. */
    long rest() {
        return reservedMax - last;
    }

    /** How many integers processes can reserve without another datacenter. */
    long remaining() {
        return rest() + preloaded();
    }

    /** How many integers the next range has. */
    long preloaded() {
        return hasPreloaded() ? preloadedMax - preloadedMin + 1 : 0;
    }

    /** The end of the last range that was installed. */
    long installed() {
        return Math.max(reservedMax, preloadedMax);
    }

    /** Whether this share of the range is used. */
    boolean isUsed(double share) {
        return last - reservedMin + 1 >= share * (reservedMax - reservedMin + 1);
    }

    /** How many integers processes have reserved since an earlier view, at least; 0 if that was of a row that is lost. */
    long usedSince(DatacenterRow before) {
        if (isNew() || before.isNew() || !before.incarnation.equals(incarnation)) {
            return 0;
        }
        return reservedMax == before.reservedMax ? last - before.last : before.rest() + last - reservedMin + 1;
    }

    DatacenterRow withLast(long newLast) {
        return new DatacenterRow(incarnation, newLast, reservedMin, reservedMax, preloadedMin, preloadedMax);
    }

    /** After {@code count} integers of the next range were taken. */
    DatacenterRow switched(long count) {
        return new DatacenterRow(incarnation, preloadedMin + count - 1, preloadedMin, preloadedMax, NONE, NONE);
    }

    /** What another view of the same row knows of the next range. */
    DatacenterRow withPreloadedOf(DatacenterRow other) {
        boolean isSame = other.incarnation.equals(incarnation) && other.reservedMax == reservedMax;
        return isSame
                ? new DatacenterRow(incarnation, last, reservedMin, reservedMax, other.preloadedMin, other.preloadedMax)
                : this;
    }

    @Override
    public String toString() {
        return (isNew() ? "none" : reservedMin + " to " + reservedMax + ", reserved up to " + last)
                + (hasPreloaded() ? ", then " + preloadedMin + " to " + preloadedMax : "");
    }
}
