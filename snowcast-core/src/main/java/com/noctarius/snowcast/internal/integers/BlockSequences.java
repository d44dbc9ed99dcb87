// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.integers;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceAlreadyRegisteredException;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.PossibleDuplicateIntegers;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.internal.clock.Clock;
import com.noctarius.snowcast.internal.integers.ReserveRequest.AfterLoss;
import com.noctarius.snowcast.internal.metrics.MetricSink;
import com.noctarius.snowcast.internal.names.Names;
import com.noctarius.snowcast.store.BlockStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The integer sequences of one {@code HazelcastInstance}, at most one open one per name.
 *
 * <p>A name is locked while its sequence is created, round trip included; other names go on. Destructions wait for no
 * lock.
 */
public final class BlockSequences {
    private static final String DESTROYED = "it was destroyed";

    private final IntSupplier backupCount;
    private final PoolCoordinator coordinator;
    private final Clock clock;
    private final BlockSequence.Background background;
    private final Names<Instance> names;
    private final IntegerSequenceMetrics metrics;
    private volatile @Nullable String closedBecause;

    /**
     * An instance.
     *
     * @param pool null with a store of its own
     */
    record Instance(BlockSequence sequence, @Nullable PoolBlockStore pool) {
        boolean isOpen() {
            return !sequence.isClosed();
        }

        /** Whether it was ever returned, or is about to be: one that cannot be created is nobody's. */
        boolean wasCreated() {
            return pool == null || pool.incarnation() != 0;
        }

        /** Closes it if its incarnation was destroyed. Does not block. */
        void closeIfDestroyed() {
            if (pool != null && pool.isDestroyed()) {
                sequence.close(DESTROYED);
            }
        }
    }

    /**
     * Makes an empty set.
     *
     * @param backupCount for sequences whose configuration gives none
     * @param background runs what blocks
     */
    public BlockSequences(
            IntSupplier backupCount, PoolCoordinator coordinator, Clock clock, BlockSequence.Background background) {
        this.backupCount = backupCount;
        this.coordinator = coordinator;
        this.clock = clock;
        this.background = background;
        this.metrics = new IntegerSequenceMetrics(this, clock);
        this.names = new Names<>(instance -> metrics.forgotten(instance.sequence));
    }

    // --- creation

    /** See {@code Snowcast.createIntegerSequence}. */
    public IntegerSequence create(IntegerSequenceConfig config) {
        return create(config, null);
    }

    /** See {@code Snowcast.resumeIntegerSequence}. */
    public IntegerSequence resume(IntegerSequenceConfig config, long firstValue, Instant lostBefore) {
        if (firstValue < 0) {
            throw new IllegalArgumentException("firstValue must be >= 0: " + firstValue);
        }
        if (config.store() != null) {
            throw new IllegalArgumentException("integer sequence " + config.name()
                    + " must count in the Hazelcast cluster to be resumed after a loss there; it has "
                    + config.store());
        }
        return create(config, new AfterLoss(firstValue, toMillis(lostBefore)));
    }

