// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.jdbc.JdbcBlockStore;
import com.noctarius.snowcast.jdbc.JdbcReservationStats;
import com.noctarius.snowcast.jdbc.JdbcStatus;
import com.noctarius.snowcast.jdbc.ScheduledJdbcMonitor;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/** Registers the meters of the reservations of a JDBC store, and of the last status that a monitor has read. */
final class JdbcMeters {
    private static final String PREFIX = "snowcast.jdbc.";

    private JdbcMeters() {}

    /** Registers the meters of the reservations of one sequence of a store. */
    static List<Meter> register(MeterRegistry registry, String name, String sequence, JdbcBlockStore store) {
        SubjectMeters<JdbcBlockStore> meters =
                new SubjectMeters<>(registry, PREFIX, Tags.of("store", name, "sequence", sequence), store);
        meters.counter(
                "reservations",
                "Blocks that this process reserved",
                null,
                count(sequence, JdbcReservationStats::reservations));
        meters.counter(
                "reservation.failures",
                "Reservations for which no shard could serve",
                null,
                count(sequence, JdbcReservationStats::failures));
        meters.timeGauge(
                "reservations.failing",
                "How long reservations have been failing; 0 if nothing is wrong",
                TimeUnit.NANOSECONDS,
                one -> one.stats(sequence)
                        .map(stats -> (double) stats.failFor().toNanos())
                        .orElse(0.0));
        return meters.registered();
    }

    private static ToLongFunction<JdbcBlockStore> count(String sequence, ToLongFunction<JdbcReservationStats> count) {
        return store -> store.stats(sequence).map(count::applyAsLong).orElse(0L);
    }

    /** Registers the meters of one shard, as a monitor has read it. */
    static List<Meter> register(MeterRegistry registry, String name, int shard, ScheduledJdbcMonitor monitor) {
        SubjectMeters<ScheduledJdbcMonitor> meters = new SubjectMeters<>(
                registry, PREFIX, Tags.of("monitor", name, "shard", Integer.toString(shard)), monitor);
        meters.gauge(
                "shard.up",
                "1 if the shard answers and is the configured one, else 0",
                null,
                one -> one.status()
                        .map(status -> status.shards().get(shard).problem().isEmpty() ? 1.0 : 0.0)
                        .orElse(Double.NaN));
        return meters.registered();
    }

    /** Registers the meters of one sequence, as a monitor has read it. */
    static List<Meter> register(MeterRegistry registry, String name, String sequence, ScheduledJdbcMonitor monitor) {
        SubjectMeters<ScheduledJdbcMonitor> meters =
                new SubjectMeters<>(registry, PREFIX, Tags.of("monitor", name, "sequence", sequence), monitor);
        meters.gauge(
                "consumption",
                "Integers that all processes reserve; NaN while unknown",
                "integers per second",
                one -> find(one, sequence)
                        .map(status -> status.integersPerSecond().orElse(Double.NaN))
                        .orElse(Double.NaN));
        return meters.registered();
    }

    /** Registers the meters of the windows of one sequence on one shard, as a monitor has read them. */
    static List<Meter> register(
            MeterRegistry registry, String name, String sequence, int shard, ScheduledJdbcMonitor monitor) {
        SubjectMeters<ScheduledJdbcMonitor> meters = new SubjectMeters<>(
                registry,
                PREFIX,
                Tags.of("monitor", name, "sequence", sequence, "shard", Integer.toString(shard)),
                monitor);
        meters.gauge(
                "windows.open",
                "Windows of the shard with integers left; NaN while the shard cannot be read",
                "windows",
                value(sequence, shard, (status, windows) -> (double) windows.openWindows()));
        meters.gauge(
                "remaining",
                "Integers left in the windows of the shard; NaN while the shard cannot be read",
                "integers",
                value(sequence, shard, (status, windows) -> (double) windows.remaining()));
        meters.timeGauge(
                "autonomy",
                "How long the integers of the shard last if it alone serves all processes; NaN while unknown, or if none are used",
                TimeUnit.NANOSECONDS,
                value(
                        sequence,
                        shard,
                        (status, windows) -> status.autonomy(windows)
                                .map(Duration::toNanos)
                                .map(Long::doubleValue)
                                .orElse(Double.NaN)));
        return meters.registered();
    }

    private static ToDoubleFunction<ScheduledJdbcMonitor> value(
            String sequence, int shard, BiFunction<JdbcStatus.SequenceStatus, JdbcStatus.WindowStatus, Double> value) {
        Function<JdbcStatus.SequenceStatus, Optional<Double>> ofShard = status -> status.windows().stream()
                .filter(windows -> windows.shard() == shard)
                .map(windows -> value.apply(status, windows))
                .findFirst();
        return monitor -> find(monitor, sequence).flatMap(ofShard).orElse(Double.NaN);
    }

    private static Optional<JdbcStatus.SequenceStatus> find(ScheduledJdbcMonitor monitor, String sequence) {
        return monitor.status().stream()
                .flatMap(status -> status.sequences().stream())
                .filter(status -> status.name().equals(sequence))
                .findFirst();
    }
}
