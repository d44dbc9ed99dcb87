// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import static com.noctarius.snowcast.jdbc.TestShards.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.noctarius.snowcast.store.Block;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests stores whose database has lost reservations, or runs on another server than before. */
class ForgettingTest {
    private static final String ORDERS = "orders";

    private final MemoryShards memory = MemoryShards.of(2);
    private final JdbcShards one = memory.list(0).plain();

    @BeforeEach
    void create() {
        create(one);
    }

    private static void create(JdbcShards shards) {
        TestShards.layOut(shards, 100, 5, ORDERS, 1, 100_000);
    }

    private void forget(long next) throws Exception {
        memory.execute(0, "UPDATE id_sequences SET next_hi_value = " + next + " WHERE window_start_value = 1");
    }

    @Test
    void whatAStoreWasGivenIsNotGivenItAgain() throws Exception {
        JdbcBlockStore store = new JdbcBlockStore(one);
        for (int i = 0; i < 5; i++) {
            store.reserve(ORDERS, 10);
        }
        forget(31);
        // Every reservation is rejected, because the database may also have lost reservations of other processes.
        for (int i = 0; i < 10; i++) {
            assertThatExceptionOfType(ShardMismatchException.class)
                    .isThrownBy(() -> store.reserve(ORDERS, 10))
                    .withMessageContaining(
                            "shard 0 of 1 has lost reservations: in sequence orders it reserved integers from 31 on again");
        }
        new JdbcSchema(one).recover(0, Map.of(ORDERS, 500L));
        assertThat(store.reserve(ORDERS, 10)).isEqualTo(Block.of(501, 510));
    }

    @Test
    void allStoresAreToldWhatOneHasNoticed() throws Exception {
        JdbcBlockStore store = new JdbcBlockStore(one);
        for (int i = 0; i < 5; i++) {
            store.reserve(ORDERS, 10);
        }
        JdbcBlockStore other = new JdbcBlockStore(one);
        memory.execute(0, "UPDATE id_sequences SET next_hi_value = 101 WHERE window_start_value = 1");
        other.reserve(ORDERS, 10);
        forget(31);
        assertThatExceptionOfType(ShardMismatchException.class).isThrownBy(() -> store.reserve(ORDERS, 10));
        for (JdbcBlockStore each : List.of(other, new JdbcBlockStore(one))) {
            assertRefused(() -> each.reserve(ORDERS, 10), "shard 0 of 1 has lost reservations", "run recover");
        }
    }

    @Test
    void whereAnotherShardKnowsAnAgentTakesTheShardBack() throws Exception {
        MemoryShards both = MemoryShards.of(2);
        JdbcShards two = both.list(0, 1).plain();
        create(two);
        JdbcBlockStore store = new JdbcBlockStore(two, 0);
        for (int i = 0; i < 5; i++) {
            store.reserve(ORDERS, 10);
        }
        both.execute(0, "UPDATE id_sequences SET next_hi_value = 1 WHERE window_start_value = 1");
        store.reserve(ORDERS, 10);
        new WindowAgent(two, 5).topUp();
        assertThat(both.number(0, "SELECT recoveries FROM id_sequences_database"))
                .isPositive();
        assertThat(new JdbcBlockStore(two, 0).reserve(ORDERS, 10).first()).isGreaterThan(1_000);
    }

    /**
     * The shard was recovered, and then restored from a backup of before, which has no record of that recovery. The
     * next recovery must not look like the former one, or a store that reserved nothing meanwhile would mark the shard.
     */
    @Test
    void aRecoveryAfterARestoreIsNoLoss() throws Exception {
        JdbcBlockStore store = new JdbcBlockStore(one);
        new JdbcSchema(one).recover(0, Map.of(ORDERS, 500L));
        assertThat(store.reserve(ORDERS, 10).first()).isEqualTo(501);
        memory.execute(0, "UPDATE id_sequences_database SET recoveries = 0, server_id = 'another'");
        new JdbcSchema(one).recover(0, Map.of(ORDERS, 900L));
        assertThat(store.reserve(ORDERS, 10).first()).isEqualTo(901);
    }