    /** What a {@code long} cannot express is before or after all losses. */
    private static long toMillis(Instant lostBefore) {
        try {
            return lostBefore.toEpochMilli();
        } catch (ArithmeticException e) {
            return lostBefore.isBefore(Instant.EPOCH) ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
    }

    private IntegerSequence create(IntegerSequenceConfig config, @Nullable AfterLoss afterLoss) {
        Objects.requireNonNull(config, "config");
        forgetClosed();
        requireOpen(config);
        Names.Creation<Instance> creation = new Names.Creation<>() {
            @Override
            public boolean accepts(Instance present) {
                if (!present.isOpen()) {
                    return false;
                }
                requireSame(present, config);
                if (present.pool != null && (afterLoss != null || present.pool.isFenced())) {
                    present.pool.open(afterLoss);
                }
                return true;
            }

            @Override
            public Instance make() {
                return newInstance(config);
            }

            @Override
            public void open(Instance made) {
                if (made.pool != null) {
                    made.pool.open(afterLoss);
                    made.closeIfDestroyed(); // while the answer was on its way
                }
                requireOpen(config);
            }
        };
        return names.create(config.name(), creation).sequence;
    }

    private void requireOpen(IntegerSequenceConfig config) {
        String reason = closedBecause;
        if (reason != null) {
            throw new SnowcastStateException("integer sequence " + config.name() + " cannot be created: " + reason);
        }
    }

    private Instance newInstance(IntegerSequenceConfig config) {
        BlockStore own = config.store();
        if (own != null) {
            return new Instance(new BlockSequence(config, own, clock, background), null);
        }
        PoolDefinition definition = PoolBlockStore.definition(config, backupCount.getAsInt());
        PoolBlockStore pool = new PoolBlockStore(config, definition, coordinator, background);
        BlockSequence sequence = new BlockSequence(config, pool, clock, background);
        pool.whenDestroyed(() -> sequence.close(DESTROYED));
        return new Instance(sequence, pool);
    }

    private void requireSame(Instance existing, IntegerSequenceConfig config) {
        IntegerSequenceConfig before = existing.sequence.config();
        boolean isSame = before.store() == config.store()
                && (existing.pool == null
                        ? before.firstValue() == config.firstValue() && before.lastValue() == config.lastValue()
                        : existing.pool.definition().equals(PoolBlockStore.definition(config, backupCount.getAsInt())));
        if (!isSame) {
            throw new IntegerSequenceAlreadyRegisteredException("integer sequence " + config.name()
                    + " is registered with another definition: " + describe(before) + ", not " + describe(config));
        }
    }

    private String describe(IntegerSequenceConfig config) {
        return config.store() == null
                ? PoolBlockStore.definition(config, backupCount.getAsInt()).toString()
                : "first value " + config.firstValue() + ", last value " + config.lastValue() + ", store "
                        + config.store();
    }

    /** Those that their users have closed, or that were destroyed. */
    void forgetClosed() {
        for (Instance instance : all()) {
            if (!instance.isOpen()) {
                names.forget(instance.sequence.name(), instance);
            }
        }
    }

    // --- destruction

    /** See {@code Snowcast.destroyIntegerSequence}. */
    public void destroy(IntegerSequence sequence) {
        Objects.requireNonNull(sequence, "sequence");
        if (!(sequence instanceof BlockSequence own) || !isOurs(own)) {
            throw new IllegalArgumentException(
                    "sequence must have been created by the same HazelcastInstance: " + sequence);
        }
        if (own.store() instanceof PoolBlockStore pool) {
            pool.end();
            own.close(DESTROYED);
            coordinator.destroy(own.name(), pool.incarnation());
        } else {
            own.close(DESTROYED);
        }
        forgetClosed();
    }

    private boolean isOurs(BlockSequence sequence) {
        if (sequence.store() instanceof PoolBlockStore pool) {
            return pool.coordinator() == coordinator;
        }
        Instance instance = names.find(sequence.name());
        return sequence.isClosed() || (instance != null && instance.sequence == sequence);
    }

    /** Closes the instance of that name if it belongs to an incarnation up to the given one. Does not block. */
    public void destroyed(String name, long incarnation) {
        Instance instance = names.find(name);
        if (instance != null && instance.pool != null) {
            instance.pool.destroyed(incarnation);
            instance.closeIfDestroyed();
        }
    }

    // --- the cluster

    /**
     * Gives up the blocks of all sequences that count in the cluster: it is another one now, which may have handed out
     * the same. They go on if it knows them. Does not block.
     */
    public void fence() {
        for (Instance instance : all()) {
            if (instance.pool != null) {
                instance.pool.fence();
                instance.sequence.discard();
            }
        }
    }

    /** Closes all sequences, and refuses new ones; waits at most the given time for what they give back. */
    public void close(String reason, long atMostMillis) {
        closedBecause = reason;
        List<CompletableFuture<?>> closings = new ArrayList<>();
        for (Instance instance : all()) {
            if (instance.isOpen()) {
                closings.add(CompletableFuture.runAsync(
                        () -> instance.sequence.close(reason), task -> background.run(task, Duration.ZERO)));
            }
        }
        // What is not given back, in time or because a store failed, is a gap.
        CompletableFuture.allOf(closings.toArray(CompletableFuture<?>[]::new))
                .completeOnTimeout(null, atMostMillis, TimeUnit.MILLISECONDS)
                .exceptionally(failure -> null)
                .join();
        end(reason);
    }

    /** Closes all sequences, and refuses new ones. Gives nothing back to the cluster. */
    public void end(String reason) {
        closedBecause = reason;
        for (Instance instance : all()) {
            if (instance.pool != null) {
                instance.pool.end();
                instance.sequence.close(reason);
            } else {
                background.run(() -> instance.sequence.close(reason), Duration.ZERO);
            }
        }
    }

    /** See {@code Snowcast.integerSequences}. */
    public List<IntegerSequence> open() {
        List<IntegerSequence> open = new ArrayList<>();
        for (Instance instance : all()) {
            if (instance.isOpen() && instance.wasCreated()) {
                open.add(instance.sequence);
            }
        }
        return open;
    }

    /** Shows the integer sequences as metrics. */
    public void show(MetricSink sink) {
        metrics.show(sink);
    }

    /** Returns all instances, also those that are being created, and those that are closed and not forgotten yet. */
    List<Instance> all() {
        return names.all();
    }

    /**
     * Gives up the blocks of sequences of which integers may have been handed out twice, as these may be among them. Does
     * not block.
     */
    public void discard(List<PossibleDuplicateIntegers> found) {
        for (PossibleDuplicateIntegers each : found) {
            Instance instance = names.find(each.sequenceName());
            if (instance != null && instance.pool != null) {
                instance.sequence.discard();
            }
        }
    }
}
