// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.noctarius.snowcast.cassandra.node.SingleNode;
import com.noctarius.snowcast.cassandra.node.TestSessions;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.tests.store.BlockLedger;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Prints how many integers each kind of store gives in a second: one node, 10 clients, batches of 100. */
@Tag("soak")
class CassandraRatesTest {
    private static final String KEYSPACE = "rates";
    private static final int CLIENTS = 10;
    private static final int SIZE = 100;
    private static final long LAST = 900_000_000;
    private static final int ROUNDS = 3;

    @Test
    void plainStripedAndTwoTiers() {
        try (CqlSession session = TestSessions.open(SingleNode.node())) {
            SingleNode.createKeyspace(session, KEYSPACE);
            CassandraSchema schema = new CassandraSchema(session, KEYSPACE, SingleNode.DATACENTER);
            schema.create();
            schema.defineStripedSequence("plain", 1, LAST, 1);
            schema.defineStripedSequence("striped", 1, LAST, 5);
            schema.defineSequence("tiers", 1, LAST);
            IntFunction<BlockStore> plain = client -> striped(session, 0);
            IntFunction<BlockStore> striped = client -> striped(session, client % 5);
            IntFunction<BlockStore> tiers =
                    client -> CassandraBlockStore.builder(session, KEYSPACE, SingleNode.DATACENTER)
                            .rangeSize(10_000_000)
                            .build();
            for (int round = 0; round < ROUNDS; round++) {
                double ofPlain = measure("plain", plain);
                double ofStriped = measure("striped", striped);
                measure("tiers", tiers);
                System.out.printf("5 stripes instead of 1: %.1f times as many%n", ofStriped / ofPlain);
            }
        }
    }

    private static BlockStore striped(CqlSession session, int stripe) {
        return CassandraStripedBlockStore.builder(session, KEYSPACE, SingleNode.DATACENTER)
                .stripe(stripe)
                .build();
    }

    private static double measure(String sequence, IntFunction<BlockStore> open) {
        List<BlockStore> stores = IntStream.range(0, CLIENTS).mapToObj(open).toList();
        // A ledger of each run would forget the runs before; the integers of all runs of a sequence are different
        // anyway.
        BlockLedger ledger = new BlockLedger(1, LAST);
        List<Reservers> clients = stores.stream()
                .map(store -> Reservers.start(1, store, sequence, ledger, SIZE, SIZE))
                .toList();
        Deadline.after(Duration.ofSeconds(60)).pause(TimeUnit.SECONDS.toNanos(3));
        long before = blocks(clients);
        long start = System.nanoTime();
        Deadline.after(Duration.ofSeconds(60)).pause(TimeUnit.SECONDS.toNanos(10));
        double perSecond = (blocks(clients) - before) * 1e9 / (System.nanoTime() - start);
        clients.forEach(Reservers::close);
        stores.forEach(BlockStore::close);
        assertThat(perSecond).isPositive();
        ReservationStats all = stores.stream()
                .map(store -> store instanceof CassandraBlockStore tiers
                        ? tiers.stats(sequence).orElseThrow().reservations()
                        : ((CassandraStripedBlockStore) store).stats(sequence).orElseThrow())
                .reduce(
                        new ReservationStats(0, 0, 0),
                        (a, b) -> new ReservationStats(
                                a.attempts() + b.attempts(), a.applied() + b.applied(), a.unknown() + b.unknown()));
        System.out.printf(
                "%-8s %,8.0f blocks/s %,10.0f integers/s, %.0f %% of attempts succeeded%n",
                sequence, perSecond, perSecond * SIZE, 100 * all.successRate());
        return perSecond;
    }

    private static long blocks(List<Reservers> clients) {
        return clients.stream().mapToLong(Reservers::blocks).sum();
    }
}
