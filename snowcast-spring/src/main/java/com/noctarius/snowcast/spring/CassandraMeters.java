// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.IntegerSequenceStats;
import com.noctarius.snowcast.cassandra.CassandraBlockStore;
import com.noctarius.snowcast.cassandra.CassandraStripedBlockStore;
import com.noctarius.snowcast.cassandra.DatacenterRangeStats;
import com.noctarius.snowcast.cassandra.ReservationStats;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/** The meters of a sequence of a Cassandra store, which Micrometer refers to weakly. */
final class CassandraMeters {
    private static final String PREFIX = "snowcast.cassandra.";

    private CassandraMeters() {}

    static List<Meter> register(MeterRegistry registry, String name, String sequence, CassandraBlockStore store) {
        Tags tags = tags(name, sequence, store.localDatacenter());
        List<Meter> meters = new ArrayList<>(List.of(
                TimeGauge.builder(
                                PREFIX + "autonomy",
                                store,
                                TimeUnit.NANOSECONDS,
                                value(sequence, CassandraMeters::autonomyNanos))
                        .description("How long the datacenter goes on without the others; NaN while unknown")
                        .tags(tags)
                        .register(registry),
                Gauge.builder(PREFIX + "remaining", store, value(sequence, CassandraMeters::remaining))
                        .description("Integers that the datacenter has left; NaN while unknown")
                        .baseUnit("integers")
                        .tags(tags)
                        .register(registry),
                Gauge.builder(PREFIX + "consumption", store, value(sequence, CassandraMeters::consumption))
                        .description("Integers that the datacenter uses; NaN while unknown")
                        .baseUnit("integers per second")
                        .tags(tags)
                        .register(registry),
                TimeGauge.builder(
                                PREFIX + "claims.failing",
                                store,
                                TimeUnit.NANOSECONDS,
                                value(sequence, stats -> stats.claimsFailFor().toNanos()))
                        .description("For how long no range could be claimed; 0 if nothing is wrong")
                        .tags(tags)
                        .register(registry)));
        Function<CassandraBlockStore, Optional<ReservationStats>> reservations =
                one -> one.stats(sequence).map(DatacenterRangeStats::reservations);
        meters.addAll(reservations(registry, tags, store, reservations));
        return meters;
    }

    static List<Meter> register(
            MeterRegistry registry, String name, String sequence, CassandraStripedBlockStore store) {
        return reservations(registry, tags(name, sequence, store.localDatacenter()), store, one -> one.stats(sequence));
    }

    private static <S> List<Meter> reservations(
            MeterRegistry registry, Tags tags, S store, Function<S, Optional<ReservationStats>> stats) {
        return List.of(
                counter("reservation.attempts", store, stats, ReservationStats::attempts)
                        .description("Requests to reserve a block")
                        .tags(tags)
                        .register(registry),
                counter("reservations", store, stats, ReservationStats::applied)
                        .description("Those that reserved one; the others came too late or had no answer")
                        .tags(tags)
                        .register(registry),
                counter("reservation.unknowns", store, stats, ReservationStats::unknown)
                        .description("Those without an answer; what they may have reserved is a gap")
                        .tags(tags)
                        .register(registry));
    }

    private static <S> FunctionCounter.Builder<S> counter(
            String name,
            S store,
            Function<S, Optional<ReservationStats>> stats,
            ToLongFunction<ReservationStats> count) {
        return FunctionCounter.builder(
                PREFIX + name,
                store,
                one -> stats.apply(one).map(count::applyAsLong).orElse(0L));
    }

    private static Tags tags(String name, String sequence, String datacenter) {
        return Tags.of("store", name, "sequence", sequence, "datacenter", datacenter);
    }

    private static ToDoubleFunction<CassandraBlockStore> value(
            String sequence, ToDoubleFunction<DatacenterRangeStats> value) {
        return store -> store.stats(sequence).map(value::applyAsDouble).orElse(Double.NaN);
    }

    static double autonomyNanos(DatacenterRangeStats stats) {
        if (!stats.isRangeKnown() || stats.autonomy().equals(IntegerSequenceStats.ENDLESS)) {
            return Double.NaN;
        }
        // Nothing lasts for no time, at whatever rate.
        return stats.isRateKnown() || stats.remaining() == 0 ? stats.autonomy().toNanos() : Double.NaN;
    }

    static double remaining(DatacenterRangeStats stats) {
        return stats.isRangeKnown() ? stats.remaining() : Double.NaN;
    }

    static double consumption(DatacenterRangeStats stats) {
        return stats.isRateKnown() ? stats.integersPerSecond() : Double.NaN;
    }
}
