// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStoreException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Counts a store's reservations, by sequence. Thread-safe. */
final class ReservationCounts {
    private final Map<String, Counts> bySequence = new ConcurrentHashMap<>();

    private record Failure(long sinceNanos, String problem) {}

    private static final class Counts {
        final LongAdder reservations = new LongAdder();
        final LongAdder integers = new LongAdder();
        final LongAdder failures = new LongAdder();
        /** When the failures since the last success began, and the latest problem; null if there are none. */
        volatile @Nullable Failure failure;
    }

    Block count(String sequence, Supplier<Block> reservation) {
        try {
            Block block = reservation.get();
            Counts counts = of(sequence);
            counts.reservations.increment();
            counts.integers.add(block.count());
            counts.failure = null;
            return block;
        } catch (BlockStoreException e) {
            failed(of(sequence), String.valueOf(e.getMessage()));
            throw e;
        }
    }

    private static void failed(Counts counts, String problem) {
        counts.failures.increment();
        Failure before = counts.failure;
        counts.failure = new Failure(before == null ? System.nanoTime() : before.sinceNanos(), problem);
    }

    private Counts of(String sequence) {
        return bySequence.computeIfAbsent(sequence, unused -> new Counts());
    }

    Set<String> sequences() {
        return Set.copyOf(bySequence.keySet());
    }

    Optional<JdbcReservationStats> stats(String sequence) {
        return Optional.ofNullable(bySequence.get(sequence)).map(counts -> stats(sequence, counts));
    }

    private static JdbcReservationStats stats(String sequence, Counts counts) {
        Failure failure = counts.failure;
        return new JdbcReservationStats(
                sequence,
                counts.reservations.sum(),
                counts.integers.sum(),
                counts.failures.sum(),
                failure == null ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - failure.sinceNanos()),
                failure == null ? "" : failure.problem());
    }
}
