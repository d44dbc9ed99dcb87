// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Registers the meters of one subject, such as a sequencer. Micrometer keeps only a weak reference to the subject. Not
 * thread-safe.
 *
 * @param <T> the type of the subject
 */
final class SubjectMeters<T> {
    private final MeterRegistry registry;
    private final String prefix;
    private final Tags tags;
    private final T subject;
    private final List<Meter> registered = new ArrayList<>();

    SubjectMeters(MeterRegistry registry, String prefix, Tags tags, T subject) {
        this.registry = registry;
        this.prefix = prefix;
        this.tags = tags;
        this.subject = subject;
    }

    void counter(String name, String description, @Nullable String unit, ToLongFunction<T> count) {
        registered.add(FunctionCounter.builder(prefix + name, subject, count::applyAsLong)
                .description(description)
                .baseUnit(unit)
                .tags(tags)
                .register(registry));
    }

    void gauge(String name, String description, @Nullable String unit, ToDoubleFunction<T> value) {
        registered.add(Gauge.builder(prefix + name, subject, value)
                .description(description)
                .baseUnit(unit)
                .tags(tags)
                .register(registry));
    }

    void timeGauge(String name, String description, TimeUnit unit, ToDoubleFunction<T> value) {
        registered.add(TimeGauge.builder(prefix + name, subject, unit, value)
                .description(description)
                .tags(tags)
                .register(registry));
    }

    void timer(String name, String description, ToLongFunction<T> count, ToLongFunction<T> totalNanos) {
        registered.add(
                FunctionTimer.builder(prefix + name, subject, count, totalNanos::applyAsLong, TimeUnit.NANOSECONDS)
                        .description(description)
                        .tags(tags)
                        .register(registry));
    }

    List<Meter> registered() {
        return List.copyOf(registered);
    }
}
