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
 * The windows of a {@link JdbcSnowcast}: a sequence that is not defined yet is defined by its first configuration.
 * Thread-safe.
 */
final class DefinedWindows {
    private static final System.Logger LOGGER = System.getLogger(JdbcSnowcast.class.getName());

    private static final long WINDOW_SIZE = 100_000;

    private final JdbcShards shards;
    private final JdbcBlockStore store;
    private final BlockStore defining = new DefiningStore();
    private final JdbcMonitor monitor;
    /** What may have to be defined yet. */
    private final Map<String, IntegerSequenceConfig> undefined = new ConcurrentHashMap<>();

    DefinedWindows(JdbcShards shards, SharedLosses losses) {
        this.shards = shards;
        this.store = new JdbcBlockStore(shards, 0, true, losses);
        this.monitor = new JdbcMonitor(shards);
    }

    /** Creates the tables where there are none; windows of another size, or of more shards, stay as they are. */
    void createTables() {
        try {
            new JdbcSchema(shards).create(WINDOW_SIZE);
        } catch (ShardMismatchException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "there are windows already", e);
        } catch (BlockStoreException e) {
            throw new SnowcastException(e.getMessage(), e);
        }
    }

    /** Returns where an integer sequence gets its blocks from: its own store, or the windows. */
    BlockStore of(IntegerSequenceConfig config) {
        BlockStore own = config.store();
        if (own != null) {
            return own;
        }
        undefined.put(config.name(), config);
        return defining;
    }

    /** Defines a sequence before it is first used, and tries again while the database is away. */
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
            // The store says so again, if it is not defined.
            LOGGER.log(System.Logger.Level.DEBUG, "integer sequence " + sequence + " was not defined", e);
        }
        undefined.remove(sequence, config);
    }

    /** Windows are laid out by no further run, and one that is under way may fail silently. */
    void close() {
        store.close();
    }

    /** Reads what the integer sequences have left; none, if there are no tables of them. */
    List<ClusterStatus.Integers> status() {
        if (!haveTables()) {
            return List.of();
        }
        return monitor.read().sequences().stream().map(DefinedWindows::integers).toList();
    }

    /** Asks before reading: each query of a table that does not exist is an error in the log of PostgreSQL. */
    private boolean haveTables() {
        try {
            return shards.all().get(0).call(shards.tables()::exist);
        } catch (SQLException | ShardMismatchException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "it is not known whether there are tables of integer sequences", e);
            return true; // The monitor says what is wrong.
        }
    }

    /**
     * All above the highest integer are left. A database uses its windows in increasing order, except for one that is
     * locked, whose rest is not counted then.
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
