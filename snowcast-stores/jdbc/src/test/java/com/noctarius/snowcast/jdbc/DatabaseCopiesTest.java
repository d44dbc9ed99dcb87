// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.store.BlockStoreException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A database that is put in the place of another one by the means of the server: processes that start notice. */
@Tag("integration")
class DatabaseCopiesTest {
    private static final SnowcastEpoch EPOCH = SnowcastEpoch.byTimestamp(1_700_000_000_000L);

    private static void sql(String url, String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private static JdbcSnowcast process(String url) {
        return JdbcSnowcast.of(new UrlDataSource(url, null, null));
    }

    private static void create(String url) throws InterruptedException {
        try (JdbcSnowcast first = process(url)) {
            first.createTables();
            useIn(first);
        }
        try (JdbcSnowcast second = process(url)) {
            useIn(second);
        }
    }

    private static void useIn(JdbcSnowcast process) throws InterruptedException {
        process.createSequencer("orders", EPOCH);
        process.createIntegerSequence(IntegerSequenceConfig.builder("seats").build())
                .next();
    }

    /** A process that knows nothing of what was before. */
    private static void assertNoticed(String url) {
        try (JdbcSnowcast next = process(url)) {
            assertThatThrownBy(() -> next.createSequencer("orders", EPOCH))
                    .isInstanceOf(SnowcastUnavailableException.class)
                    .hasMessageContaining("no holder can be attached before");
        }
        JdbcBlockStore store = new JdbcBlockStore(JdbcShards.of(new UrlDataSource(url, null, null)));
        assertThatExceptionOfType(BlockStoreException.class)
                .isThrownBy(() -> store.reserve("seats", 1))
                .withMessageContaining("recover");
    }

    @Test
    void aCopyByTemplateThatTakesTheNameOfThePostgresDatabase() throws Exception {
        try (PostgresServer server = PostgresServer.start()) {
            String shop = server.createDatabase("shop");
            create(shop);
            sql(
                    server.url("postgres"),
                    "CREATE DATABASE backup TEMPLATE shop",
                    "ALTER DATABASE shop RENAME TO former",
                    "ALTER DATABASE backup RENAME TO shop");
            assertNoticed(shop);
        }
    }

    @Test
    void aPostgresDatabaseThatWasOnlyRestartedOrRenamedIsTheSame() throws Exception {
        try (PostgresServer server = PostgresServer.start()) {
            String shop = server.createDatabase("shop");
            create(shop);
            server.kill();
            server.restart();
            create(shop);
            sql(server.url("postgres"), "ALTER DATABASE shop RENAME TO store");
            create(server.url("store"));
        }
    }

    @Test
    void aDumpThatIsLoadedIntoAnotherMariaServer(@TempDir Path directory) throws Exception {
        Path dump = directory.resolve("dump.sql");
        try (MariaServer server = MariaServer.start()) {
            create(server.createDatabase("shop"));
            server.dump("shop", dump);
        }
        try (MariaServer other = MariaServer.start()) {
            String shop = other.createDatabase("shop");
            other.load("shop", dump);
            assertNoticed(shop);
        }
    }

    @Test
    void aDumpThatIsLoadedIntoTheSameMariaServer(@TempDir Path directory) throws Exception {
        Path dump = directory.resolve("dump.sql");
        try (MariaServer server = MariaServer.start()) {
            String shop = server.createDatabase("shop");
            create(shop);
            server.dump("shop", dump);
            server.kill();
            server.restart();
            create(shop);
            server.load("shop", dump);
            assertNoticed(shop);
        }
    }
}
