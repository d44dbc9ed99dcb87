// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.status.ClusterStatus;
import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.store.NonTransientBlockStoreException;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reserves the integers of a {@link JdbcSnowcast} from windows in the same database, for sequences without a store of
 * their own. The first configuration of a sequence that any process uses defines the sequence in the database.
 * Thread-safe.
 */
final class DefinedWindows {
    private static final System.Logger LOGGER = System.getLogger(JdbcSnowcast.class.getName());

    private static final long WINDOW_SIZE = 100_000;

    private final JdbcShards shards;
    private final JdbcBlockStore store;
    private final BlockStore defining = new DefiningStore();
    private final JdbcMonitor monitor;
    /** The configurations of sequences that may not be defined in the database yet. */
    private final Map<String, IntegerSequenceConfig> undefined = new ConcurrentHashMap<>();

    DefinedWindows(JdbcShards shards, SharedLosses losses) {
        this.shards = shards;
        this.store = new JdbcBlockStore(shards, 0, true, losses);
        this.monitor = new JdbcMonitor(shards);
    }

    /** Creates the tables if they do not exist. Windows of another size or of several shards stay unchanged. */
    void createTables() {
        try {
            new JdbcSchema(shards).create(WINDOW_SIZE);
        } catch (ShardMismatchException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "there are windows already", e);
        } catch (BlockStoreException e) {
            throw new SnowcastException(e.getMessage(), e);
        }
    }

    /** Returns the store of the configuration, if it has one; otherwise a store that uses the windows. */
    BlockStore of(IntegerSequenceConfig config) {
        BlockStore own = config.store();
        if (own != null) {
            return own;
        }
        undefined.put(config.name(), config);
        return defining;
    }

    /** Defines a sequence before its first use. If the database is unreachable, the next call tries again. */
    private final class DefiningStore implements BlockStore {
        @Override
        public void prepare(String sequence, long firstValue) {
            define(sequence);
            store.prepare(sequence, firstValue);
        }

        @Override
        public Block reserve(String sequence, long size) {
            define(sequence);
            return store.reserve(sequence, size);
        }

        @Override
        public void giveBack(String sequence, Block rest) {
            store.giveBack(sequence, rest);
        }

        @Override
        public String toString() {
            return store.toString();
        }
    }

    private void define(String sequence) {
        IntegerSequenceConfig config = undefined.get(sequence);
        if (config == null) {
            return;
        }
        try {
            shards.define(shards.all().get(0), "", sequence, config.firstValue(), config.lastValue());
        } catch (NonTransientBlockStoreException e) {
            // If the sequence is still not defined, the store throws an exception with that reason at its first use.
            LOGGER.log(System.Logger.Level.DEBUG, "integer sequence " + sequence + " was not defined", e);
        }
        undefined.remove(sequence, config);
    }

    /** Stops inserting windows in the background. A run that is active may fail without a warning. */
    void close() {
        store.close();
    }

    /** Reads how many integers the sequences have left; returns no sequences if their tables do not exist. */
    List<ClusterStatus.Integers> status() {
        if (!haveTables()) {
            return List.of();
        }
        return monitor.read().sequences().stream().map(DefinedWindows::integers).toList();
    }

    /** Returns whether the tables exist. PostgreSQL would log an error for each query of a missing table. */
    private boolean haveTables() {
        try {
            return shards.all().get(0).call(shards.tables()::exist);
        } catch (SQLException | ShardMismatchException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "it is not known whether there are tables of integer sequences", e);
            return true; // The monitor reports what is wrong.
        }
    }

    /**
     * Counts all integers above the highest reserved one as left, because a database uses its windows in increasing
     * order. If a process has skipped a locked window, the rest of that window is not counted.
     */
    private static ClusterStatus.Integers integers(JdbcStatus.SequenceStatus sequence) {
        OptionalLong highest = sequence.windows().get(0).reservedUpTo();
        return new ClusterStatus.Integers(
                sequence.name(),
                sequence.firstValue(),
                sequence.lastValue(),
                highest.orElse(-1),
                sequence.lastValue() - highest.orElse(sequence.firstValue() - 1));
    }
}
