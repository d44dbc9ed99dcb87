// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import static com.noctarius.snowcast.jdbc.TestShards.assertRefused;
import static com.noctarius.snowcast.tests.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.internal.base.Clock;
import com.noctarius.snowcast.internal.owner.AttachRequest;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.DetachRequest;
import com.noctarius.snowcast.internal.owner.Grant;
import com.noctarius.snowcast.internal.owner.RenewReply;
import com.noctarius.snowcast.internal.owner.RenewRequest;
import com.noctarius.snowcast.internal.owner.TableRules;
import com.noctarius.snowcast.status.ClusterStatus;
import com.noctarius.snowcast.tests.Await;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the coordinator on H2: its replies to holders when rows are locked, lost or released, and the status. */
@Tag("integration")
class JdbcCoordinatorTest {
    private static final AtomicInteger DATABASES = new AtomicInteger();
    private static final Definition DEFINITION = new Definition(0, SnowcastLayout.DEFAULT, 0, null);
    private static final SequencerConfig ORDERS = SequencerConfig.builder("orders")
            .epoch(SnowcastEpoch.byTimestamp(1_700_000_000_000L))
            .build();
    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final Duration SKEW = Duration.ofSeconds(7);
    private static final Duration CALL_TIMEOUT = Duration.ofMinutes(3);

    private final String url = "jdbc:h2:mem:coordinator" + DATABASES.incrementAndGet() + ";LOCK_TIMEOUT=1";

    @AutoClose
    private Connection connection;

    @BeforeEach
    void open() throws SQLException {
        connection = DriverManager.getConnection(url);
    }

    private JdbcSnowcast snowcast(Duration lease) {
        return Patient.snowcast(UrlDataSource.of(url, null, null))
                .lease(lease)
                .maxClockSkew(SKEW)
                .build();
    }

    private void sql(String... statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private List<String> rowsOfTheDatabase() throws SQLException {
        List<String> rows = new ArrayList<>();
        for (String table : List.of("database", "names", "nodes")) {
            try (Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("SELECT * FROM snowcast_" + table)) {
                while (row.next()) {
                    for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
                        rows.add(row.getString(i));
                    }
                }
            }
        }
        return rows;
    }

    private long lostUntil() throws SQLException {
        return number("SELECT recovered_millis FROM snowcast_database");
    }

    private JdbcCoordinator coordinator() {
        return coordinator(null);
    }

    private JdbcCoordinator coordinator(@Nullable Dialect dialect) {
        return coordinator(UrlDataSource.of(url, null, null), dialect);
    }

    private static JdbcCoordinator coordinator(DataSource dataSource, @Nullable Dialect dialect) {
        Shard shard = new Shard(0, 1, dataSource, dialect, 60, CALL_TIMEOUT);
        TableRules rules = new TableRules(300_000, 60_000, 600_000, 0, 100);
        return of(shard, "snowcast", rules, Duration.ZERO);
    }

    static JdbcCoordinator of(Shard shard, String tablePrefix, TableRules rules, Duration transactionTimeout) {
        return of(shard, tablePrefix, rules, null, transactionTimeout);
    }

    static JdbcCoordinator of(
            Shard shard, String tablePrefix, TableRules rules, @Nullable Clock clock, Duration transactionTimeout) {
        return new JdbcCoordinator(
                shard,
                new LeaseTables(tablePrefix),
                rules,
                clock,
                transactionTimeout.toNanos(),
                "holder",
                System.getLogger(JdbcCoordinator.class.getName()));
    }

    /** A process with many names releases their node IDs in few statements, so that its shutdown is fast enough. */
    @Test
    void manyNodeIdsAreGivenBackTogether() throws Exception {
        JdbcCoordinator coordinator = coordinator();
        coordinator.createTables();
        List<DetachRequest> requests = new ArrayList<>();
        for (int i = 0; i < 120; i++) {
            Grant grant = attach(coordinator, "tenant-" + i);
            requests.add(
                    new DetachRequest("tenant-" + i, grant.logicalNodeId(), grant.token(), System.currentTimeMillis()));
        }
        coordinator.detach(requests);
        assertThat(number("SELECT COUNT(*) FROM snowcast_nodes WHERE attached = 1"))
                .isZero();
        assertThat(number("SELECT COUNT(*) FROM snowcast_nodes WHERE attached = 0"))
                .isEqualTo(120);
        assertThat(number("SELECT COUNT(*) FROM snowcast_nodes WHERE floor_millis > ceiling_millis"))
                .isZero();
        // A delayed request releases the same node IDs again. This must not count as a loss.
        coordinator.detach(requests);
        assertThat(losses()).isZero();
    }

