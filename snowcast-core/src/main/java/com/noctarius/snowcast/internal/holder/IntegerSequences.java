// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.holder;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceAlreadyRegisteredException;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.IntegerSequenceStats;
import com.noctarius.snowcast.Ordering;
import com.noctarius.snowcast.PossibleDuplicateIntegers;
import com.noctarius.snowcast.internal.base.Clock;
import com.noctarius.snowcast.internal.base.Delays;
import com.noctarius.snowcast.internal.base.MetricSink;
import com.noctarius.snowcast.internal.base.MetricSink.Subject;
import com.noctarius.snowcast.internal.holder.GrowingTotals.Total;
import com.noctarius.snowcast.internal.owner.PoolDefinition;
import com.noctarius.snowcast.internal.owner.ReserveRequest.AfterLoss;
import com.noctarius.snowcast.store.BlockStore;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The integer sequences of one {@code HazelcastInstance}, at most one open one per name: see {@link Names}. */
final class IntegerSequences {
    private static final List<Total<IntegerSequenceStats>> TOTALS = List.of(
            Total.count("integersIssued", IntegerSequenceStats::issuedCount),
            Total.count("reservations", IntegerSequenceStats::reservationCount),
            Total.count("reservationFailures", IntegerSequenceStats::failureCount),
            Total.count("blockWaits", IntegerSequenceStats::waitCount),
            Total.time("blockWaitTime", IntegerSequenceStats::waitTime));

    private static final System.Logger LOGGER = System.getLogger(IntegerSequence.class.getName());
    private static final String DESTROYED = "it was destroyed";

    private final IntSupplier backupCount;
    private final @Nullable PoolCoordinator coordinator;
    private final Function<IntegerSequenceConfig, @Nullable BlockStore> stores;
    private final Clock clock;
    private final Background background;
    private final Names<RegisteredSequence> names;
    private final GrowingTotals<IntegerSequenceStats> totals;

    /**
     * Makes an empty set.
     *
     * @param backupCount of sequences whose configuration gives none
     * @param coordinator the cluster; null if there is none
     * @param stores where sequences whose configuration has no store get their blocks from; null for the cluster
     */
    IntegerSequences(
            IntSupplier backupCount,
            @Nullable PoolCoordinator coordinator,
            Function<IntegerSequenceConfig, @Nullable BlockStore> stores,
            Clock clock,
            Background background) {
        this.backupCount = backupCount;
        this.coordinator = coordinator;
        this.stores = stores;
        this.clock = clock;
        this.background = background;
        this.totals = new GrowingTotals<>(TOTALS, clock);
        this.names = new Names<>(removed -> totals.forgotten(removed.stats()));
    }

    // --- creation

    public IntegerSequence create(IntegerSequenceConfig config, boolean isOpened) {
        return create(config, isOpened, null);
    }

    public IntegerSequence resume(IntegerSequenceConfig config, long firstValue, Instant lostBefore) {
        if (firstValue < 0 || firstValue > config.lastValue()) {
            throw new IllegalArgumentException(subject(config) + ": firstValue must be 0 to " + config.lastValue()
                    + ", the last value: " + firstValue);
        }
        if (config.store() != null) {
            throw new IllegalArgumentException(subject(config)
                    + " must count in the Hazelcast cluster to be resumed after a loss there; it has "
                    + config.store());
        }
        // What a long cannot express becomes the lowest or the highest: before or after all losses.
        long lostBeforeMillis = TimeUnit.MILLISECONDS.convert(Duration.between(Instant.EPOCH, lostBefore));
        return create(config, true, new AfterLoss(firstValue, lostBeforeMillis));
    }

    private IntegerSequence create(IntegerSequenceConfig config, boolean isOpened, @Nullable AfterLoss afterLoss) {
        Objects.requireNonNull(config, "config");
        forgetClosed();
        names.requireOpen(subject(config));
        try (Names.Slot<RegisteredSequence> slot = names.lock(config.name())) {
            RegisteredSequence present = slot.instance();
            if (present != null && !present.isClosed()) {
                requireSame(present, config);
                String difference = slot.differenceToLog(subject(config), settings(present.config()), settings(config));
                if (difference != null) {
                    LOGGER.log(Level.WARNING, difference);
                }
                if (isOpened
                        && present.store() instanceof ClusterBlockStore pool
                        && (afterLoss != null || pool.isUnconfirmed())) {
                    pool.open(afterLoss);
                }
                return present;
            }
            RegisteredSequence made = newSequence(config);
            slot.open(made, subject(config), () -> {
                made.prepare();
                if (isOpened && made.store() instanceof ClusterBlockStore pool) {
                    pool.open(afterLoss);
                }
            });
            return made;
        }
    }

    private static String subject(IntegerSequenceConfig config) {
        return "integer sequence " + config.name();
    }

    private RegisteredSequence newSequence(IntegerSequenceConfig config) {
        BlockStore own = config.store() == null ? stores.apply(config) : config.store();
        if (own != null) {
            return new BlockSequence(config, own, clock, background);
        }
        ClusterBlockStore pool = new ClusterBlockStore(
                config.name(), PoolDefinition.of(config, backupCount), Objects.requireNonNull(coordinator));
        RegisteredSequence sequence = config.ordering() == Ordering.CLUSTER
                ? new ClusterCounter(config, pool, clock, background)
                : new BlockSequence(config, pool, clock, background);
        pool.whenDestroyed(() -> sequence.close(DESTROYED));
        return sequence;
    }

