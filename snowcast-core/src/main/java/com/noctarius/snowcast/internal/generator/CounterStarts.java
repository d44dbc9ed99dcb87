// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.generator;

import com.noctarius.snowcast.CounterStart;
import com.noctarius.snowcast.SnowcastLayout;

/** The counters at which an idle word starts in a millisecond: 0, or a hash of the millisecond in the lower half. */
record CounterStarts(long mask, long salt) {
    static CounterStarts of(CounterStart counterStart, SnowcastLayout layout, long salt) {
        boolean isRandom = counterStart == CounterStart.RANDOM;
        return new CounterStarts(isRandom ? Math.max(layout.idsPerMillisecond() / 2, 1) - 1 : 0, salt);
    }

    /** Returns the counter; the hash is the finalizer of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014). */
    long at(long millis) {
        if (mask == 0) {
            return 0;
        }
        long z = millis + salt;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return (z ^ (z >>> 31)) & mask;
    }
}
