// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceStats;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/** The meters of an integer sequence, which Micrometer refers to weakly. */
final class SequenceMeters {
    private static final String PREFIX = "snowcast.sequence.";

    private SequenceMeters() {}

    static List<Meter> register(MeterRegistry registry, String name, IntegerSequence sequence) {
        Tags tags = Tags.of("sequence", name);
        return List.of(
                counter("issued", sequence, IntegerSequenceStats::issuedCount)
                        .description("Integers that were handed out")
                        .baseUnit("integers")
                        .tags(tags)
                        .register(registry),
                Gauge.builder(PREFIX + "remaining", sequence, unlessClosed(IntegerSequenceStats::remaining))
                        .description("Integers that can be had without the store")
                        .baseUnit("integers")
                        .tags(tags)
                        .register(registry),
                TimeGauge.builder(
                                PREFIX + "time.to.empty",
                                sequence,
                                TimeUnit.MILLISECONDS,
                                unlessClosed(SequenceMeters::millisToEmpty))
                        .description("How long these last at the present rate; NaN if none are used")
                        .tags(tags)
                        .register(registry),
                Gauge.builder(PREFIX + "block.size", sequence, unlessClosed(IntegerSequenceStats::blockSize))
                        .description("Integers that the next reservation asks for")
                        .baseUnit("integers")
                        .tags(tags)
                        .register(registry),
                counter("reservations", sequence, IntegerSequenceStats::blockCount)
                        .description("Blocks that were reserved")
                        .tags(tags)
                        .register(registry),
                counter("reservation.failures", sequence, IntegerSequenceStats::failureCount)
                        .description("Reservations that failed")
                        .tags(tags)
                        .register(registry),
                FunctionTimer.builder(
                                PREFIX + "waits",
                                sequence,
                                one -> one.stats().waitCount(),
                                one -> one.stats().waitTime().toNanos(),
                                TimeUnit.NANOSECONDS)
                        .description("Calls that waited for a block, and for how long")
                        .tags(tags)
                        .register(registry));
    }

    private static FunctionCounter.Builder<IntegerSequence> counter(
            String name, IntegerSequence sequence, ToLongFunction<IntegerSequenceStats> count) {
        return FunctionCounter.builder(PREFIX + name, sequence, one -> count.applyAsLong(one.stats()));
    }

    private static ToDoubleFunction<IntegerSequence> unlessClosed(ToDoubleFunction<IntegerSequenceStats> value) {
        return one -> one.isClosed() ? Double.NaN : value.applyAsDouble(one.stats());
    }

    private static double millisToEmpty(IntegerSequenceStats stats) {
        Duration timeToEmpty = TimeToEmpty.of(stats);
        return timeToEmpty == null ? Double.NaN : timeToEmpty.toMillis();
    }
}
