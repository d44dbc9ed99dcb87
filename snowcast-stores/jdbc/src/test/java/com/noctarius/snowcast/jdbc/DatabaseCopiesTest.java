// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import static com.noctarius.snowcast.tests.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.tests.Await;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that processes detect a copy that has replaced the database. */
@Tag("integration")
class DatabaseCopiesTest {
    private static final SnowcastEpoch EPOCH = SnowcastEpoch.byTimestamp(1_700_000_000_000L);

    @AutoClose
    private static PostgresServer postgres;

    @AutoClose
    private static MariaServer maria;

    @BeforeAll
    static void start() throws Exception {
        postgres = PostgresServer.start();
        maria = MariaServer.start();
    }

    private static JdbcSnowcast process(String url) {
        return Patient.snowcast(UrlDataSource.of(url, null, null)).build();
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
        process.createIntegerSequence(seats().build()).next();
    }

    private static IntegerSequenceConfig.Builder seats() {
        return IntegerSequenceConfig.builder("seats");
    }

    private static void assertNoticed(String url) {
        try (JdbcSnowcast next = process(url)) {
            assertThatThrownBy(() -> next.createSequencer("orders", EPOCH))
                    .isInstanceOf(SnowcastUnavailableException.class)
                    .hasMessageContaining("no holder can be attached before");
        }
        JdbcBlockStore store = new JdbcBlockStore(
                Patient.shard(UrlDataSource.of(url, null, null)).build());
        assertFails(BlockStoreException.class, () -> store.reserve("seats", 1), "recover");
    }

    @Test
    void aCopyByTemplateThatTakesTheNameOfThePostgresDatabase() throws Exception {
        String shop = postgres.createDatabase("shop");
        create(shop);
        Sql.execute(
                postgres.url("postgres"),
                "CREATE DATABASE backup TEMPLATE shop",
                "ALTER DATABASE shop RENAME TO former",
                "ALTER DATABASE backup RENAME TO shop");
        assertNoticed(shop);
    }

    @Tag("faults") // half a minute
    @Test
    void aPostgresDatabaseThatWasOnlyRestartedOrRenamedIsTheSame() throws Exception {
        String kept = postgres.createDatabase("kept");
        create(kept);
        postgres.kill();
        postgres.restart();
        create(kept);
        Sql.execute(postgres.url("postgres"), "ALTER DATABASE kept RENAME TO store");
        create(postgres.url("store"));
    }

    @Tag("faults") // half a minute
    @Test
    void aDumpThatIsLoadedIntoAnotherMariaServer(@TempDir Path directory) throws Exception {
        Path dump = directory.resolve("dump.sql");
        create(maria.createDatabase("moved"));
        maria.dump("moved", dump);
        try (MariaServer other = MariaServer.start()) {
            String moved = other.createDatabase("moved");
            other.load("moved", dump);
            assertNoticed(moved);
        }
    }

    @Test
    void aDumpThatIsLoadedIntoTheSameMariaServer(@TempDir Path directory) throws Exception {
        Path dump = directory.resolve("dump.sql");
        String loaded = maria.createDatabase("loaded");
        create(loaded);
        maria.dump("loaded", dump);
        maria.kill();
        maria.restart();
        create(loaded);
        maria.load("loaded", dump);
        assertNoticed(loaded);
    }

    /**
     * The server stores only when a table was created, in seconds, and also changes that time when it rebuilds a table.
     */
    @Test
    void aTableOfMariaThatIsRebuiltIsTakenForACopy() throws Exception {
        String rebuilt = maria.createDatabase("rebuilt");
        create(rebuilt);
        Sql.execute(rebuilt, "DO SLEEP(1.1)", "OPTIMIZE TABLE snowcast_database, id_sequences_database");
        assertNoticed(rebuilt);
    }

