// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceStats;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/** The meters of an integer sequence. */
final class SequenceMeters {
    private static final String UNIT = "integers";

    private SequenceMeters() {}

    static List<Meter> register(MeterRegistry registry, String name, IntegerSequence sequence) {
        return new SubjectMeters<>(registry, "snowcast.sequence.", Tags.of("sequence", name), sequence)
                .counter(
                        "issued",
                        "Integers that were handed out",
                        UNIT,
                        one -> one.stats().issuedCount())
                .gauge(
                        "remaining",
                        "Integers that can be had without the store",
                        UNIT,
                        unlessClosed(IntegerSequenceStats::remaining))
                .timeGauge(
                        "time.to.empty",
                        "How long the remaining integers last at the present rate; NaN if none are used",
                        TimeUnit.MILLISECONDS,
                        unlessClosed(SequenceMeters::millisToEmpty))
                .gauge(
                        "block.size",
                        "Integers that the next reservation asks for",
                        UNIT,
                        unlessClosed(IntegerSequenceStats::blockSize))
                .counter(
                        "reservations",
                        "Blocks that were reserved",
                        null,
                        one -> one.stats().blockCount())
                .counter(
                        "reservation.failures",
                        "Reservations that failed",
                        null,
                        one -> one.stats().failureCount())
                .timer(
                        "waits",
                        "Calls that waited for a block, and for how long",
                        one -> one.stats().waitCount(),
                        one -> one.stats().waitTime().toNanos())
                .registered();
    }

    private static ToDoubleFunction<IntegerSequence> unlessClosed(ToDoubleFunction<IntegerSequenceStats> value) {
        return one -> one.isClosed() ? Double.NaN : value.applyAsDouble(one.stats());
    }

    private static double millisToEmpty(IntegerSequenceStats stats) {
        Duration timeToEmpty = TimeToEmpty.of(stats);
        return timeToEmpty == null ? Double.NaN : timeToEmpty.toMillis();
    }
}
