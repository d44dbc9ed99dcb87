// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.BlockStoreException;

/** The windows of a {@link JdbcSnowcast}: a sequence that is not defined yet is defined by its first configuration. Thread-safe. */
final class DefinedWindows implements JdbcCoordinator.IntegerStore {
    private static final System.Logger LOGGER = System.getLogger(JdbcSnowcast.class.getName());

    private final JdbcShards shards;
    private final JdbcBlockStore store;

    DefinedWindows(JdbcShards shards) {
        this.shards = shards;
        this.store = new JdbcBlockStore(shards);
    }

    @Override
    public BlockStore of(IntegerSequenceConfig config) {
        try {
            shards.define(shards.all().get(0), "", config.name(), config.firstValue(), config.lastValue());
        } catch (BlockStoreException e) {
            // The store says so again, if it is not defined.
            LOGGER.log(System.Logger.Level.DEBUG, "integer sequence " + config.name() + " was not defined", e);
        }
        return store;
    }
}
