// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import java.util.Comparator;

/**
 * Decodes and compares IDs without their sequencer, for the layouts that a maximum number of node IDs defines (41 bits
 * of time, 64 bits in total). For other layouts use {@link SnowcastLayout}.
 *
 * <p>All comparisons treat IDs as unsigned, so they stay correct when bit 63 is set. All methods throw
 * {@link SnowcastMaxLogicalNodeIdOutOfBoundsException} for a maximum number of node IDs that is out of range.
 */
public final class SnowcastSequenceUtils {
    private SnowcastSequenceUtils() {}

    /**
     * {@return the timestamp of an ID, in milliseconds since the sequencer's epoch}
     *
     * @param id the ID
     */
    public static long timestampValue(long id) {
        return SnowcastLayout.DEFAULT.timestampValue(id);
    }

    /**
     * {@return the node ID of an ID of the default layout, 0 to 8,191}
     *
     * @param id the ID
     */
    public static int logicalNodeId(long id) {
        return SnowcastLayout.DEFAULT.logicalNodeId(id);
    }

    /**
     * {@return the node ID of an ID}
     *
     * @param id the ID
     * @param maxLogicalNodeCount the maximum number of node IDs of its sequencer, 128 to 8,192
     */
    public static int logicalNodeId(long id, int maxLogicalNodeCount) {
        return SnowcastLayout.forMaxLogicalNodeCount(maxLogicalNodeCount).logicalNodeId(id);
    }

    /**
     * {@return the counter of an ID of the default layout, 0 to 1,023}
     *
     * @param id the ID
     */
    public static int counterValue(long id) {
        return SnowcastLayout.DEFAULT.counterValue(id);
    }

    /**
     * {@return the counter of an ID}
     *
     * @param id the ID
     * @param maxLogicalNodeCount the maximum number of node IDs of its sequencer, 128 to 8,192
     */
    public static int counterValue(long id, int maxLogicalNodeCount) {
        return SnowcastLayout.forMaxLogicalNodeCount(maxLogicalNodeCount).counterValue(id);
    }

    /**
     * {@return the result of comparing two IDs by timestamp only, as {@link Comparator#compare} does}
     *
     * @param first an ID
     * @param second an ID
     */
    public static int compareTimestamp(long first, long second) {
        return Long.compare(timestampValue(first), timestampValue(second));
    }

    /**
     * {@return the result of comparing two IDs of the default layout by timestamp, then counter}
     *
     * @param first an ID
     * @param second an ID
     */
    public static int compareSequence(long first, long second) {
        return compare(SnowcastLayout.DEFAULT, first, second);
    }

    /**
     * {@return the result of comparing two IDs by timestamp, then counter, as {@link Comparator#compare} does}
     *
     * @param first an ID
     * @param second an ID
     * @param maxLogicalNodeCount the maximum number of node IDs of their sequencer, 128 to 8,192
     */
    public static int compareSequence(long first, long second, int maxLogicalNodeCount) {
        return compare(SnowcastLayout.forMaxLogicalNodeCount(maxLogicalNodeCount), first, second);
    }

    static int compare(SnowcastLayout layout, long first, long second) {
        int byTimestamp = Long.compare(layout.timestampValue(first), layout.timestampValue(second));
        return byTimestamp != 0
                ? byTimestamp
                : Integer.compare(layout.counterValue(first), layout.counterValue(second));
    }

    /**
     * {@return a comparator by timestamp, then counter, for the IDs of a sequencer}
     *
     * @param sequencer the sequencer; its state does not matter
     * @throws NullPointerException if {@code sequencer} is null
     * @throws UnsupportedOperationException as {@link SnowcastSequencer#layout()}
     */
    public static Comparator<Long> snowcastSequenceComparator(SnowcastSequencer sequencer) {
        return new SnowcastSequenceComparator(sequencer);
    }

    /**
     * {@return a comparator by timestamp, then counter}
     *
     * @param maxLogicalNodeCount the maximum number of node IDs of the sequencer, 128 to 8,192
     */
    public static Comparator<Long> snowcastSequenceComparator(int maxLogicalNodeCount) {
        return new SnowcastSequenceComparator(maxLogicalNodeCount);
    }

    /** {@return the comparator by timestamp} */
    public static Comparator<Long> snowcastTimestampComparator() {
        return SnowcastTimestampComparator.INSTANCE;
    }
}