    @Test
    void whatWasNotGivenBackIsCounted() throws Exception {
        JdbcCoordinator coordinator = coordinator();
        coordinator.createTables();
        Grant one = attach(coordinator, "one");
        Grant two = attach(coordinator, "two");
        connection.setAutoCommit(false);
        sql("SELECT * FROM snowcast_names WHERE name = 'two' FOR UPDATE");
        sql("UPDATE snowcast_nodes SET version = version + 1 WHERE name = 'two'");
        List<DetachRequest> requests = List.of(
                new DetachRequest("one", one.logicalNodeId(), one.token(), System.currentTimeMillis()),
                new DetachRequest("two", two.logicalNodeId(), two.token(), System.currentTimeMillis()));
        assertThatThrownBy(() -> coordinator.detachWithin(requests, 180_000))
                .isInstanceOf(SnowcastUnavailableException.class)
                .hasMessageStartingWith("the database released 1 of 2 node IDs: ");
        connection.rollback();
    }

    private long number(String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    /** Has only two node IDs, so that a database that has lost its grants soon grants the same node IDs again. */
    private static final Definition TWO_NODES = new Definition(0, SnowcastLayout.DEFAULT, 0, null, 2);

    private static Grant attachTo(JdbcCoordinator coordinator) {
        return Objects.requireNonNull(coordinator.attach(
                new AttachRequest("worker", TWO_NODES, 0, UUID.randomUUID(), 1, System.currentTimeMillis(), 0, -1)));
    }

    private static RenewRequest renewalOf(Grant grant) {
        return new RenewRequest(
                "worker",
                TWO_NODES,
                grant.incarnation(),
                grant.logicalNodeId(),
                grant.token(),
                grant.ceiling(),
                System.currentTimeMillis(),
                0);
    }

    private void forgetNodes() throws SQLException {
        sql("DELETE FROM snowcast_nodes");
    }

    /** The {@code change_number} of the name does not show this loss, because only the rows of node IDs are lost. */
    @Test
    void aHolderThatFindsAnotherOneWithinItsOwnLeaseProvesALoss() throws Exception {
        JdbcCoordinator coordinator = coordinator();
        coordinator.createTables();
        Grant former = attachTo(coordinator);
        forgetNodes();
        JdbcCoordinator other = coordinator();
        Grant one = attachTo(other);
        Grant two = attachTo(other);
        Grant present = one.logicalNodeId() == former.logicalNodeId() ? one : two;
        assertThat(present.ceiling()).as("both would use them").isGreaterThan(former.floor());
        assertThat(renew(coordinator, List.of(renewalOf(former))))
                .extracting(RenewReply::outcome)
                .containsOnly(RenewReply.Outcome.REFUSED);
        assertThat(losses()).isPositive();
        assertThat(renew(other, List.of(renewalOf(present))))
                .as("it has the only grant that the database knows of")
                .extracting(RenewReply::outcome)
                .containsOnly(RenewReply.Outcome.RENEWED);
        assertThatThrownBy(() -> attach(coordinator(), "others"))
                .as("other grants may be forgotten, too")
                .isInstanceOf(SnowcastUnavailableException.class);
    }

    /**
     * Simulates that the database's clock was ahead for a moment. Another holder then got the node ID, with a grant
     * that begins at the end of the former grant.
     */
    @Test
    void aHolderWhoseGrantWasContinuedByAnotherOneProvesNoLoss() throws Exception {
        JdbcCoordinator coordinator = coordinator();
        coordinator.createTables();
        Grant former = attachTo(coordinator);
        sql("UPDATE snowcast_nodes SET floor_millis = ceiling_millis, ceiling_millis = ceiling_millis + 1000,"
                + " holder = '" + UUID.randomUUID() + "', version = version + 5");
        assertThat(renew(coordinator, List.of(renewalOf(former))))
                .extracting(RenewReply::outcome)
                .containsOnly(RenewReply.Outcome.REFUSED);
        assertThat(losses()).isZero();
    }

    /**
     * MariaDB's driver before version 3.2.0, for example, returns no counts for a batch. Another holder gets the node
     * IDs before the process releases them again singly.
     */
    @Test
    void nodeIdsReleasedByADriverWithoutCountsAreNoLoss() throws Exception {
        List<Grant> others = new ArrayList<>();
        AtomicBoolean hasReleased = new AtomicBoolean();
        JdbcCoordinator other = coordinator();
        DataSource withoutCounts = Connections.around(UrlDataSource.of(url, null, null), (opened, method, call) -> {
            Object result = call.proceed();
            if (method.equals("commit") && hasReleased.getAndSet(false)) {
                others.add(attachTo(other));
                others.add(attachTo(other));
            }
            return result instanceof PreparedStatement statement ? withoutCounts(statement, hasReleased) : result;
        });
        JdbcCoordinator coordinator = coordinator(withoutCounts, null);
        coordinator.createTables();
        List<Grant> grants = List.of(attachTo(coordinator), attachTo(coordinator));
        coordinator.detach(grants.stream()
                .map(grant ->
                        new DetachRequest("worker", grant.logicalNodeId(), grant.token(), System.currentTimeMillis()))
                .toList());
        assertThat(others).hasSize(2);
        assertThat(losses()).isZero();
    }

    /** A process ends before a renewal has shown it that its grant is lost. */
    @Test
    void aReleaseProvesALossToo() throws Exception {
        JdbcCoordinator coordinator = coordinator();
        coordinator.createTables();
        Grant former = attachTo(coordinator);
        forgetNodes();
        JdbcCoordinator other = coordinator();
        assertThat(List.of(attachTo(other), attachTo(other)))
                .extracting(Grant::logicalNodeId)
                .contains(former.logicalNodeId());
        coordinator.detach(List.of(
                new DetachRequest("worker", former.logicalNodeId(), former.token(), System.currentTimeMillis())));
        assertThat(losses()).isPositive();
    }

    private static PreparedStatement withoutCounts(PreparedStatement statement, AtomicBoolean hasReleased) {
        return Connections.proxy(PreparedStatement.class, (proxy, method, arguments) -> {
            Object result = Connections.unwrapped(() -> method.invoke(statement, arguments));
            if (!method.getName().equals("executeBatch")) {
                return result;
            }
            hasReleased.set(true);
            int[] counts = ((int[]) Objects.requireNonNull(result)).clone();
            Arrays.fill(counts, Statement.SUCCESS_NO_INFO);
            return counts;
        });
    }

    private long losses() throws SQLException {
        return number("SELECT losses FROM snowcast_database");
    }

    /**
     * The database is restored twice. The second restored state lacks the record of the first loss. The second loss
     * must get another number than the first loss.
     */
    @Test
    void aLossIsNotTakenForThatOfAnotherHistory() throws Exception {
        JdbcCoordinator coordinator = coordinator();
        coordinator.createTables();
        sql("UPDATE snowcast_database SET server_id = 'restored'");
        assertThatThrownBy(() -> attachTo(coordinator)).isInstanceOf(SnowcastUnavailableException.class);
        long first = losses();
        sql("UPDATE snowcast_database SET server_id = 'restored', losses = 0");
        assertThatThrownBy(() -> attachTo(coordinator())).isInstanceOf(SnowcastUnavailableException.class);
        assertThat(losses()).isPositive().isNotEqualTo(first);
    }

    /**
     * The commit of the note of a loss may take effect after the wait of the note, if the network was down meanwhile.
     */
    @Test
    void aLossThatIsNotedLateWaitsForTheLeasesThatWereRenewedMeanwhile() throws Exception {
        JdbcCoordinator coordinator = coordinator();
        coordinator.createTables();
        Grant grant = attachTo(coordinator);
        long end = number("SELECT ceiling_millis FROM snowcast_nodes");
        sql("UPDATE snowcast_database SET losses = " + LostGrants.LOSS + ", recovered_millis = " + (end - 300_000));
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> attachTo(coordinator()))
                    .isInstanceOf(SnowcastUnavailableException.class)
                    .hasMessageContaining("before " + Instant.ofEpochMilli(end));
        }
        assertThat(renew(coordinator, List.of(renewalOf(grant))))
                .extracting(RenewReply::outcome)
                .containsOnly(RenewReply.Outcome.RENEWED);
    }

    /**
     * The primary crashes, its standby is promoted and grants node IDs, and the primary returns in its former state.
     */
    @Test
    void aFailBackIsNoticedByAProcessThatHasSeenTheOtherServer() throws Exception {
        sql("CREATE TABLE test_server (server VARCHAR(20))");
        sql("INSERT INTO test_server VALUES ('P')");
        Dialect dialect = byHand("", "(SELECT server FROM test_server)");
        JdbcCoordinator coordinator = coordinator(dialect);
        coordinator.createTables();
        sql("UPDATE test_server SET server = 'S'");
        assertThatThrownBy(() -> attach(coordinator, "orders")).isInstanceOf(SnowcastUnavailableException.class);
        sql("UPDATE snowcast_database SET recovered_millis = 1");
        assertThat(attach(coordinator, "others")).isNotNull();
        sql("DELETE FROM snowcast_nodes", "DELETE FROM snowcast_names");
        sql("UPDATE snowcast_database SET server_id = 'P', losses = 0, recovered_millis = 0");
        sql("UPDATE test_server SET server = 'P'");
        assertThatThrownBy(() -> attach(coordinator, "orders")).isInstanceOf(SnowcastUnavailableException.class);
        assertThatThrownBy(() -> attach(coordinator(dialect), "others"))
                .as("from now on every process knows")
                .isInstanceOf(SnowcastUnavailableException.class);
    }

    /** The clock is an hour ahead for one process and an hour behind for the other, which both wait for a renewal. */
    @Test
    void aDatabaseWhoseClockIsSetRenewsAsBefore() throws Exception {
        sql("CREATE TABLE test_clock (name VARCHAR(20), offset_millis BIGINT)");
        sql("INSERT INTO test_clock VALUES ('ahead', 0), ('behind', 0)");
        try (JdbcSnowcast ahead = withClock("ahead");
                JdbcSnowcast behind = withClock("behind")) {
            SnowcastSequencer ofAhead = ahead.createSequencer(ORDERS);
            SnowcastSequencer ofBehind = behind.createSequencer(ORDERS);
            sql("UPDATE test_clock SET offset_millis = CASE name WHEN 'ahead' THEN 3600000 ELSE -3600000 END");
            requireRenewed(ofAhead, "ahead");
            requireRenewed(ofBehind, "behind");
        }
    }

    private JdbcSnowcast withClock(String name) {
        Dialect dialect = byHand(" + (SELECT offset_millis FROM test_clock WHERE name = '" + name + "')", "'H2'");
        JdbcSnowcast snowcast = Patient.snowcast(UrlDataSource.of(url, null, null))
                .dialect(dialect)
                .tablePrefix(name)
                .lease(Duration.ofSeconds(12))
                .maxClockSkew(Duration.ofSeconds(30))
                .build();
        snowcast.createTables();
        return snowcast;
    }

    private void requireRenewed(SnowcastSequencer sequencer, String name) throws Exception {
        Await.until("a renewal", () -> sequencer.stats().renewalCount() > 0);
        long end = number("SELECT ceiling_millis FROM " + name + "_nodes");
        assertThat(end).isBetween(System.currentTimeMillis() - 180_000, System.currentTimeMillis() + 60_000);
        assertThat(sequencer.stats().leaseLossCount()).isZero();
        sequencer.next();
    }

    private static Dialect byHand(String offset, String server) {
        return Dialect.builder("H2 by hand")
                .script(Dialect.resource("postgresql.sql"))
                .lock("unused")
                .leases(
                        Dialect.resource("postgresql/R__snowcast_leases.sql"),
                        "CAST(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000 AS BIGINT)" + offset)
                .server(server)
                .build();
    }

    /**
     * The migration scripts insert the row of {@code snowcast_database}, if there is none, with {@code server_id =
     * 'new'}. Before the first grant such a row is no loss; after a grant it is one, because the first process had
     * replaced {@code 'new'}.
     */
    @Test
    void aRowOfAMigrationIsNoLossUnlessThereWereGrants() throws Exception {
        JdbcCoordinator coordinator = coordinator();
        coordinator.createTables();
        sql("UPDATE snowcast_database SET server_id = 'new'");
        Grant grant = attachTo(coordinator);
        assertThat(grant).isNotNull();
        assertThat(losses()).isZero();
        sql("UPDATE snowcast_database SET server_id = 'new'");
        assertThatThrownBy(() -> attach(coordinator(), "others")).isInstanceOf(SnowcastUnavailableException.class);
        assertThat(losses()).isPositive();
    }

    /** Attaches a new holder. Returns the request for its first renewal. */
    static RenewRequest attached(JdbcCoordinator coordinator, String name) {
        return renewal(name, attach(coordinator, name));
    }

    static Grant attach(JdbcCoordinator coordinator, String name) {
        return Objects.requireNonNull(coordinator.attach(attach(name, 0)));
    }

    private static AttachRequest attach(String name, long incarnation) {
        return new AttachRequest(
                name, DEFINITION, incarnation, UUID.randomUUID(), 1, System.currentTimeMillis(), 0, -1);
    }

    static RenewRequest renewal(String name, Grant grant) {
        return new RenewRequest(
                name,
                DEFINITION,
                grant.incarnation(),
                grant.logicalNodeId(),
                grant.token(),
                grant.ceiling(),
                System.currentTimeMillis(),
                0);
    }

    private static List<RenewReply> renew(JdbcCoordinator coordinator, List<RenewRequest> requests) {
        return coordinator.renew(requests).toCompletableFuture().join();
    }

    @Test
    void afterALossTheLongestLeaseIsWaitedForAndTheSkewTwice() throws Exception {
        Duration longest = Duration.ofHours(1);
        try (JdbcSnowcast first = snowcast(longest);
                JdbcSnowcast second = snowcast(LEASE)) {
            first.createTables();
            first.createSequencer(ORDERS);
            long before = System.currentTimeMillis();
            sql("UPDATE snowcast_database SET server_id = 'restored'");
            assertThatThrownBy(() -> second.createSequencer(ORDERS)).isInstanceOf(SnowcastUnavailableException.class);
            long wait = longest.plus(SKEW).plus(SKEW).plus(CALL_TIMEOUT).toMillis();
            assertThat(lostUntil()).isGreaterThanOrEqualTo(before + wait);
            long later = before + 10 * wait;
            sql("UPDATE snowcast_database SET server_id = 'restored', recovered_millis = " + later);
            assertThatThrownBy(() -> second.createSequencer(ORDERS)).isInstanceOf(SnowcastUnavailableException.class);
            assertThat(lostUntil()).as("a wait that was longer").isEqualTo(later);
        }
    }

    @Test
    void theStatusHasWhatIsHeldOrNotYetFree() throws Exception {
        Duration lease = Duration.ofHours(1); // No renewal changes the rows that this test writes.
        try (JdbcSnowcast snowcast = snowcast(lease)) {
            snowcast.createTables();
            snowcast.createSequencer(ORDERS);
            JdbcSnowcast leaves = snowcast(lease);
            leaves.createSequencer(ORDERS);
            leaves.close();
            Await.until(
                    "the node ID that was given back is free",
                    () -> status(snowcast).nodes().size() == 1);
            Instant until = status(snowcast).nodes().get(0).until();
            assertThat(until)
                    .isAfter(Instant.now())
                    .isBefore(Instant.now().plus(lease).plus(SKEW));
            long later = System.currentTimeMillis() + 3_600_000;
            sql("UPDATE snowcast_nodes SET attached = 0, floor_millis = " + later + ", ceiling_millis = " + later);
            ClusterStatus.Sequencer expiring = status(snowcast);
            assertThat(expiring.nodes()).hasSize(2).noneMatch(ClusterStatus.Node::isAttached);
            assertThat(expiring.attachedCount()).isZero();
            assertThat(expiring.expiringCount()).isEqualTo(2);
            sql("UPDATE snowcast_database SET server_id = 'restored'");
            assertThat(status(snowcast).nodes()).as("after a loss").isEmpty();
            assertFails(SnowcastUnavailableException.class, () -> snowcast.createSequencer("others", ORDERS.epoch()));
            assertThat(status(snowcast).nodes())
                    .as("after it was noted, for another sequencer")
                    .isEmpty();
        }
    }

    /** A migration that only creates the tables leaves snowcast_database without its row. */
    @Test
    void tablesWithoutTheRowOfTheDatabaseAreNamedWithTheWayOut() throws Exception {
        try (JdbcSnowcast snowcast = snowcast(LEASE)) {
            snowcast.createTables();
            sql("DELETE FROM snowcast_database");
            assertThatThrownBy(() -> snowcast.createSequencer(ORDERS))
                    .isExactlyInstanceOf(SnowcastException.class)
                    .hasMessageContaining("snowcast_database has no row")
                    .hasMessageContaining("run JdbcSnowcast.createTables");
        }
    }

    /** By default, H2 writes a commit to its file up to half a second later. */
    @Test
    void aDatabaseThatMayForgetGrantsIsRefused(@TempDir Path directory) throws Exception {
        String onDisk = "jdbc:h2:file:" + directory.resolve("ids");
        try (JdbcSnowcast snowcast = JdbcSnowcast.of(UrlDataSource.of(onDisk, null, null))) {
            assertThatThrownBy(snowcast::createTables)
                    .isExactlyInstanceOf(SnowcastException.class)
                    .hasMessageContaining("node IDs are not leased from a database with a WRITE_DELAY");
        }
        try (JdbcSnowcast snowcast = JdbcSnowcast.of(UrlDataSource.of(onDisk + ";WRITE_DELAY=0", null, null))) {
            snowcast.createTables();
            assertThat(snowcast.createSequencer(ORDERS).getSequencerState()).isEqualTo(SnowcastSequenceState.Attached);
            assertThat(snowcast.createIntegerSequence(
                                    IntegerSequenceConfig.builder("seats").build())
                            .next())
                    .isNotNegative();
        }
    }

    /** The mark is written after the process has looked at the tables of node IDs, and before it reads the state. */
    @Test
    void aMarkIsNotAcceptedAsPartOfTheStateOfIntegers() throws Exception {
        JdbcCoordinator coordinator = coordinator();
        coordinator.createTables();
        DataSource plain = UrlDataSource.of(url, null, null);
        TestShards.layOut(JdbcShards.of(plain), 100, 5, "seats", 1, 1_000);
        AtomicBoolean isFirst = new AtomicBoolean(true);
        DataSource marked = Connections.before(plain, () -> {
            if (isFirst.getAndSet(false)) {
                sql("UPDATE snowcast_database SET server_id = 'restored'");
            }
        });
        JdbcBlockStore store =
                new JdbcBlockStore(JdbcShards.of(marked), 0, false, coordinator.losses(), System::nanoTime);
        assertRefused(() -> store.reserve("seats", 10), "has lost reservations");
    }

    @Test
    void theStatusHasNoDestroyedSequencer() throws Exception {
        try (JdbcSnowcast snowcast = snowcast(LEASE)) {
            snowcast.createTables();
            snowcast.destroySequencer(snowcast.createSequencer(ORDERS));
            assertThat(snowcast.status().sequencers()).isEmpty();
            snowcast.createSequencer(ORDERS);
            assertThat(snowcast.status().sequencers()).hasSize(1);
        }
    }

    /**
     * A holder may know an incarnation that the database has lost. The number of an incarnation is usually the time at
     * which it began. The clock of the database may have been ahead by up to the skew at that time.
     */
    @Test
    void aHolderMayKnowAnIncarnationOfTheNextMinuteAndNoLaterOne() {
        JdbcCoordinator coordinator = coordinator();
        coordinator.createTables();
        long now = System.currentTimeMillis();
        for (long incarnation : new long[] {now + 2 * 60_000, now + 30_000}) {
            String name = "orders" + incarnation;
            Grant grant = Objects.requireNonNull(coordinator.attach(attach(name, incarnation)));
            assertThat(grant.incarnation() == incarnation).isEqualTo(incarnation < now + 60_000);
        }
    }

    @Test
    void theStatusChangesNothing() throws Exception {
        try (JdbcSnowcast snowcast = snowcast(Duration.ofHours(1));
                JdbcSnowcast looks = snowcast(Duration.ofDays(1))) {
            snowcast.createTables();
            snowcast.createSequencer(ORDERS);
            List<String> before = rowsOfTheDatabase();
            assertThat(status(looks).nodes()).hasSize(1);
            assertThat(rowsOfTheDatabase()).isEqualTo(before);
            sql("UPDATE snowcast_database SET server_id = 'restored'");
            before = rowsOfTheDatabase();
            assertThat(status(looks).nodes()).isEmpty();
            assertThat(rowsOfTheDatabase())
                    .as("a loss is left for those to note who grant")
                    .isEqualTo(before);
        }
    }

    private static ClusterStatus.Sequencer status(JdbcSnowcast snowcast) {
        return snowcast.status().sequencers().get(0);
    }
}
