// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

import org.jspecify.annotations.Nullable;

/** Receives metrics, one by one. */
@FunctionalInterface
public interface MetricSink {
    /** The highest {@link #maxNamed}. */
    int MAX_NAMED = 1_000;

    enum Unit {
        COUNT,
        MILLIS
    }

    /** The object that a metric belongs to, and its kind as a tag. */
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

    /** Receives a metric, which is a total if {@code of} is null. */
    void take(@Nullable Subject of, String metric, Unit unit, long value);

    /** Returns up to how many objects the metrics of each are shown. Sequencers and node leases count together. */
    default int maxNamed() {
        return MAX_NAMED;
    }

    default void count(@Nullable Subject of, String metric, long value) {
        take(of, metric, Unit.COUNT, value);
    }

    default void millis(@Nullable Subject of, String metric, long value) {
        take(of, metric, Unit.MILLIS, value);
    }
}
