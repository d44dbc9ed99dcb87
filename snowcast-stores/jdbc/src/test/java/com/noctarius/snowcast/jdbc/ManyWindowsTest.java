// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.JdbcTemplate;

/** Tests that a store's first reservation is not much slower if the table has millions of used-up windows. */
@Tag("faults")
class ManyWindowsTest {
    private static final String ORDERS = "orders";
    private static final long USED = Long.getLong("snowcast.windows", 5_000_000);
    private static final int TRIES = 40;

    @TempDir
    private Path directory;

    @Test
    void postgres() throws Exception {
        try (PostgresServer server = PostgresServer.start()) {
            compare("PostgreSQL", server.url("postgres"), "FROM generate_series(0, %d) AS s(x)");
        }
    }

    @Test
    void maria() throws Exception {
        try (MariaServer server = MariaServer.start()) {
            compare("MariaDB", server.createDatabase("windows"), "FROM (SELECT seq AS x FROM seq_0_to_%d) AS s");
        }
    }

    @Test
    void h2() throws Exception {
        try (H2Server server = H2Server.start(directory)) {
            compare("H2", server.url("windows"), "FROM SYSTEM_RANGE(0, %d)");
        }
    }

    private static void compare(String what, String url, String series) {
        TestShards few = create("few", url, series, 5);
        TestShards many = create("many", url, series, USED);
        long fewNanos = Long.MAX_VALUE;
        long manyNanos = Long.MAX_VALUE;
        for (int i = 0; i < TRIES; i++) {
            fewNanos = Math.min(fewNanos, firstReservation(few));
            manyNanos = Math.min(manyNanos, firstReservation(many));
        }
        System.out.printf(
                "%s: first reservation beside 5 used windows %,d us, beside %,d %,d us%n",
                what, TimeUnit.NANOSECONDS.toMicros(fewNanos), USED, TimeUnit.NANOSECONDS.toMicros(manyNanos));
        // The times are the shortest of many, so that a busy machine does not matter. With a scan of the table, the
        // ratio would be about a hundred.
        assertThat((double) manyNanos / fewNanos).isLessThan(2);
    }

    private static TestShards create(String table, String url, String series, long used) {
        TestShards one = TestShards.patient(table, List.of(url));
        TestShards.define(one.plain(), 100, ORDERS, 0, 1_000_000_000_000L);
        new JdbcTemplate(one.connections(url))
                .execute("INSERT INTO " + table
                        + " (sequence_name, window_start_value, window_end_value, next_hi_value)"
                        + " SELECT 'orders', x * 100, x * 100 + 100, x * 100 + 100 " + series.formatted(used - 1));
        new WindowAgent(one.plain(), 3).topUp();
        return one;
    }

    private static long firstReservation(TestShards one) {
        long start = System.nanoTime();
        new JdbcBlockStore(one.plain()).reserve(ORDERS, 1);
        return System.nanoTime() - start;
    }
}
