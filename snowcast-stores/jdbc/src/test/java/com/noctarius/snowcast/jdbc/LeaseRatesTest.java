// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.internal.owner.AttachRequest;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.Grant;
import com.noctarius.snowcast.internal.owner.RenewReply;
import com.noctarius.snowcast.internal.owner.RenewRequest;
import com.noctarius.snowcast.internal.owner.TableRules;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Measures attaches, statuses and renewals on PostgreSQL and MariaDB: how long an attach and a status take, how many
 * leases are renewed per second, and how much processor time the database uses for renewals.
 */
@Tag("soak")
class LeaseRatesTest {
    private static final int HOLDERS = 1_000;
    private static final int BATCH = 200;
    /**
     * How many leases all holders together renew per second by default: each holder renews when half of its lease has
     * passed.
     */
    private static final double RENEWALS_PER_SECOND =
            1e3 * HOLDERS / JdbcSnowcast.Builder.DEFAULT_LEASE.dividedBy(2).toMillis();

    private static final int ATTACHES = 200;
    private static final int ROUNDS = Integer.getInteger("snowcast.rounds", 5);

    enum Kind {
        POSTGRESQL(
                "gen_random_uuid()::text",
                "generate_series(%d, %d) i",
                "CAST(extract(epoch FROM now()) * 1000 AS BIGINT)",
                "ANALYZE snowcast_nodes") {
            @Override
            Measured start() throws Exception {
                PostgresServer server = PostgresServer.startToMeasure();
                return new Measured(this, server.createDatabase("rates"), server::processorTime, server);
            }
        },
        MARIADB(
                "UUID()",
                "(SELECT seq AS i FROM seq_%d_to_%d) s",
                "UNIX_TIMESTAMP() * 1000",
                "ANALYZE TABLE snowcast_nodes") {
            @Override
            Measured start() throws Exception {
                MariaServer server = MariaServer.start();
                return new Measured(this, server.createDatabase("rates"), server::processorTime, server);
            }
        };

        private final String uuid;
        private final String numbers;
        private final String now;
        private final String analyze;

        Kind(String uuid, String numbers, String now, String analyze) {
            this.uuid = uuid;
            this.numbers = numbers;
            this.now = now;
            this.analyze = analyze;
        }

        abstract Measured start() throws Exception;

        /**
         * Returns the statements that add the node IDs with the numbers {@code from} to {@code below - 1}. The first
         * 65,536 node IDs belong to {@code orders}, the next ones to other names. One of ten grants ended more than two
         * days ago.
         */
        List<String> adding(int from, int below) {
            String rows = "INSERT INTO snowcast_nodes (name, node_id, attached, held_by, floor_millis, ceiling_millis,"
                    + " holder, request_number, table_id, token_sequence, version) SELECT"
                    + " CASE WHEN i < 65536 THEN 'orders' ELSE CONCAT('n', FLOOR(i / 65536)) END, MOD(i, 65536),"
                    + " MOD(i, 2), 'pod', 1, " + now + " + CASE MOD(i, 10) WHEN 0 THEN -200000000 ELSE 600000 END, "
                    + uuid + ", 1, 1, 1, 1 FROM " + numbers.formatted(from, below - 1)
                    + " WHERE NOT EXISTS (SELECT 1 FROM snowcast_nodes n WHERE n.name = 'orders' AND n.node_id = i)";
            return List.of(rows, analyze);
        }
    }

    /** A running server, with the processor time that it has used. */
    record Measured(Kind kind, String url, Callable<Duration> processorTime, AutoCloseable server)
            implements AutoCloseable {
        @Override
        public void close() throws IOException {
            try {
                server.close();
            } catch (Exception e) {
                throw new IOException(e);
            }
        }
    }

    private static JdbcCoordinator coordinator(HikariDataSource pool, int nodeIds) {
        JdbcCoordinator coordinator = JdbcCoordinatorTest.of(
                new Shard(0, 1, pool, null, 60, Duration.ofMinutes(2)),
                "snowcast",
                new TableRules(300_000, 60_000, 424_000, 0, nodeIds - 1),
                Duration.ofMinutes(5));
        coordinator.createTables();
        return coordinator;
    }

