// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.jdbc.JdbcBlockStore;
import com.noctarius.snowcast.jdbc.JdbcSchema;
import com.noctarius.snowcast.jdbc.JdbcShards;
import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStoreException;
import java.util.concurrent.CompletableFuture;
import org.h2.jdbcx.JdbcDataSource;

/** A web application of {@link RedeployTest} that makes snowcast start each kind of its threads. */
public final class RedeployedSnowcast extends RedeployedHazelcast {
    private static final int HIGH_RATE_IDS = 200_000;

    @Override
    void use(HazelcastInstance hazelcast) {
        super.use(hazelcast);
        Snowcast snowcast = SnowcastSystem.snowcast(hazelcast);
        useIds(snowcast.createSequencer("ids", SnowcastEpoch.byTimestamp(0)));
        String name = hazelcast.getName();
        useIntegers(snowcast.createIntegerSequence(IntegerSequenceConfig.builder("of-database")
                .store(database(name))
                .build()));
        failOnce(snowcast);
        snowcast.destroySequencer(snowcast.createSequencer("destroyed-" + name, SnowcastEpoch.byTimestamp(0)));
    }

    private static void useIds(SnowcastSequencer sequencer) {
        CompletableFuture<Long> waiting = sequencer.nextAsync().toCompletableFuture();
        while (waiting.isDone()) {
            waiting = sequencer.nextAsync().toCompletableFuture();
        }
        waiting.join();
        long[] ids = new long[HIGH_RATE_IDS];
        try {
            sequencer.next(ids, 0, ids.length);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void useIntegers(IntegerSequence sequence) {
        sequence.nextAsync().toCompletableFuture().join();
    }

    /** Makes a store fail, so that snowcast retries later. */
    private static void failOnce(Snowcast snowcast) {
        IntegerSequence sequence = snowcast.createIntegerSequence(IntegerSequenceConfig.builder("failing")
                .store((name, size) -> fails())
                .build());
        CompletableFuture<Long> unused = sequence.nextAsync().toCompletableFuture();
    }

    private static Block fails() {
        throw new BlockStoreException("not now");
    }

    private static JdbcBlockStore database(String name) {
        JdbcDataSource database = new JdbcDataSource();
        // The shutdown hook by which H2 closes databases would keep a reference to this application.
        database.setURL("jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1;DB_CLOSE_ON_EXIT=FALSE");
        JdbcShards shards = JdbcShards.of(database);
        JdbcSchema schema = new JdbcSchema(shards);
        schema.create(1_000_000);
        schema.defineSequence("of-database", 1, 1_000_000_000_000L);
        return new JdbcBlockStore(shards);
    }
}
