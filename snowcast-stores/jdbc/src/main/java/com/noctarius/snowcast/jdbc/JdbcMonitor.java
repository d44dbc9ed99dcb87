// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Reads the state of the shards: their open windows, how long the windows last, and which shards are unreachable or
 * rejected. Changes nothing, and needs only the privilege {@code SELECT}. Thread-safe.
 */
public final class JdbcMonitor {
    private final JdbcShards shards;
    private final AtomicReference<@Nullable Reading> former = new AtomicReference<>();

    private record Reading(long nanos, List<ShardReading> shards) {}

    /**
     * Makes a monitor.
     *
     * @param shards all shards, in their order
     */
    public JdbcMonitor(JdbcShards shards) {
        this.shards = shards;
    }

    /**
     * Reads all shards concurrently. If a shard does not answer, the result says why; no exception is thrown. Blocks at
     * most for two call time-outs; an interrupt does not end the call.
     *
     * <p>The rates are averages since the previous call on this monitor. Processes reserve integers in blocks, so call
     * this method at intervals longer than a block lasts.
     *
     * @return the state of the shards
     */
    public JdbcStatus read() {
        List<CompletableFuture<ShardReading>> calls = shards.all().stream()
                .map(shard ->
                        CompletableFuture.supplyAsync(() -> ShardReading.of(shard, shards.tables()), Shard.THREADS))
                .toList();
        Reading present = new Reading(
                System.nanoTime(), calls.stream().map(CompletableFuture::join).toList());
        return status(present, former.getAndSet(present));
    }

    private static JdbcStatus status(Reading present, @Nullable Reading before) {
        NavigableMap<String, SequenceRow> rows = new TreeMap<>();
        present.shards().forEach(reading -> reading.sequences().forEach(rows::putIfAbsent));
        List<JdbcStatus.SequenceStatus> sequences = new ArrayList<>();
        rows.forEach((name, row) -> sequences.add(new JdbcStatus.SequenceStatus(
                name,
                row.first(),
                row.last(),
                before == null ? OptionalDouble.empty() : perSecond(present, before, name),
                present.shards().stream()
                        .filter(ShardReading::isRead)
                        .map(reading -> reading.windows(name))
                        .toList())));
        return new JdbcStatus(
                problem(present),
                present.shards().stream().map(ShardReading::status).toList(),
                sequences);
    }

    /** Returns why the shards that could be checked do not fit together; empty if nothing is wrong. */
    private static String problem(Reading present) {
        Map<Shard, ShardState> reached = new LinkedHashMap<>();
        for (ShardReading reading : present.shards()) {
            ShardState state = reading.state();
            if (state != null) {
                reached.put(reading.shard(), state);
            }
        }
        if (reached.isEmpty()) {
            return "";
        }
        try {
            new ShardState.All(reached, Map.of()).agreed();
            return "";
        } catch (ShardMismatchException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /** Returns the rate of a sequence in the shards that were read both times; empty if there is no such shard. */
    private static OptionalDouble perSecond(Reading present, Reading before, String sequence) {
        long nanos = present.nanos() - before.nanos();
        long reserved = 0;
        boolean isKnown = false;
        for (ShardReading now : present.shards()) {
            ShardReading then = before.shards().get(now.shard().index());
            if (now.isRead() && then.isRead()) {
                reserved += now.reservedSince(then, sequence);
                isKnown = true;
            }
        }
        // The sum is negative if processes have given back more integers than they have reserved.
        return isKnown && nanos > 0
                ? OptionalDouble.of(Math.max(reserved, 0) / ((double) nanos / TimeUnit.SECONDS.toNanos(1)))
                : OptionalDouble.empty();
    }

    /**
     * Reads the shards periodically, the first time at once, until the returned object is closed.
     *
     * @param period from the end of a reading to the beginning of the next; 1 second to 1 day
     * @return the object that keeps the latest reading
     * @throws NullPointerException if {@code period} is null
     * @throws IllegalArgumentException if it is out of range
     */
    public ScheduledJdbcMonitor schedule(Duration period) {
        return new ScheduledJdbcMonitor(this, period);
    }

    @Override
    public String toString() {
        return "JdbcMonitor{shards=" + shards.count() + ", table=" + shards.tableName() + '}';
    }
}
