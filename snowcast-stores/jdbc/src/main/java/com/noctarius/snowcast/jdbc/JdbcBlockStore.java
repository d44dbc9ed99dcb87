// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.store.BlockStoreExhaustedException;
import com.noctarius.snowcast.store.SequenceName;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Blocks from windows of integers in one or many databases. A shard serves from its first open window, in one short
 * transaction of its own. When a shard is out of reach or has no open window, the next shard serves, and the former is
 * asked last for a while. Windows are laid out by a {@link WindowAgent}.
 *
 * <p><b>Uniqueness</b> rests on the databases: what a shard has committed must stay committed. A shard that is restored
 * from a backup, or fails over to a replica that lags, hands out blocks again; see the documentation for what to do
 * first.
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
 * afterwards. There is nothing to close.
 */
public final class JdbcBlockStore implements BlockStore {
    private static final System.Logger LOGGER = System.getLogger(JdbcBlockStore.class.getName());

    private final JdbcShards shards;
    private final FallOver fallOver;
    private final List<Windows> windows;

    private final ReentrantLock checkLock = new ReentrantLock();
    private volatile boolean checked;
    private final AtomicReference<@Nullable String> installation = new AtomicReference<>();

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
        if (firstShard < 0 || firstShard >= shards.count()) {
            throw new IllegalArgumentException("firstShard must be 0 to " + (shards.count() - 1) + ": " + firstShard);
        }
        this.shards = shards;
        this.fallOver =
                new FallOver(firstShard, shards.count(), shards.callTimeout().toNanos());
        this.windows = shards.all().stream()
                .map(shard -> new Windows(shard, shards.tables()))
                .toList();
    }

    /**
     * Reserves a block. The first call makes sure that each database is the shard that it is configured as, and is
     * durable; a database that cannot be reached then is checked before it first serves.
     *
     * @return a block of at most that size; fewer integers at the end of a window
     * @throws IllegalArgumentException if the name is none that {@link SequenceName} allows, or the size is below 1
     * @throws ShardMismatchException if a database is not the shard that it is configured as
     * @throws BlockStoreExhaustedException if the windows of all shards are used up, and there will be no others
     * @throws BlockStoreException if no shard could serve; for each of them the message says why
     */
    @Override
    public Block reserve(String sequence, long size) {
        SequenceName.require(sequence);
        if (size < 1) {
            throw new IllegalArgumentException("size must be >= 1: " + size);
        }
        checkOnce();
        fallOver.due().forEach(this::tryAgain);
        Failures failures = new Failures("sequence " + sequence + ", size " + size);
        int exhausted = 0;
        String exhaustion = "";
        for (int index : fallOver.order()) {
            Windows ofShard = windows.get(index);
            fallOver.asked(index);
            try {
                requireShard(ofShard);
                Windows.Outcome outcome = ofShard.reserve(sequence, size);
                fallOver.answered(index);
                Block block = outcome.block();
                if (block != null) {
                    return block;
                }
                if (outcome.isExhausted()) {
                    exhausted++;
                    exhaustion = outcome.reason();
                }
                failures.add(ofShard.shard(), outcome.reason(), null);
            } catch (SQLException e) {
                // If the commit failed, the block may be reserved although no caller has it: then it is a gap.
                failures.add(ofShard.shard(), String.valueOf(e.getMessage()), e);
                failed(ofShard);
            } finally {
                fallOver.ended(index);
            }
        }
        if (exhausted == windows.size()) {
            throw new BlockStoreExhaustedException("sequence " + sequence + ": " + exhaustion + " in " + this);
        }
        throw failures.toException(this);
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
            String found = ofShard.check();
            String known = installation.compareAndExchange(null, found);
            ShardCheck.requireSameInstallation(ofShard.shard(), found, known == null ? found : known);
        } catch (ShardMismatchException e) {
            // So that another shard serves the next call.
            failed(ofShard);
            throw e;
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
        Failures failures = new Failures("sequence " + sequence + ", given back " + rest);
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
                failures.add(ofShard.shard(), String.valueOf(e.getMessage()), e);
                failed(ofShard);
            }
        }
        if (!failures.isEmpty()) {
            throw failures.toException(this);
        }
    }

    @Override
    public String toString() {
        return "JdbcBlockStore{shards=" + shards.count() + ", table=" + shards.tableName() + '}';
    }

    /** The reasons why shards did not serve a call. */
    private static final class Failures {
        private final String what;
        private final List<String> reasons = new ArrayList<>();
        private final List<SQLException> causes = new ArrayList<>();

        Failures(String what) {
            this.what = what;
        }

        void add(Shard shard, String reason, @Nullable SQLException cause) {
            reasons.add(shard + ": " + reason);
            if (cause != null) {
                causes.add(cause);
            }
        }

        boolean isEmpty() {
            return reasons.isEmpty();
        }

        BlockStoreException toException(JdbcBlockStore store) {
            BlockStoreException exception = new BlockStoreException(
                    what + " in " + store + ": " + String.join("; ", reasons), causes.isEmpty() ? null : causes.get(0));
            causes.stream().skip(1).forEach(exception::addSuppressed);
            return exception;
        }
    }
}