    @ParameterizedTest
    @EnumSource
    void aThousandHoldersAttachAndRenew(Kind kind) throws Exception {
        try (Measured measured = kind.start();
                HikariDataSource pool = TestShards.pool(measured.url(), 4)) {
            JdbcCoordinator coordinator = coordinator(pool, 8_192);
            List<Grant> grants = new ArrayList<>();
            long start = System.nanoTime();
            for (int i = 0; i < HOLDERS; i++) {
                grants.add(JdbcCoordinatorTest.attach(coordinator, "orders"));
            }
            System.out.printf("%s: attach: %.2f ms each, of %d%n", kind, millis(start) / HOLDERS, HOLDERS);
            for (int round = 0; round < ROUNDS; round++) {
                renewAll(measured, coordinator, grants, BATCH);
            }
            // One request per lease, as if each process had only one lease.
            for (int round = 0; round < ROUNDS; round++) {
                renewAll(measured, coordinator, grants, 1);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void attachingAndStatusWithManyRows(Kind kind) throws Exception {
        try (Measured measured = kind.start();
                HikariDataSource pool = TestShards.pool(measured.url(), 4);
                Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(true);
            JdbcCoordinator coordinator = coordinator(pool, 65_536);
            int rows = 0;
            for (int target : List.of(50, 8_192, 65_536, 983_000)) {
                for (String sql : kind.adding(rows, target)) {
                    statement.execute(sql);
                }
                rows = target;
                double[] attaches = new double[ATTACHES];
                for (int i = 0; i < ATTACHES; i++) {
                    long start = System.nanoTime();
                    attach(coordinator);
                    attaches[i] = millis(start);
                }
                Arrays.sort(attaches);
                long start = System.nanoTime();
                coordinator.status(List.of());
                System.out.printf(
                        "%s, %d rows: attach %.1f ms, nine of ten at most %.1f ms; status %.0f ms%n",
                        kind, target, attaches[ATTACHES / 2], attaches[ATTACHES * 9 / 10], millis(start));
            }
        }
    }

    private static void attach(JdbcCoordinator coordinator) {
        Definition definition = new Definition(0, new SnowcastLayout(41, 16, 6), 0, null);
        Grant grant = coordinator.attach(
                new AttachRequest("orders", definition, 0, UUID.randomUUID(), 1, System.currentTimeMillis(), 0, -1));
        assertThat(grant).isNotNull();
    }

    private static void renewAll(Measured measured, JdbcCoordinator coordinator, List<Grant> grants, int batch)
            throws Exception {
        Duration before = measured.processorTime().call();
        long start = System.nanoTime();
        for (int from = 0; from < HOLDERS; from += batch) {
            renew(coordinator, grants.subList(from, from + batch));
        }
        double perSecond = 1_000 * HOLDERS / millis(start);
        double cpuMillis = measured.processorTime().call().minus(before).toMillis() / (double) HOLDERS;
        System.out.printf(
                "%s: renewals in batches of %d: %.0f per second; %.2f ms of a processor each, so %.2f %% of one for"
                        + " %.1f per second%n",
                measured.kind(),
                batch,
                perSecond,
                cpuMillis,
                cpuMillis * RENEWALS_PER_SECOND / 10,
                RENEWALS_PER_SECOND);
    }

    private static double millis(long startNanos) {
        return (System.nanoTime() - startNanos) / 1e6;
    }

    private static void renew(JdbcCoordinator coordinator, List<Grant> grants) {
        List<RenewRequest> requests = grants.stream()
                .map(grant -> JdbcCoordinatorTest.renewal("orders", grant))
                .toList();
        List<RenewReply> replies =
                coordinator.renew(requests).toCompletableFuture().join();
        assertThat(replies).extracting(RenewReply::outcome).containsOnly(RenewReply.Outcome.RENEWED);
    }
}
