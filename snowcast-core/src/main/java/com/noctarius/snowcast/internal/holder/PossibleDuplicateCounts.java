// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.holder;

import com.noctarius.snowcast.PossibleDuplicateIntegers;
import com.noctarius.snowcast.PossibleDuplicates;
import com.noctarius.snowcast.internal.base.MetricSink;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** How much was reported by merges as what may exist twice. Thread-safe. */
final class PossibleDuplicateCounts {
    private final AtomicLong nodeIds = new AtomicLong();
    private final AtomicLong integers = new AtomicLong();

    public void add(List<PossibleDuplicates> ids, List<PossibleDuplicateIntegers> stretches) {
        nodeIds.addAndGet(ids.size());
        for (PossibleDuplicateIntegers stretch : stretches) {
            // Integers are 0 or greater: a sum that does not fit is below 0.
            integers.accumulateAndGet(
                    stretch.last() - stretch.first() + 1, (a, b) -> a + b < 0 ? Long.MAX_VALUE : a + b);
        }
    }

    public void show(MetricSink sink) {
        sink.count(null, "possibleDuplicates", nodeIds.get());
        sink.count(null, "possibleDuplicateIntegers", integers.get());
    }
}
