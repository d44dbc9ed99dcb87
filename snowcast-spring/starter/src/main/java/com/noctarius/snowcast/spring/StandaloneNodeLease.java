// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.NodeLease;
import com.noctarius.snowcast.NodeLeaseConfig;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.SnowcastUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;

/** A node lease without a cluster: it has the fixed node ID, and never ends. Thread-safe. */
final class StandaloneNodeLease implements NodeLease {
    private static final long MAX_WAIT_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** The generators of all contexts of this JVM. A second one with the same node ID could repeat IDs. */
    private static final Map<Identity, Shared> SHARED = new ConcurrentHashMap<>();

    private final NodeLeaseConfig config;
    private final int nodeId;
    private final AtomicBoolean isGuarded = new AtomicBoolean();
    private volatile boolean isClosed;

    private record Identity(String name, int nodeId) {}

    /** A generator, and the highest time in its IDs that were returned. */
    private record Shared(LongSupplier generator, LongUnaryOperator timestampMillis, AtomicLong lastMillis) {
        /** Returns whether the time of an ID is not before that of any ID for which this method has returned true. */
        boolean isNotBefore(long id) {
            long millis = millis(id);
            return lastMillis.accumulateAndGet(millis, Math::max) == millis;
        }

        long millis(long id) {
            return timestampMillis.applyAsLong(id);
        }
    }

    StandaloneNodeLease(NodeLeaseConfig config, int nodeId) {
        this.config = config;
        this.nodeId = nodeId;
    }

    boolean isClosed() {
        return isClosed;
    }

    @Override
    public String name() {
        return config.name();
    }

    @Override
    public int maxNodeCount() {
        return config.maxNodeCount();
    }

    @Override
    public int nodeId() {
        requireOpen();
        return nodeId;
    }

    @Override
    public Instant validFrom() {
        requireOpen();
        return Instant.EPOCH;
    }

    @Override
    public Instant validUntil() {
        requireOpen();
        return Instant.ofEpochMilli(Long.MAX_VALUE);
    }

    private void requireOpen() {
        if (isClosed) {
            throw new SnowcastStateException("node lease " + name() + " has no node ID: it was closed");
        }
    }

    @Override
    public Generator generator(IntFunction<? extends LongSupplier> newGenerator, LongUnaryOperator timestampMillis) {
        requireOpen();
        Objects.requireNonNull(newGenerator, "newGenerator");
        Objects.requireNonNull(timestampMillis, "timestampMillis");
        if (isGuarded.getAndSet(true)) {
            throw new IllegalStateException("node lease " + name() + " has a guarded generator already");
        }
        return new Guarded(SHARED.computeIfAbsent(
                new Identity(name(), nodeId),
                identity -> new Shared(
                        Objects.requireNonNull(newGenerator.apply(nodeId), "newGenerator returned null"),
                        timestampMillis,
                        new AtomicLong(Long.MIN_VALUE))));
    }

    private final class Guarded implements Generator {
        private final Shared shared;

        Guarded(Shared shared) {
            this.shared = shared;
        }

        @Override
        public long next() throws InterruptedException {
            long startNanos = System.nanoTime();
            while (true) {
                requireOpen();
                long id = shared.generator().getAsLong();
                if (shared.isNotBefore(id)) {
                    return id;
                }
                if (System.nanoTime() - startNanos > MAX_WAIT_NANOS) {
                    throw new SnowcastStateException("node lease " + name() + ": the generator for node ID " + nodeId
                            + " makes IDs of " + shared.millis(id) + ", and may do so from " + shared.lastMillis()
                            + " on only: earlier ones may exist already");
                }
                TimeUnit.MILLISECONDS.sleep(1);
            }
        }

        @Override
        public long getAsLong() {
            try {
                return next();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new SnowcastUnavailableException(
                        "node lease " + name() + ": the thread was interrupted while it waited for an ID", e);
            }
        }
    }

    /** Never calls the listener, because the node ID cannot be lost. */
    @Override
    public void onLost(IntConsumer listener) {
        Objects.requireNonNull(listener, "listener");
    }

    /** Never calls the listener, because the node ID never changes. */
    @Override
    public void onChanged(IntConsumer listener) {
        Objects.requireNonNull(listener, "listener");
    }

    @Override
    public Stats stats() {
        boolean isOpen = !isClosed;
        Duration lease = isOpen ? IntegerSequence.Stats.ENDLESS : Duration.ZERO;
        return new Stats(
                isOpen ? SnowcastSequenceState.Attached : SnowcastSequenceState.Detached,
                isOpen ? OptionalInt.of(nodeId) : OptionalInt.empty(),
                lease,
                lease,
                isOpen ? "" : "it was closed",
                0,
                Duration.ZERO,
                0,
                0,
                0);
    }

    @Override
    public void close() {
        isClosed = true;
    }
}
