// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.jdbc.JdbcSchema;
import com.noctarius.snowcast.jdbc.JdbcShards;
import com.noctarius.snowcast.jdbc.JdbcSnowcast;
import com.noctarius.snowcast.jdbc.ShardMismatchException;
import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.store.NonTransientBlockStoreException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Creates the missing tables of integer sequences in the application's database, and defines the missing sequences in
 * them.
 *
 * @param areWanted whether {@code snowcast.jdbc.create-tables} is true
 */
record JdbcDefinitions(JdbcShards shards, boolean areWanted) implements ReferredStores.Definitions {
    private static final Log LOG = LogFactory.getLog(JdbcDefinitions.class);

    /** The window size of new tables, the same as in {@code JdbcSnowcast.createTables}. */
    private static final long WINDOW_SIZE = 100_000;

    /** Returns whether a {@code Snowcast} leases its node IDs from a database. */
    static boolean hasDatabase(Snowcast snowcast) {
        return snowcast instanceof JdbcSnowcast;
    }

    @Override
    public void define(IntegerSequenceConfig config) {
        if (!areWanted) {
            return;
        }
        try {
            JdbcSchema schema = new JdbcSchema(shards);
            define(schema, config, create(schema));
        } catch (NonTransientBlockStoreException e) {
            throw e;
        } catch (BlockStoreException e) {
            throw new SnowcastUnavailableException(e.getMessage(), e);
        }
    }

    /**
     * Creates the missing tables. Returns a {@code ShardMismatchException} instead of throwing it, because it matters
     * only if the sequence cannot be defined either.
     */
    private static @Nullable ShardMismatchException create(JdbcSchema schema) {
        try {
            schema.create(WINDOW_SIZE);
            return null;
        } catch (ShardMismatchException e) {
            LOG.debug("there are other windows already, or the tables cannot be created", e);
            return e;
        }
    }

    private static void define(
            JdbcSchema schema, IntegerSequenceConfig config, @Nullable ShardMismatchException mismatch) {
        try {
            schema.defineSequence(config.name(), config.firstValue(), config.lastValue());
        } catch (IllegalArgumentException e) {
            LOG.debug("the sequence is defined with other values, which the store compares", e);
        } catch (NonTransientBlockStoreException e) {
            throw mismatch == null ? e : mismatch;
        }
    }
}
