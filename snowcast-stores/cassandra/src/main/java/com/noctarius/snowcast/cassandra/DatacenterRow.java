// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import com.datastax.oss.driver.api.core.cql.Row;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/**
 * A datacenter's row of a sequence: its current range, from which processes reserve, and its next range. The columns
 * {@code reserved_max} and {@code last_integer} only increase, unless the row is lost, is replaced, or goes back to an
 * earlier state. While the row is new, all its integers are {@link #NONE}.
 *
 * @param incarnation distinguishes this row from an earlier one that was lost or replaced
 * @param last the last integer that a process reserved; one below {@code reservedMin} if there is none
 * @param reservedMin the first integer of the current range
 * @param reservedMax the last integer of the current range
 * @param preloadedMin the first integer of the next range
 * @param preloadedMax the last integer of the next range; {@link #NONE} if there is no next range
 * @param requests the requests that clients have posted, and the blocks granted to them
 */
record DatacenterRow(
        UUID incarnation,
        long last,
        long reservedMin,
        long reservedMax,
        long preloadedMin,
        long preloadedMax,
        Requests requests)
        implements SharedRow.State<DatacenterRow> {
    /** The columns that have a value in every complete row. */
    private static final List<String> VALUES =
            List.of("incarnation", "last_integer", "reserved_min", "reserved_max", "preloaded_min", "preloaded_max");

    static final String COLUMNS = String.join(", ", VALUES) + ", posted, granted";

    /** Stands for a missing integer. It is not -1, because {@code last} is -1 at first if the first value is 0. */
    static final long NONE = -2;

    DatacenterRow(
            UUID incarnation, long last, long reservedMin, long reservedMax, long preloadedMin, long preloadedMax) {
        this(incarnation, last, reservedMin, reservedMax, preloadedMin, preloadedMax, Requests.NONE);
    }

    static DatacenterRow of(Row row) {
        return new DatacenterRow(
                Objects.requireNonNull(row.getUuid("incarnation"), "incarnation"),
                longOf(row, "last_integer"),
                longOf(row, "reserved_min"),
                longOf(row, "reserved_max"),
                longOf(row, "preloaded_min"),
                longOf(row, "preloaded_max"),
                Requests.of(row));
    }

    static long longOf(Row row, String column) {
        return row.isNull(column) ? NONE : row.getLong(column);
    }

    /** Returns whether the row has lost its values. Such a row may still contain requests of clients. */
    static boolean isLost(Row row) {
        return row.isNull("incarnation") && row.isNull("last_integer") && row.isNull("reserved_max");
    }

    /**
     * Returns whether the values of a row are consistent. After a restore from a backup, a manual change, or a long
     * failure of a replica, a row may be incomplete, or a mix of two rows.
     */
    static boolean isSound(Row row) {
        if (VALUES.stream().anyMatch(row::isNull)) {
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

    /** Returns whether the row was inserted but not yet initialised: it does not yet say where its ranges begin. */
    boolean isNew() {
        return reservedMax == NONE;
    }

    boolean hasPreloaded() {
        return preloadedMax != NONE;
    }

    /** Returns how many integers are left in the current range. */
    long rest() {
        return reservedMax - last;
    }

    /** Returns how many integers processes can reserve without the other datacenters. */
    long remaining() {
        return rest() + preloaded();
    }

    long preloaded() {
        return hasPreloaded() ? preloadedMax - preloadedMin + 1 : 0;
    }

    /** Returns the last integer of the range that was installed last. */
    long installed() {
        return Math.max(reservedMax, preloadedMax);
    }

    /** Returns whether at least the given share of the current range is used. */
    boolean isUsed(double share) {
        return last - reservedMin + 1 >= share * (reservedMax - reservedMin + 1);
    }

    /**
     * Returns a lower bound of how many integers were reserved since an earlier read; 0 if the row was replaced since.
     */
    long usedSince(DatacenterRow before) {
        if (isNew() || before.isNew() || !before.incarnation.equals(incarnation)) {
            return 0;
        }
        return reservedMax == before.reservedMax ? last - before.last : before.rest() + last - reservedMin + 1;
    }

    /** Returns whether this row has gone back to an earlier state than {@code before}. */
    boolean isBehind(DatacenterRow before) {
        return before.incarnation.equals(incarnation)
                && (reservedMax < before.reservedMax || (reservedMax == before.reservedMax && last < before.last));
    }

    /**
     * Returns the next integer to reserve. If the current range is used up, this is the first integer of the next
     * range, to which the next reservation switches.
     */
    @Override
    public long first() {
        return rest() == 0 ? preloadedMin : last + 1;
    }

    @Override
    public long left() {
        return rest() == 0 ? preloaded() : rest();
    }

    @Override
    public DatacenterRow with(Requests.Grants grants) {
        Requests now = requests.with(grants);
        long newLast = grants.next() - 1;
        return rest() > 0
                ? new DatacenterRow(incarnation, newLast, reservedMin, reservedMax, preloadedMin, preloadedMax, now)
                : new DatacenterRow(incarnation, newLast, preloadedMin, preloadedMax, NONE, NONE, now);
    }

    /**
     * Returns this row with the next range of {@code other}, if both have the same current range; otherwise this row.
     */
    DatacenterRow withPreloadedOf(DatacenterRow other) {
        boolean isSame = other.incarnation.equals(incarnation) && other.reservedMax == reservedMax;
        return isSame
                ? new DatacenterRow(
                        incarnation, last, reservedMin, reservedMax, other.preloadedMin, other.preloadedMax, requests)
                : this;
    }

    @Override
    public String toString() {
        return (isNew() ? "none" : reservedMin + " to " + reservedMax + ", reserved up to " + last)
                + (hasPreloaded() ? ", then " + preloadedMin + " to " + preloadedMax : "");
    }
}
