// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.IntegerSequenceExhaustedException;
import com.noctarius.snowcast.NodeLeaseConfig;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.internal.owner.RenewReply;
import com.noctarius.snowcast.internal.owner.RenewRequest;
import com.noctarius.snowcast.internal.owner.TableRules;
import com.noctarius.snowcast.status.ClusterStatus;
import com.noctarius.snowcast.tests.Await;
import com.noctarius.snowcast.tests.SnowcastContract;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs the contract tests of {@code Snowcast} on a kind of database, and tests what only {@link JdbcSnowcast} does. */
@Tag("integration")
interface JdbcSnowcastContract extends SnowcastContract {
    SequencerConfig ORDER_IDS = SequencerConfig.builder("order-ids")
            .epoch(SnowcastEpoch.byTimestamp(1_700_000_000_000L))
            .build();

    List<String> urls();

    /** A table name that only this test uses. */
    String table();

    /** Returns a pool that all tests of the class share. */
    DataSource sharedPool(String url);

    /** Returns a statement that lets a connection wait for locks for an hour or longer. */
    String longLockTimeout();

    private JdbcSnowcast.Builder process(String name) {
        return process(name, sharedPool(urls().get(0)));
    }

    private JdbcSnowcast.Builder process(String name, DataSource dataSource) {
        JdbcSnowcast.Builder builder =
                Patient.snowcast(dataSource).tablePrefix(table() + "_l").processName(name);
        Dialect dialect = dialect();
        return dialect == null ? builder : builder.dialect(dialect);
    }

    private @Nullable Dialect dialect() {
        return table().startsWith(UserDialect.TABLE_PREFIX) ? UserDialect.create() : null;
    }

    /**
     * Creates tables in a schema that no other test uses. If two tests shared the tables of integers, a loss of grants
     * in one test would count as a loss of integers in both tests.
     */
    private JdbcSnowcast createdInItsOwnSchema(String name) throws SQLException {
        String schema = table() + "Own";
        sql("CREATE SCHEMA " + schema);
        JdbcSnowcast snowcast = process(name).tablePrefix(schema + ".snowcast").build();
        snowcast.createTables();
        return snowcast;
    }

    private JdbcSnowcast created(String name) {
        JdbcSnowcast snowcast = process(name).build();
        snowcast.createTables();
        return snowcast;
    }

    record RunningJdbc(JdbcSnowcast snowcast) implements Running {
        @Override
        public void close() {
            snowcast.close();
        }
    }

    @Override
    default Running startProcess() {
        return new RunningJdbc(created("process"));
    }

    private void sql(String sql) throws SQLException {
        Sql.execute(sharedPool(urls().get(0)), sql.replace("snowcast_", table() + "_l_"));
    }

    @Test
    default void aLeaseDoesNotCommitWhatSomebodyBeganInAutoCommit() throws Exception {
        created("owner").close();
        String url = urls().get(0);
        Sql.execute(url, "CREATE TABLE " + table() + "_foreign (n INT)");
        try (Connection only = UrlDataSource.of(url, null, null).getConnection();
                Statement statement = only.createStatement();
                JdbcSnowcast snowcast =
                        process("lessee", Connections.sharing(only)).build()) {
            statement.execute("BEGIN");
            statement.executeUpdate("INSERT INTO " + table() + "_foreign VALUES (1)");
            try {
                snowcast.createSequencer(ORDER_IDS);
            } catch (SnowcastException e) {
                // The database has refused to begin a transaction within the open one.
            }
        }
        assertThat(Sql.number(url, "SELECT COUNT(*) FROM " + table() + "_foreign"))
                .isZero();
    }

    @Test
    default void theStatusSaysWhichProcessHasWhichNodeId() {
        try (JdbcSnowcast one = created("pod-1");
                JdbcSnowcast two = process("pod-2").build()) {
            one.createSequencer(ORDER_IDS);
            two.createSequencer(ORDER_IDS);
            ClusterStatus.Sequencer status = one.status().sequencers().get(0);
            assertThat(status.name()).isEqualTo("order-ids");
            assertThat(status.nodes())
                    .extracting(ClusterStatus.Node::holder)
                    .containsExactlyInAnyOrder("pod-1", "pod-2");
            assertThat(status.attachedCount()).isEqualTo(2);
        }
    }

    /** The backup count is the number of copies in a Hazelcast cluster, so it does not matter for a database. */
    @Test
    default void aBackupCountIsNoPartOfADefinition() throws Exception {
        SequencerConfig replicated = SequencerConfig.builder(ORDER_IDS.name())
                .epoch(ORDER_IDS.epoch())
                .layout(ORDER_IDS.layout())
                .backupCount(3)
                .build();
        try (JdbcSnowcast one = created("pod-1");
                JdbcSnowcast two = process("pod-2").build()) {
            one.createSequencer(ORDER_IDS);
            assertThat(two.createSequencer(replicated).next()).isPositive();
            assertThat(one.status().sequencers().get(0).backupCount()).isZero();
        }
    }

