// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.blocks;

import com.noctarius.snowcast.IntegerSequenceConfig;

/** The size of the next block: fixed, or adapted to the rate at which integers are used. Not thread-safe. */
final class BlockSizes {
    private final long min;
    private final long max;
    private final double lastingNanos;
    private long size;

    BlockSizes(IntegerSequenceConfig config) {
        this.min = config.minBlockSize();
        this.max = config.maxBlockSize();
        this.lastingNanos = config.blockDuration().toNanos();
        this.size = min;
    }

    long size() {
        return size;
    }

    /** Changes the size by at most a factor of two, because a burst or pause may be short. */
    void adapt(long taken, long nanos) {
        if (lastingNanos > 0 && taken > 0) {
            double wanted = taken / (double) Math.max(nanos, 1) * lastingNanos;
            double bounded = Math.min(Math.max(wanted, size / 2.0), size * 2.0);
            size = Math.min(Math.max((long) bounded, min), max);
        }
    }
}
