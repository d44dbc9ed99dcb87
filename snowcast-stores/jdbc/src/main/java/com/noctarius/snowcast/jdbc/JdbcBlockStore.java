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
import org.jspecify.annotations.Nullable;

/**
 * Blocks from windows of integers in one or many databases. A shard serves from its first open window, in one short
 * transaction of its own. When a shard is out of reach or has no open window, the next shard serves, and the former is
 * asked last for a while. Windows are laid out by {@link WindowAgent}s, of which each store with the right to insert is
 * one.
 *
 * <p><b>Uniqueness</b> rests on the databases: what a shard has committed must stay committed. A shard whose server has
 * changed, since it failed over or was restored, is refused until it was taken back; see {@link JdbcSchema#recover} and
 * the documentation, also for what is not noticed.
 *
 * <p><b>Order.</b> The blocks of one shard increase, as long as nothing is given back. Blocks of different shards come
 * in any order.
 *
 * <p>The row in the database says which integers a sequence has, not the {@code IntegerSequenceConfig}: its first value
 * must not be above the first value of the row.
 *
 * <p>Thread-safe. A call blocks at most for three call time-outs for each shard that is asked: to check the shard, if
 * it has not been checked, to reserve, and to reserve from another window if the first stays locked. Shards that
 * callers already wait for are asked last. An interrupt does not end a call; the thread is interrupted again
 * afterwards. Close it before its {@code DataSource}, or the log may have a warning.
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
     * Makes a store that asks a shard chosen at random first, so that processes spread over the shards.
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
     * @param firstShard the index of the shard that is asked first, such as the nearest; the others follow in their
     *     order
     * @throws NullPointerException if {@code shards} is null
     * @throws IllegalArgumentException if there is no such shard
     */
    public JdbcBlockStore(JdbcShards shards, int firstShard) {
        this(shards, firstShard, true);
    }

    /** Makes a store that leaves windows to agents, unless {@code topsUp}. */
    JdbcBlockStore(JdbcShards shards, int firstShard, boolean topsUp) {
        this(shards, firstShard, topsUp, null);
    }

    /** Makes a store that shares losses with the leases in the same database. */
    JdbcBlockStore(JdbcShards shards, int firstShard, boolean topsUp, @Nullable SharedLosses losses) {
        if (firstShard < 0 || firstShard >= shards.count()) {
            throw new IllegalArgumentException("firstShard must be 0 to " + (shards.count() - 1) + ": " + firstShard);
        }
        this.shards = shards;
        this.topUp = new BackgroundTopUp(shards, topsUp);
        this.fallOver =
                new FallOver(firstShard, shards.count(), shards.callTimeout().toNanos());
        this.windows = shards.all().stream()
                .map(shard -> new Windows(shard, shards.tables(), shards.callTimeout(), losses))
                .toList();
    }

    /**
     * Makes sure that each database is the shard that it is configured as, that this process may do what it has to, and
     * that the sequence is defined, from {@code firstValue} or above. Sees to it that windows are laid out, without
     * waiting.
     */
    @Override
    public void prepare(String sequence, long firstValue) {
        SequenceName.require(sequence);
        checkOnce(sequence);
        new DefinitionCheck(shards).require(sequence, firstValue);
        topUp.start(sequence);
    }

    /**
     * Reserves a block. The first call makes sure that each database is the shard that it is configured as, and is
     * durable; a database that cannot be reached then is checked before it first serves.
     *
     * @return a block of at most that size; fewer integers at the end of a window
     * @throws IllegalArgumentException if the name is none that {@link SequenceName} allows, or the size is below 1
     * @throws ShardMismatchException if a database is not the shard that it is configured as
     * @throws BlockStoreExhaustedException if the windows of all shards are used up, and there will be no others
     * @throws NonTransientBlockStoreException if the sequence is not defined
     * @throws BlockStoreException if no shard could serve; for each of them the message says why
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
                // If the commit failed, the block may be reserved although no caller has it: then it is a gap.
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

    /** Probes in the background whether a shard that had failed answers. */
    private void tryAgain(int index) {
        Shard.THREADS.execute(() -> {
            Windows ofShard = windows.get(index);
            try {
                requireShard(ofShard);
                fallOver.reachable(index);
            } catch (ShardMismatchException e) {
                LOGGER.log(System.Logger.Level.WARNING, "left alone: " + e.getMessage());
            } catch (SQLException e) {
                LOGGER.log(System.Logger.Level.DEBUG, ofShard.shard() + " is still out of reach", e);
                failed(ofShard);
            }
        });
    }

    private void failed(Windows ofShard) {
        ofShard.checkAgain();
        fallOver.failed(ofShard.shard().index());
    }

    /** Makes sure that a database is its shard, of the same installation as the others. */
    private void requireShard(Windows ofShard) throws SQLException {
        try {
            ShardCheck.OfStore found = ofShard.check();
            String ofShardItself = found.generation().installation();
            String known = installation.compareAndExchange(null, ofShardItself);
            ShardCheck.requireSameInstallation(ofShard.shard(), ofShardItself, known == null ? ofShardItself : known);
            commonList.require(ofShard.shard(), found.lists());
        } catch (ShardMismatchException e) {
            // So that another shard serves the next call.
            failed(ofShard);
            throw e;
        }
    }

    /** Gives an agent the chance to take back a shard that failed over, if this is what is wrong. */
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

    /** Checks all shards at the same time: however many do not answer, that costs one time-out. */
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
            return e;
        } catch (SQLException e) {
            failed(ofShard);
            return null;
        }
    }

    /**
     * Takes back the rest of a block if the block was the last one of its window. A shard that has failed and was not
     * probed since is not asked; the rest of its block is a gap.
     *
     * @throws ShardMismatchException if a database is not the shard that it is configured as
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
     * Returns the sequences that this store was asked for.
     *
     * @return their names
     */
    public Set<String> sequences() {
        return counts.sequences();
    }

    /**
     * Returns how the reservations of a sequence fared in this process. Asks no database; what the databases have left
     * a {@link JdbcMonitor} tells.
     *
     * @param sequence its name
     * @return empty, if this store was never asked for the sequence
     * @throws NullPointerException if {@code sequence} is null
     */
    public Optional<JdbcReservationStats> stats(String sequence) {
        return counts.stats(Objects.requireNonNull(sequence, "sequence"));
    }

    /** Lays out no more windows in the background. Closes no connection; a reservation is possible as before. */
    @Override
    public void close() {
        topUp.close();
    }

    @Override
    public String toString() {
        return "JdbcBlockStore{shards=" + shards.count() + ", table=" + shards.tableName() + '}';
    }
}
