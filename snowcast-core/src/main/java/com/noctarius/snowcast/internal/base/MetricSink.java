// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

import org.jspecify.annotations.Nullable;

/** Takes metrics, one by one. */
@FunctionalInterface
public interface MetricSink {
    enum Unit {
        COUNT,
        MILLIS
    }

    /** What a metric is of, if not of all together. The tag tells metrics of two kinds with one name apart. */
    record Subject(String tag, String name) {
        public static Subject sequencer(String name) {
            return new Subject("name", name);
        }

        public static Subject nodeLease(String name) {
            return new Subject("lease", name);
        }

        public static Subject integerSequence(String name) {
            return new Subject("sequence", name);
        }
    }

    /** Takes a metric, which is of all together if {@code of} is null. */
    void take(@Nullable Subject of, String metric, Unit unit, long value);

    /** Returns up to how many of a kind are shown one by one; of more only the totals are. */
    default int maxNamed() {
        return SampleInterval.MAX_NAMED;
    }

    default void count(@Nullable Subject of, String metric, long value) {
        take(of, metric, Unit.COUNT, value);
    }

    default void millis(@Nullable Subject of, String metric, long value) {
        take(of, metric, Unit.MILLIS, value);
    }
}
