// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.migration;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.jdbc.JdbcBlockStore;
import com.noctarius.snowcast.jdbc.JdbcSchema;
import com.noctarius.snowcast.jdbc.JdbcShards;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests docs/migration/atomic-long.md. */
@Tag("integration")
class AtomicLongMigrationTest {
    /** The last value that an application got from its IAtomicLong. */
    private static final long LAST = 5_001_000;

    private static JdbcDataSource database(String name) {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:" + name + ";MODE=PostgreSQL;DB_CLOSE_DELAY=-1");
        return database;
    }

    @Test
    void goesOnAbove() throws Exception {
        Page page = Page.of("atomic-long.md");
        long firstValue = Long.parseLong(page.property("snowcast.sequences.orders.first-value"));
        assertThat(firstValue).isGreaterThan(LAST);
        JdbcShards shards = JdbcShards.of(database("atomic-long"));
        JdbcSchema schema = new JdbcSchema(shards);
        schema.create(100_000);
        schema.defineSequence("orders", firstValue, Integer.MAX_VALUE);
        HazelcastInstance member = Members.start();
        try {
            Snowcast snowcast = SnowcastSystem.snowcast(member);
            long[] taken = snowcast.createIntegerSequence(IntegerSequenceConfig.builder("orders")
                            .firstValue(firstValue)
                            .store(new JdbcBlockStore(shards))
                            .build())
                    .next(10_000);
            assertThat(LongStream.of(taken)).startsWith(firstValue).allMatch(value -> value > LAST);

            SnowcastSequencer ids = snowcast.createSequencer(SequencerConfig.builder("orders")
                    .epoch(Successor.NEW_EPOCH)
                    .layout(SnowcastLayout.POSITIVE)
                    .startAbove(LAST)
                    .build());
            assertThat(LongStream.of(ids.next(10_000))).allMatch(id -> id > LAST);
        } finally {
            member.shutdown();
        }
    }

    /**
     * A call gets a greater number than each call that has returned before, in any process. The IAtomicLong has the
     * same guarantee.
     */
    @Test
    void theDatabasesOwnSequenceHasOneOrderOverAllProcesses() throws Exception {
        List<String> statements = Page.of("atomic-long.md").statements();
        assertThat(statements).hasSize(2);
        JdbcDataSource database = database("versions");
        try (Connection one = database.getConnection();
                Connection another = database.getConnection()) {
            try (Statement create = one.createStatement()) {
                create.execute(statements.get(0));
            }
            List<Long> versions = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                versions.add(next(one, statements.get(1)));
                versions.add(next(another, statements.get(1)));
            }
            assertThat(versions).startsWith(5_002_001L).isSorted().doesNotHaveDuplicates();
        }
    }

    private static long next(Connection connection, String statement) throws SQLException {
        try (Statement query = connection.createStatement();
                ResultSet version = query.executeQuery(statement)) {
            assertThat(version.next()).isTrue();
            return version.getLong(1);
        }
    }
}
