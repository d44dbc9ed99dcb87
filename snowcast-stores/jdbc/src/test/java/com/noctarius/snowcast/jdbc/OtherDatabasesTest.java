// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import static com.noctarius.snowcast.tests.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSequencerAlreadyRegisteredException;
import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.tests.Await;
import com.noctarius.snowcast.tests.Warnings;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests {@link JdbcSnowcast} with unusual databases, users and settings. */
@Tag("integration")
class OtherDatabasesTest {
    private static final SnowcastEpoch EPOCH = SnowcastEpoch.byTimestamp(1_700_000_000_000L);

    private static final String WAY_OUT = "set binlog_format to MIXED or ROW";

    private static void useAll(JdbcSnowcast snowcast) throws InterruptedException {
        snowcast.createTables();
        SnowcastSequencer orders = snowcast.createSequencer("orders", EPOCH);
        assertThat(orders.next()).isNotZero();
        snowcast.destroySequencer(orders);
        assertThat(snowcast.createSequencer("orders", EPOCH).next()).isNotZero();
        assertThat(snowcast.createIntegerSequence(
                                IntegerSequenceConfig.builder("seats").build())
                        .next())
                .isNotNegative();
        assertThat(snowcast.status().sequencers()).hasSize(1);
    }

    /** In H2's Oracle mode, an empty string is NULL. */
    @Test
    void h2AsOracle() throws Exception {
        DataSource oracle = UrlDataSource.of("jdbc:h2:mem:oracle;MODE=Oracle;DB_CLOSE_DELAY=-1", null, null);
        try (JdbcSnowcast snowcast = Patient.snowcast(oracle).build()) {
            useAll(snowcast);
        }
        try (JdbcSnowcast snowcast = Patient.snowcast(oracle).build()) {
            snowcast.createTables();
        }
    }

    /** The database is down when the sequence is created, and has no tables when it is up again. */
    @Test
    void aSequenceIsDefinedWhenAnOperatorHasCreatedTheTables() throws Exception {
        DataSource h2 = UrlDataSource.of("jdbc:h2:mem:late_tables;DB_CLOSE_DELAY=-1", null, null);
        AtomicBoolean isAway = new AtomicBoolean(true);
        DataSource pool = Connections.away(h2, isAway);
        try (JdbcSnowcast snowcast = Patient.snowcast(pool).build()) {
            IntegerSequence seats = snowcast.createIntegerSequence(IntegerSequenceConfig.builder("seats")
                    .maxWait(Duration.ofMillis(50))
                    .build());
            isAway.set(false);
            Await.until("the store has been asked, and has no tables", () -> fails(seats, "table"));
            snowcast.createTables();
            Await.until("the sequence has integers", () -> !fails(seats, ""));
        }
    }

