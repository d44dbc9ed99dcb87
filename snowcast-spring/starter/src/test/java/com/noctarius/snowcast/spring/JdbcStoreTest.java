// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.jdbc.JdbcBlockStore;
import com.noctarius.snowcast.jdbc.JdbcSchema;
import com.noctarius.snowcast.jdbc.JdbcShards;
import com.noctarius.snowcast.jdbc.WindowAgent;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.MemoryBlockStore;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** The store that Boot makes over the application's database. */
@Tag("integration")
class JdbcStoreTest {
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
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(url);
        pool.setPoolName("application");
        pool.setSchema("PUBLIC");
        pool.setMaximumPoolSize(1);
        return pool;
    }

    private static ApplicationContextRunner runner() {
        return Boot.runner()
                .withUserConfiguration(DocumentationTest.OneMember.class)
                .withConfiguration(AutoConfigurations.of(SnowcastJdbcStoreAutoConfiguration.class))
                .withPropertyValues("snowcast.sequences.tickets.first-value=1000");
    }

    /** A wrapper that sets the schema, as for tenants or tokens, is asked for each connection. */
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

    /** Its password is changed while it runs: the next connection has the new one. */
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
                .run(context -> assertThat(
                                context.getBean(IntegerSequence.class).next())
                        .isEqualTo(1_000));
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
                .run(context -> {
                    assertThat(context.getBean(IntegerSequence.class).next()).isEqualTo(1_000);
                });
    }

    @Test
    void nothingIsMadeUnlessASequenceNamesTheStoreOrForABeanOfThatName() {
        runner().withBean(DataSource.class, this::pool)
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(JdbcShards.class)
                        .doesNotHaveBean(BlockStore.class));
        runner().withBean(DataSource.class, this::pool)
                .withBean("jdbc", BlockStore.class, () -> new MemoryBlockStore(1_000, 2_000))
                .withPropertyValues(STORE)
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(JdbcShards.class)
                        .doesNotHaveBean(JdbcBlockStore.class));
    }

    @Test
    void wrongPropertiesFailTheStartAndAreNamed() {
        runner().withBean(DataSource.class, this::pool)
                .withPropertyValues(STORE, "snowcast.jdbc.table-name=a b")
                .run(context ->
                        assertThat(context).getFailure().rootCause().hasStackTraceContaining("tableName must be"));
    }

    /** The tables may be made, and the database may come, while the application runs. */
    @Test
    void aDatabaseThatIsDownShowsInTheHealthAndLetsTheContextStart() {
        HikariDataSource nowhere = new HikariDataSource();
        nowhere.setJdbcUrl("jdbc:h2:tcp://127.0.0.1:1/mem:nothing");
        runner().withBean(DataSource.class, () -> nowhere)
                .withPropertyValues(STORE)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    IntegerSequence tickets = context.getBean(IntegerSequence.class);
                    assertThat(tickets.remaining()).isZero();
                    assertThat(SnowcastHealth.reason(tickets.stats())).contains("127.0.0.1");
                });
    }
}