    /** A former primary may come back after the server that replaced it was recovered. */
    @Test
    void aDatabaseThatForgotThatItWasRecoveredIsNoticed() throws Exception {
        JdbcBlockStore store = new JdbcBlockStore(one);
        new JdbcSchema(one).recover(0, Map.of(ORDERS, 500L));
        assertThat(store.reserve(ORDERS, 10).first()).isEqualTo(501);
        memory.execute(0, "UPDATE id_sequences_database SET recoveries = 0");
        for (int i = 0; i < 3; i++) {
            assertRefused(() -> store.reserve(ORDERS, 10), "shard 0 of 1 has lost the record of a recovery");
        }
        assertRefused(() -> new JdbcBlockStore(one).reserve(ORDERS, 10), "has lost reservations");
        new JdbcSchema(one).recover(0, Map.of(ORDERS, 1_000L));
        assertThat(store.reserve(ORDERS, 10).first()).isEqualTo(1_001);
    }

    private void createByScript(int index, String databaseId) throws Exception {
        memory.execute(index, "DROP ALL OBJECTS");
        memory.execute(
                index, Dialect.H2.createStatements(new Tables("id_sequences")).toArray(String[]::new));
        memory.execute(
                index,
                "INSERT INTO id_sequences_shard (generation, shard_index, shard_count, window_size, installation)"
                        + " VALUES (1, 0, 1, 100, 'shop')",
                "INSERT INTO id_sequences_database (one, database_id, server_id) VALUES (1, '" + databaseId
                        + "', 'new')",
                "INSERT INTO id_sequences_names (sequence_name, lowest_value, highest_value) VALUES ('orders', 1, 100000)");
    }

    @Test
    void tablesThatWereCreatedAgainAreNotTakenForTheShard() throws Exception {
        for (String createdAgain : List.of("shop-0", "shop-1")) {
            createByScript(0, "shop-0");
            new WindowAgent(one, 5).topUp();
            JdbcBlockStore store = TestShards.store(one);
            assertThat(store.reserve(ORDERS, 10)).isEqualTo(Block.of(1, 10));
            createByScript(0, createdAgain);
            for (JdbcBlockStore each : List.of(store, TestShards.store(one), store)) {
                assertThatExceptionOfType(ShardMismatchException.class)
                        .isThrownBy(() -> each.reserve(ORDERS, 10))
                        .withMessageMatching("(?s).*shard 0 of 1 has (lost|the ID shop-1, and had the ID shop-0).*");
                assertRefused(() -> new WindowAgent(one, 5).topUp(), "run JdbcSchema.recover");
            }
            new JdbcSchema(one).recover(0, Map.of(ORDERS, 500L));
            new WindowAgent(one, 5).topUp();
            boolean isSameId = createdAgain.equals("shop-0");
            if (!isSameId) {
                assertRefused(() -> store.reserve(ORDERS, 10), "restart this process");
            }
            JdbcBlockStore present = isSameId ? store : TestShards.store(one);
            assertThat(present.reserve(ORDERS, 10)).isEqualTo(Block.of(501, 510));
        }
    }

    /** If the mark cannot be written, an agent takes the tables for those of a new shard. */
    @Test
    void newTablesThatCannotBeMarkedAreNotTakenForTheShardAfterTheRunOfAnAgent() throws Exception {
        createByScript(0, "shop-0");
        new WindowAgent(one, 5).topUp();
        JdbcBlockStore store = TestShards.store(one);
        store.reserve(ORDERS, 10);
        createByScript(0, "shop-0");
        memory.execute(0, "ALTER TABLE id_sequences_database ADD CHECK (server_id <> 'restored')");
        for (int i = 0; i < 2; i++) {
            assertRefused(() -> store.reserve(ORDERS, 10), "shard 0 of 1 has lost");
            new WindowAgent(one, 5).topUp();
        }
        new JdbcSchema(one).recover(0, Map.of(ORDERS, 1_000L));
        new WindowAgent(one, 5).topUp();
        assertThat(store.reserve(ORDERS, 10)).isEqualTo(Block.of(1_001, 1_010));
    }

    /** A pool may give connections with another schema or catalog, in which another installation has its tables. */
    @Test
    void tablesWithAnotherIdAreRefusedAndNotMarked() throws Exception {
        createByScript(0, "shop-0");
        new WindowAgent(one, 5).topUp();
        JdbcBlockStore store = TestShards.store(one);
        Block first = store.reserve(ORDERS, 10);
        createByScript(0, "shop-1");
        new WindowAgent(one, 5).topUp();
        assertThat(TestShards.store(one).reserve(ORDERS, 10)).isEqualTo(Block.of(1, 10));
        store.giveBack(ORDERS, first.part(5, 10));
        assertThat(memory.number(0, "SELECT MAX(give_backs) FROM id_sequences")).isZero();
        for (int i = 0; i < 2; i++) {
            assertRefused(() -> store.reserve(ORDERS, 10), "has the ID shop-1, and had the ID shop-0 before");
        }
        // The other tables keep working. The store has dropped the integers 11 to 20 of these tables.
        assertThat(TestShards.store(one).reserve(ORDERS, 10)).isEqualTo(Block.of(21, 30));
        memory.execute(0, "UPDATE id_sequences_database SET database_id = 'shop-0'");
        memory.execute(0, "UPDATE id_sequences_shard SET database_ids = 'shop-0'");
        assertThat(store.reserve(ORDERS, 10).first()).isGreaterThan(first.last());
    }

