// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import java.util.Comparator;

/**
 * Orders IDs by timestamp only, unsigned, for the layouts that a maximum number of node IDs defines. IDs of one
 * millisecond compare as 0.
 *
 * <p>Stateless and thread-safe. Comparing null throws a {@link NullPointerException}.
 */
public enum SnowcastTimestampComparator implements Comparator<Long> {
    /** The comparator. */
    INSTANCE;

    @Override
    public int compare(Long first, Long second) {
        return SnowcastSequenceUtils.compareTimestamp(first, second);
    }
}
