// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastNodeIdsExceededException;
import com.noctarius.snowcast.internal.owner.AttachRequest;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.Grant;
import com.noctarius.snowcast.internal.owner.RenewReply;
import com.noctarius.snowcast.internal.owner.RenewRequest;
import com.noctarius.snowcast.internal.owner.TableRules;
import com.noctarius.snowcast.status.ClusterStatus;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that requests for a name with many rows get the right node IDs, although they read only a few rows. */
@Tag("integration")
class ManyNodeIdsTest {
    private static final AtomicInteger DATABASES = new AtomicInteger();
    private static final int NODE_IDS = 1_024;
    private static final Definition DEFINITION = new Definition(0, SnowcastLayout.DEFAULT, 0, null);
    private static final TableRules RULES = new TableRules(300_000, 60_000, 600_000, 0, NODE_IDS - 1);
    private static final LeaseTables TABLES = new LeaseTables("snowcast");
    private static final Duration HOUR = Duration.ofHours(1);

    private final String url = "jdbc:h2:mem:many" + DATABASES.incrementAndGet();
    private final Shard shard = new Shard(0, 1, UrlDataSource.of(url, null, null), null, 60, Duration.ofMinutes(3));
    private final JdbcCoordinator coordinator = coordinator();

    /** Keeps the database. */
    @AutoClose
    @SuppressWarnings("unused")
    private Connection connection;

    private JdbcCoordinator coordinator() {
        return JdbcCoordinatorTest.of(shard, "snowcast", RULES, Duration.ZERO);
    }

    @BeforeEach
    void open() throws SQLException {
        connection = DriverManager.getConnection(url);
        coordinator.createTables();
        assertThat(attach()).isNotNull();
        Sql.execute(url, "DELETE FROM snowcast_nodes");
    }

    /** Inserts a row for each node ID from {@code from} to {@code to}, each with its own holder. */
    private void insert(int from, int to, boolean attached, long ceilingMillis) throws SQLException {
        Sql.execute(
                url,
                "INSERT INTO snowcast_nodes (attached, held_by, floor_millis, ceiling_millis, holder, request_number,"
                        + " table_id, token_sequence, version, name, node_id) SELECT " + (attached ? 1 : 0)
                        + ", 'other', "
                        + (attached ? 1 : ceilingMillis) + ", " + ceilingMillis
                        + ", CAST(RANDOM_UUID() AS VARCHAR), 1, 1, 1, 1, 'orders', X FROM SYSTEM_RANGE(" + from + ", "
                        + to
                        + ")");
    }

    private Grant attach() {
        return attach(coordinator, UUID.randomUUID());
    }

    private static Grant attach(JdbcCoordinator coordinator, UUID holder) {
        return Objects.requireNonNull(coordinator.attach(request(holder)));
    }

    private static AttachRequest request(UUID holder) {
        return new AttachRequest("orders", DEFINITION, 0, holder, 1, System.currentTimeMillis(), 0, -1);
    }

    private static RenewReply.Outcome renew(JdbcCoordinator coordinator, Grant grant) {
        RenewReply reply = coordinator
                .renew(List.of(renewal(grant)))
                .toCompletableFuture()
                .join()
                .get(0);
        return Objects.requireNonNull(reply).outcome();
    }

    private static RenewRequest renewal(Grant grant) {
        return JdbcCoordinatorTest.renewal("orders", grant);
    }

    private static long now() {
        return System.currentTimeMillis();
    }

    private static long in(Duration time) {
        return now() + time.toMillis();
    }

    @Test
    void anAttachReadsFewRows() throws Exception {
        insert(0, NODE_IDS - 10, true, in(HOUR));
        AttachReading reading = new AttachReading(TABLES, RULES, request(UUID.randomUUID()), null);
        int read = shard.call(transaction -> {
            LeaseTables.StoredName name =
                    TABLES.lock(transaction, "orders", true).orElseThrow();
            return reading.read(transaction, name, now()).nodes().size();
        });
        assertThat(read).isLessThanOrEqualTo(AttachReading.TRIED + 2);
    }

    @Test
    void theLastNodeIdThatWasNeverGrantedIsFound() throws Exception {
        insert(0, 499, true, in(HOUR));
        insert(501, NODE_IDS - 1, true, in(HOUR));
        assertThat(attach().logicalNodeId()).isEqualTo(500);
    }

    @Test
    void theFirstOneIsFoundToo() throws Exception {
        insert(1, NODE_IDS - 1, true, in(HOUR));
        assertThat(attach().logicalNodeId()).isZero();
    }

