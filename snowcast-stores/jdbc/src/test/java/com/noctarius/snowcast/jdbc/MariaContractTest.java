// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import static com.noctarius.snowcast.jdbc.TestShards.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastSequencerAlreadyRegisteredException;
import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.tests.Await;
import com.noctarius.snowcast.tests.Warnings;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class MariaContractTest extends JdbcContract {
    @AutoClose
    private static MariaServer server;

    private static final List<String> URLS = new ArrayList<>();

    @BeforeAll
    static void start() throws Exception {
        server = MariaServer.start();
        for (int i = 0; i < 3; i++) {
            URLS.add(server.createDatabase("ids" + i));
        }
    }

    MariaContractTest() {
        super(URLS, "SET innodb_lock_wait_timeout = 1", "SET innodb_lock_wait_timeout = 7200");
    }

    @Override
    protected Optional<Server> server() {
        return Optional.of(server);
    }

    @Test
    void aDatabaseThatForgetsIsRefused() throws Exception {
        TestShards one = oneShard(urls().get(0));
        try (Connection root = one.connections(urls().get(0)).getConnection();
                Statement statement = root.createStatement();
                Warnings warnings = Warnings.of(ShardCheck.class)) {
            try {
                JdbcBlockStore running = new JdbcBlockStore(one.plain());
                running.reserve("orders", 1);
                statement.execute("SET GLOBAL innodb_flush_log_at_trx_commit = 0");
                assertRefused(
                        () -> running.reserve("orders", 1), "shard 0 of 1 has innodb_flush_log_at_trx_commit = 0");
                assertThatExceptionOfType(ShardMismatchException.class)
                        .isThrownBy(() -> new JdbcBlockStore(one.plain()).reserve("orders", 1))
                        .withMessageContaining("shard 0 of 1 has innodb_flush_log_at_trx_commit = 0");
                assertRefused(() -> new WindowAgent(one.plain(), 1).topUp());
                assertThat(warnings.all()).isEmpty();
                statement.execute("SET GLOBAL innodb_flush_log_at_trx_commit = 2");
                for (int i = 0; i < 3; i++) {
                    running.reserve("orders", 1);
                }
                assertThat(warnings.all())
                        .singleElement()
                        .asString()
                        .contains("shard 0 of 1 has innodb_flush_log_at_trx_commit = 2");
            } finally {
                statement.execute("SET GLOBAL innodb_flush_log_at_trx_commit = 1");
            }
            new JdbcBlockStore(one.plain()).reserve("orders", 1);
            assertThat(warnings.all()).hasSize(1);
        }
    }

    /** The store must retry a statement that fails because another client has locked the table. */
    @Test
    void aTableThatSomebodyHasLockedIsBusy() throws Exception {
        String url = urls().get(0);
        TestShards one = oneShard(url);
        AtomicInteger calls = new AtomicInteger();
        DataSource impatient = one.connections(url + "&sessionVariables=lock_wait_timeout=0");
        JdbcBlockStore store = TestShards.store(one.of(List.of(Connections.before(impatient, calls::incrementAndGet))));
        assertThat(store.reserve(ORDERS, 10)).isEqualTo(Block.of(1, 10));
        try (Connection slow = one.connections(url).getConnection();
                Statement statement = slow.createStatement()) {
            statement.execute("LOCK TABLES " + one.table() + " WRITE");
            int before = calls.get();
            CompletableFuture<Block> waiting = CompletableFuture.supplyAsync(() -> store.reserve(ORDERS, 10));
            Await.until("it tries again", () -> calls.get() > before + 10 || waiting.isDone());
            assertThat(waiting).isNotDone();
            statement.execute("UNLOCK TABLES");
            assertThat(waiting.get(3, TimeUnit.MINUTES)).isEqualTo(Block.of(11, 20));
        }
    }

    /** MySQL 8 reserves more words than MariaDB. MySQL's driver lists the reserved words. */
    @Test
    void noColumnIsAReservedWordOfMySql() throws Exception {
        String table = oneShard(urls().get(0)).table();
        int loginTimeoutSeconds = DriverManager.getLoginTimeout();
        // Pools of other tests may have set the login time-out of the whole JVM to a short time.
        DriverManager.setLoginTimeout((int) TimeUnit.MINUTES.toSeconds(3));
        DataSource mySql = UrlDataSource.of(server.mySqlUrl("ids0") + "&useInformationSchema=false", null, null);
        try (Connection connection = mySql.getConnection()) {
            List<String> reserved =
                    List.of(connection.getMetaData().getSQLKeywords().split(","));
            assertThat(reserved).contains("LEAD", "FIRST_VALUE");
            for (String name : List.of(table, table + "_names", table + "_shard")) {
                List<String> columns = new ArrayList<>();
                try (ResultSet rows = connection.getMetaData().getColumns("ids0", null, name, null)) {
                    while (rows.next()) {
                        columns.add(rows.getString("COLUMN_NAME").toUpperCase(Locale.ROOT));
                    }
                }
                assertThat(columns).hasSizeGreaterThan(3).doesNotContainAnyElementsOf(reserved);
            }
        } finally {
            DriverManager.setLoginTimeout(loginTimeoutSeconds);
        }
    }

    /** With this option of the driver, the count of an update excludes rows that the update leaves as they were. */
    @Test
    void aDriverThatCountsOnlyRowsThatDifferServes() throws Exception {
        DataSource counting = UrlDataSource.of(urls().get(0) + "&useAffectedRows=true", null, null);
        JdbcSnowcast.Builder process = Patient.snowcast(counting).tablePrefix("affected");
        try (JdbcSnowcast snowcast = process.build();
                JdbcSnowcast other = process.build()) {
            snowcast.createTables();
            snowcast.createSequencer("orders", SnowcastEpoch.byTimestamp(0));
            assertThatExceptionOfType(SnowcastSequencerAlreadyRegisteredException.class)
                    .isThrownBy(() -> other.createSequencer("orders", SnowcastEpoch.byTimestamp(-1)));
        }
    }
}
