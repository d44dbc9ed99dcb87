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

    /** The subject of a metric that is not a total. The tag distinguishes two kinds of metrics with the same name. */
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

    /** Takes a metric, which is a total if {@code of} is null. */
    void take(@Nullable Subject of, String metric, Unit unit, long value);

    /** Returns up to how many subjects of a kind are shown individually; if there are more, only totals are shown. */
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