    private static boolean fails(IntegerSequence sequence, String reason) {
        try {
            long unused = sequence.next();
            return false;
        } catch (SnowcastException e) {
            return String.valueOf(e.getMessage()).contains(reason);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The metadata of the database shows tables of all schemas, also of schemas that a connection does not search. */
    @Test
    void aTableOfNodeIdsInAnotherSchemaIsNotTakenForOwn() throws Exception {
        String url = "jdbc:h2:mem:two_schemas;DB_CLOSE_DELAY=-1";
        DataSource pool = UrlDataSource.of(url, null, null);
        JdbcShards shards = JdbcShards.of(pool);
        new JdbcSchema(shards).create(1_000);
        Sql.execute(url, "CREATE SCHEMA other", "CREATE TABLE other.snowcast_database (server_id VARCHAR(200))");
        try (JdbcSnowcast snowcast = Patient.snowcast(pool).build()) {
            IntegerSequence seats = snowcast.createIntegerSequence(
                    IntegerSequenceConfig.builder("seats").build());
            assertThat(seats.next()).isNotNegative();
        }
        JdbcSchema schema = new JdbcSchema(shards);
        assertThatThrownBy(() -> schema.markRestored(0, "snowcast"))
                .isExactlyInstanceOf(BlockStoreException.class)
                .hasMessageContaining("marked: id_sequences_database; not marked: snowcast_database")
                .hasMessageContaining("name the schema");
        assertThat(Sql.text(url, "SELECT server_id FROM id_sequences_database")).isEqualTo(SharedLosses.RESTORED);
        Sql.execute(url, "INSERT INTO other.snowcast_database VALUES ('H2')");
        assertThat(schema.markRestored(0, "other.snowcast"))
                .containsExactly("other.snowcast_database", "id_sequences_database");
    }

    /** The user may read and change rows, but may not create tables. */
    @Test
    void aUserWhoMayCreateNothingCallsCreateTables() throws Exception {
        try (PostgresServer server = PostgresServer.start()) {
            String url = server.createDatabase("rights");
            try (Connection connection = DriverManager.getConnection(url);
                    Statement statement = connection.createStatement();
                    JdbcSnowcast owner =
                            Patient.snowcast(UrlDataSource.of(url, null, null)).build()) {
                statement.execute("CREATE ROLE app LOGIN PASSWORD 'pw'");
                statement.execute("REVOKE CREATE ON SCHEMA public FROM PUBLIC");
                DataSource user = UrlDataSource.of(url.replaceAll("user=[a-z]+", "user=app"), "app", "pw");
                try (JdbcSnowcast app = Patient.snowcast(user).build()) {
                    assertFails(SnowcastException.class, app::createTables, "grant the user SELECT");
                    owner.createTables();
                    statement.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO app");
                    useAll(app);
                }
            }
        }
    }

    /** The tables of integers are in the same database, and the user may not change them. */
    @Test
    void aUserOfNodeIdsOnlyNotesALossInH2() throws Exception {
        String url = "jdbc:h2:mem:rights;DB_CLOSE_DELAY=-1";
        // Only an administrator may set DB_CLOSE_DELAY.
        DataSource user = UrlDataSource.of("jdbc:h2:mem:rights", "app", "pw");
        try (Connection connection = DriverManager.getConnection(url, "sa", "");
                Statement statement = connection.createStatement();
                JdbcSnowcast owner =
                        Patient.snowcast(UrlDataSource.of(url, "sa", "")).build();
                JdbcSnowcast app = Patient.snowcast(user).build()) {
            owner.createTables();
            statement.execute("CREATE USER app PASSWORD 'pw'");
            for (String table : List.of("database", "names", "nodes")) {
                statement.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON snowcast_" + table + " TO app");
            }
            statement.execute("GRANT SELECT ON id_sequences_database TO app");
            app.createSequencer("orders", SnowcastEpoch.byTimestamp(0)).next();
            assertThat(new JdbcSchema(Patient.shard(UrlDataSource.of(url, "sa", ""))
                                    .build())
                            .markRestored(0, "snowcast"))
                    .contains("snowcast_database");
            assertThatThrownBy(() -> app.createSequencer("tickets", SnowcastEpoch.byTimestamp(0)))
                    .isInstanceOf(SnowcastUnavailableException.class)
                    .hasMessageContaining("no holder can be attached before");
        }
    }

    /** An application may start before its database. */
    @Test
    void aSequenceThatIsCreatedWhileTheDatabaseIsAwayIsDefinedLater() throws Exception {
        DataSource database = UrlDataSource.of("jdbc:h2:mem:away;DB_CLOSE_DELAY=-1", null, null);
        AtomicBoolean isAway = new AtomicBoolean();
        try (JdbcSnowcast snowcast =
                Patient.snowcast(Connections.away(database, isAway)).build()) {
            snowcast.createTables();
            isAway.set(true);
            IntegerSequence seats = snowcast.createIntegerSequence(IntegerSequenceConfig.builder("seats")
                    .firstValue(500)
                    .maxWait(Duration.ofMinutes(3))
                    .build());
            isAway.set(false);
            assertThat(seats.next()).isEqualTo(500);
        }
    }

    /** The sequence in use is not defined yet. A refused one of its name must not be defined in its place. */
    @Test
    void aRefusedSequenceIsNotDefinedInPlaceOfTheOneInUse() throws Exception {
        DataSource database = UrlDataSource.of("jdbc:h2:mem:refused;DB_CLOSE_DELAY=-1", null, null);
        AtomicBoolean isAway = new AtomicBoolean();
        IntegerSequenceConfig.Builder seats =
                IntegerSequenceConfig.builder("seats").maxWait(Duration.ofMinutes(3));
        try (JdbcSnowcast snowcast =
                Patient.snowcast(Connections.away(database, isAway)).build()) {
            snowcast.createTables();
            isAway.set(true);
            IntegerSequence inUse =
                    snowcast.createIntegerSequence(seats.firstValue(500).build());
            IntegerSequenceConfig refused = seats.firstValue(1).build();
            assertThatThrownBy(() -> snowcast.createIntegerSequence(refused))
                    .isInstanceOf(SnowcastSequencerAlreadyRegisteredException.class);
            isAway.set(false);
            assertThat(inUse.next()).isEqualTo(500);
        }
    }

    /** When the application ends, a background thread may still insert windows. */
    @Test
    void anEndRightAfterTheBeginningWarnsOfNothing() throws Exception {
        try (Warnings warnings = Warnings.of(BackgroundTopUp.class)) {
            HikariDataSource pool = TestShards.pool("jdbc:h2:mem:ends;DB_CLOSE_DELAY=-1", 2);
            try (JdbcSnowcast snowcast = Patient.snowcast(pool).build()) {
                snowcast.createTables();
                for (int i = 0; i < 12; i++) {
                    snowcast.createIntegerSequence(
                            IntegerSequenceConfig.builder("seats" + i).build());
                }
            }
            pool.close();
            DataSource next = UrlDataSource.of("jdbc:h2:mem:next;DB_CLOSE_DELAY=-1", null, null);
            try (JdbcSnowcast snowcast = Patient.snowcast(next).build()) {
                snowcast.createTables();
                assertThat(snowcast.createIntegerSequence(
                                        IntegerSequenceConfig.builder("seats").build())
                                .next())
                        .as("laid out after the others")
                        .isNotNegative();
            }
            assertThat(warnings.all()).isEmpty();
        }
    }

    /** With a statement-based binary log, MariaDB rejects changes at READ COMMITTED. */
    @Test
    void aBinaryLogOfStatementsIsNamedWithTheWayOut() throws Exception {
        try (MariaServer server = MariaServer.start("--log-bin=log", "--binlog-format=STATEMENT")) {
            String url = server.createDatabase("shop");
            try (Connection connection = DriverManager.getConnection(url);
                    Statement statement = connection.createStatement();
                    JdbcSnowcast snowcast =
                            Patient.snowcast(UrlDataSource.of(url, null, null)).build()) {
                assertSaysTheWayOut(snowcast::createTables);
                statement.execute("SET GLOBAL binlog_format = MIXED");
                useAll(snowcast);
                statement.execute("SET GLOBAL binlog_format = STATEMENT");
                assertSaysTheWayOut(() -> snowcast.createSequencer("customers", EPOCH));
                JdbcBlockStore store = new JdbcBlockStore(
                        Patient.shard(UrlDataSource.of(url, null, null)).build());
                assertThatThrownBy(() -> store.reserve("seats", 1)).hasMessageContaining(WAY_OUT);
                statement.execute("SET GLOBAL binlog_format = ROW");
                useAll(snowcast);
            }
        }
    }

    private static void assertSaysTheWayOut(ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call).isExactlyInstanceOf(SnowcastException.class).hasMessageContaining(WAY_OUT);
    }

    @Test
    void aMissingValueIsNotTakenForARowThatIsThere() {
        assertThat(Tables.isDuplicateKey(new SQLException("null", "23502"))).isFalse();
        assertThat(Tables.isDuplicateKey(new SQLException("check", "23513"))).isFalse();
        assertThat(Tables.isDuplicateKey(new SQLException("null", "23000", 1048)))
                .isFalse();
        assertThat(Tables.isDuplicateKey(new SQLException("key", "23505"))).isTrue();
        assertThat(Tables.isDuplicateKey(new SQLException("key", "23000", 1062)))
                .isTrue();
    }

    @Test
    void aNameMovesNoCursor() throws Exception {
        String url = "jdbc:h2:mem:names;DB_CLOSE_DELAY=-1";
        JdbcShards shards = Patient.shard(UrlDataSource.of(url, null, null)).build();
        new JdbcSchema(shards).create(100);
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO id_sequences_names (sequence_name, lowest_value, highest_value)"
                    + " VALUES ('a' || CHAR(27) || '[2J' || CHAR(10) || 'shard 1 of 1  ok', 1, 100)");
        }
        String status = StatusTable.read(shards, Duration.ZERO, Duration.ZERO).toString();
        assertThat(status).doesNotContain("\u001b").doesNotContain("\nshard 1 of 1");
    }
}