    private void requireSame(RegisteredSequence present, IntegerSequenceConfig config) {
        String sequence = subject(config);
        if (present.config().store() != config.store()) {
            throw new IntegerSequenceAlreadyRegisteredException(sequence + " is registered with another store: "
                    + present.store() + ", not " + (config.store() == null ? "Hazelcast" : "this " + config.store())
                    + " (take the same one, or another name)");
        }
        PoolDefinition definition = PoolDefinition.of(present.config(), backupCount);
        PoolDefinition wanted = PoolDefinition.of(config, backupCount);
        if (!definition.equals(wanted)) {
            throw new IntegerSequenceAlreadyRegisteredException(sequence + definition.differenceTo(wanted));
        }
    }

    /** Removes those that their users have closed, or that were destroyed. */
    private void forgetClosed() {
        names.all().stream()
                .filter(RegisteredSequence::isClosed)
                .forEach(closed -> names.forget(closed.name(), closed));
    }

    /** Returns what belongs to an instance, and not to the cluster. */
    static String settings(IntegerSequenceConfig config) {
        return "ordering=" + config.ordering() + ", blockSize=" + config.minBlockSize() + "-" + config.maxBlockSize()
                + ", blockDuration=" + config.blockDuration() + ", prefetchThreshold=" + config.prefetchThreshold()
                + ", maxWait=" + config.maxWait();
    }

    // --- destruction

    public void destroy(IntegerSequence sequence) {
        Objects.requireNonNull(sequence, "sequence");
        if (!(sequence instanceof RegisteredSequence own) || !isOurs(own)) {
            throw new IllegalArgumentException("sequence must have been created by the same Snowcast: " + sequence);
        }
        ClusterBlockStore pool = own.store() instanceof ClusterBlockStore ofCluster ? ofCluster : null;
        if (pool != null) {
            pool.end();
        }
        own.close(DESTROYED);
        forgetClosed();
        if (pool != null && pool.incarnation() != 0) { // Else it has none in the cluster that it could destroy.
            pool.coordinator.destroyIntegers(own.name(), pool.incarnation());
        }
    }

    private boolean isOurs(RegisteredSequence sequence) {
        return sequence.store() instanceof ClusterBlockStore pool
                ? pool.coordinator == coordinator
                : sequence.isClosed() || sequence == names.find(sequence.name());
    }

    /** Closes the instance of that name if it belongs to an incarnation up to the given one. Does not block. */
    public void destroyed(String name, long incarnation) {
        RegisteredSequence sequence = names.find(name);
        if (sequence != null && sequence.store() instanceof ClusterBlockStore pool) {
            pool.destroyed(incarnation);
        }
    }

    // --- the cluster

    /** Discards the blocks of the cluster, which is another one now and may hand out the same ones. Does not block. */
    public void clusterChanged() {
        for (RegisteredSequence sequence : names.all()) {
            if (sequence.store() instanceof ClusterBlockStore pool) {
                pool.clusterChanged();
                sequence.discard();
            }
        }
    }

    /** Closes all sequences, and refuses new ones; waits at most the given time for what they give back. */
    public void close(String reason, long atMostMillis) {
        CompletableFuture<?>[] closings = names.close(reason).stream()
                .filter(sequence -> !sequence.isClosed())
                .map(sequence -> CompletableFuture.runAsync(() -> sequence.close(reason), background::runInAnyCase))
                .toArray(CompletableFuture<?>[]::new);
        // What is not given back, in time or because a store failed, is a gap.
        CompletableFuture<Boolean> all = CompletableFuture.allOf(closings).handle((closed, failure) -> failure == null);
        boolean unused = Delays.completeOnTimeout(all, false, TimeUnit.MILLISECONDS.toNanos(atMostMillis))
                .join();
        end(reason);
    }

    /** Closes all sequences, and refuses new ones. Gives nothing back to the cluster. */
    public void end(String reason) {
        for (RegisteredSequence sequence : names.close(reason)) {
            if (sequence.store() instanceof ClusterBlockStore pool) {
                pool.end();
                sequence.close(reason);
            } else {
                background.runInAnyCase(() -> sequence.close(reason));
            }
        }
    }

    public List<IntegerSequence> open() {
        return names.all().stream().filter(IntegerSequences::isOpen).collect(Collectors.toList());
    }

    /** Whether a sequence was returned to a caller, or is about to be, and was not closed. */
    private static boolean isOpen(RegisteredSequence sequence) {
        return sequence.isCreated() && !sequence.isClosed();
    }

    /** Shows metrics: of each sequence, if there are few enough for that, and of all together. */
    public void show(MetricSink sink) {
        forgetClosed();
        int size = names.size();
        sink.count(null, "integerSequences", size);
        totals.showAll(size, names::all, RegisteredSequence::stats, (each, stats) -> show(each, stats, sink), sink);
    }

    private void show(RegisteredSequence sequence, IntegerSequenceStats stats, MetricSink sink) {
        if (isOpen(sequence)) {
            Subject subject = Subject.integerSequence(sequence.name());
            totals.show(subject, stats, sink);
            sink.count(subject, "integersRemaining", stats.remaining());
            sink.millis(subject, "timeToEmpty", stats.timeToEmpty().toMillis());
            sink.count(subject, "blockSize", stats.blockSize());
        }
    }

    /** Discards the blocks of sequences whose integers may exist twice: those may be among them. Does not block. */
    public void discard(List<PossibleDuplicateIntegers> found) {
        for (PossibleDuplicateIntegers each : found) {
            RegisteredSequence sequence = names.find(each.sequenceName());
            if (sequence != null && sequence.store() instanceof ClusterBlockStore) {
                sequence.discard();
            }
        }
    }
}
