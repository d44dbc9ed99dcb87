// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.blocks;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.SnowcastSequencerAlreadyRegisteredException;
import com.noctarius.snowcast.internal.base.Clock;
import com.noctarius.snowcast.internal.base.Delays;
import com.noctarius.snowcast.internal.base.GrowingTotals;
import com.noctarius.snowcast.internal.base.GrowingTotals.Total;
import com.noctarius.snowcast.internal.base.MetricSink;
import com.noctarius.snowcast.internal.base.MetricSink.Subject;
import com.noctarius.snowcast.internal.base.Names;
import com.noctarius.snowcast.internal.blocks.BlockSupply.Background;
import com.noctarius.snowcast.store.BlockStore;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The integer sequences of one {@code Snowcast}, with at most one open sequence per name: see {@link Names}. */
public final class IntegerSequences {
    private static final List<Total<IntegerSequence.Stats>> TOTALS = List.of(
            Total.count("integersIssued", IntegerSequence.Stats::issuedCount),
            Total.count("reservations", IntegerSequence.Stats::reservationCount),
            Total.count("reservationFailures", IntegerSequence.Stats::failureCount),
            Total.count("blockWaits", IntegerSequence.Stats::waitCount),
            Total.time("blockWaitTime", IntegerSequence.Stats::waitTime));

    private static final System.Logger LOGGER = System.getLogger(IntegerSequence.class.getName());

    private final Function<IntegerSequenceConfig, BlockStore> stores;
    private final Clock clock;
    private final Background background;
    private final Names<BlockSequence> names;
    private final GrowingTotals<IntegerSequence.Stats> totals;

    /**
     * Makes an empty set.
     *
     * @param stores returns the store of a sequence; throws if the sequence has none
     */
    public IntegerSequences(Function<IntegerSequenceConfig, BlockStore> stores, Clock clock) {
        this(stores, clock, Background.THREADS);
    }

    IntegerSequences(Function<IntegerSequenceConfig, BlockStore> stores, Clock clock, Background background) {
        this.stores = stores;
        this.clock = clock;
        this.background = background;
        this.totals = new GrowingTotals<>(TOTALS);
        this.names = new Names<>(removed -> totals.forgotten(removed.stats()));
    }

    /** Returns the store of a configuration; throws if it has none. */
    public static BlockStore storeOf(IntegerSequenceConfig config) {
        BlockStore store = config.store();
        if (store == null) {
            throw new IllegalArgumentException(subject(config)
                    + " has no store: set store() to a JdbcBlockStore of snowcast-jdbc, a CassandraBlockStore of"
                    + " snowcast-cassandra, or a BlockStore of your own; a MemoryBlockStore is enough for tests");
        }
        return store;
    }

    // --- creation

    public IntegerSequence create(IntegerSequenceConfig config) {
        Objects.requireNonNull(config, "config");
        BlockStore store = stores.apply(config);
        forgetClosed();
        try (Names.Slot<BlockSequence> slot = names.lock(config.name(), subject(config))) {
            BlockSequence present = slot.instance();
            if (present != null && !present.isClosed()) {
                requireSame(present, config, store);
                slot.logDifference(
                        subject(config),
                        settings(present.config),
                        settings(config),
                        difference -> LOGGER.log(Level.WARNING, difference));
                return present;
            }
            BlockSequence made = new BlockSequence(config, store, clock, background);
            slot.open(made, subject(config), made.supply::prepare);
            return made;
        }
    }

    private static String subject(IntegerSequenceConfig config) {
        return "integer sequence " + config.name();
    }

    private static void requireSame(BlockSequence present, IntegerSequenceConfig config, BlockStore store) {
        if (!present.supply.store.equals(store)) {
            throw new SnowcastSequencerAlreadyRegisteredException(
                    subject(config) + " is registered with another store: " + present.supply.store + ", not this "
                            + store + " (take the same one, or another name)");
        }
        requireSame(config, "first value", present.config.firstValue(), config.firstValue());
        requireSame(config, "last value", present.config.lastValue(), config.lastValue());
    }

    private static void requireSame(IntegerSequenceConfig config, String part, long present, long wanted) {
        if (present != wanted) {
            throw new SnowcastSequencerAlreadyRegisteredException(subject(config)
                    + " is registered with another definition: " + part + ' ' + present + ", not " + wanted
                    + " (take the same in all processes, or another name)");
        }
    }

    private void forgetClosed() {
        names.all().stream().filter(BlockSequence::isClosed).forEach(closed -> names.forget(closed.name(), closed));
    }

    /** Returns, for messages, the settings that may differ between the processes that use a sequence. */
    static String settings(IntegerSequenceConfig config) {
        return "blockSize=" + config.minBlockSize() + "-" + config.maxBlockSize() + ", blockDuration="
                + config.blockDuration() + ", prefetchThreshold=" + config.prefetchThreshold() + ", maxWait="
                + config.maxWait();
    }

    // --- the end

    /**
     * Closes all sequences, and rejects new ones. Waits at most for the given time until the stores have taken back the
     * unused integers; longer if no thread can be created, so that this one closes the sequences.
     */
    public void close(String reason, long atMostMillis) {
        CompletableFuture<?>[] closings = names.close(reason).stream()
                .filter(sequence -> !sequence.isClosed())
                .map(sequence ->
                        CompletableFuture.runAsync(() -> sequence.supply.close(reason), background::runInAnyCase))
                .toArray(CompletableFuture<?>[]::new);
        boolean unused = Delays.orTimeout(
                        CompletableFuture.allOf(closings), TimeUnit.MILLISECONDS.toNanos(atMostMillis))
                .handle((closed, failure) -> failure == null)
                .join();
        end(reason);
    }

    /** Closes all sequences, as {@link #close} does, but waits for the stores only if no thread can be created. */
    public void end(String reason) {
        names.close(reason).forEach(sequence -> background.runInAnyCase(() -> sequence.supply.close(reason)));
    }

    // --- the sequences

    public List<IntegerSequence> open() {
        return names.all().stream().filter(IntegerSequences::isOpen).collect(Collectors.toList());
    }

    /** Returns whether a sequence was returned to a caller, or is about to be, and was not closed. */
    private static boolean isOpen(BlockSequence sequence) {
        return sequence.supply.isPrepared() && !sequence.isClosed();
    }

    /** Shows the metrics of each sequence, unless there are too many sequences, and the totals of all sequences. */
    public void show(MetricSink sink) {
        forgetClosed();
        sink.count(null, "integerSequences", names.size());
        totals.showAll(names, BlockSequence::stats, (each, stats) -> show(each, stats, sink), sink);
    }

    private void show(BlockSequence sequence, IntegerSequence.Stats stats, MetricSink sink) {
        if (isOpen(sequence)) {
            Subject subject = Subject.integerSequence(sequence.name());
            totals.show(subject, stats, sink);
            sink.count(subject, "integersRemaining", stats.remaining());
            sink.millis(subject, "timeToEmpty", stats.timeToEmpty().toMillis());
            sink.count(subject, "blockSize", stats.blockSize());
        }
    }
}
