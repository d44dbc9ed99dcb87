// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.jdbc.LeaseProcesses.State;
import com.noctarius.snowcast.jdbc.LeaseProcesses.Way;
import com.noctarius.snowcast.tests.Await;
import com.noctarius.snowcast.tests.Relay;
import com.noctarius.snowcast.tests.WallClock;
import com.noctarius.snowcast.tests.store.BlockStoreContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests sequencers, node leases for other generators, and integers in SQL with several processes. Processes are killed
 * and frozen, and the network hangs and breaks. The database crashes, is paused, and is restored in several ways, and
 * its rows are locked. PostgreSQL also fails over to a standby that lags, and back. The clock of the database is set,
 * which needs a C compiler. Each test lasts {@code -Dlease.minutes} or longer, until each fault has happened.
 * {@code -Dsnowcast.seed} sets the seed of the random choices. On PostgreSQL, some processes use PgBouncer, if it is
 * installed.
 */
@Tag("faults")
class LeaseProcessesTest {
    private static final Duration DURATION = Duration.ofMinutes(Long.getLong("lease.minutes", 1));
    private static final String DATABASE = "leases";
    private static final Duration HOUR = Duration.ofHours(1);

    @TempDir
    private Path directory = Path.of("");

    private final List<AutoCloseable> closed = new ArrayList<>();

    @SuppressWarnings("NullAway.Init")
    private PostgresServer postgres;

