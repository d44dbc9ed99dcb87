// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.internal.owner.AttachRequest;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.ExtendReply;
import com.noctarius.snowcast.internal.owner.ExtendRequest;
import com.noctarius.snowcast.internal.owner.Grant;
import com.noctarius.snowcast.internal.owner.TableRules;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * How long attaching takes, how many leases are renewed per second, and what that takes of the database's processors,
 * of a thousand holders on PostgreSQL.
 */
@Tag("soak")
class LeaseRatesTest {
    private static final int HOLDERS = 1_000;
    private static final int BATCH = 200;
    /** A lease of {@link JdbcSnowcast.Builder#DEFAULT_LEASE} is extended when half of it is used. */
    private static final double RENEWALS_PER_SECOND =
            1e3 * HOLDERS / JdbcSnowcast.Builder.DEFAULT_LEASE.dividedBy(2).toMillis();

    private static final int ROUNDS = Integer.getInteger("snowcast.rounds", 5);

    @Test
    void aThousandHoldersAttachAndExtend() throws Exception {
        try (PostgresServer server = PostgresServer.start();
                HikariDataSource pool = TestShards.pool(server.createDatabase("rates"), 4)) {
            Shard shard = new Shard(0, 1, pool, null, 60, Duration.ofMinutes(2));
            JdbcCoordinator coordinator = new JdbcCoordinator(
                    shard,
                    new LeaseTables("snowcast"),
                    new TableRules(300_000, 60_000, 424_000, 0, 8_191),
                    null,
                    Duration.ofMinutes(5).toNanos(),
                    "rates");
            coordinator.createTables();
            List<Grant> grants = new ArrayList<>();
            long start = System.nanoTime();
            for (int i = 0; i < HOLDERS; i++) {
                grants.add(JdbcCoordinatorTest.attach(coordinator, "orders"));
            }
            System.out.printf("attach: %.2f ms each, of %d%n", millis(start) / HOLDERS, HOLDERS);
            for (int round = 0; round < ROUNDS; round++) {
                renewAll(server, coordinator, grants, BATCH);
            }
            // As a thousand processes do.
            for (int round = 0; round < ROUNDS; round++) {
                renewAll(server, coordinator, grants, 1);
            }
        }
    }

    /** Rows of two days, whose holders have ended, and of others that are in use. */
    @Test
    void attachingAndStatusWithManyRows() throws Exception {
        try (PostgresServer server = PostgresServer.start();
                HikariDataSource pool = TestShards.pool(server.createDatabase("rows"), 4);
                Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(true);
            Shard shard = new Shard(0, 1, pool, null, 60, Duration.ofMinutes(2));
            JdbcCoordinator coordinator = new JdbcCoordinator(
                    shard,
                    new LeaseTables("snowcast"),
                    new TableRules(300_000, 60_000, 424_000, 0, 65_535),
                    null,
                    Duration.ofMinutes(5).toNanos(),
                    "rates");
            coordinator.createTables();
            int rows = 0;
            for (int target : List.of(50, 8_000, 65_000, 983_000)) {
                statement.execute(
                        "INSERT INTO snowcast_nodes SELECT CASE WHEN i < 65536 THEN 'orders' ELSE 'n' || i / 65536 END,"
                                + " i % 65536, i % 2, 'pod', 1, (extract(epoch FROM now())"
                                + " * 1000)::bigint + CASE i % 10 WHEN 0 THEN -200000000 ELSE 600000 END,"
                                + " gen_random_uuid()::text, 1, 1, 1, 1 FROM generate_series(" + rows + ", "
                                + (target - 1) + ") i ON CONFLICT DO NOTHING");
                statement.execute("ANALYZE snowcast_nodes");
                rows = target;
                long start = System.nanoTime();
                for (int i = 0; i < 200; i++) {
                    attachOneOfAMillion(coordinator);
                }
                double attach = millis(start) / 200;
                start = System.nanoTime();
                coordinator.status(List.of());
                System.out.printf("%d rows: attach %.2f ms, status %.0f ms%n", target, attach, millis(start));
            }
        }
    }

    private static void attachOneOfAMillion(JdbcCoordinator coordinator) {
        Definition definition = new Definition(0, new SnowcastLayout(41, 16, 6), 1, null);
        Grant grant = coordinator.attach(
                new AttachRequest("orders", definition, 0, UUID.randomUUID(), 1, System.currentTimeMillis(), 0, -1));
        assertThat(grant).isNotNull();
    }

    private static void renewAll(PostgresServer server, JdbcCoordinator coordinator, List<Grant> grants, int batch)
            throws Exception {
        Duration before = server.processorTime();
        long start = System.nanoTime();
        for (int from = 0; from < HOLDERS; from += batch) {
            extend(coordinator, grants.subList(from, from + batch));
        }
        double perSecond = 1_000 * HOLDERS / millis(start);
        double cpuMillis = server.processorTime().minus(before).toMillis() / (double) HOLDERS;
        System.out.printf(
                "renewals in batches of %d: %.0f per second; %.2f ms of a processor each, so %.2f %% of one for %.1f per second%n",
                batch, perSecond, cpuMillis, cpuMillis * RENEWALS_PER_SECOND / 10, RENEWALS_PER_SECOND);
    }

    private static double millis(long startNanos) {
        return (System.nanoTime() - startNanos) / 1e6;
    }

    private static void extend(JdbcCoordinator coordinator, List<Grant> grants) {
        List<ExtendRequest> requests = grants.stream()
                .map(grant -> JdbcCoordinatorTest.extension("orders", grant))
                .toList();
        List<ExtendReply> replies =
                coordinator.extend(requests).toCompletableFuture().join();
        assertThat(replies).extracting(ExtendReply::outcome).containsOnly(ExtendReply.Outcome.EXTENDED);
    }
}