    @Test
    default void theMetricsOfEachProcessCountTheNodeIdsOfAll() throws Exception {
        try (JdbcSnowcast one = created("pod-1");
                JdbcSnowcast two = process("pod-2").build();
                JdbcSnowcast three = process("pod-3").build()) {
            one.createSequencer(ORDER_IDS);
            two.createSequencer(ORDER_IDS);
            three.createSequencer(ORDER_IDS);
            one.leaseNode(NodeLeaseConfig.builder("workers").maxNodeCount(4).build());
            // Simulate that pod-2 has released its node ID before the end of the lease, and that the lease of pod-3 has
            // ended.
            sql("UPDATE snowcast_nodes SET attached = 0 WHERE held_by = 'pod-2'");
            sql("UPDATE snowcast_nodes SET ceiling_millis = floor_millis WHERE held_by = 'pod-3'");
            Await.until(
                    "a count",
                    () -> one.metrics().stream()
                            .anyMatch(metric -> metric.name().equals("nodeIds")));
            assertThat(one.metrics())
                    .contains(
                            new Snowcast.Metric("attachedNodeIds", "name", "order-ids", 1),
                            new Snowcast.Metric("expiringNodeIds", "name", "order-ids", 1),
                            new Snowcast.Metric("nodeIds", "name", "order-ids", 8_192),
                            new Snowcast.Metric("attachedNodeIds", "name", "workers", 1),
                            new Snowcast.Metric("expiringNodeIds", "name", "workers", 0),
                            new Snowcast.Metric("nodeIds", "name", "workers", 4));
        }
    }

    @Test
    default void theStatusSaysWhatIntegerSequencesOfTheSchemaHaveLeft() throws Exception {
        try (JdbcSnowcast snowcast = createdInItsOwnSchema("pod-1")) {
            IntegerSequenceConfig config = IntegerSequenceConfig.builder("seats")
                    .firstValue(5_000_001)
                    .lastValue(5_250_000)
                    .build();
            snowcast.createIntegerSequence(config).next();
            assertThat(snowcast.status().integerSequences()).hasSize(1);
            ClusterStatus.Integers seats = snowcast.status().integerSequences().get(0);
            assertThat(seats.name()).isEqualTo("seats");
            assertThat(seats.firstValue()).isEqualTo(5_000_001);
            assertThat(seats.lastValue()).isEqualTo(5_250_000);
            assertThat(seats.highest()).isGreaterThan(5_000_000);
            assertThat(seats.remaining())
                    .as("all but the block that the process has")
                    .isBetween(200_000L, 249_999L)
                    .isEqualTo(5_250_000 - seats.highest());
            sql("DROP TABLE " + table() + "Own.id_sequences_names");
            assertThat(snowcast.status().integerSequences()).isEmpty();
        }
    }

    @Test
    default void connectionsAreGivenBackAsTheyWere() throws Exception {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(urls().get(0));
        config.setMaximumPoolSize(1);
        config.setReadOnly(true);
        config.setTransactionIsolation("TRANSACTION_SERIALIZABLE");
        try (HikariDataSource pool = new HikariDataSource(config)) {
            JdbcSnowcast.Builder builder = process("reader", pool);
            try (JdbcSnowcast snowcast = builder.build()) {
                snowcast.createTables();
                SnowcastSequencer sequencer = snowcast.createSequencer(ORDER_IDS);
                sequencer.next();
                snowcast.destroySequencer(sequencer);
            }
            try (Connection connection = pool.getConnection()) {
                assertThat(connection.getAutoCommit()).isTrue();
                assertThat(connection.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_SERIALIZABLE);
            }
        }
    }

    @Test
    default void aFailOverLetsHoldersGoOnAndGrantsNoNodeId() throws Exception {
        created("creator").close();
        try (JdbcSnowcast holder = process("holder")
                        .lease(Duration.ofSeconds(8))
                        .maxClockSkew(Duration.ofSeconds(1))
                        .build();
                JdbcSnowcast late = process("late").build()) {
            SnowcastSequencer sequencer = holder.createSequencer(ORDER_IDS);
            long before = sequencer.next();
            sql("UPDATE snowcast_database SET server_id = 'another server'");
            assertThatThrownBy(() -> late.createSequencer(ORDER_IDS))
                    .isInstanceOf(SnowcastUnavailableException.class)
                    .hasMessageContaining("no holder can be attached before");
            assertThatThrownBy(() -> late.createSequencer("created-after", ORDER_IDS.epoch()))
                    .isInstanceOf(SnowcastUnavailableException.class);
            long renewals = sequencer.stats().renewalCount();
            Await.until("the holder is taken over", () -> sequencer.stats().renewalCount() > renewals);
            assertThat(sequencer.next()).isGreaterThan(before);
            assertThat(sequencer.stats().leaseLossCount()).isZero();
            // Simulate the end of the wait after the loss.
            sql("UPDATE snowcast_database SET recovered_millis = 1");
            sql("UPDATE snowcast_names SET recovered_millis = 1");
            assertThat(late.createSequencer(ORDER_IDS).next()).isNotEqualTo(before);
        }
    }

