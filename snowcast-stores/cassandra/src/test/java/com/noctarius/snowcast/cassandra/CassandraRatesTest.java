// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.noctarius.snowcast.cassandra.node.CassandraCluster;
import com.noctarius.snowcast.cassandra.node.SingleNode;
import com.noctarius.snowcast.cassandra.node.TestSessions;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.tests.store.BlockLedger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Measures how many integers per second clients reserve from each kind of store and from {@link ArticleBlockStore}.
 * There are 1 to 10 clients with blocks of 100, and one node with the JIT compilers and the memory of a small server.
 * Measures all kinds in turn, {@code -Dsnowcast.rounds=} times, and prints the minimum, the median and the maximum of
 * each kind.
 */
@Tag("soak")
class CassandraRatesTest {
    private static final String KEYSPACE = "rates";
    private static final int CLIENTS = 10;
    private static final int STRIPES = 5;
    private static final int SIZE = 100;
    private static final long LAST = 900_000_000;
    private static final int ROUNDS = Integer.getInteger("snowcast.rounds", 5);

    private static CassandraCluster cluster;
    private static CqlSession session;
    private static CassandraSchema schema;
    private static int measured;

    @BeforeAll
    static void start() {
        cluster = CassandraCluster.startToMeasure(SingleNode.DIRECTORY, SingleNode.DATACENTER);
        session = TestSessions.open(cluster.node(0));
        SingleNode.createKeyspace(session, KEYSPACE);
        schema = new CassandraSchema(session, KEYSPACE, SingleNode.DATACENTER);
        schema.create();
        ArticleBlockStore.createTable(session, KEYSPACE);
        System.out.println("Until all is compiled:");
        measure("plain", CLIENTS, client -> striped());
        measure("article", CLIENTS, client -> article(0, 1));
        measure("tiers", CLIENTS, client -> tiers());
        System.out.println("From here on it counts:");
    }

    @AfterAll
    static void end() {
        session.close();
        cluster.close();
    }

    /** Prints how evenly three clients share a row, in three minutes. */
    @Test
    void threeClientsOfARowAreServedAlike() {
        measure("plain", 3, 180, client -> striped());
    }

    @Test
    void plainStripedAndTwoTiers() {
        Map<String, List<Double>> rates = new LinkedHashMap<>();
        for (int round = 0; round < ROUNDS; round++) {
            add(rates, "plain, 1 client", measure("plain", 1, client -> striped()));
            double plain = measure("plain", CLIENTS, client -> striped());
            add(rates, "plain", plain);
            add(rates, "plain, 3 clients", measure("plain", 3, client -> striped()));
            double article = measure("article", CLIENTS, client -> article(0, 1));
            add(rates, "the article, plain", article);
            add(rates, "plain, times the article", plain / article);
            double striped = measure("striped", CLIENTS, client -> striped());
            add(rates, "5 stripes at random", striped);
            add(rates, "times plain", striped / plain);
            double given = measure("striped", CLIENTS, client -> striped(client % STRIPES));
            add(rates, "5 stripes that are given", given);
            add(rates, "times plain, given", given / plain);
            double articleStriped = measure("article striped", CLIENTS, client -> article(client % STRIPES, STRIPES));
            add(rates, "the article, 5 stripes", articleStriped);
            add(rates, "given, times the article", given / articleStriped);
            add(rates, "two tiers, 1 client", measure("tiers", 1, client -> tiers()));
            add(rates, "two tiers", measure("tiers", CLIENTS, client -> tiers()));
        }
        rates.forEach((what, all) -> {
            double[] sorted =
                    all.stream().mapToDouble(Double::doubleValue).sorted().toArray();
            System.out.printf(
                    "%-26s %,12.1f %,12.1f %,12.1f%n",
                    what, sorted[0], sorted[sorted.length / 2], sorted[sorted.length - 1]);
        });
    }