    @SuppressWarnings("NullAway.Init")
    private LeaseProcesses processes;

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable each : closed) {
            each.close();
        }
    }

    @Test
    void noIdComesTwiceFromPostgres() throws Exception {
        WallClock clock = clock().orElse(null);
        Path binaries = Files.createDirectory(directory.resolve("binaries"));
        postgres = clock == null ? PostgresServer.start() : PostgresServer.startWithClock(clock, binaries);
        closed.add(() -> postgres.close());
        String url = postgres.createDatabase(DATABASE);
        List<Way> ways = new ArrayList<>(List.of(way(url, postgres.port(), "")));
        if (PgBouncer.isInstalled()) {
            PgBouncer pooler = PgBouncer.start(directory, postgres.port(), DATABASE + " = pool_size=10");
            closed.add(0, pooler);
            ways.add(way(url, pooler.port(), "&prepareThreshold=0"));
        } else {
            System.out.println(PgBouncer.MISSING);
        }
        start(url, ways);
        // Pass suppliers, because each fail-over replaces the server.
        withServer(() -> postgres, () -> postgres.freeze(), () -> postgres.thaw(), clock);
        processes.with("the database fails over", this::failOver);
        processes.with("the database fails over and back", this::failOverAndBack);
        processes.with("rows are restored with the mark", this::restoreRows);
        processes.with("a dump creates the tables", this::restoreDump);
        processes.with("a copy by template takes the name of the database", this::restoreTemplate);
        run("PostgreSQL");
    }

    @Test
    void noIdComesTwiceFromMaria() throws Exception {
        WallClock clock = clock().orElse(null);
        MariaServer server = clock == null ? MariaServer.start() : MariaServer.startWithClock(clock);
        closed.add(server);
        String url = server.createDatabase(DATABASE);
        start(url, List.of(way(url, server.port(), "")));
        withServer(() -> server, server::freeze, server::thaw, clock);
        processes.with("rows are restored with the mark", () -> restoreRowsOf(url));
        processes.with("a dump creates the tables", () -> restoreDumpOf(server));
        processes.with("the files are restored", () -> restoreFilesOf(server));
        run("MariaDB");
    }

    private Optional<WallClock> clock() throws IOException {
        Optional<Path> library = WallClock.compile(directory);
        if (library.isEmpty()) {
            System.out.println("No clock is set: cc does not compile a library here");
            return Optional.empty();
        }
        return Optional.of(new WallClock(library.get(), directory, "server"));
    }

    private Way way(String url, int port, String options) throws IOException {
        Relay relay = Relay.to(port);
        closed.add(0, relay);
        return new Way(url.replaceFirst(":[0-9]+/", ":" + relay.port() + "/") + options, relay);
    }

    private void start(String url, List<Way> ways) {
        long seed = Long.getLong("snowcast.seed", new Random().nextLong());
        System.out.println("-Dsnowcast.seed=" + seed);
        processes = new LeaseProcesses(url, ways, directory, seed);
        closed.add(0, processes);
    }

    private void run(String what) throws Exception {
        processes.run(DURATION);
        System.out.println(what + ": " + processes.counts());
        List<String> reached = new ArrayList<>(processes.faults());
        reached.addAll(List.of(
                "pauses longer than a lease",
                "attached to another node ID",
                "node IDs granted to another process",
                "losses with grants forgotten",
                "losses noted in the tables",
                "integers recovered",
                LeaseProcesses.TAKEN_OVER));
        assertThat(reached)
                .allSatisfy(each -> assertThat(processes.counts().getOrDefault(each, 0))
                        .as(each)
                        .isPositive());
    }

    // --- faults of a server

    private interface Present {
        BlockStoreContract.Server server();
    }

    private void withServer(
            Present present, LeaseProcesses.Fault freeze, LeaseProcesses.Fault thaw, @Nullable WallClock clock) {
        processes.with("the server is killed", () -> {
            BlockStoreContract.Server server = present.server();
            server.kill();
            processes.pass(processes.longOrShort());
            server.restart();
        });
        processes.with("the server is frozen", () -> {
            freeze.happen();
            processes.pass(processes.longOrShort());
            thaw.happen();
        });
        if (clock != null) {
            processes.with("the clock of the server is an hour ahead", () -> setClock(clock, HOUR));
            processes.with("the clock of the server is an hour behind", () -> setClock(clock, HOUR.negated()));
        }
    }

    /** Sets the clock wrong for a random time, which is often longer than the short lease. */
    private void setClock(WallClock clock, Duration ahead) {
        clock.setAhead(ahead);
        processes.pass(processes.longOrShort().multipliedBy(2));
        clock.setAhead(Duration.ZERO);
    }

    // --- PostgreSQL

    /**
     * Fails over to a standby that lags, so that it lacks the last grants. Adds the primary's grants to
     * {@code remembered}. Returns the former primary, which is dead.
     */
    private PostgresServer failOver(Set<String> remembered) throws Exception {
        PostgresServer primary = postgres;
        PostgresServer standby = primary.startStandby();
        standby.awaitReplay(primary);
        standby.stopReplication();
        processes.replaceProcess().awaitMore(20);
        remembered.addAll(processes.grants());
        processes.loses(grants(standby.url(DATABASE)), new HashSet<>(remembered));
        primary.kill();
        standby.takeOver(primary);
        postgres = standby;
        return primary;
    }

    private static Set<String> grants(String url) throws SQLException {
        try (Connection connection = LeaseProcesses.connect(url)) {
            return LeaseProcesses.grants(connection);
        }
    }

    private void failOver() throws Exception {
        failOver(new HashSet<>()).close();
    }

    /**
     * Fails over to a standby, and back to the former primary, which starts again in its former state. In between, each
     * process uses the standby, because only a process that has used it can detect the loss.
     */
    private void failOverAndBack() throws Exception {
        Set<String> remembered = new HashSet<>();
        PostgresServer former = failOver(remembered);
        processes.awaitAll();
        processes.replaceProcess();
        processes.awaitAll();
        PostgresServer standby = postgres;
        processes.loses(remembered, processes.grants());
        standby.kill();
        former.takeBack(standby);
        postgres = former;
        processes.awaitNoted();
        standby.close();
    }

    /** Restores rows while processes use the tables. The processes wait for the lock. */
    private void restoreRows() throws Exception {
        State state = processes.state();
        processes.replaceProcess().awaitMore(20);
        processes.thawAll();
        try (Connection connection = LeaseProcesses.connect(postgres.url(DATABASE))) {
            connection.setAutoCommit(false);
            LeaseProcesses.lock(
                    connection, "LOCK TABLE " + String.join(", ", LeaseProcesses.TABLES) + " IN ACCESS EXCLUSIVE MODE");
            processes.loses(state.grants(), LeaseProcesses.grants(connection));
            LeaseProcesses.loadWithMark(state, connection);
            connection.commit();
        }
    }

    /** Drops and restores the tables in one transaction, as {@code pg_restore --clean --single-transaction} does. */
    private void restoreDump() throws Exception {
        State state = processes.state();
        processes.replaceProcess().awaitMore(20);
        processes.thawAll();
        processes.whileCutOff(() -> {
            try (Connection connection = LeaseProcesses.connect(postgres.url(DATABASE));
                    Statement statement = connection.createStatement()) {
                connection.setAutoCommit(false);
                processes.loses(state.grants(), LeaseProcesses.grants(connection));
                statement.execute("DROP TABLE " + String.join(", ", LeaseProcesses.TABLES));
                List<String> creating =
                        new ArrayList<>(Dialect.POSTGRESQL.createStatements(new Tables("id_sequences")));
                creating.addAll(Dialect.POSTGRESQL.leaseStatements(UnaryOperator.identity()));
                for (String create : creating) {
                    statement.execute(create);
                }
                state.tables().restore(connection);
                connection.commit();
            }
        });
    }

    private void restoreTemplate() throws Exception {
        processes.thawAll();
        processes.whileCutOff(() -> execute("CREATE DATABASE backup TEMPLATE " + DATABASE));
        Set<String> remembered = grants(postgres.url("backup"));
        processes.replaceProcess().awaitMore(20);
        processes.thawAll();
        processes.whileCutOff(() -> {
            processes.loses(remembered, processes.grants());
            execute(
                    "ALTER DATABASE " + DATABASE + " RENAME TO former",
                    "ALTER DATABASE backup RENAME TO " + DATABASE,
                    "DROP DATABASE former WITH (FORCE)");
        });
    }

    /** Closes all connections to the database and the backup, then executes the statements. */
    private void execute(String... statements) throws SQLException {
        try (Connection connection = LeaseProcesses.connect(postgres.url("postgres"));
                Statement statement = connection.createStatement()) {
            Await.until("no connection is left", () -> {
                String ofBoth = " FROM pg_stat_activity WHERE datname IN ('backup', '" + DATABASE + "')";
                statement.execute("SELECT pg_terminate_backend(pid)" + ofBoth);
                return postgres.text("SELECT COUNT(*)" + ofBoth).equals("0");
            });
            for (String each : statements) {
                statement.execute(each);
            }
        }
    }

    // --- MariaDB

    private void restoreRowsOf(String url) throws Exception {
        State state = processes.state();
        processes.replaceProcess().awaitMore(20);
        processes.thawAll();
        processes.whileCutOff(() -> {
            try (Connection connection = LeaseProcesses.connect(url)) {
                connection.setAutoCommit(false);
                processes.loses(state.grants(), LeaseProcesses.grants(connection));
                LeaseProcesses.loadWithMark(state, connection);
                connection.commit();
            }
        });
    }

    private void restoreDumpOf(MariaServer server) throws Exception {
        processes.thawAll();
        Path dump = directory.resolve("dump.sql");
        Set<String> remembered = processes.grants();
        server.dump(DATABASE, dump);
        processes.replaceProcess().awaitMore(20);
        processes.thawAll();
        processes.whileCutOff(() -> {
            processes.loses(remembered, processes.grants());
            server.load(DATABASE, dump);
        });
    }

    /** Restores all files of the server from a copy that was made while the server was down. */
    private void restoreFilesOf(MariaServer server) throws Exception {
        Path copy = directory.resolve("copy");
        server.kill();
        server.copyFiles(server.files(), copy);
        server.restart();
        Set<String> remembered = processes.grants();
        processes.replaceProcess().awaitMore(20);
        processes.loses(remembered, processes.grants());
        server.kill();
        server.copyFiles(copy, server.files());
        server.restart();
    }
}
