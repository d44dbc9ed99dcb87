// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import java.util.Comparator;
import java.util.Objects;

/**
 * Orders IDs by timestamp, then counter, and ignores the node ID. IDs of different nodes can therefore compare as 0
 * without being equal: use this comparator to sort lists, but not for sorted sets or maps.
 *
 * <p>Timestamps compare unsigned. Immutable and thread-safe. The constructors and {@link #compare} throw
 * {@link NullPointerException} for null.
 */
public final class SnowcastSequenceComparator implements Comparator<Long> {
    private final SnowcastLayout layout;

    /**
     * Creates a comparator for sequencers that were created with a maximum number of node IDs.
     *
     * @param maxLogicalNodeCount 128 to 8,192
     * @throws SnowcastMaxLogicalNodeIdOutOfBoundsException if the maximum is out of range
     */
    public SnowcastSequenceComparator(int maxLogicalNodeCount) {
        this(SnowcastLayout.forMaxLogicalNodeCount(maxLogicalNodeCount));
    }

    /**
     * Creates a comparator for a layout.
     *
     * @param layout the layout of the IDs
     */
    public SnowcastSequenceComparator(SnowcastLayout layout) {
        this.layout = Objects.requireNonNull(layout, "layout");
    }

    /**
     * Creates a comparator for the IDs of a sequencer.
     *
     * @param sequencer the sequencer; its state does not matter
     * @throws UnsupportedOperationException as {@link SnowcastSequencer#layout()}
     */
    public SnowcastSequenceComparator(SnowcastSequencer sequencer) {
        this(Objects.requireNonNull(sequencer, "sequencer").layout());
    }

    @Override
    public int compare(Long first, Long second) {
        return SnowcastSequenceUtils.compare(layout, first, second);
    }
}
