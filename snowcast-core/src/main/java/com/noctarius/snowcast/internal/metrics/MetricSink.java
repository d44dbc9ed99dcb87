// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.metrics;

import org.jspecify.annotations.Nullable;

/** Takes metrics, one by one. */
@FunctionalInterface
public interface MetricSink {
    /** The unit of a metric. */
    enum Unit {
        /** How many there are. */
        COUNT,
        /** Milliseconds. */
        MILLIS
    }

    /**
     * What a metric is of, if not of all together.
     *
     * @param tag the kind: metrics of two kinds are apart also where names are the same
     * @param name its name
     */
    record Subject(String tag, String name) {
        /** Returns a sequencer. */
        public static Subject sequencer(String name) {
            return new Subject("name", name);
        }

        /** Returns an integer sequence. */
        public static Subject integerSequence(String name) {
            return new Subject("sequence", name);
        }
    }

    /**
     * Takes a metric.
     *
     * @param of null if of all together
     */
    void take(@Nullable Subject of, String metric, Unit unit, long value);

    /** Takes a number. */
    default void count(@Nullable Subject of, String metric, long value) {
        take(of, metric, Unit.COUNT, value);
    }

    /** Takes a time. */
    default void millis(@Nullable Subject of, String metric, long value) {
        take(of, metric, Unit.MILLIS, value);
    }
}
