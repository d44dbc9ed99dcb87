// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.jdbc.JdbcBlockStore;
import com.noctarius.snowcast.jdbc.JdbcSchema;
import com.noctarius.snowcast.jdbc.JdbcShards;
import com.noctarius.snowcast.jdbc.WindowAgent;
import com.noctarius.snowcast.spring.data.Contexts;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.MemoryBlockStore;
import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Tests the store that the auto-configuration declares for the application's database. */
class JdbcStoreTest extends MemberOfTests {
    private static final String STORE = "snowcast.sequences.tickets.store-ref=jdbc";

    private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";

    @BeforeEach
    void migrate() {
        JdbcShards shards = JdbcShards.of(database());
        JdbcSchema schema = new JdbcSchema(shards);
        schema.create(1_000);
        schema.defineSequence("tickets", 1_000, Integer.MAX_VALUE);
        new WindowAgent(shards, 3).topUp();
    }

    private JdbcDataSource database() {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL(url);
        return database;
    }

    private HikariDataSource pool() {
        return pool(url);
    }

    private static HikariDataSource pool(String url) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(url);
        pool.setPoolName("application");
        pool.setSchema("PUBLIC");
        pool.setMaximumPoolSize(1);
        return pool;
    }

    /** Returns a database that refuses each connection at once. H2's client would try again for a second. */
    static DataSource away() {
        return new AbstractDataSource() {
            @Override
            public Connection getConnection() throws SQLException {
                throw new SQLException("not there", "08001");
            }

            @Override
            public Connection getConnection(String user, String password) throws SQLException {
                return getConnection();
            }
        };
    }

    private static ApplicationContextRunner runner() {
        return shared("snowcast.store=hazelcast", "snowcast.sequences.tickets.first-value=1000")
                .withConfiguration(AutoConfigurations.of(SnowcastJdbcStoreAutoConfiguration.class));
    }

    /** The store gets each connection from the DataSource bean, which may be a wrapper that sets a schema. */
    @Test
    void theStoreUsesTheDataSourceThatTheApplicationUses() {
        JdbcDataSource elsewhere = new JdbcDataSource();
        elsewhere.setURL("jdbc:h2:mem:" + UUID.randomUUID());
        AtomicInteger taken = new AtomicInteger();
        runner().withBean(DataSource.class, () -> new DelegatingDataSource(elsewhere) {
                    @Override
                    public Connection getConnection() throws SQLException {
                        taken.incrementAndGet();
                        return database().getConnection();
                    }
                })
                .withPropertyValues(STORE)
                .run(context -> {
                    assertThat(context.getBean(IntegerSequence.class).next()).isEqualTo(1_000);
                    assertThat(taken.get()).isPositive();
                });
    }

    @Test
    void aPoolWhoseCredentialsChangeIsUsedAsItIs() {
        runner().withBean(DataSource.class, this::pool)
                .withPropertyValues(STORE)
                .run(context -> {
                    IntegerSequence tickets = context.getBean(IntegerSequence.class);
                    tickets.next();
                    HikariDataSource pool = (HikariDataSource) context.getBean(DataSource.class);
                    try (var connection = pool.getConnection();
                            var statement = connection.createStatement()) {
                        statement.execute("CREATE USER app PASSWORD 'second' ADMIN");
                    }
                    pool.getHikariConfigMXBean().setUsername("app");
                    pool.getHikariConfigMXBean().setPassword("second");
                    pool.getHikariPoolMXBean().softEvictConnections();
                    try (var connection = DriverManager.getConnection(url, "app", "second");
                            var statement = connection.createStatement()) {
                        statement.execute("DROP USER \"\"");
                    }
                    assertThat(tickets.next(5_000)).doesNotHaveDuplicates();
                });
    }

    @Test
    void aDataSourceForSnowcastIsUsedInItsPlace() {
        JdbcDataSource nowhere = new JdbcDataSource();
        nowhere.setURL("jdbc:h2:tcp://127.0.0.1:1/mem:nothing");
        runner().withBean("dataSource", DataSource.class, () -> nowhere, definition -> definition.setPrimary(true))
                .withUserConfiguration(OwnDataSource.class)
                .withBean("url", String.class, () -> url)
                .withPropertyValues(STORE)
                .run(Boot.gives(1_000));
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnDataSource {
        @Bean
        @SnowcastDataSource
        DataSource ids(String url) {
            JdbcDataSource database = new JdbcDataSource();
            database.setURL(url);
            return database;
        }
    }

    @Test
    void shardsOfTheUserAreUsed() {
        runner().withBean(DataSource.class, JdbcDataSource::new)
                .withBean(JdbcShards.class, () -> JdbcShards.of(database()))
                .withPropertyValues(STORE)
                .run(Boot.gives(1_000));
    }

    /** The application gets node IDs from Hazelcast, and integers from the database. */
    @Test
    void aSequenceWithoutAStoreHasTheOnlyDatabase() {
        runner().withBean(DataSource.class, this::pool)
                .withPropertyValues("snowcast.sequencers.orders.epoch=2024-01-01T00:00:00Z")
                .run(context -> {
                    assertThat(context).hasSingleBean(HazelcastInstance.class).hasSingleBean(JdbcBlockStore.class);
                    assertThat(context.getBean(SnowcastSequencer.class).next()).isPositive();
                    assertThat(context.getBean(IntegerSequence.class).next()).isEqualTo(1_000);
                });
        runner().withBean(DataSource.class, this::pool)
                .run(context -> assertThat(
                                context.getBean(IntegerSequence.class).next())
                        .isBetween(1_001L, 2_000L));
    }

    @Test
    void aSequenceWithoutAStoreHasThePrimaryDatabase() {
        runner().withBean("archive", DataSource.class, JdbcDataSource::new)
                .withBean("shop", DataSource.class, this::pool, definition -> definition.setPrimary(true))
                .run(Boot.gives(1_000));
    }

    @Test
    void aSequenceWithoutAStoreIsMadeInTheDatabaseOfAStandaloneNode() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        SnowcastAutoConfiguration.class, SnowcastJdbcStoreAutoConfiguration.class))
                .withBean(DataSource.class, this::pool)
                .withPropertyValues("snowcast.sequences.tickets.first-value=1000", "snowcast.standalone-node=3")
                .run(Boot.gives(1_000));
    }

    private static final String UNDEFINED = "snowcast.sequences.seats.first-value=70";

    /**
     * Checks the setup that the message about a missing store ({@code ReferredStores}) proposes for a first try:
     * {@code create-tables}, and an H2 file with {@code WRITE_DELAY=0}. A file without {@code WRITE_DELAY=0} is
     * rejected, because a crash could undo its commits.
     */
    @Test
    void tablesAndSequencesAreMadeWhereAPropertySaysSo(@TempDir Path directory) {
        String file = "jdbc:h2:file:" + directory.resolve("ids");
        ApplicationContextRunner first = runner().withBean(DataSource.class, () -> pool(file + ";WRITE_DELAY=0"))
                .withPropertyValues(UNDEFINED);
        first.run(context -> assertThat(context).hasFailed());
        ApplicationContextRunner making = first.withPropertyValues("snowcast.jdbc.create-tables=true");
        making.run(context -> {
            assertThat(context.getBean("tickets", IntegerSequence.class).next()).isEqualTo(1_000);
            assertThat(context.getBean("seats", IntegerSequence.class).next()).isEqualTo(70);
        });
        making.run(context -> assertThat(
                        context.getBean("seats", IntegerSequence.class).next())
                .isGreaterThan(70));
        first.run(context -> assertThat(
                        context.getBean("seats", IntegerSequence.class).next())
                .isGreaterThan(71));
        runner().withBean(DataSource.class, () -> pool("jdbc:h2:file:" + directory.resolve("forgetful")))
                .withPropertyValues("snowcast.jdbc.create-tables=true")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining(
                                "snowcast.sequences.tickets cannot be used: shard 0 of 1 has a WRITE_DELAY")
                        .satisfies(failure -> assertThat(failure.toString()).doesNotContain("create-tables")));
    }

    @Test
    void aSequenceThatIsDefinedFromALowerValueIsRefused() {
        runner().withBean(DataSource.class, this::pool)
                .withPropertyValues("snowcast.jdbc.create-tables=true", "snowcast.sequences.tickets.first-value=1001")
                .run(Boot.failure("sequence tickets must give no integer below 1001, and is defined from 1000"));
    }

    @Test
    void aSequenceThatIsNotDefinedIsToldTheWaysOut() {
        runner().withBean(DataSource.class, this::pool)
                .withPropertyValues(UNDEFINED)
                .run(Boot.failure(
                        "snowcast.sequences.seats cannot be used: sequence seats is not defined",
                        "or set snowcast.jdbc.create-tables=true, which makes the tables and"
                                + " the sequences that are missing"));
    }

    @Test
    void aDatabaseThatIsDownCannotGetTablesAndIsWaitedFor() {
        runner().withBean(DataSource.class, JdbcStoreTest::away)
                .withPropertyValues("snowcast.jdbc.create-tables=true", "snowcast.attach-timeout=0s")
                .run(Boot.failure(
                        "integer sequence tickets was not ready within PT0S: ",
                        "Start the database, or correct spring.datasource.*"));
    }

    @Configuration(proxyBeanMethods = false)
    static class Nothing {}

    /**
     * Disables JPA. With JPA, the database would be initialized before the sequence even if snowcast did not require
     * it.
     */
    @Test
    void aMigrationMakesTheTablesBeforeTheSequence() throws InterruptedException {
        try (ConfigurableApplicationContext context = Contexts.jdbc(
                Nothing.class,
                Boot.NO_DATABASES.replaceAll("[\\w.]*DataSourceAutoConfiguration,", ""),
                "spring.data.jpa.repositories.enabled=false",
                "snowcast.jdbc.create-tables=false",
                "snowcast.sequences.products.first-value=5000001",
                "spring.sql.init.schema-locations=classpath:com/noctarius/snowcast/jdbc/postgresql.sql",
                "spring.sql.init.data-locations=classpath:integers.sql")) {
            assertThat(context.getBean(IntegerSequence.class).next()).isEqualTo(5_000_001);
        }
    }

    @Test
    void aStoreOfTheUsersOverADatabaseIsTheOnlyOne() {
        runner().withBean(DataSource.class, this::pool)
                .withBean("own", JdbcBlockStore.class, () -> new JdbcBlockStore(JdbcShards.of(database())))
                .run(context -> {
                    assertThat(context.getBean(IntegerSequence.class).next()).isEqualTo(1_000);
                    assertThat(context).hasSingleBean(BlockStore.class).doesNotHaveBean(JdbcShards.class);
                });
    }

    /** If the start chose one of the two stores, the sequence could move to a new store, and repeat its integers. */
    @Test
    void aSequenceIsNotMovedToAStoreThatComesToTheDatabase() {
        runner().withBean(DataSource.class, this::pool)
                .withBean("memory", BlockStore.class, () -> new MemoryBlockStore(1_000, 2_000))
                .run(Boot.failure("there are several BlockStore beans and none is primary: ", "memory", "jdbc"));
    }

    /**
     * An application gets integers from a store, and its node IDs from Hazelcast. Then only {@code snowcast.store} is
     * changed. If the sequence moved to the tables of the database of the node IDs, it would begin at its first value
     * again.
     */
    @ParameterizedTest
    @EnumSource
    void aSequenceIsNotMovedByAChangeOfWhereNodeIdsComeFrom(Place place) {
        String elsewhere = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
        MemoryBlockStore memory = new MemoryBlockStore(1_000, 2_000);
        UnaryOperator<ApplicationContextRunner> application = runner -> {
            ApplicationContextRunner any = runner.withBean(DataSource.class, () -> pool(elsewhere))
                    .withPropertyValues(
                            "snowcast.jdbc.create-tables=true", "snowcast.sequences.tickets.first-value=1000");
            return switch (place) {
                case TABLE -> any.withPropertyValues("snowcast.jdbc.table-name=shop_sequences");
                case SCHEMA -> any.withPropertyValues("snowcast.jdbc.table-prefix=public.snowcast");
                case SHARDS -> any.withBean("ids", JdbcShards.class, () -> JdbcShards.of(database()));
                case STORE ->
                    any.withBean("memory", BlockStore.class, () -> memory, definition -> definition.setPrimary(true));
            };
        };
        application.apply(runner()).run(Boot.gives(1_000));
        ApplicationContextRunner changed = application.apply(new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        SnowcastAutoConfiguration.class,
                        SnowcastJdbcAutoConfiguration.class,
                        SnowcastJdbcStoreAutoConfiguration.class))
                .withPropertyValues("snowcast.store=jdbc"));
        changed.run(Boot.rootFailure(
                "snowcast.sequences.tickets.store-ref is missing", "from another place: " + place.text));
        changed.withPropertyValues("snowcast.sequences.tickets.store-ref=" + (place == Place.STORE ? "memory" : "jdbc"))
                .run(context -> assertThat(
                                context.getBean(IntegerSequence.class).next())
                        .isGreaterThan(1_000));
    }

    enum Place {
        TABLE("snowcast.jdbc.table-name=shop_sequences"),
        /** The tables of node IDs are in another schema, or in the same one by another name. */
        SCHEMA("snowcast.jdbc.table-name=id_sequences"),
        SHARDS("ids"),
        STORE("memory");

        final String text;

        Place(String text) {
            this.text = text;
        }
    }

    @Test
    void nothingIsMadeUnlessASequenceNeedsTheStoreOrForABeanOfThatName() {
        runner().withBean(DataSource.class, this::pool)
                .withBean("memory", BlockStore.class, () -> new MemoryBlockStore(1_000, 2_000))
                .withPropertyValues("snowcast.sequences.tickets.store-ref=memory")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(JdbcShards.class)
                        .doesNotHaveBean(JdbcBlockStore.class));
        runner().withBean(DataSource.class, this::pool)
                .withBean("jdbc", BlockStore.class, () -> new MemoryBlockStore(1_000, 2_000))
                .withPropertyValues(STORE)
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(JdbcShards.class)
                        .doesNotHaveBean(JdbcBlockStore.class));
    }
}