    /** With this setting, the driver does not count rows that keep their values. */
    @Test
    void aMarkThatIsThereAlreadyCounts() throws Exception {
        String marked = maria.createDatabase("marked");
        create(marked);
        String changesOnly = marked + "&useAffectedRows=true";
        JdbcSchema schema = new JdbcSchema(JdbcShards.of(UrlDataSource.of(changesOnly, null, null)));
        for (int i = 0; i < 2; i++) {
            assertThat(schema.markRestored(0, "snowcast"))
                    .containsExactly("snowcast_database", "id_sequences_database");
        }
    }

    /** A restart may change the ID or the address of a server. A replica differs in both. */
    @Test
    void aMariaServerIsAnotherOneIfBothItsIdAndItsAddressAreOthers() throws Exception {
        String shop = maria.createDatabase("shop");
        create(shop);
        Sql.execute(shop, "SET GLOBAL server_id = 7", "SET GLOBAL gtid_domain_id = 7");
        create(shop);
        storeAnotherPort(shop);
        assertNoticed(shop);
        String desk = maria.createDatabase("desk");
        create(desk);
        storeAnotherPort(desk);
        create(desk);
    }

    /** Changes the server's stored identity as if the server had had another port before. */
    private static void storeAnotherPort(String url) throws SQLException {
        for (String table : List.of("snowcast_database", "id_sequences_database")) {
            Sql.execute(
                    url, "UPDATE " + table + " SET server_id = REPLACE(server_id, CONCAT(':', @@port, '/'), ':1/')");
        }
    }

    /** H2 does not show that a database was restored, so an operator must mark the restored database. */
    @Test
    void oneMarkMakesNodeIdsWaitAndIntegersRefuse() throws Exception {
        String url = "jdbc:h2:mem:mark;DB_CLOSE_DELAY=-1";
        create(url);
        try (JdbcSnowcast running = process(url)) {
            IntegerSequence seats =
                    running.createIntegerSequence(seats().blockSize(1).build());
            seats.next();
            Sql.execute(url, "UPDATE snowcast_database SET server_id = 'restored'");
            assertThatExceptionOfType(SnowcastException.class)
                    .isThrownBy(() -> {
                        while (true) {
                            seats.next();
                        }
                    })
                    .withMessageContaining("run recover");
            assertNoticed(url);
            JdbcSchema schema = new JdbcSchema(
                    Patient.shard(UrlDataSource.of(url, null, null)).build());
            schema.recover(0, Map.of("seats", 700_000L));
            Await.until("the process serves again", () -> isServed(seats));
            assertThat(seats.next()).isGreaterThan(700_000);
        }
    }

    private static boolean isServed(IntegerSequence sequence) {
        try {
            return sequence.next() > 0;
        } catch (SnowcastException e) {
            return false;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Simulates a loss: the row of a window shows fewer reserved integers than the store has reserved. */
    @Test
    void whatShowsALossOfIntegersMakesNodeIdsWait() throws Exception {
        String url = "jdbc:h2:mem:integers;DB_CLOSE_DELAY=-1";
        create(url);
        try (JdbcSnowcast running = process(url)) {
            IntegerSequence seats =
                    running.createIntegerSequence(seats().blockSize(1).build());
            for (int i = 0; i < 5; i++) {
                seats.next();
            }
            Sql.execute(url, "UPDATE id_sequences SET next_hi_value = 2 WHERE next_hi_value > window_start_value");
            assertThatThrownBy(() -> {
                        while (true) {
                            seats.next();
                        }
                    })
                    .isInstanceOf(SnowcastException.class)
                    .hasMessageContaining("run recover");
            assertNoticed(url);
        }
    }

    @Test
    void theCommandMarksBoth(@TempDir Path directory) throws Exception {
        String url = "jdbc:h2:mem:command;DB_CLOSE_DELAY=-1";
        create(url);
        Path file = Files.writeString(directory.resolve("shards.properties"), "shard.0.url=" + url + "\n");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int exitCode = WindowAgentMain.run(
                List.of("restored", file.toString(), "0"), Map.of(), new PrintStream(out), System.err);
        assertThat(exitCode).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("marked: snowcast_database, id_sequences_database");
        assertNoticed(url);
    }
}
