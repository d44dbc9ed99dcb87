// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import java.io.Serial;
import java.io.Serializable;
import java.util.Comparator;

/**
 * Orders IDs by timestamp only, unsigned, for the layouts that a maximum of logical nodes describes. IDs of one
 * millisecond compare as 0.
 *
 * <p>Stateless and thread-safe.
 */
public final class SnowcastTimestampComparator implements Comparator<Long>, Serializable {
    @Serial
    private static final long serialVersionUID = 1L;

    /** The comparator. */
    public static final SnowcastTimestampComparator INSTANCE = new SnowcastTimestampComparator();

    /** Creates a comparator; {@link #INSTANCE} serves as well. */
    public SnowcastTimestampComparator() {}

    @Override
    public int compare(Long first, Long second) {
        return SnowcastSequenceUtils.compareTimestamp(first, second);
    }
}
