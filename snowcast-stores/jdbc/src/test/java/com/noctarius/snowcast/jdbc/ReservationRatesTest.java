// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.MemoryBlockStore;
import com.noctarius.snowcast.tests.store.BlockLedger;
import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Measures how many blocks stores reserve per second, on one shard and on three. No block may be reserved twice. */
@Tag("soak")
class ReservationRatesTest {
    private static final long LAST = 200_000_000;
    private static final int SIZE = 1;
    private static final AtomicInteger TABLES = new AtomicInteger();

    @TempDir
    private Path directory;

    @Test
    void memory() throws Exception {
        for (int threads : new int[] {1, 8}) {
            print("memory", 1, threads, rate(new MemoryBlockStore(1, LAST), threads));
        }
    }

    @Test
    void h2() throws Exception {
        measure("H2 in memory", names("jdbc:h2:mem:rates%d;DB_CLOSE_DELAY=-1;USER=sa"));
        measure("H2 in files", names("jdbc:h2:file:" + directory.resolve("rates") + "%d;USER=sa;WRITE_DELAY=0"));
    }

    private static List<String> names(String pattern) {
        return IntStream.range(0, 3).mapToObj(pattern::formatted).toList();
    }

    @Test
    void postgres() throws Exception {
        try (PostgresServer server = PostgresServer.startToMeasure()) {
            List<String> urls = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                urls.add(server.createDatabase("rates" + i));
            }
            measure("PostgreSQL", urls);
        }
    }

    @Test
    void maria() throws Exception {
        try (MariaServer server = MariaServer.start()) {
            List<String> urls = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                urls.add(server.createDatabase("rates" + i));
            }
            measure("MariaDB", urls);
        }
    }

    private static void measure(String what, List<String> urls) throws Exception {
        for (int shardCount : new int[] {1, 3}) {
            TestShards list = TestShards.of("rates" + TABLES.incrementAndGet(), urls.subList(0, shardCount));
            JdbcSchema schema = new JdbcSchema(list.plain());
            schema.create(1_000_000);
            schema.defineSequence("orders", 1, LAST);
            new WindowAgent(list.plain(), 20).topUp();
            for (int threads : new int[] {1, 8}) {
                List<HikariDataSource> pools = urls.subList(0, shardCount).stream()
                        .map(url -> TestShards.poolAtReadCommitted(url, 8))
                        .toList();
                JdbcShards shards = list.of(List.copyOf(pools));
                // Each thread has its own store, as a process would have.
                List<BlockStore> stores = IntStream.range(0, threads)
                        .<BlockStore>mapToObj(i -> new JdbcBlockStore(shards, i % shardCount))
                        .toList();
                print(what, shardCount, threads, rate(stores));
                pools.forEach(HikariDataSource::close);
            }
        }
    }

    private static long rate(BlockStore store, int threads) throws Exception {
        return rate(IntStream.range(0, threads).mapToObj(i -> store).toList());
    }

    private static long rate(List<BlockStore> stores) throws Exception {
        BlockLedger ledger = new BlockLedger(1, LAST);
        run(stores, ledger, 1);
        return run(stores, ledger, 3) / 3;
    }

    private static long run(List<BlockStore> stores, BlockLedger ledger, int seconds) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(stores.size());
        LongAdder blocks = new LongAdder();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        List<Future<?>> all = new ArrayList<>();
        for (BlockStore store : stores) {
            all.add(threads.submit(() -> {
                while (System.nanoTime() - end < 0) {
                    ledger.add(store.reserve("orders", SIZE));
                    blocks.increment();
                }
                return store;
            }));
        }
        for (Future<?> each : all) {
            each.get();
        }
        threads.shutdown();
        assertThat(blocks.sum()).isPositive();
        return blocks.sum();
    }

    private static void print(String what, int shards, int threads, long rate) {
        System.out.printf("%-14s %d shard(s) %d thread(s) %,10d blocks/s%n", what, shards, threads, rate);
    }
}
