// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastLayout;
import java.util.Arrays;
import java.util.Collection;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Checks the uniqueness, order and time of IDs. */
final class IdCheck {
    /** How far an ID's time may lie outside the checked interval. Callers that set clocks must widen the interval. */
    private static final long TOLERATED_MILLIS = 1_000;

    private IdCheck() {}

    static void requireUnique(SnowcastLayout layout, Collection<long[]> idsByThread) {
        long[] all = sorted(idsByThread);
        long duplicates = 0;
        for (int i = 1; i < all.length; i++) {
            duplicates += all[i] == all[i - 1] ? 1 : 0;
        }
        if (duplicates > 0) {
            throw new AssertionError(duplicates + " duplicates among " + all.length + " IDs, the first is "
                    + describe(layout, duplicates(idsByThread).findFirst().getAsLong()));
        }
    }

    /** Returns the duplicate IDs of all threads, each once. */
    static LongStream duplicates(Collection<long[]> idsByThread) {
        long[] all = sorted(idsByThread);
        return IntStream.range(1, all.length)
                .filter(i -> all[i] == all[i - 1])
                .mapToLong(i -> all[i])
                .distinct();
    }

    private static long[] sorted(Collection<long[]> idsByThread) {
        long[] all = idsByThread.stream().flatMapToLong(Arrays::stream).toArray();
        Arrays.parallelSort(all);
        return all;
    }

    /**
     * Fails if the IDs that one thread got from one instance do not increase strictly. Also fails if their timestamps
     * and counters, without the node ID, do not increase strictly.
     */
    static void requireOrdered(SnowcastLayout layout, long[] ids) {
        for (int i = 1; i < ids.length; i++) {
            if (Long.compareUnsigned(ids[i - 1], ids[i]) >= 0 || slot(layout, ids[i - 1]) >= slot(layout, ids[i])) {
                throw new AssertionError("ID " + i + " is not above its predecessor: " + describe(layout, ids[i - 1])
                        + ", then " + describe(layout, ids[i]));
            }
        }
    }

    /**
     * Fails if an ID's time is more than {@link #TOLERATED_MILLIS} before {@code fromMillis} or after {@code toMillis},
     * which are in milliseconds since 1970.
     */
    static void requireTimeBetween(
            SnowcastLayout layout, SnowcastEpoch epoch, long fromMillis, long toMillis, long[] ids) {
        long from = fromMillis - epoch.getEpochOffset() - TOLERATED_MILLIS;
        long to = toMillis - epoch.getEpochOffset() + TOLERATED_MILLIS;
        for (long id : ids) {
            long timestamp = layout.timestampValue(id);
            if (timestamp < from || timestamp > to) {
                throw new AssertionError("time is not between " + from + " and " + to + ": " + describe(layout, id));
            }
        }
    }

    /** Returns the timestamp and the counter in one number. Without the node ID, they fit into 63 bits. */
    private static long slot(SnowcastLayout layout, long id) {
        return layout.timestampValue(id) << layout.counterBits() | layout.counterValue(id);
    }

    static String describe(SnowcastLayout layout, long id) {
        return Long.toUnsignedString(id) + " (time " + layout.timestampValue(id) + ", node " + layout.logicalNodeId(id)
                + ", counter " + layout.counterValue(id) + ')';
    }
}
