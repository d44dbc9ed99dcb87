// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.BlockStoreException;

/** The windows of a {@link JdbcSnowcast}: a sequence that is not defined yet is defined by its first configuration. Thread-safe. */
final class DefinedWindows {
    private static final System.Logger LOGGER = System.getLogger(JdbcSnowcast.class.getName());

    private static final long WINDOW_SIZE = 100_000;

    private final JdbcShards shards;
    private final JdbcBlockStore store;

    DefinedWindows(JdbcShards shards) {
        this.shards = shards;
        this.store = new JdbcBlockStore(shards);
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

    /** Returns where an integer sequence gets its blocks from. */
    BlockStore of(IntegerSequenceConfig config) {
        try {
            shards.define(shards.all().get(0), "", config.name(), config.firstValue(), config.lastValue());
        } catch (BlockStoreException e) {
            // The store says so again, if it is not defined.
            LOGGER.log(System.Logger.Level.DEBUG, "integer sequence " + config.name() + " was not defined", e);
        }
        return store;
    }
}
