// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.cassandra.CassandraBlockStore;
import com.noctarius.snowcast.cassandra.CassandraStripedBlockStore;
import com.noctarius.snowcast.cassandra.DatacenterRangeStats;
import com.noctarius.snowcast.cassandra.ReservationStats;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/** Registers the meters of one sequence of a Cassandra store. */
final class CassandraMeters {
    private static final String PREFIX = "snowcast.cassandra.";

    private CassandraMeters() {}

    static List<Meter> register(MeterRegistry registry, String name, String sequence, CassandraBlockStore store) {
        SubjectMeters<CassandraBlockStore> meters =
                new SubjectMeters<>(registry, PREFIX, tags(name, sequence, store.localDatacenter()), store);
        meters.timeGauge(
                "autonomy",
                "How long the datacenter continues without the others; NaN while unknown",
                TimeUnit.NANOSECONDS,
                value(sequence, CassandraMeters::autonomyNanos));
        meters.gauge(
                "remaining",
                "Integers that the datacenter has left; NaN while unknown",
                "integers",
                value(sequence, CassandraMeters::remaining));
        meters.gauge(
                "consumption",
                "Integers that the datacenter uses; NaN while unknown",
                "integers per second",
                value(sequence, CassandraMeters::consumption));
        meters.timeGauge(
                "claims.failing",
                "How long claims of ranges have been failing; 0 if nothing is wrong",
                TimeUnit.NANOSECONDS,
                value(sequence, stats -> stats.claimsFailFor().toNanos()));
        return withReservations(meters, one -> one.stats(sequence).map(DatacenterRangeStats::reservations));
    }

    static List<Meter> register(
            MeterRegistry registry, String name, String sequence, CassandraStripedBlockStore store) {
        return withReservations(
                new SubjectMeters<>(registry, PREFIX, tags(name, sequence, store.localDatacenter()), store),
                one -> one.stats(sequence));
    }

    private static <S> List<Meter> withReservations(
            SubjectMeters<S> meters, Function<S, Optional<ReservationStats>> stats) {
        meters.counter(
                "reservation.attempts", "Requests to reserve a block", null, count(stats, ReservationStats::attempts));
        meters.counter(
                "reservations",
                "Requests that reserved a block; the others lost to another process, or failed",
                null,
                count(stats, ReservationStats::applied));
        meters.counter(
                "reservation.unknowns",
                "Requests that failed or had no answer; integers that they may have reserved are a gap",
                null,
                count(stats, ReservationStats::unknown));
        return meters.registered();
    }

    private static <S> ToLongFunction<S> count(
            Function<S, Optional<ReservationStats>> stats, ToLongFunction<ReservationStats> count) {
        return store -> stats.apply(store).map(count::applyAsLong).orElse(0L);
    }

    private static Tags tags(String name, String sequence, String datacenter) {
        return Tags.of("store", name, "sequence", sequence, "datacenter", datacenter);
    }

    private static ToDoubleFunction<CassandraBlockStore> value(
            String sequence, ToDoubleFunction<DatacenterRangeStats> value) {
        return store -> store.stats(sequence).map(value::applyAsDouble).orElse(Double.NaN);
    }

    static double autonomyNanos(DatacenterRangeStats stats) {
        if (!stats.isRangeKnown() || stats.autonomy().equals(IntegerSequence.Stats.ENDLESS)) {
            return Double.NaN;
        }
        // If no integers are left, the autonomy is 0, whatever the rate is.
        return stats.isRateKnown() || stats.remaining() == 0 ? stats.autonomy().toNanos() : Double.NaN;
    }

    static double remaining(DatacenterRangeStats stats) {
        return stats.isRangeKnown() ? stats.remaining() : Double.NaN;
    }

    static double consumption(DatacenterRangeStats stats) {
        return stats.isRateKnown() ? stats.integersPerSecond() : Double.NaN;
    }
}
