// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.internal.base.Threads;
import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStore;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Tests that a thread of snowcast inherits neither thread locals nor the context class loader from the thread that
 * starts it. An application's code runs on such threads: stores, and the dependent stages of requests that waited.
 */
class OwnThreadsTest {
    private static final InheritableThreadLocal<String> USER = new InheritableThreadLocal<>();

    private record Seen(@Nullable String user, ClassLoader loader) {
        static final Seen NOTHING = new Seen(null, SnowcastSystem.class.getClassLoader());

        static Seen now() {
            return new Seen(USER.get(), Thread.currentThread().getContextClassLoader());
        }
    }

    private static final class WatchedStore implements BlockStore {
        private final AtomicLong last = new AtomicLong();
        final CompletableFuture<Seen> seen = new CompletableFuture<>();

        @Override
        public Block reserve(String sequence, long size) {
            seen.complete(Seen.now());
            return Block.of(last.get() + 1, last.addAndGet(size));
        }
    }

    /**
     * Ends the idle threads of snowcast, so that the task has to start new ones. Then runs the task on a new thread
     * that has a thread local and a class loader of its own.
     */
    private static void asAlice(Runnable task) throws InterruptedException {
        Threads.retain();
        Threads.release();
        Thread alice = new Thread(() -> {
            USER.set("alice");
            Thread.currentThread().setContextClassLoader(new URLClassLoader(new URL[0]));
            task.run();
        });
        alice.start();
        alice.join();
    }

    @Test
    void aStoreSeesNothingOfWhoCallsFirst() throws Exception {
        WatchedStore store = new WatchedStore();
        asAlice(() -> {
            IntegerSequence sequence = SnowcastSystem.standaloneIntegerSequence(
                    IntegerSequenceConfig.builder("numbers").store(store).build());
            sequence.nextAsync().toCompletableFuture().join();
        });
        assertThat(store.seen.join()).isEqualTo(Seen.NOTHING);
    }

    @Test
    void dependentsSeeNothingOfWhoCalledFirst() throws Exception {
        SnowcastSequencer sequencer = SnowcastSystem.standaloneSequencer(
                SequencerConfig.builder("ids")
                        .epoch(SnowcastEpoch.byInstant(Instant.parse("2024-01-01T00:00:00Z")))
                        .build(),
                0);
        List<CompletableFuture<Seen>> seen = new ArrayList<>();
        asAlice(() -> {
            // Requests IDs until a request has to wait. Only the dependent stage of a waiting request runs on a thread
            // of snowcast.
            while (seen.isEmpty()) {
                CompletableFuture<Long> id = sequencer.nextAsync().toCompletableFuture();
                CompletableFuture<Seen> dependent = id.thenApply(value -> Seen.now());
                if (!id.isDone()) {
                    seen.add(dependent);
                }
            }
        });
        Seen first = seen.get(0).join();
        assertThat(first).isEqualTo(Seen.NOTHING);
    }
}
