// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.generator;

import com.noctarius.snowcast.CounterStart;
import com.noctarius.snowcast.SnowcastLayout;

/**
 * Computes the counter at which an idle sequencer starts in a millisecond: 0, or a hash of the millisecond. Shortly
 * after a busy millisecond, the hash is in the lower half of the counter's range. At least half of the range is then
 * left for the other calls in this millisecond.
 */
record CounterStarts(long mask, long salt) {
    /** A millisecond is busy if it had more than one ID and used more than 1/{@value} of the counter's range. */
    static final int BUSY_PART = 64;

    static CounterStarts of(CounterStart counterStart, SnowcastLayout layout, long salt) {
        boolean isRandom = counterStart == CounterStart.RANDOM;
        return new CounterStarts(isRandom ? layout.idsPerMillisecond() - 1 : 0, salt);
    }

    /**
     * Returns the counter; the hash is the finalizer of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
     *
     * @param recentCount how many IDs a millisecond shortly before had; 0 if there was none
     */
    long at(long millis, long recentCount) {
        if (mask == 0) {
            return 0;
        }
        boolean isBusy = recentCount > Math.max((mask + 1) / BUSY_PART, 1);
        long z = millis + salt;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return (z ^ (z >>> 31)) & (isBusy ? mask >> 1 : mask);
    }
}