    /** The connection that writes the mark leads to other tables, with the same number of recoveries. */
    @Test
    void otherTablesAreNotMarkedForALossOfTheShard() throws Exception {
        AtomicBoolean isElsewhere = new AtomicBoolean();
        JdbcShards moving = switching(isElsewhere);
        JdbcBlockStore store = TestShards.store(moving);
        store.reserve(ORDERS, 30);
        forget(11);
        switchAfterCommit.set(true);
        assertRefused(() -> store.reserve(ORDERS, 10), "shard 0 of 1 has lost reservations");
        assertThat(isElsewhere).isTrue();
        assertThat(TestShards.store(memory.list(1).plain()).reserve(ORDERS, 10)).isEqualTo(Block.of(1, 10));
    }

    private final AtomicBoolean switchAfterCommit = new AtomicBoolean();

    /** Returns database 0, or database 1 while {@code isElsewhere}; these are two installations. */
    private JdbcShards switching(AtomicBoolean isElsewhere) throws Exception {
        for (int i = 0; i < 2; i++) {
            createByScript(i, "shop-" + i);
            new WindowAgent(memory.list(i).plain(), 5).topUp();
        }
        DataSource both = Connections.choosing(() -> memory.connect(isElsewhere.get() ? 1 : 0));
        return memory.list(0)
                .of(url -> Connections.around(both, (connection, method, call) -> {
                    Object result = call.proceed();
                    if (method.equals("commit") && switchAfterCommit.get()) {
                        isElsewhere.set(true);
                    }
                    return result;
                }));
    }

    /** No agent has run yet in the other tables, so they look as if they were created again. */
    @Test
    void newTablesOfAnotherInstallationDoNotKeepAStoreFromItsOwn() throws Exception {
        AtomicBoolean isElsewhere = new AtomicBoolean();
        JdbcShards moving = switching(isElsewhere);
        JdbcBlockStore store = TestShards.store(moving);
        store.reserve(ORDERS, 10);
        createByScript(1, "shop-1");
        isElsewhere.set(true);
        for (String reason : List.of("created again by a script", "has the ID shop-1, and had the ID shop-0 before")) {
            assertRefused(() -> store.reserve(ORDERS, 10), reason);
        }
        isElsewhere.set(false);
        assertThat(store.reserve(ORDERS, 10)).isEqualTo(Block.of(11, 20));
    }

    /** Two threads check the shard for the first time at the same time, and their connections lead to other tables. */
    @Test
    void ofTwoFirstChecksTheSecondIsComparedToo() {
        Forgetting forgetting = new Forgetting(one.all().get(0), new Tables("id_sequences"));
        assertThat(forgetting.wasRecovered(null, null, stateOf("shop-0"))).isFalse();
        assertThat(forgetting.wasRecovered(null, null, stateOf("shop-0"))).isFalse();
        assertThatExceptionOfType(ShardMismatchException.class)
                .isThrownBy(() -> forgetting.wasRecovered(null, null, stateOf("shop-1")))
                .withMessageContaining("has the ID shop-1, and had the ID shop-0 before");
    }

    private static DatabaseState stateOf(String databaseId) {
        return new DatabaseState(new Database(databaseId, "H2", 1), "H2", "");
    }

    @Test
    void aShardThatForgotItsSequencesIsNotTakenForOneWithout() throws Exception {
        JdbcBlockStore store = new JdbcBlockStore(one);
        store.reserve(ORDERS, 10);
        memory.execute(0, "UPDATE id_sequences_database SET server_id = 'another'");
        memory.execute(0, "DELETE FROM id_sequences");
        memory.execute(0, "DELETE FROM id_sequences_names");
        assertRefused(() -> store.reserve(ORDERS, 10), "ran on server another and now runs on H2: it failed over");
    }

    @Test
    void aWindowThatWasUsedUpIsRememberedToo() throws Exception {
        JdbcBlockStore store = new JdbcBlockStore(one);
        store.reserve(ORDERS, 100);
        forget(51);
        assertRefused(() -> store.reserve(ORDERS, 10), "it reserved integers from 51 on again");
    }