    @Test
    default void aProcessNoticesThatItsOwnRowsWereForgotten() throws Exception {
        try (JdbcSnowcast holder = created("holder");
                JdbcSnowcast other = process("other").build()) {
            holder.createSequencer(ORDER_IDS).next();
            sql("DELETE FROM snowcast_nodes");
            sql("DELETE FROM snowcast_names");
            assertThatThrownBy(() -> {
                        holder.destroySequencer(holder.createSequencer(ORDER_IDS));
                    })
                    .isInstanceOf(SnowcastUnavailableException.class)
                    .hasMessageContaining("may have lost it a moment ago");
            assertThatThrownBy(() -> other.createSequencer(ORDER_IDS))
                    .isInstanceOf(SnowcastUnavailableException.class)
                    .hasMessageContaining("no holder can be attached before");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nodes", "names"})
    default void aLockedRowDelaysTheRenewalOfNoOtherName(String rows) throws Exception {
        created("creator").close();
        DataSource waiting = Connections.choosing(() -> {
            Connection connection = UrlDataSource.of(urls().get(0), null, null).getConnection();
            try (Statement statement = connection.createStatement()) {
                statement.execute(longLockTimeout());
            }
            return connection;
        });
        JdbcCoordinator coordinator = JdbcCoordinatorTest.of(
                new Shard(0, 1, waiting, dialect(), 3_600, Duration.ofHours(2)),
                table() + "_l",
                new TableRules(300_000, 60_000, 600_000, 0, 100),
                Duration.ofHours(3));
        RenewRequest free = JdbcCoordinatorTest.attached(coordinator, "free");
        RenewRequest locked = JdbcCoordinatorTest.attached(coordinator, "locked");
        try (Connection other = sharedPool(urls().get(0)).getConnection();
                Statement statement = other.createStatement()) {
            String tables = table() + "_l_";
            statement.execute("SELECT name FROM " + tables + rows + " WHERE name = 'locked' FOR UPDATE");
            if (rows.equals("names")) {
                // Increment the version, like an attach that takes the node ID.
                statement.execute("UPDATE " + tables + "nodes SET version = version + 1 WHERE name = 'locked'");
            }
            CompletableFuture<List<RenewReply>> replies =
                    coordinator.renew(List.of(locked, free)).toCompletableFuture();
            Await.until("the others have an answer", replies::isDone);
            assertThat(replies.join().get(0)).as("neither renewed nor refused").isNull();
            assertThat(replies.join().get(1).outcome()).isEqualTo(RenewReply.Outcome.RENEWED);
            assertThat(coordinator.renew(List.of(locked)))
                    .failsWithin(Duration.ofMinutes(3))
                    .withThrowableThat()
                    .withCauseInstanceOf(SnowcastUnavailableException.class)
                    .withMessageContaining("locked");
            other.rollback();
        }
        assertThat(coordinator
                        .renew(List.of(locked, free))
                        .toCompletableFuture()
                        .join())
                .extracting(RenewReply::outcome)
                .containsOnly(RenewReply.Outcome.RENEWED);
    }

    @Test
    default void integersComeFromTheSameDatabase() throws Exception {
        IntegerSequenceConfig tickets = IntegerSequenceConfig.builder(table() + "-tickets")
                .firstValue(1_000)
                .build();
        try (JdbcSnowcast one = createdInItsOwnSchema("one");
                JdbcSnowcast two =
                        process("two").tablePrefix(table() + "Own.snowcast").build()) {
            IntegerSequence first = one.createIntegerSequence(tickets);
            IntegerSequence second = two.createIntegerSequence(tickets);
            assertThat(List.of(first.next(), second.next(), first.next(), second.next()))
                    .doesNotHaveDuplicates()
                    .allSatisfy(integer -> assertThat(integer).isGreaterThanOrEqualTo(1_000));
        }
    }

    @Test
    default void aSequenceWithoutALastValueEndsAtTheHighestIntegerOfTheTables() throws Exception {
        try (JdbcSnowcast snowcast = createdInItsOwnSchema("one")) {
            IntegerSequence tickets = snowcast.createIntegerSequence(IntegerSequenceConfig.builder(table() + "-tickets")
                    .firstValue(Long.MAX_VALUE - 2)
                    .lastValue(Long.MAX_VALUE)
                    .build());
            assertThat(List.of(tickets.next(), tickets.next())).containsExactly(Long.MAX_VALUE - 2, Long.MAX_VALUE - 1);
            assertThatThrownBy(tickets::next).isInstanceOf(IntegerSequenceExhaustedException.class);
            IntegerSequenceConfig empty = IntegerSequenceConfig.builder(table() + "-seats")
                    .firstValue(Long.MAX_VALUE)
                    .lastValue(Long.MAX_VALUE)
                    .build();
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> snowcast.createIntegerSequence(empty))
                    .withMessageContaining("firstValue must be 0 to 9223372036854775806");
        }
    }

    @Test
    default void missingTablesAreNamedWithTheWayOut() {
        try (JdbcSnowcast snowcast = process("one").build()) {
            assertThatThrownBy(() -> snowcast.createSequencer(ORDER_IDS))
                    .isInstanceOf(SnowcastException.class)
                    .hasMessageContaining("run JdbcSnowcast.createTables");
        }
    }
}