    @Test
    void theOnlyFreeOnesAreFoundInTheirOrder() throws Exception {
        long ended = now() - 5_000;
        insert(0, 399, true, in(HOUR));
        insert(400, 400, false, now() - 1_000);
        insert(401, 401, true, ended);
        insert(402, NODE_IDS - 1, true, in(HOUR));
        Grant first = attach();
        assertThat(first.logicalNodeId()).isEqualTo(401);
        assertThat(first.floor()).isGreaterThanOrEqualTo(ended);
        assertThat(attach().logicalNodeId()).isEqualTo(400);
    }

    @Test
    void whereNoneIsFreeAllAreCounted() throws Exception {
        insert(0, 999, true, in(HOUR));
        insert(1_000, NODE_IDS - 1, false, in(HOUR.multipliedBy(2)));
        assertThatExceptionOfType(SnowcastNodeIdsExceededException.class)
                .isThrownBy(this::attach)
                .withMessageContaining("all 1024 node IDs are in use: 1000 attached, 24 expiring");
    }

    /** The second request first releases the holder's present node ID. */
    @Test
    void aHolderOfTheLastNodeIdGetsItAgain() throws Exception {
        insert(1, NODE_IDS - 1, true, in(HOUR));
        UUID holder = UUID.randomUUID();
        attach(coordinator, holder);
        Grant again = Objects.requireNonNull(coordinator.attach(new AttachRequest(
                "orders", DEFINITION, 0, holder, 2, System.currentTimeMillis(), 0, System.currentTimeMillis())));
        assertThat(again.logicalNodeId()).isZero();
        assertThat(Sql.number(url, "SELECT COUNT(*) FROM snowcast_nodes")).isEqualTo(NODE_IDS);
    }

    /** Simulates that the answer to the first request was lost. */
    @Test
    void aRequestThatComesAgainIsAnsweredAsBefore() throws Exception {
        insert(100, NODE_IDS - 1, true, in(HOUR));
        AttachRequest request = request(UUID.randomUUID());
        Grant first = Objects.requireNonNull(coordinator.attach(request));
        Grant again = Objects.requireNonNull(coordinator().attach(request));
        assertThat(again.logicalNodeId()).isEqualTo(first.logicalNodeId());
        assertThat(again.token()).isEqualTo(first.token());
    }

    @Test
    void rowsThatAreFreeForLongGoAndTheirNodeIdsBeginAboveThem() throws Exception {
        long old = now() - AttachReading.KEPT.toMillis() - 1_000;
        insert(0, 29, true, old);
        insert(30, NODE_IDS - 1, true, in(HOUR));
        long rows = Sql.number(url, "SELECT COUNT(*) FROM snowcast_nodes");
        Grant one = attach();
        assertThat(one.logicalNodeId()).isLessThan(30);
        assertThat(one.floor()).isGreaterThanOrEqualTo(old);
        // Twenty rows were deleted; the granted node ID has one of them again, or one of the ten that were left.
        assertThat(Sql.number(url, "SELECT COUNT(*) FROM snowcast_nodes")).isBetween(rows - 20, rows - 19);
    }

    /** Simulates that the holder's process was paused for so long that its row was deleted. */
    @Test
    void aHolderWhoseRowIsGoneIsRefusedAndThatIsNoLoss() throws Exception {
        Grant paused = attach();
        int nodeId = paused.logicalNodeId();
        long old = now() - AttachReading.KEPT.toMillis() - 1_000;
        Sql.execute(url, "UPDATE snowcast_nodes SET ceiling_millis = " + old + ", floor_millis = 1");
        insert(0, nodeId - 1, true, in(HOUR));
        insert(nodeId + 1, NODE_IDS - 1, true, in(HOUR));
        Grant next = attach(coordinator(), UUID.randomUUID());
        assertThat(next.logicalNodeId()).isEqualTo(nodeId);
        Sql.execute(url, "DELETE FROM snowcast_nodes WHERE node_id = " + nodeId);
        // Simulate that the deletion has recorded the end of the grant that the paused process remembers.
        Sql.execute(url, "UPDATE snowcast_names SET used_up_to = " + paused.ceiling());
        assertThat(renew(coordinator, paused)).isEqualTo(RenewReply.Outcome.REFUSED);
        assertThat(Sql.number(url, "SELECT losses FROM snowcast_database")).isZero();
    }

    @Test
    void aStatusListsSomeNodeIdsAndCountsAll() throws Exception {
        int inUse = ClusterStatus.MAX_NODES + 50;
        insert(0, inUse - 1, true, in(HOUR));
        insert(inUse, inUse + 50, true, now() - 1);
        ClusterStatus.Sequencer orders =
                coordinator.status(List.of()).sequencers().get(0);
        assertThat(orders.attachedCount()).isEqualTo(inUse);
        assertThat(orders.nodes()).hasSize(ClusterStatus.MAX_NODES);
    }
}
