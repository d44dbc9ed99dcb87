// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.tests.store.BlockLedger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Threads that reserve blocks from a store and enter the blocks into a ledger, until they are stopped. */
final class Reservers implements AutoCloseable {
    private static final Duration AT_MOST = Duration.ofMinutes(3);

    private final BlockStore store;
    private final String sequence;
    private final BlockLedger ledger;
    private final int minSize;
    private final int maxSize;
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicLong blocks = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    private final LongAccumulator longestNanos = new LongAccumulator(Math::max, 0);
    private final AtomicReference<@Nullable BlockStoreException> lastFailure = new AtomicReference<>();
    private volatile boolean ends;
    private volatile @Nullable Throwable bug;

    private Reservers(BlockStore store, String sequence, BlockLedger ledger, int minSize, int maxSize) {
        this.store = store;
        this.sequence = sequence;
        this.ledger = ledger;
        this.minSize = minSize;
        this.maxSize = maxSize;
    }

    static Reservers start(int count, BlockStore store, String sequence, BlockLedger ledger, int maxSize) {
        return start(count, store, sequence, ledger, 1, maxSize);
    }

    static Reservers start(int count, BlockStore store, String sequence, BlockLedger ledger, int minSize, int maxSize) {
        Reservers reservers = new Reservers(store, sequence, ledger, minSize, maxSize);
        for (int i = 0; i < count; i++) {
            Thread thread = new Thread(reservers::run, "reserver-" + i + " of " + store);
            thread.setDaemon(true);
            reservers.threads.add(thread);
            thread.start();
        }
        return reservers;
    }

    private void run() {
        try {
            while (!ends) {
                long start = System.nanoTime();
                try {
                    Block block =
                            store.reserve(sequence, ThreadLocalRandom.current().nextInt(minSize, maxSize + 1));
                    ledger.add(block);
                    blocks.incrementAndGet();
                    longestNanos.accumulate(System.nanoTime() - start);
                } catch (BlockStoreException e) {
                    lastFailure.set(e);
                    failures.incrementAndGet();
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
                }
            }
        } catch (Throwable e) {
            bug = e;
        }
    }

    long blocks() {
        return blocks.get();
    }

    /** Returns how long the longest call that reserved a block took. */
    long longestNanos() {
        return longestNanos.get();
    }

    long failures() {
        return failures.get();
    }

    /** Waits until the threads have reserved {@code count} more blocks. */
    void awaitMore(int count) {
        long goal = blocks.get() + count;
        await(count + " blocks more", () -> blocks.get() >= goal);
    }

    /** Waits until each of them has reserved {@code count} more blocks. */
    static void awaitMore(int count, Reservers... all) {
        for (Reservers each : all) {
            each.awaitMore(count);
        }
    }

    /** Ends the threads of all. Fails if a thread has failed. */
    static void stopAll(Reservers... all) {
        for (Reservers each : all) {
            each.stop();
        }
    }

    /** Waits until another reservation has failed, and returns the last exception. */
    BlockStoreException awaitFailure() {
        long before = failures.get();
        await("a failure", () -> failures.get() > before);
        BlockStoreException failure = lastFailure.get();
        if (failure == null) {
            throw new AssertionError("counted, but not kept");
        }
        return failure;
    }

    void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + AT_MOST.toNanos();
        while (!condition.getAsBoolean()) {
            if (bug != null || System.nanoTime() - deadline > 0) {
                throw new AssertionError(
                        "not within " + AT_MOST + ": " + what + " of " + store + "; blocks: " + blocks + ", failures: "
                                + failures + ", last: " + lastFailure.get()
                                + (store instanceof CassandraBlockStore cassandra ? cassandra.stats(sequence) : ""),
                        bug);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
        }
    }

    @Override
    public void close() {
        stop();
    }

    /** Ends the threads. Fails if a thread has failed. */
    void stop() {
        ends = true;
        for (Thread thread : threads) {
            try {
                thread.join(AT_MOST.toMillis());
            } catch (InterruptedException e) {
                throw new AssertionError("interrupted", e);
            }
            if (thread.isAlive()) {
                throw new AssertionError("still alive: " + thread.getName());
            }
        }
        if (bug != null) {
            throw new AssertionError("a thread failed: " + bug, bug);
        }
    }
}
