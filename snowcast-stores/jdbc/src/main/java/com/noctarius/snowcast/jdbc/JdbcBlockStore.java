// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.store.BlockStoreExhaustedException;
import com.noctarius.snowcast.store.NonTransientBlockStoreException;
import com.noctarius.snowcast.store.SequenceName;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A {@link BlockStore} that reserves blocks from windows (ranges) of integers in one or many databases (shards). The
 * store reserves a block in an open window of one shard, in one short transaction. If a shard is unreachable, is
 * rejected or has no open window, the store uses the next shard. The store tries an unreachable shard last until that
 * shard answers again. {@link WindowAgent}s insert the windows; each store whose database user may insert rows acts as
 * an agent, too.
 *
 * <p><b>Uniqueness</b> requires that each shard keeps its commits. If a shard's server has changed, because it failed
 * over or was restored, the store rejects the shard until the shard is recovered, see {@link JdbcSchema#recover}.
 * {@code docs/sql.md} lists the changes that are not detected.
 *
 * <p><b>Order.</b> The blocks of one window increase, unless integers of a block are given back. Concurrent calls
 * usually use different windows, and a store leaves a window that another process uses at the same time. Later the
 * store begins with the lowest open window again, so a lower block may follow. Blocks of different shards come in any
 * order.
 *
 * <p>A row in the database, not the {@code IntegerSequenceConfig}, defines which integers a sequence has. The first
 * value of the configuration must not be above the first value of the row.
 *
 * <p>Thread-safe. A call blocks at most for about three call time-outs for each shard that it tries: to check the
 * shard, if it must be checked; to reserve; and to reserve from another window if the first window stays locked. If no
 * shard has a block, but an agent may help, the call checks whether the sequence is defined, waits for the agent, and
 * tries the shards once more. Checking the definition and waiting take at most three more call time-outs. If a shard
 * was rejected, the call does not check the definition. Until all shards were checked once, a call also checks them,
 * all at the same time. If a shard is rejected in this first check, and the store acts as an agent, the call waits for
 * the agent, and checks the shards again. The store tries a shard last while the shard keeps other callers waiting. An
 * interrupt does not end a call; the thread is interrupted again afterwards. Close the store before its
 * {@code DataSource}, because otherwise a background run of the agent may fail and log a warning.
 */
public final class JdbcBlockStore implements BlockStore {
    private static final System.Logger LOGGER = System.getLogger(JdbcBlockStore.class.getName());

    private final JdbcShards shards;
    private final FallOver fallOver;
    private final List<Windows> windows;
    private final BackgroundTopUp topUp;

    private final ReentrantLock checkLock = new ReentrantLock();
    private volatile boolean checked;
    private final AtomicReference<@Nullable String> installation = new AtomicReference<>();
    private final CommonList commonList = new CommonList();
    private final ReservationCounts counts = new ReservationCounts();

    /**
     * Makes a store that first tries a random shard, so that processes spread over the shards.
     *
     * @param shards the databases
     * @throws NullPointerException if {@code shards} is null
     */
    public JdbcBlockStore(JdbcShards shards) {
        this(shards, ThreadLocalRandom.current().nextInt(shards.count()));
    }

    /**
     * Makes a store.
     *
     * @param shards the databases
     * @param firstShard the index of the shard to try first, such as the nearest; the others follow in order
     * @throws NullPointerException if {@code shards} is null
     * @throws IllegalArgumentException if there is no such shard
     */
    public JdbcBlockStore(JdbcShards shards, int firstShard) {
        this(shards, firstShard, true, null, System::nanoTime);
    }

    /**
     * Makes a store.
     *
     * @param topsUp whether the store inserts windows itself; if not, agents must insert them
     * @param losses shares detected losses of data with the tables of node IDs in the same database; null if there are
     *     no such tables
     */
    JdbcBlockStore(
            JdbcShards shards, int firstShard, boolean topsUp, @Nullable SharedLosses losses, LongSupplier nanoTime) {
        if (firstShard < 0 || firstShard >= shards.count()) {
            throw new IllegalArgumentException("firstShard must be 0 to " + (shards.count() - 1) + ": " + firstShard);
        }
        this.shards = shards;
        this.topUp = new BackgroundTopUp(shards, topsUp);
        this.fallOver =
                new FallOver(firstShard, shards.count(), shards.callTimeout().toNanos(), nanoTime);
        this.windows = shards.all().stream()
                .map(shard -> new Windows(shard, shards.tables(), shards.callTimeout(), losses))
                .toList();
    }

    /**
     * Checks that the sequence is defined, with a first value of at least {@code firstValue}, and that this process may
     * reserve integers. The first call of this method or of {@code reserve} also checks that each reachable database is
     * the shard that it is configured as. Starts to insert windows in the background.
     */
    @Override
    public void prepare(String sequence, long firstValue) {
        SequenceName.require(sequence);
        checkOnce(sequence);
        new DefinitionCheck(shards).require(sequence, firstValue);
        topUp.start(sequence);
    }

    /**
     * Reserves a block. The first call of this method or of {@link #prepare} checks that each database is the shard
     * that it is configured as, and that the database cannot lose commits in a crash of its process. If a database is
     * unreachable at that time, the store checks the database before its first use.
     *
     * @return a block of at most that size; fewer integers at the end of a window
     * @throws IllegalArgumentException if {@link SequenceName} does not allow the name, or the size is below 1
     * @throws ShardMismatchException if a database is not the shard that it is configured as, in the first check or
     *     when no other shard could serve
     * @throws BlockStoreExhaustedException if all integers of the sequence are reserved
     * @throws NonTransientBlockStoreException if the sequence is not defined, or a shard cannot be used until an
     *     operator changes something
     * @throws BlockStoreException if no shard could serve, for example because this process lacks a privilege; the
     *     message has the reason of each shard
     */
    @Override
    public Block reserve(String sequence, long size) {
        return counts.count(sequence, () -> reserveAnywhere(sequence, size));
    }

    private Block reserveAnywhere(String sequence, long size) {
        SequenceName.require(sequence);
        if (size < 1) {
            throw new IllegalArgumentException("size must be >= 1: " + size);
        }
        checkOnce(sequence);
        fallOver.due().forEach(this::tryAgain);
        ShardFailures failures = new ShardFailures("sequence " + sequence + ", size " + size);
        Block block = reserve(sequence, size, failures);
        if (block == null && failures.mayPassWithWindows()) {
            if (!failures.hasMismatch()) {
                new DefinitionCheck(shards).require(sequence, 0);
            }
            if (topUp.await(sequence)) {
                failures = new ShardFailures("sequence " + sequence + ", size " + size);
                block = reserve(sequence, size, failures);
            }
        }
        if (block != null) {
            return block;
        }
        throw failures.toException(this);
    }

    private @Nullable Block reserve(String sequence, long size, ShardFailures failures) {
        for (int index : fallOver.order()) {
            Windows ofShard = windows.get(index);
            fallOver.asked(index);
            try {
                requireShard(ofShard);
                Windows.Outcome outcome = ofShard.reserve(sequence, size);
                fallOver.answered(index);
                if (outcome.block() != null) {
                    if (outcome.beginsWindow()) {
                        topUp.start(sequence);
                    }
                    return outcome.block();
                }
                failures.add(ofShard.shard(), outcome);
            } catch (ShardMismatchException e) {
                failures.add(e);
                failed(ofShard);
            } catch (SQLException e) {
                // If only the confirmation was lost, the database has reserved a block that no caller has. The block
                // becomes a gap.
                failures.add(ofShard.shard(), reason(e), e);
                failed(ofShard);
            } finally {
                fallOver.ended(index);
            }
        }
        return null;
    }

    private static String reason(SQLException e) {
        return PermanentFailure.advice(e).orElseGet(() -> String.valueOf(e.getMessage()));
    }

    /** Probes in the background whether a failed shard answers. */
    private void tryAgain(int index) {
        Shard.THREADS.execute(() -> {
            Windows ofShard = windows.get(index);
            try {
                requireShard(ofShard);
                fallOver.reachable(index);
            } catch (ShardMismatchException e) {
                LOGGER.log(System.Logger.Level.WARNING, "the store does not use a shard: " + e.getMessage());
                failed(ofShard);
            } catch (SQLException e) {
                LOGGER.log(System.Logger.Level.DEBUG, ofShard.shard() + " is still out of reach", e);
                failed(ofShard);
            }
        });
    }

    /** Makes the store check the shard again before its next use, and try the other shards first until then. */
    private void failed(Windows ofShard) {
        ofShard.checkAgain();
        fallOver.failed(ofShard.shard().index());
    }

    /**
     * Checks that a database is the configured shard, and that it belongs to the same installation and list as the
     * other shards.
     */
    private void requireShard(Windows ofShard) throws SQLException {
        ShardCheck.OfStore found = ofShard.check();
        String ofShardItself = found.generation().installation();
        String known = installation.compareAndExchange(null, ofShardItself);
        ShardCheck.requireSameInstallation(ofShard.shard(), ofShardItself, known == null ? ofShardItself : known);
        commonList.require(ofShard.shard(), found.lists());
    }

    /**
     * Checks all shards, unless they were checked before. If a shard is rejected, and this store may insert windows,
     * waits for the agent, which may recover the shard, and checks all shards again.
     */
    private void checkOnce(String sequence) {
        try {
            checkOnce();
        } catch (ShardMismatchException e) {
            if (!topUp.await(sequence)) {
                throw e;
            }
            checkOnce();
        }
    }

    private void checkOnce() {
        if (checked) {
            return;
        }
        checkLock.lock();
        try {
            if (!checked) {
                checkAll();
                checked = true;
            }
        } finally {
            checkLock.unlock();
        }
    }

    /** Checks all shards concurrently, so that the time-outs of several unreachable shards do not add up. */
    private void checkAll() {
        List<CompletableFuture<@Nullable ShardMismatchException>> checks = windows.stream()
                .map(ofShard -> CompletableFuture.supplyAsync(() -> check(ofShard), Shard.THREADS))
                .toList();
        for (CompletableFuture<@Nullable ShardMismatchException> check : checks) {
            ShardMismatchException mismatch = check.join();
            if (mismatch != null) {
                throw new ShardMismatchException(mismatch.getMessage(), mismatch);
            }
        }
    }

    private @Nullable ShardMismatchException check(Windows ofShard) {
        try {
            requireShard(ofShard);
            return null;
        } catch (ShardMismatchException e) {
            failed(ofShard);
            return e;
        } catch (SQLException e) {
            failed(ofShard);
            return null;
        }
    }

    /**
     * Takes back the rest of a block if the block was the last one reserved in its window. Does not try a failed shard
     * until the shard answers again. If no shard takes the rest back, the rest becomes a gap.
     *
     * @throws ShardMismatchException if a database is not the shard that it is configured as
     * @throws BlockStoreException if no shard took the rest back, and a call on a shard failed
     */
    @Override
    public void giveBack(String sequence, Block rest) {
        Objects.requireNonNull(sequence, "sequence");
        if (rest.step() != 1) {
            return;
        }
        ShardFailures failures = new ShardFailures("sequence " + sequence + ", given back " + rest);
        for (int index : fallOver.order()) {
            if (!fallOver.isAvailable(index)) {
                continue;
            }
            Windows ofShard = windows.get(index);
            try {
                requireShard(ofShard);
                if (ofShard.takeBack(sequence, rest)) {
                    return;
                }
            } catch (ShardMismatchException e) {
                failed(ofShard);
                throw e;
            } catch (SQLException e) {
                failures.add(ofShard.shard(), reason(e), e);
                failed(ofShard);
            }
        }
        if (!failures.isEmpty()) {
            throw failures.toException(this);
        }
    }

    /**
     * Returns the names of the sequences for which {@link #reserve(String, long)} has returned a block or thrown a
     * {@code BlockStoreException}.
     *
     * @return their names
     */
    public Set<String> sequences() {
        return counts.sequences();
    }

    /**
     * Returns the statistics of the reservations of a sequence by this store. Does not call a database; a
     * {@link JdbcMonitor} reads how many integers the databases have left.
     *
     * @param sequence its name
     * @return the statistics; empty if {@link #sequences} does not contain the sequence
     * @throws NullPointerException if {@code sequence} is null
     */
    public Optional<JdbcReservationStats> stats(String sequence) {
        return counts.stats(Objects.requireNonNull(sequence, "sequence"));
    }

    /**
     * Stops inserting windows in advance. Closes no connection; reservations are still possible, and a call that finds
     * no integers left may still insert windows.
     */
    @Override
    public void close() {
        topUp.close();
    }

    @Override
    public String toString() {
        return "JdbcBlockStore{shards=" + shards.count() + ", table=" + shards.tableName() + '}';
    }
}
