// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import static com.noctarius.snowcast.jdbc.TestShards.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.tests.store.BlockLedger;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the upgrade of tables that an earlier version has created, with windows in use. */
class FormerTablesTest {
    private static final String ORDERS = "orders";

    /** Creates an earlier version's tables for one of two shards, with a window of which 30 integers are reserved. */
    static void createFormer(Connection connection, int index) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE id_sequences (sequence_name VARCHAR(255) NOT NULL,"
                    + " window_start_value BIGINT NOT NULL, window_end_value BIGINT NOT NULL,"
                    + " next_hi_value BIGINT NOT NULL, PRIMARY KEY (sequence_name, window_start_value))");
            statement.execute("CREATE TABLE id_sequences_names (sequence_name VARCHAR(255) NOT NULL,"
                    + " lowest_value BIGINT NOT NULL, highest_value BIGINT NOT NULL, generation BIGINT DEFAULT 0 NOT NULL,"
                    + " base_value BIGINT DEFAULT -1 NOT NULL, announced_value BIGINT DEFAULT 0 NOT NULL,"
                    + " PRIMARY KEY (sequence_name))");
            statement.execute("CREATE TABLE id_sequences_shard (generation BIGINT NOT NULL, shard_index INT NOT NULL,"
                    + " shard_count INT NOT NULL, window_size BIGINT NOT NULL, adopted INT DEFAULT 0 NOT NULL,"
                    + " installation VARCHAR(100) NOT NULL, PRIMARY KEY (generation))");
            statement.execute("INSERT INTO id_sequences_shard VALUES (1, " + index + ", 2, 100, 1, 'shop')");
            statement.execute("INSERT INTO id_sequences_names VALUES ('orders', 1, 5000, 1, 1, 201)");
            int start = 1 + 100 * index;
            statement.execute("INSERT INTO id_sequences VALUES ('orders', " + start + ", " + (start + 100) + ", "
                    + (start + 30) + ")");
        }
    }

    @Test
    void tablesOfAFormerVersionAreAddedTo() throws Exception {
        MemoryShards memory = MemoryShards.of(2);
        JdbcShards shards = memory.list(0, 1).plain();
        for (int i = 0; i < 2; i++) {
            try (Connection connection = memory.connect(i)) {
                createFormer(connection, i);
            }
        }
        assertRefused(() -> new WindowAgent(shards, 2).topUp(), "run JdbcSchema.create");
        for (int i = 0; i < 2; i++) {
            new JdbcSchema(shards).create(100);
        }
        assertThat(memory.number(0, "SELECT COUNT(*) FROM id_sequences_shard WHERE LENGTH(database_ids) > 70"))
                .isEqualTo(1);
        assertRefused(() -> new JdbcSchema(memory.list(1, 0).plain()).create(100));
        new WindowAgent(shards, 2).topUp();
        assertThat(memory.allWindows(ORDERS)).hasSize(4);
        BlockLedger ledger = new BlockLedger(31, 5_000);
        for (int index : new int[] {0, 1, 0, 1}) {
            ledger.add(TestShards.store(shards, index).reserve(ORDERS, 10));
        }
        new JdbcSchema(memory.list(0).plain()).changeShards(100, memory.ids(1));
        assertThat(new WindowAgent(memory.list(0).plain(), 100).topUp().windows())
                .isPositive();
        memory.allWindows(ORDERS);
    }

    @Test
    void aStoreOfTwoListsIsRefused() {
        MemoryShards memory = MemoryShards.of(2);
        JdbcShards shards = memory.list(0, 1).plain();
        CommonList common = new CommonList();
        common.require(shards.all().get(0), List.of(generation(2, "a,c"), generation(1, "a,b")));
        common.require(shards.all().get(1), List.of(generation(1, "a,b")));
        assertRefused(() -> common.require(shards.all().get(1), List.of(generation(2, "a,d"))), "[a,d]", "[a,c, a,b]");
    }

    private static Generation generation(long number, String list) {
        return new Generation(number, 0, 2, 100, true, "shop", list);
    }
}
