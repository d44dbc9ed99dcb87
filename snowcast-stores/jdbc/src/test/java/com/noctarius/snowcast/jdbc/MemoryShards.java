// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** H2 databases in memory, whose tables a test can also read and change by SQL. */
final class MemoryShards {
    private static final AtomicInteger NAMES = new AtomicInteger();

    private final List<String> urls;

    private MemoryShards(List<String> urls) {
        this.urls = urls;
    }

    static MemoryShards of(int count) {
        String name = "memory" + NAMES.incrementAndGet();
        return new MemoryShards(IntStream.range(0, count)
                .mapToObj(i -> "jdbc:h2:mem:" + name + "x" + i + ";DB_CLOSE_DELAY=-1;USER=sa")
                .toList());
    }

    /** Returns a list of shards: the given databases, in this order. */
    TestShards list(Integer... indices) {
        return TestShards.patient(
                "id_sequences", List.of(indices).stream().map(urls::get).toList());
    }

    /** Returns the stored IDs of the given databases, which must have tables. */
    Set<String> ids(Integer... indices) throws SQLException {
        Set<String> ids = new HashSet<>();
        for (int index : indices) {
            ids.add(Sql.text(urls.get(index), "SELECT database_id FROM id_sequences_database"));
        }
        return ids;
    }

    record Window(long start, long end, long next) {
        boolean isOpen() {
            return next < end;
        }
    }

    /** Returns the windows of a sequence in one database, in ascending order. */
    List<Window> windows(int index, String sequence) throws SQLException {
        try (Connection connection = connect(index);
                PreparedStatement statement = connection.prepareStatement(
                        "SELECT window_start_value, window_end_value, next_hi_value FROM id_sequences"
                                + " WHERE sequence_name = ? ORDER BY window_start_value")) {
            statement.setString(1, sequence);
            List<Window> windows = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    windows.add(new Window(rows.getLong(1), rows.getLong(2), rows.getLong(3)));
                }
            }
            return windows;
        }
    }

    /** Returns the windows of a sequence in all databases, in ascending order. Throws if two windows overlap. */
    List<Window> allWindows(String sequence) throws SQLException {
        List<Window> all = new ArrayList<>();
        for (int i = 0; i < urls.size(); i++) {
            if (hasTables(i)) {
                all.addAll(windows(i, sequence));
            }
        }
        all.sort(java.util.Comparator.comparingLong(Window::start));
        for (int i = 1; i < all.size(); i++) {
            if (all.get(i).start() < all.get(i - 1).end()) {
                throw new AssertionError("overlap: " + all.get(i - 1) + ", " + all.get(i));
            }
        }
        return all;
    }

    private boolean hasTables(int index) throws SQLException {
        try (Connection connection = connect(index);
                ResultSet tables = connection.getMetaData().getTables(null, null, "ID_SEQUENCES", null)) {
            return tables.next();
        }
    }

    void execute(int index, String... statements) throws SQLException {
        Sql.execute(urls.get(index), statements);
    }

    long number(int index, String query) throws SQLException {
        return Sql.number(urls.get(index), query);
    }

    Connection connect(int index) throws SQLException {
        return UrlDataSource.of(urls.get(index), null, null).getConnection();
    }

    /** Returns the lines of a {@code shards.properties} with the first {@code count} databases. */
    String properties(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "shard." + i + ".url=" + urls.get(i) + '\n')
                .collect(Collectors.joining());
    }

    String url(int index) {
        return urls.get(index);
    }
}
