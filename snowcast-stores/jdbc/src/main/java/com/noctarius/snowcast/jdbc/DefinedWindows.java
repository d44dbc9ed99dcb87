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
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Reserves integers from windows in the database of a {@link JdbcSnowcast}, for sequences whose configuration has no
 * store. The first process that uses a sequence defines the sequence in the database, with the values of its
 * configuration, unless the database already has a definition. Thread-safe.
 */
final class DefinedWindows {
    private static final System.Logger LOGGER = System.getLogger(JdbcSnowcast.class.getName());

    private static final long WINDOW_SIZE = 100_000;

    private final JdbcShards shards;
    private final JdbcBlockStore store;
    private final JdbcMonitor monitor;

    DefinedWindows(JdbcShards shards, SharedLosses losses) {
        this.shards = shards;
        this.store = new JdbcBlockStore(shards, 0, true, losses, System::nanoTime);
        this.monitor = new JdbcMonitor(shards);
    }

    /**
     * Creates missing tables and columns. If the tables have another window size, or belong to several shards, these
     * settings stay as they are.
     */
    void createTables() {
        try {
            new JdbcSchema(shards).create(WINDOW_SIZE);
        } catch (ShardMismatchException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "there are windows already", e);
        } catch (BlockStoreException e) {
            throw new SnowcastException(e.getMessage(), e);
        }
    }

    /**
     * Returns the store of the configuration; if the configuration has none, a store that uses the windows.
     *
     * @throws IllegalArgumentException if the windows cannot have any of the integers
     */
    BlockStore of(IntegerSequenceConfig config) {
        BlockStore own = config.store();
        if (own != null) {
            return own;
        }
        return new DefiningStore(config);
    }

    /**
     * Defines one sequence before its first use. If the database is unreachable or has no tables yet, the next call
     * tries again to define the sequence. The stores of all sequences of these windows are equal, because the caller
     * compares the definitions of two sequences itself.
     */
    private final class DefiningStore implements BlockStore {
        private final IntegerSequenceConfig config;
        private final long last;
        private volatile boolean isDefined;

        DefiningStore(IntegerSequenceConfig config) {
            this.config = config;
            this.last = SequenceRow.last(config.name(), config.firstValue(), config.lastValue());
        }

        @Override
        public void prepare(String sequence, long firstValue) {
            define();
            store.prepare(sequence, firstValue);
            isDefined = true;
        }

        @Override
        public Block reserve(String sequence, long size) {
            define();
            Block block = store.reserve(sequence, size);
            isDefined = true;
            return block;
        }

        @Override
        public void giveBack(String sequence, Block rest) {
            store.giveBack(sequence, rest);
        }

        private DefinedWindows windows() {
            return DefinedWindows.this;
        }

        private void define() {
            if (isDefined) {
                return;
            }
            try {
                shards.define(shards.all().get(0), "", config.name(), config.firstValue(), last);
            } catch (NonTransientBlockStoreException e) {
                // The caller then calls the store, which throws an exception if the sequence is not defined. The next
                // call tries again to define it, because an operator may have created the tables meanwhile.
                LOGGER.log(System.Logger.Level.DEBUG, "integer sequence " + config.name() + " was not defined", e);
            }
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof DefiningStore defining && defining.windows() == windows();
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(windows());
        }

        @Override
        public String toString() {
            return store.toString();
        }
    }

    /** Stops inserting windows in advance. */
    void close() {
        store.close();
    }

    /** Reads how many integers each sequence has left; returns an empty list if the tables do not exist. */
    List<ClusterStatus.Integers> status() {
        if (!haveTables()) {
            return List.of();
        }
        return monitor.read().sequences().stream().map(DefinedWindows::integers).toList();
    }

    /** Looks the tables up in the metadata, because PostgreSQL logs each query of a missing table as an error. */
    private boolean haveTables() {
        try {
            return shards.all().get(0).call(shards.tables()::exist);
        } catch (SQLException | ShardMismatchException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "it is not known whether there are tables of integer sequences", e);
            return true; // The monitor then tries to read the tables.
        }
    }

    /**
     * Counts all integers above the highest reserved integer as left. Integers that are left in lower windows are not
     * counted.
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
