// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.noctarius.snowcast.tests.store.BlockStoreContract;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Leases in SQL, with processes that are killed and frozen, and a database that crashes, is paused, is restored, fails
 * over to a standby that lags, or whose clock is set. Each test lasts {@code -Dlease.minutes}; {@code -Dsnowcast.seed}
 * repeats the order.
 */
@Tag("faults")
class LeaseProcessesTest {
    private static final Duration DURATION = Duration.ofMinutes(Long.getLong("lease.minutes", 1));
    private static final String[] OF_ALL = {
        "a process is killed",
        "pauses longer than a lease",
        "the server is killed",
        "the server is frozen",
        "attached to another node ID",
        "node IDs granted to another process"
    };

    @TempDir
    private Path directory;

    @SuppressWarnings("NullAway.Init")
    private PostgresServer postgres;

    @Test
    void noIdComesTwiceFromPostgres() throws Exception {
        postgres = PostgresServer.start();
        try (LeaseProcesses processes = start(postgres.url("postgres"))) {
            onPostgres(processes);
            processes.with("the database fails over", () -> failOver(processes));
            processes.with("the database is restored", processes::restore);
            run("PostgreSQL", processes);
            assertReached(
                    processes,
                    "the database fails over",
                    "the database is restored",
                    "losses with grants forgotten",
                    "losses noted in the tables",
                    LeaseProcesses.TAKEN_OVER);
            assertThat(processes.counts().get("losses with grants forgotten")).isGreaterThan(1);
        } finally {
            postgres.close();
        }
    }

    @Test
    void noIdComesTwiceWhereTheClockOfTheDatabaseIsSet() throws Exception {
        assumeTrue(PostgresServer.canSetClock(), "needs libfaketime");
        postgres = PostgresServer.startWithClock();
        try (LeaseProcesses processes = start(postgres.url("postgres"))) {
            onPostgres(processes);
            processes.with("the clock is set for a while", () -> setClock(processes));
            run("PostgreSQL with a clock that is set", processes);
            assertReached(processes, "the clock is set for a while");
        } finally {
            postgres.close();
        }
    }

    @Test
    void noIdComesTwiceFromMaria() throws Exception {
        try (MariaServer maria = MariaServer.start();
                LeaseProcesses processes = start(maria.createDatabase("leases"))) {
            processes.with("the server is killed", () -> kill(processes, maria));
            processes.with("the server is frozen", () -> {
                maria.freeze();
                processes.pass(longOrShort(processes));
                maria.thaw();
            });
            run("MariaDB", processes);
            assertReached(processes);
        }
    }

    private LeaseProcesses start(String url) {
        long seed = Long.getLong("snowcast.seed", new Random().nextLong());
        System.out.println("-Dsnowcast.seed=" + seed);
        return new LeaseProcesses(url, directory, seed);
    }

    private static void run(String what, LeaseProcesses processes) throws Exception {
        processes.run(DURATION);
        System.out.println(what + ", " + DURATION + ": " + processes.counts());
    }

    private static void assertReached(LeaseProcesses processes, String... rare) {
        for (String[] all : new String[][] {OF_ALL, rare}) {
            for (String what : all) {
                assertThat(processes.counts().getOrDefault(what, 0)).as(what).isPositive();
            }
        }
    }

    // --- what happens to the database

    /** From a fraction of a lease to twice the shorter one. */
    private static Duration longOrShort(LeaseProcesses processes) {
        return Duration.ofMillis(100 + processes.random(6_000));
    }

    private void onPostgres(LeaseProcesses processes) {
        processes.with("the server is killed", () -> kill(processes, postgres));
        processes.with("the server is frozen", () -> {
            postgres.freeze();
            processes.pass(longOrShort(processes));
            postgres.thaw();
        });
    }

    private static void kill(LeaseProcesses processes, BlockStoreContract.Server server) throws Exception {
        server.kill();
        processes.pass(longOrShort(processes));
        server.restart();
    }

    /** To a standby that lags: it has not heard of the last grants. */
    private void failOver(LeaseProcesses processes) throws Exception {
        PostgresServer primary = postgres;
        PostgresServer standby = primary.startStandby();
        standby.awaitReplay(primary);
        standby.stopReplication();
        processes.replaceProcess().awaitMore(20);
        processes.loses(grants(standby), grants(primary));
        primary.kill();
        standby.takeOver(primary);
        postgres = standby;
        primary.close();
    }

    private static Set<String> grants(PostgresServer server) throws Exception {
        try (Connection connection = LeaseProcesses.connect(server.url("postgres"))) {
            return LeaseProcesses.grants(connection);
        }
    }

    /** By more than the skew mostly, so that no process attaches, and back. */
    private void setClock(LeaseProcesses processes) throws IOException {
        postgres.setClock(Duration.ofMillis(processes.random(40_000) - 20_000));
        processes.pass(longOrShort(processes));
        postgres.setClock(Duration.ofMillis(processes.random(1_000) - 500));
    }
}
