// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * How clients share a row of which they reserve without a break, in time that is driven by hand. The coordinator is a
 * model of one: it serves the changes of a row one after the other, as Cassandra does under its lock of the partition.
 * So the client whose change was made knows that before all others, and its next change is the next in the queue. Unless
 * it is late, it is always first, and never hears that others try.
 */
class SharedRowTest {
    private static final Deadline ENDLESS = Deadline.after(Duration.ofDays(1));
    private static final long CHANGE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final int SEEDS = 3;

    /** A row, and the clients that reserve of it. */
    private static final class Row {
        private final RandomGenerator random;
        /** How often a client is late, for as long as one or two changes take. */
        private final double late;
        /** How often a change takes up to 20 times as long, which the clients remember for a while. */
        private final double slow;

        private final List<Client> clients = new ArrayList<>();
        private final PriorityQueue<Event> events = new PriorityQueue<>(Comparator.comparingLong(Event::atNanos));
        private long nowNanos;
        private long freeNanos;
        private long changes;

        private record Event(long atNanos, Runnable action) {}

        Row(long seed, double late, double slow) {
            this.random = new SplittableRandom(seed);
            this.late = late;
            this.slow = slow;
        }

        Client add() {
            Client client = new Client();
            clients.add(client);
            in(random.nextLong(CHANGE_NANOS), client::send);
            return client;
        }

        void runUntil(long endNanos) {
            while (events.element().atNanos < endNanos) {
                Event next = events.remove();
                nowNanos = next.atNanos;
                next.action.run();
            }
            nowNanos = endNanos;
        }

        private void in(long nanos, Runnable action) {
            events.add(new Event(nowNanos + nanos, action));
        }

        private long about(long nanos) {
            return nanos * 3 / 4 + random.nextLong(nanos / 2);
        }

        /** Does what a sequence does with its row. */
        private final class Client {
            private long clockNanos = nowNanos;
            private final Attempts attempts = new Attempts(() -> clockNanos, () -> random);
            private Backoff backoff = new Backoff(ENDLESS, random);
            private long known;
            private long blocks;
            private long lastNanos = nowNanos;
            private long firstAfterNanos;
            private long longestNanos;

            private void send() {
                clockNanos = nowNanos;
                long lateNanos = random.nextDouble() < late ? random.nextLong(4 * CHANGE_NANOS) : 0;
                in(lateNanos + about(CHANGE_NANOS / 10), this::arrive);
            }

            private void arrive() {
                boolean isApplied = known == changes;
                changes += isApplied ? 1 : 0;
                long present = changes;
                long slowNanos = random.nextDouble() < slow ? random.nextLong(20 * CHANGE_NANOS) : 0;
                freeNanos = Math.max(freeNanos, nowNanos) + about(CHANGE_NANOS) + slowNanos;
                in(freeNanos - nowNanos + about(CHANGE_NANOS / 10), () -> hear(isApplied, present));
            }

            private void hear(boolean isApplied, long present) {
                known = present;
                attempts.count(() -> {
                    clockNanos = nowNanos;
                    return new SerialTable.Outcome(isApplied, null);
                });
                if (isApplied) {
                    reserved();
                    in(attempts.wayNanos(ENDLESS), this::send);
                } else {
                    in(backoff.nextPauseNanos(attempts.maxPauseNanos()), this::send);
                }
            }

            private void reserved() {
                backoff = new Backoff(ENDLESS, random);
                if (blocks == 0) {
                    firstAfterNanos = nowNanos - lastNanos;
                } else {
                    longestNanos = longestNanos();
                }
                blocks++;
                lastNanos = nowNanos;
            }

            private long longestNanos() {
                return Math.max(longestNanos, nowNanos - lastNanos);
            }
        }
    }

    /** Once each of them has met the others. */
    @ParameterizedTest
    @CsvSource({
        "2, 0.03, 0, 500", "2, 0.005, 0, 500", "2, 0.005, 0.05, 500",
        "3, 0.03, 0, 500", "3, 0.005, 0, 500", "3, 0.005, 0.05, 500",
        "10, 0.03, 0, 2500"
    })
    void nobodyIsWithoutABlockForLong(int count, double late, double slow, long atMostMillis) {
        for (long seed = 0; seed < SEEDS; seed++) {
            Row row = new Row(seed, late, slow);
            IntStream.range(0, count).forEach(i -> row.add());
            row.runUntil(20 * SECOND);
            long longestMillis = row.clients.stream()
                    .mapToLong(client -> TimeUnit.NANOSECONDS.toMillis(client.longestNanos()))
                    .max()
                    .orElseThrow();
            LongSummaryStatistics blocks =
                    row.clients.stream().mapToLong(client -> client.blocks).summaryStatistics();
            String what =
                    "seed %d: %d clients, late %.3f, slow %.2f: longest time without a block %d ms, %d to %d blocks"
                            .formatted(seed, count, late, slow, longestMillis, blocks.getMin(), blocks.getMax());
            System.out.println(what);
            assertThat(blocks.getMin()).as(what).isPositive();
            assertThat(longestMillis).as(what).isLessThan(atMostMillis);
        }
    }

    /** It has to wait until the other client is late: who meets nobody does not give way. */
    @Test
    void whoComesLaterIsLetInAndStays() {
        for (long seed = 0; seed < SEEDS; seed++) {
            Row row = new Row(seed, 0.03, 0);
            row.add();
            row.runUntil(SECOND);
            Row.Client later = row.add();
            row.runUntil(20 * SECOND);
            long firstMillis = TimeUnit.NANOSECONDS.toMillis(later.firstAfterNanos);
            long longestMillis = TimeUnit.NANOSECONDS.toMillis(later.longestNanos());
            String what = "seed %d: the first block after %d ms, each other one after %d ms at most"
                    .formatted(seed, firstMillis, longestMillis);
            System.out.println(what);
            assertThat(later.blocks).as(what).isPositive();
            assertThat(firstMillis).as(what).isLessThan(3_000);
            assertThat(longestMillis).as(what).isLessThan(1_000);
        }
    }
}