    @Test
    void aGiveBackIsNotTakenForForgetting() {
        JdbcBlockStore store = new JdbcBlockStore(one);
        JdbcBlockStore other = new JdbcBlockStore(one);
        for (int i = 0; i < 5; i++) {
            Block block = store.reserve(ORDERS, 10);
            other.giveBack(ORDERS, block);
            assertThat(store.reserve(ORDERS, 5)).isEqualTo(block.part(0, 5));
            other.giveBack(ORDERS, block.part(0, 5));
        }
    }

    private JdbcShards onServer(String name) throws Exception {
        DialectBuilder builder = Dialect.builder("test")
                .script(Dialect.resource("postgresql.sql"))
                .server("(SELECT MAX(name) FROM server)")
                .lock(
                        "SELECT window_start_value, window_end_value, next_hi_value, give_backs, {state} FROM id_sequences"
                                + " WHERE sequence_name = :sequence AND next_hi_value < window_end_value"
                                + " AND window_start_value >= :from ORDER BY window_start_value FOR UPDATE{skip locked}");
        memory.execute(1, "CREATE TABLE server (name VARCHAR(20))", "INSERT INTO server VALUES ('" + name + "')");
        return JdbcShards.builder()
                .shard(UrlDataSource.of(memory.url(1), null, null))
                .dialect(builder.build())
                .build();
    }

    @Test
    void anotherServerIsNoticedAtTheNextReservation() throws Exception {
        JdbcShards shards = onServer("old");
        create(shards);
        JdbcBlockStore store = new JdbcBlockStore(shards);
        store.reserve(ORDERS, 10);
        memory.execute(1, "UPDATE server SET name = 'present'");
        assertThatExceptionOfType(ShardMismatchException.class)
                .isThrownBy(() -> store.reserve(ORDERS, 10))
                .withMessageContaining(
                        "the database of shard 0 of 1 ran on server old and now runs on present: it failed over");
    }

    /** A backup from before the first run of an agent was restored on another server, and an agent has run there. */
    @Test
    void anotherServerThatNoRecoveryHasRecordedIsNoticed() throws Exception {
        JdbcShards shards = onServer("old");
        create(shards);
        JdbcBlockStore store = TestShards.store(shards);
        store.reserve(ORDERS, 10);
        memory.execute(
                1, "UPDATE server SET name = 'present'", "UPDATE id_sequences_database SET server_id = 'present'");
        assertThatExceptionOfType(ShardMismatchException.class)
                .isThrownBy(() -> store.reserve(ORDERS, 10))
                .withMessageContaining("lost the record of a recovery: it is of server present, and was of server old");
        new JdbcSchema(shards).recover(0, Map.of(ORDERS, 500L));
        new WindowAgent(shards, 5).topUp();
        assertThat(store.reserve(ORDERS, 10)).isEqualTo(Block.of(501, 510));
    }

    /** The test's dialect sets no state, so the state contains what another process records in the row. */
    @Test
    void aMarkIsNoticedByADialectWithoutAState() throws Exception {
        JdbcShards shards = onServer("old");
        create(shards);
        JdbcBlockStore store = TestShards.store(shards);
        JdbcBlockStore other = TestShards.store(shards);
        store.reserve(ORDERS, 30);
        memory.execute(1, "UPDATE id_sequences SET next_hi_value = 101 WHERE window_start_value = 1");
        other.reserve(ORDERS, 10);
        memory.execute(1, "UPDATE id_sequences SET next_hi_value = 1 WHERE window_start_value = 1");
        assertThatExceptionOfType(ShardMismatchException.class).isThrownBy(() -> store.reserve(ORDERS, 10));
        assertRefused(() -> other.reserve(ORDERS, 10), "shard 0 of 1 has lost reservations");
    }

    @Test
    void othersServeWhileAShardHasForgotten() throws Exception {
        MemoryShards both = MemoryShards.of(2);
        JdbcShards two = both.list(0, 1).plain();
        create(two);
        JdbcBlockStore store = new JdbcBlockStore(two, 0);
        store.reserve(ORDERS, 10);
        both.execute(0, "UPDATE id_sequences_database SET server_id = 'another'");
        store.reserve(ORDERS, 10);
        both.execute(0, "UPDATE id_sequences SET next_hi_value = 1 WHERE window_start_value = 1");
        for (int i = 0; i < 5; i++) {
            assertThat(store.reserve(ORDERS, 10).first()).isGreaterThan(100);
        }
    }
}
