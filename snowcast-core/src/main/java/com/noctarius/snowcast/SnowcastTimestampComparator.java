// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import java.util.Comparator;

/**
 * Orders IDs by timestamp only, unsigned, for layouts of 64 bits with 41 bits of time, such as the default layout and
 * the others of {@link SnowcastLayout#forMaxLogicalNodeCount}. It is wrong for other layouts, such as
 * {@link SnowcastLayout#POSITIVE}. IDs of one millisecond compare as 0.
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
