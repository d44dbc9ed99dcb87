// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.migration;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.jdbc.JdbcBlockStore;
import com.noctarius.snowcast.jdbc.JdbcSchema;
import com.noctarius.snowcast.jdbc.JdbcShards;
import java.lang.reflect.Method;
import java.net.URLClassLoader;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests docs/migration/atomic-long.md with Hazelcast 5.4, the last version with IAtomicLong in open source. */
@Tag("integration")
class AtomicLongMigrationTest {
    private static final String INITIAL = "5000000";

    /** Returns the last value that an application got from a counter that began at 5,000,000. */
    private static long lastOfTheFormerCluster() throws Exception {
        try (URLClassLoader hazelcast = FormerJars.of("hazelcast")) {
            ClassLoader before = Thread.currentThread().getContextClassLoader();
            Thread.currentThread().setContextClassLoader(hazelcast);
            try {
                return lastOf(hazelcast);
            } finally {
                Thread.currentThread().setContextClassLoader(before);
            }
        }
    }

    private static long lastOf(ClassLoader hazelcast) throws Exception {
        String xml = """
                <hazelcast xmlns="http://www.hazelcast.com/schema/config">
                  <cluster-name>former-%s</cluster-name>
                  <network>
                    <join><auto-detection enabled="false"/><multicast enabled="false"/></join>
                    <interfaces enabled="true"><interface>127.0.0.1</interface></interfaces>
                  </network>
                </hazelcast>
                """.formatted(UUID.randomUUID());
        Class<?> configType = hazelcast.loadClass("com.hazelcast.config.Config");
        Object config = configType.getMethod("loadFromString", String.class).invoke(null, xml);
        Object member = hazelcast
                .loadClass("com.hazelcast.core.Hazelcast")
                .getMethod("newHazelcastInstance", configType)
                .invoke(null, config);
        Class<?> instance = hazelcast.loadClass("com.hazelcast.core.HazelcastInstance");
        try {
            Object subsystem = instance.getMethod("getCPSubsystem").invoke(member);
            Object counter = hazelcast
                    .loadClass("com.hazelcast.cp.CPSubsystem")
                    .getMethod("getAtomicLong", String.class)
                    .invoke(subsystem, "orders");
            Class<?> atomicLong = hazelcast.loadClass("com.hazelcast.cp.IAtomicLong");
            atomicLong.getMethod("set", long.class).invoke(counter, Long.parseLong(INITIAL));
            Method increment = atomicLong.getMethod("incrementAndGet");
            long last = 0;
            for (int i = 0; i < 1_000; i++) {
                last = (long) increment.invoke(counter);
            }
            return last;
        } finally {
            instance.getMethod("shutdown").invoke(member);
        }
    }

    private static JdbcDataSource database(String name) {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:" + name + ";MODE=PostgreSQL;DB_CLOSE_DELAY=-1");
        return database;
    }

    @Test
    void goesOnAbove() throws Exception {
        long last = lastOfTheFormerCluster();
        assertThat(last).isEqualTo(5_001_000);
        Page page = Page.of("atomic-long.md");
        long firstValue = Long.parseLong(page.property("snowcast.sequences.orders.first-value"));
        assertThat(firstValue).isGreaterThan(last);
        JdbcShards shards = JdbcShards.of(database("atomic-long"));
        JdbcSchema schema = new JdbcSchema(shards);
        schema.create(100_000);
        schema.defineSequence("orders", firstValue, Integer.MAX_VALUE);
        HazelcastInstance member = Members.start();
        try {
            Snowcast snowcast = SnowcastSystem.snowcast(member);
            long[] taken = orders(snowcast, shards, firstValue).next(10_000);
            assertThat(LongStream.of(taken)).startsWith(firstValue).allMatch(value -> value > last);

            SnowcastSequencer ids = snowcast.createSequencer(SequencerConfig.builder("orders")
                    .epoch(Successor.NEW_EPOCH)
                    .layout(SnowcastLayout.POSITIVE)
                    .startAbove(last)
                    .build());
            assertThat(LongStream.of(ids.next(10_000))).allMatch(id -> id > last);
        } finally {
            member.shutdown();
        }
        // An IAtomicLong would be 0 after this restart.
        HazelcastInstance restarted = Members.start();
        try {
            long[] after = orders(SnowcastSystem.snowcast(restarted), shards, firstValue)
                    .next(10_000);
            assertThat(LongStream.of(after)).allMatch(value -> value >= firstValue + 10_000);
        } finally {
            restarted.shutdown();
        }
    }

    private static IntegerSequence orders(Snowcast snowcast, JdbcShards shards, long firstValue) {
        return snowcast.createIntegerSequence(IntegerSequenceConfig.builder("orders")
                .firstValue(firstValue)
                .store(new JdbcBlockStore(shards))
                .build());
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