    private static void add(Map<String, List<Double>> rates, String what, double rate) {
        rates.computeIfAbsent(what, name -> new ArrayList<>()).add(rate);
    }

    private static BlockStore tiers() {
        return CassandraBlockStore.builder(session, KEYSPACE, SingleNode.DATACENTER)
                .rangeSize(10_000_000)
                .build();
    }

    private static BlockStore striped() {
        return CassandraStripedBlockStore.builder(session, KEYSPACE, SingleNode.DATACENTER)
                .build();
    }

    private static BlockStore striped(int stripe) {
        return CassandraStripedBlockStore.builder(session, KEYSPACE, SingleNode.DATACENTER)
                .stripe(stripe)
                .build();
    }

    private static BlockStore article(int stripe, int stripes) {
        return new ArticleBlockStore(session, KEYSPACE, stripe, stripes);
    }

    private static ReservationStats stats(BlockStore store, String sequence) {
        if (store instanceof CassandraBlockStore tiers) {
            return tiers.stats(sequence).orElseThrow().reservations();
        }
        return store instanceof CassandraStripedBlockStore striped
                ? striped.stats(sequence).orElseThrow()
                : ((ArticleBlockStore) store).stats();
    }

    private static double measure(String kind, int count, IntFunction<BlockStore> open) {
        return measure(kind, count, 10, open);
    }

    /** Returns integers per second. */
    private static double measure(String kind, int count, int seconds, IntFunction<BlockStore> open) {
        // Each measurement has a new sequence, because expired requests of earlier clients would slow down the reads.
        String sequence = kind + ' ' + measured++;
        switch (kind) {
            case "plain" -> schema.defineStripedSequence(sequence, 1, LAST, 1);
            case "striped" -> schema.defineStripedSequence(sequence, 1, LAST, STRIPES);
            case "tiers" -> schema.defineSequence(sequence, 1, LAST);
            default -> {
                // The algorithm of the article needs no definition.
            }
        }
        List<BlockStore> stores = IntStream.range(0, count).mapToObj(open).toList();
        BlockLedger ledger = new BlockLedger(1, LAST);
        List<Reservers> clients = stores.stream()
                .map(store -> Reservers.start(1, store, sequence, ledger, SIZE, SIZE))
                .toList();
        Deadline.after(Duration.ofSeconds(60)).pause(TimeUnit.SECONDS.toNanos(3));
        long before = blocks(clients);
        long start = System.nanoTime();
        Deadline.after(Duration.ofMinutes(9)).pause(TimeUnit.SECONDS.toNanos(seconds));
        double perSecond = (blocks(clients) - before) * 1e9 / (System.nanoTime() - start);
        LongSummaryStatistics each =
                clients.stream().mapToLong(Reservers::blocks).summaryStatistics();
        long longestNanos =
                clients.stream().mapToLong(Reservers::longestNanos).max().orElseThrow();
        clients.forEach(Reservers::close);
        stores.forEach(BlockStore::close);
        assertThat(perSecond).isPositive();
        ReservationStats all = stores.stream()
                .map(store -> stats(store, sequence))
                .reduce(
                        new ReservationStats(0, 0, 0),
                        (a, b) -> new ReservationStats(
                                a.attempts() + b.attempts(), a.applied() + b.applied(), a.unknown() + b.unknown()));
        System.out.printf(
                "%-18s %2d clients %,8.0f blocks/s %,10.0f integers/s, %.0f %% of attempts succeeded,"
                        + " fewest blocks of a client %.2f of the mean, longest wait %d ms%n",
                sequence,
                count,
                perSecond,
                perSecond * SIZE,
                100 * all.successRate(),
                each.getMin() / each.getAverage(),
                longestNanos / 1_000_000);
        return perSecond * SIZE;
    }

    private static long blocks(List<Reservers> clients) {
        return clients.stream().mapToLong(Reservers::blocks).sum();
    }
}
