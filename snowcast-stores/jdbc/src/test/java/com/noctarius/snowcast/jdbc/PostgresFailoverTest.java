// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import static com.noctarius.snowcast.jdbc.TestShards.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.tests.Await;
import com.noctarius.snowcast.tests.store.BlockLedger;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests a PostgreSQL primary that is killed, and a lagging standby that replaces the primary at its address. */
@Tag("faults")
class PostgresFailoverTest {
    private static final String ORDERS = "orders";
    private static final long LAST = 100_000_000;
    private static final int WINDOW_SIZE = 100;

    private final BlockLedger ledger = new BlockLedger(1, LAST);

    private static TestShards create(long windowSize, PostgresServer... servers) {
        TestShards list = TestShards.patient(
                "ids", Stream.of(servers).map(server -> server.url("postgres")).toList());
        TestShards.layOut(list.plain(), windowSize, 3, ORDERS, 1, LAST);
        return list;
    }

    private void reserve(JdbcBlockStore store, int times) {
        for (int i = 0; i < times; i++) {
            ledger.add(store.reserve(ORDERS, 10));
        }
    }

    /** If two standbys of one primary are promoted independently, both get the same timeline. */
    @Test
    void theSecondOfTwoStandbysIsNotTakenForTheFirst() throws Exception {
        try (PostgresServer primary = PostgresServer.start()) {
            TestShards one = create(100_000, primary);
            JdbcBlockStore former = new JdbcBlockStore(one.plain());
            String before = primary.text("SELECT server_id FROM ids_database");
            try (PostgresServer first = primary.startStandby();
                    PostgresServer second = primary.startStandby()) {
                for (PostgresServer standby : List.of(first, second)) {
                    standby.awaitReplay(primary);
                    standby.stopReplication();
                }
                for (int i = 0; i < 20; i++) {
                    ledger.add(former.reserve(ORDERS, 10));
                }
                primary.kill();
                first.takeOver(primary);
                new JdbcSchema(one.plain()).recover(0, Map.of(ORDERS, 300_001L));
                JdbcBlockStore idle = new JdbcBlockStore(one.plain());
                ledger.add(idle.reserve(ORDERS, 10));
                first.kill();
                second.takeOver(first);
                assertRefused(() -> ledger.add(idle.reserve(ORDERS, 10)), before);
            }
        }
    }

    @Test
    void aRecoveryThatAFailOverInterruptsIsNotTakenForDone() throws Exception {
        try (PostgresServer primary = PostgresServer.start()) {
            TestShards one = create(100_000, primary);
            try (PostgresServer first = primary.startStandby();
                    PostgresServer second = primary.startStandby()) {
                for (PostgresServer standby : List.of(first, second)) {
                    standby.awaitReplay(primary);
                    standby.stopReplication();
                }
                primary.kill();
                first.takeOver(primary);
                ShardRecovery recovery = recovery(one.plain());
                first.kill();
                second.takeOver(first);
                assertThatExceptionOfType(ShardMismatchException.class)
                        .isThrownBy(() -> recovery.byHand(Map.of(ORDERS, 201L), new ShardState.All(Map.of(), Map.of())))
                        .withMessageContaining("repeat the call");
                recovery(one.plain()).byHand(Map.of(ORDERS, 201L), new ShardState.All(Map.of(), Map.of()));
            }
        }
    }

    private static ShardRecovery recovery(JdbcShards shards) {
        Shard shard = shards.all().get(0);
        return new ShardRecovery(
                shards,
                shards.call(shard, "", transaction -> ShardCheck.forAgent(shard, shards.tables(), transaction)));
    }

    @Test
    void nothingIsReservedFromAStandbyThatLagged() throws Exception {
        try (PostgresServer primary = PostgresServer.start()) {
            TestShards one = create(100_000, primary);
            JdbcBlockStore store = new JdbcBlockStore(one.pooled());
            reserve(store, 100);
            String before = primary.text("SELECT server_id FROM ids_database");
            try (PostgresServer standby = primary.startStandby()) {
                standby.awaitReplay(primary);
                standby.stopReplication();
                reserve(store, 100);
                primary.kill();
                standby.takeOver(primary);
                assertThat(standby.text("SELECT next_hi_value FROM ids WHERE window_start_value = 1"))
                        .as("what the standby knows")
                        .isEqualTo("1001");
                for (JdbcBlockStore each : List.of(store, new JdbcBlockStore(one.pooled()))) {
                    for (int i = 0; i < 20; i++) {
                        assertRefused(() -> ledger.add(each.reserve(ORDERS, 10)), before, "failed over");
                    }
                }
            }
        }
    }

    /** The standby also lacks windows that were inserted and used up while it lagged. */
    @Test
    void aShardOfTwoIsTakenBackByWhatTheOtherKnows() throws Exception {
        try (PostgresServer other = PostgresServer.start();
                PostgresServer primary = PostgresServer.start()) {
            TestShards two = create(WINDOW_SIZE, other, primary);
            JdbcBlockStore store = new JdbcBlockStore(two.pooled(), 1);
            reserve(store, 15);
            try (PostgresServer standby = primary.startStandby()) {
                standby.awaitReplay(primary);
                standby.stopReplication();
                reserve(store, 150);
                long used = lastReserved(primary);
                long announced = Long.parseLong(other.text("SELECT announced_value FROM ids_names"));
                primary.kill();
                standby.takeOver(primary);
                assertThat(lastReserved(standby)).as("what the standby knows").isLessThan(used - WINDOW_SIZE);
                for (JdbcBlockStore each : List.of(new JdbcBlockStore(two.pooled(), 1), store)) {
                    Await.until("the shard serves again", () -> {
                        Block block = each.reserve(ORDERS, 10);
                        ledger.add(block);
                        return isOfTheSecond(block);
                    });
                    for (int i = 0; i < 150; i++) {
                        Block block = each.reserve(ORDERS, 10);
                        ledger.add(block);
                        assertThat(isOfTheSecond(block) && block.first() < announced)
                                .as("from a window that was closed: " + block)
                                .isFalse();
                    }
                }
                assertThat(standby.text("SELECT recoveries FROM ids_database")).isNotEqualTo("0");
            }
        }
    }

    private static long lastReserved(PostgresServer server) throws Exception {
        return Long.parseLong(
                server.text("SELECT MAX(next_hi_value) FROM ids WHERE next_hi_value > window_start_value"));
    }

    private static boolean isOfTheSecond(Block block) {
        return (block.first() - 1) / WINDOW_SIZE % 2 == 1;
    }
}
