// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.examples.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.cassandra.CassandraBlockStore;
import com.noctarius.snowcast.cassandra.DatacenterRangeStats;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Plays the part of a process in one datacenter: adds products until it is stopped or fails. */
final class Shop implements AutoCloseable {
    private static final Duration AT_MOST = Duration.ofMinutes(2);

    private final CqlSession session;
    private final String datacenter;
    private final CassandraBlockStore store;
    private final IntegerSequence ids;
    private final Thread thread = new Thread(this::addProducts, "shop");
    private final AtomicLong added = new AtomicLong();
    private volatile boolean ends;
    private volatile @Nullable Exception failure;

    private Shop(CqlSession session, String datacenter) {
        this.session = session;
        this.datacenter = datacenter;
        // Choose the range size for the longest cut of the network. For a day at 10 IDs per second, and the default
        // claimThreshold of 0.5, it is rangeSizeFor(10, Duration.ofDays(1), 0.5).
        this.store = CassandraBlockStore.builder(session, ProductCatalogue.KEYSPACE, datacenter)
                .rangeSize(50_000)
                .minAutonomy(Duration.ofMinutes(1))
                .build();
        this.ids = SnowcastSystem.standaloneIntegerSequence(IntegerSequenceConfig.builder("products")
                .firstValue(5_000_001)
                .blockSize(200)
                .store(store)
                .build());
    }

    static Shop open(CqlSession session, String datacenter) {
        Shop shop = new Shop(session, datacenter);
        shop.thread.setDaemon(true);
        shop.thread.start();
        return shop;
    }

    private void addProducts() {
        PreparedStatement insert = session.prepare("INSERT INTO shop.products (id, name) VALUES (?, ?)");
        try {
            while (!ends) {
                int id = ids.nextInt();
                session.execute(insert.bind(id, "product of " + datacenter)
                        .setConsistencyLevel(DefaultConsistencyLevel.LOCAL_QUORUM));
                added.incrementAndGet();
            }
        } catch (InterruptedException | RuntimeException e) {
            failure = e;
        }
    }

    long added() {
        return added.get();
    }

    void awaitMore(int count) {
        long goal = added.get() + count;
        long deadline = System.nanoTime() + AT_MOST.toNanos();
        while (added.get() < goal) {
            if (failure != null || System.nanoTime() - deadline > 0) {
                throw new IllegalStateException(
                        "not within " + AT_MOST + ": " + goal + " products in " + this, failure);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }

    void stop() {
        ends = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        stop();
        ids.close();
        store.close();
    }

    @Override
    public String toString() {
        DatacenterRangeStats stats = store.stats("products").orElseThrow();
        return "%-7s %,7d products; its range %,d to %,d has %,d integers left%s"
                .formatted(
                        datacenter,
                        added.get(),
                        stats.rangeFirst(),
                        stats.rangeLast(),
                        stats.remaining(),
                        stats.problem().isEmpty() ? "" : " (" + stats.problem() + ')');
    }
}
