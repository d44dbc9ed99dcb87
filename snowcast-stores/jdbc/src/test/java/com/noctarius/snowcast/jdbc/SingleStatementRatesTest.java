// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Prints how many blocks of 1,000 one PostgreSQL database gives in a second, beside what others send for theirs, in
 * rounds in which all take turns; {@code -Dsnowcast.rounds=} says how many. A statement of others has a connection of
 * its own, in auto-commit unless it needs a transaction.
 */
@Tag("soak")
class SingleStatementRatesTest {
    private static final int ROUNDS = Integer.getInteger("snowcast.rounds", 5);
    private static final long MILLIS = 2_000;

    private interface Reservation {
        void run() throws SQLException;
    }

    private interface Subject {
        Reservation ofThread(int index) throws SQLException;
    }

    @Test
    void postgres() throws Exception {
        try (PostgresServer server = PostgresServer.start()) {
            String url = server.createDatabase("rates");
            try (Connection connection = DriverManager.getConnection(url);
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE TABLE counters (name VARCHAR(255) PRIMARY KEY, last_max_id BIGINT)");
                statement.execute("INSERT INTO counters VALUES ('single', 0), ('hibernate', 0), ('cosid', 0)");
                statement.execute("CREATE SEQUENCE orders_seq INCREMENT BY 1000");
            }
            TestShards one = TestShards.of("ids", List.of(url));
            TestShards.layOut(one.plain(), 10_000_000_000L, 20, "orders", 1, 4_000_000_000_000L);
            for (int threads : new int[] {1, 8}) {
                try (HikariDataSource pool = TestShards.pool(url, 8)) {
                    JdbcShards shards = one.of(List.of(pool));
                    JdbcBlockStore store = new JdbcBlockStore(shards);
                    Map<String, Subject> subjects = new LinkedHashMap<>();
                    subjects.put("UPDATE … RETURNING", index -> single(url));
                    subjects.put("snowcast, one store", index -> () -> store.reserve("orders", 1_000));
                    subjects.put("snowcast, a store each", index -> ofStore(new JdbcBlockStore(shards)));
                    subjects.put("nextval, also Hibernate pooled-lo", index -> nextval(url));
                    subjects.put("Hibernate's table, pooled-lo", index -> hibernateTable(url));
                    subjects.put("CosId's segment", index -> cosId(url));
                    compare(threads, subjects);
                }
            }
        }
    }

    private static Reservation ofStore(JdbcBlockStore store) {
        return () -> store.reserve("orders", 1_000);
    }

    private static void compare(int threads, Map<String, Subject> subjects) throws Exception {
        Map<String, List<Long>> rates = new LinkedHashMap<>();
        Map<String, List<Double>> ratios = new LinkedHashMap<>();
        for (int round = 0; round <= ROUNDS; round++) {
            long single = 0;
            for (Map.Entry<String, Subject> subject : subjects.entrySet()) {
                long rate = rate(threads, subject.getValue());
                single = single == 0 ? rate : single;
                // The first round warms up.
                if (round > 0) {
                    rates.computeIfAbsent(subject.getKey(), key -> new ArrayList<>())
                            .add(rate);
                    ratios.computeIfAbsent(subject.getKey(), key -> new ArrayList<>())
                            .add((double) rate / single);
                }
            }
        }
        rates.forEach((subject, all) -> System.out.printf(
                "%d thread(s) %-34s %,8d/s   x %.2f (%.2f to %.2f)%n",
                threads,
                subject,
                median(all),
                median(ratios.getOrDefault(subject, List.of())),
                ratios.getOrDefault(subject, List.of()).stream()
                        .min(Double::compare)
                        .orElseThrow(),
                ratios.getOrDefault(subject, List.of()).stream()
                        .max(Double::compare)
                        .orElseThrow()));
    }

    private static <T extends Comparable<T>> T median(List<T> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }

    private static long rate(int threads, Subject subject) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        LongAdder blocks = new LongAdder();
        List<Reservation> reservations = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            reservations.add(subject.ofThread(i));
        }
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(MILLIS);
        List<Future<?>> all = new ArrayList<>();
        for (Reservation reservation : reservations) {
            all.add(executor.submit(() -> {
                while (System.nanoTime() - end < 0) {
                    reservation.run();
                    blocks.increment();
                }
                return reservation;
            }));
        }
        for (Future<?> each : all) {
            each.get(5, TimeUnit.MINUTES);
        }
        executor.shutdown();
        assertThat(blocks.sum()).isPositive();
        return blocks.sum() * 1_000 / MILLIS;
    }

    private static Reservation single(String url) throws SQLException {
        Connection connection = DriverManager.getConnection(url);
        return () -> query(
                connection,
                "UPDATE counters SET last_max_id = last_max_id + 1000 WHERE name = 'single' RETURNING last_max_id");
    }

    private static Reservation nextval(String url) throws SQLException {
        Connection connection = DriverManager.getConnection(url);
        return () -> query(connection, "SELECT nextval('orders_seq')");
    }

    /** As TableGenerator does it, in a transaction of its own. */
    private static Reservation hibernateTable(String url) throws SQLException {
        Connection connection = DriverManager.getConnection(url);
        connection.setAutoCommit(false);
        return () -> {
            long present =
                    query(connection, "SELECT last_max_id FROM counters WHERE name = 'hibernate' FOR NO KEY UPDATE");
            update(
                    connection,
                    "UPDATE counters SET last_max_id = ? WHERE last_max_id = ? AND name = 'hibernate'",
                    present + 1_000,
                    present);
            connection.commit();
        };
    }

    /** As JdbcIdSegmentDistributor does it. */
    private static Reservation cosId(String url) throws SQLException {
        Connection connection = DriverManager.getConnection(url);
        connection.setAutoCommit(false);
        return () -> {
            update(connection, "UPDATE counters SET last_max_id = last_max_id + ? WHERE name = 'cosid'", 1_000L);
            query(connection, "SELECT last_max_id FROM counters WHERE name = 'cosid'");
            connection.commit();
        };
    }

    private static long query(Connection connection, String sql) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql);
                ResultSet rows = statement.executeQuery()) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private static void update(Connection connection, String sql, long... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setLong(i + 1, values[i]);
            }
            statement.executeUpdate();
        }
    }
}
