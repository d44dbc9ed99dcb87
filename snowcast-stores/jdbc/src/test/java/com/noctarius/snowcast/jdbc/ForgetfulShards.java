// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.tests.store.BlockLedger;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;

/** H2 databases in memory that fail over: a database returns to a former state, and its server gets another name. */
final class ForgetfulShards {
    private static final List<String> TABLES =
            List.of("id_sequences", "id_sequences_names", "id_sequences_shard", "id_sequences_database");

    private static final String SERVER = "(SELECT name FROM present_server)";
    private static final String FOR_UPDATE = " FOR UPDATE";

    private final MemoryShards memory;
    private final Map<Integer, Integer> failOvers = new HashMap<>();

    private ForgetfulShards(MemoryShards memory) {
        this.memory = memory;
    }

    private static Dialect dialect(String forUpdate) {
        return Dialect.builder("forgetful H2")
                .script(Dialect.resource("postgresql.sql"))
                .lock("SELECT window_start_value, window_end_value, next_hi_value, give_backs, {state}"
                        + " FROM id_sequences WHERE sequence_name = :sequence AND next_hi_value < window_end_value"
                        + " AND window_start_value >= :from ORDER BY window_start_value LIMIT 1"
                        + " FOR UPDATE{skip locked}")
                .forUpdate(forUpdate)
                .server(SERVER)
                .started("(SELECT CAST(starts AS VARCHAR(20)) FROM present_server)")
                .build();
    }

    static ForgetfulShards of(int count) throws SQLException {
        MemoryShards memory = MemoryShards.of(count);
        for (int i = 0; i < count; i++) {
            memory.execute(
                    i,
                    "CREATE TABLE present_server (name VARCHAR(50) NOT NULL, starts BIGINT NOT NULL)",
                    "INSERT INTO present_server VALUES ('server 0', 1)");
        }
        return new ForgetfulShards(memory);
    }

    MemoryShards memory() {
        return memory;
    }

    /** Fails over to another server with the given state. */
    void failOver(int index, TableCopy state) throws SQLException {
        restore(index, state);
        failOver(index);
    }

    /** Returns a list of shards. {@code before} runs before a connection to a shard is opened. */
    JdbcShards list(List<Integer> indices, Before before) {
        return list(dialect(FOR_UPDATE), indices, before);
    }

    /** Returns a list of shards whose dialect has no {@code forUpdate}. */
    JdbcShards withoutLocks(Integer... indices) {
        return list(dialect(""), List.of(indices), index -> {});
    }

    private JdbcShards list(Dialect dialect, List<Integer> indices, Before before) {
        JdbcShards.Builder builder = JdbcShards.builder()
                .dialect(dialect)
                // The time-out is long, because a schedule may suspend a call for long.
                .callTimeout(Duration.ofHours(1));
        for (int index : indices) {
            DataSource plain = UrlDataSource.of(memory.url(index), null, null);
            builder.shard(Connections.before(plain, () -> before.connect(index)));
        }
        return builder.build();
    }

    JdbcShards list(Integer... indices) {
        return list(List.of(indices), index -> {});
    }

    interface Before {
        void connect(int index) throws SQLException;
    }

    // --- states

    TableCopy state(int index) throws SQLException {
        try (Connection connection = memory.connect(index)) {
            return TableCopy.of(connection, TABLES);
        }
    }

    /** Sets a database back to a former state, on the same server. */
    void restore(int index, TableCopy state) throws SQLException {
        try (Connection connection = memory.connect(index)) {
            state.restore(connection);
        }
    }

    /** Gives the server of a database another name. */
    void failOver(int index) throws SQLException {
        int number = failOvers.merge(index, 1, Integer::sum);
        memory.execute(index, "UPDATE present_server SET name = 'server " + number + "'");
    }

    /** Restarts the process of a server, which keeps its data. */
    void restart(int index) throws SQLException {
        memory.execute(index, "UPDATE present_server SET starts = starts + 1");
    }

    boolean hasChanged(int index) throws SQLException {
        return memory.number(index, "SELECT COUNT(*) FROM id_sequences_database WHERE server_id = " + SERVER) == 0;
    }

    // --- reservations

    /** Reserves a block as a store does. Returns empty if the server has changed, or no window has integers left. */
    Optional<Block> reserve(int index, String sequence, long size) throws SQLException {
        if (hasChanged(index)) {
            return Optional.empty();
        }
        for (MemoryShards.Window window : memory.windows(index, sequence)) {
            if (window.isOpen()) {
                long end = Math.min(window.end(), window.next() + size);
                memory.execute(
                        index,
                        "UPDATE id_sequences SET next_hi_value = " + end + " WHERE sequence_name = '" + sequence
                                + "' AND window_start_value = " + window.start());
                return Optional.of(Block.of(window.next(), end - 1));
            }
        }
        return Optional.empty();
    }

    /** Reserves as many integers as there are, up to {@code count}. */
    void reserve(int index, String sequence, int count, BlockLedger ledger) throws SQLException {
        long left = count;
        for (Optional<Block> block = reserve(index, sequence, left); block.isPresent(); ) {
            ledger.add(block.get());
            left -= block.get().count();
            block = left > 0 ? reserve(index, sequence, left) : Optional.empty();
        }
    }
}
