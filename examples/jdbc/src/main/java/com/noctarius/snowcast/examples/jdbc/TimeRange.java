// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.examples.jdbc;

import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.ids.SnowflakeId;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Finds rows by time with the primary key alone: the table has no timestamp column and no other index. */
public final class TimeRange {
    /** A layout of 63 bits: all IDs are positive, so a signed column sorts them by time. */
    private static final SnowcastLayout LAYOUT = SnowcastLayout.POSITIVE;

    private static final SnowcastEpoch EPOCH = SnowcastEpoch.byInstant(Instant.parse("2024-01-01T00:00:00Z"));
    private static final int BATCHES = 30;
    private static final int BATCH = 1_000;

    private TimeRange() {}

    /**
     * Runs the example.
     *
     * @param arguments none
     * @throws Exception if something fails; the JVM then exits with a code other than 0
     */
    public static void main(String[] arguments) throws Exception {
        SnowcastSequencer orders = SnowcastSystem.standaloneSequencer(
                SequencerConfig.builder("orders").epoch(EPOCH).layout(LAYOUT).build(), 0);
        try (Connection database = DriverManager.getConnection("jdbc:h2:mem:orders")) {
            database.createStatement().execute("CREATE TABLE orders (id BIGINT PRIMARY KEY, amount INT)");
            Instant from = Instant.EPOCH;
            Instant to = Instant.EPOCH;
            for (int i = 0; i < BATCHES; i++) {
                from = i == BATCHES / 3 ? Instant.now() : from;
                to = i == 2 * BATCHES / 3 ? Instant.now() : to;
                insert(database, orders.next(BATCH));
                TimeUnit.MILLISECONDS.sleep(20);
            }
            search(database, from, to);
        }
    }

    private static void insert(Connection database, long[] ids) throws SQLException {
        try (PreparedStatement insert = database.prepareStatement("INSERT INTO orders VALUES (?, ?)")) {
            for (long id : ids) {
                insert.setLong(1, id);
                insert.setInt(2, (int) (id % 100));
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    private static void search(Connection database, Instant from, Instant to) throws SQLException {
        long first = SnowflakeId.lowestId(from, LAYOUT, EPOCH);
        long end = SnowflakeId.lowestId(to, LAYOUT, EPOCH);
        String sql = "SELECT COUNT(*), SUM(amount) FROM orders WHERE id >= " + first + " AND id < " + end;
        System.out.println("from " + from + " to " + to);
        long found = number(database, sql);
        System.out.printf(Locale.ROOT, "%,d of %,d orders%n", found, number(database, "SELECT COUNT(*) FROM orders"));
        System.out.println(text(database, "EXPLAIN ANALYZE " + sql));
        if (found != countByInstant(database, from, to)) {
            throw new IllegalStateException("the search has found other rows than there are");
        }
    }

    /** Counts rows by the time in each ID, to check the search. */
    private static long countByInstant(Connection database, Instant from, Instant to) throws SQLException {
        long count = 0;
        long fromMillis = from.toEpochMilli();
        long toMillis = to.toEpochMilli();
        try (ResultSet rows = database.createStatement().executeQuery("SELECT id FROM orders")) {
            while (rows.next()) {
                long millis =
                        SnowflakeId.of(rows.getLong(1), LAYOUT, EPOCH).instant().toEpochMilli();
                count += millis >= fromMillis && millis < toMillis ? 1 : 0;
            }
        }
        return count;
    }

    private static long number(Connection database, String sql) throws SQLException {
        try (ResultSet rows = database.createStatement().executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private static String text(Connection database, String sql) throws SQLException {
        try (ResultSet rows = database.createStatement().executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }
}
