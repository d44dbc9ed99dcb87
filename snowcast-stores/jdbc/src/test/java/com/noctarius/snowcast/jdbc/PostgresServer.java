// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.tests.Await;
import com.noctarius.snowcast.tests.FreePort;
import com.noctarius.snowcast.tests.WallClock;
import com.noctarius.snowcast.tests.store.BlockStoreContract;
import io.zonky.test.db.postgres.embedded.DefaultPostgresBinaryResolver;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A PostgreSQL server. A test can kill and freeze the server, and start standbys. */
public final class PostgresServer implements AutoCloseable, BlockStoreContract.Server {
    private static final Path WORK = Path.of("target", "postgres").toAbsolutePath();

    private static final Path BINARIES = WORK.resolve("binaries");

    private final Path data;
    private final Path binaries;
    private final String fsync;
    private EmbeddedPostgres server;

    private PostgresServer(Path data, Path binaries, String fsync, EmbeddedPostgres server) {
        this.data = data;
        this.binaries = binaries;
        this.fsync = fsync;
        this.server = server;
    }

    /** Starts a server whose commits survive a crash of the server, but not of the machine, which no test simulates. */
    public static PostgresServer start() throws IOException {
        return start("off");
    }

    /** Starts a server that also waits for the disk, as a server in production does, to measure its rates. */
    static PostgresServer startToMeasure() throws IOException {
        return start("on");
    }

    private static PostgresServer start(String fsync) throws IOException {
        Files.createDirectories(WORK);
        Path data = Files.createTempDirectory(WORK, "data");
        return new PostgresServer(data, BINARIES, fsync, start(data, BINARIES, fsync, FreePort.get()));
    }

    /**
     * Starts a server with the given wall clock. The server also has this clock after a restart, and so do its
     * standbys.
     *
     * @param directory an empty directory for the server's programs, which remain there
     */
    static PostgresServer startWithClock(WallClock clock, Path directory) throws IOException {
        Files.createDirectories(WORK);
        Path data = Files.createTempDirectory(WORK, "data");
        PostgresServer server =
                new PostgresServer(data, directory, "off", start(data, directory, "off", FreePort.get()));
        server.server.close();
        try (Stream<Path> files = Files.walk(directory)) {
            Path program = files.filter(file -> file.endsWith("bin/postgres"))
                    .findFirst()
                    .orElseThrow();
            Path real = Files.move(program, program.resolveSibling("postgres-real"));
            Files.writeString(
                    program, "#!/bin/sh\nexec " + String.join(" ", clock.wrapper()) + " " + real + " \"$@\"\n");
            Files.setPosixFilePermissions(program, Files.getPosixFilePermissions(real));
        }
        server.restart();
        return server;
    }

    @SuppressWarnings("UnnecessaryMethodReference") // Each start must pass another object.
    private static EmbeddedPostgres start(Path data, Path binaries, String fsync, int port) throws IOException {
        return EmbeddedPostgres.builder()
                .setPort(port)
                .setOverrideWorkingDirectory(binaries.toFile())
                // Pass another object each time, because the library caches the directory of the binaries with this
                // object as the key.
                .setPgBinaryResolver(DefaultPostgresBinaryResolver.INSTANCE::getPgBinary)
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .setServerConfig("fsync", fsync)
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("max_connections", "150")
                .setServerConfig("logging_collector", "on")
                .setServerConfig("log_directory", "messages")
                .setServerConfig("shared_buffers", "16MB")
                .setPGStartupWait(Duration.ofMinutes(3))
                .start();
    }

    String createDatabase(String name) throws SQLException {
        execute("CREATE DATABASE " + name);
        return url(name);
    }

    int port() {
        return server.getPort();
    }

    public String url(String database) {
        return server.getJdbcUrl("postgres", database);
    }

    // --- fail-over

    /** Starts a standby with asynchronous replication from this server. */
    public PostgresServer startStandby() throws Exception {
        Path copy = Files.createTempDirectory(WORK, "standby");
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_backup_start('standby', true)");
            copyData(copy);
            try (ResultSet rows = statement.executeQuery("SELECT labelfile FROM pg_backup_stop(false)")) {
                rows.next();
                Files.writeString(copy.resolve("backup_label"), rows.getString(1));
            }
        }
        Files.createFile(copy.resolve("standby.signal"));
        Files.writeString(
                copy.resolve("postgresql.auto.conf"),
                "primary_conninfo = 'host=127.0.0.1 user=postgres port=" + server.getPort() + "'\n",
                StandardOpenOption.APPEND);
        return new PostgresServer(copy, binaries, fsync, start(copy, binaries, fsync, FreePort.get()));
    }

    private void copyData(Path copy) throws IOException {
        try (Stream<Path> files = Files.walk(data)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Path target = copy.resolve(data.relativize(file));
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else if (!file.getFileName().toString().startsWith("postmaster.")
                        && !file.getFileName().toString().equals("epg-lock")) {
                    Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
        Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rwx------"));
    }

    /** Waits until this standby has replayed all present commits of the primary. */
    public void awaitReplay(PostgresServer primary) throws SQLException {
        String position = primary.text("SELECT pg_current_wal_flush_lsn()");
        Await.until(
                "the standby has replayed up to " + position,
                () -> text("SELECT pg_last_wal_replay_lsn() >= '" + position + "'")
                        .equals("t"));
    }

    /** Stops the replication to this standby, which lags from now on. */
    public void stopReplication() throws SQLException {
        execute("ALTER SYSTEM SET primary_conninfo = ''", "SELECT pg_reload_conf()");
        Await.until(
                "nothing is received",
                () -> text("SELECT COUNT(*) FROM pg_stat_wal_receiver").equals("0"));
    }

    /** Promotes this standby, on the port of the dead primary. */
    public void takeOver(PostgresServer dead) throws Exception {
        int port = dead.server.getPort();
        dead.server.close();
        server.close();
        server = start(data, binaries, fsync, port);
        text("SELECT pg_promote(true, 180)");
    }

    /** Restarts this server in its former state, after the server that replaced it was killed. */
    void takeBack(PostgresServer dead) throws IOException {
        dead.server.close();
        restart();
    }

    /** Returns the first column of the first row of a query on this server. */
    String text(String query) throws SQLException {
        return Sql.text(url("postgres"), query);
    }

    /** Executes statements in the database {@code postgres}. */
    void execute(String... statements) throws SQLException {
        Sql.execute(url("postgres"), statements);
    }

    /** Returns what the server has logged since its data directory was created. */
    List<String> messages() throws IOException {
        List<String> all = new ArrayList<>();
        try (Stream<Path> files = Files.list(data.resolve("messages"))) {
            for (Path file : files.sorted().toList()) {
                all.addAll(Files.readAllLines(file));
            }
        }
        return all;
    }

    // --- synchronous standbys

    /** Makes commits wait for a synchronous standby that does not exist. */
    void waitForMissingStandby() throws SQLException {
        execute("ALTER SYSTEM SET synchronous_standby_names = 'missing_standby'", "SELECT pg_reload_conf()");
        Await.until("it is set", this::isStandbyWaitedFor);
    }

    void waitForNoStandby() throws SQLException {
        execute("ALTER SYSTEM RESET synchronous_standby_names", "SELECT pg_reload_conf()");
        Await.until("it is reset", () -> !isStandbyWaitedFor());
    }

    private boolean isStandbyWaitedFor() throws SQLException {
        return !text("SHOW synchronous_standby_names").isEmpty();
    }

    // --- faults

    @Override
    public void kill() throws Exception {
        List<ProcessHandle> processes = processes();
        processes.forEach(ProcessHandle::destroyForcibly);
        for (ProcessHandle process : processes) {
            process.onExit().get(3, TimeUnit.MINUTES);
        }
    }

    @Override
    public void restart() throws IOException {
        // Even if the server is dead, the library holds a lock on the directory until close() is called.
        server.close();
        server = start(data, binaries, fsync, server.getPort());
    }

    /** Suspends the server's processes at any point of their work. Their sockets stay open. */
    public void freeze() throws Exception {
        signal("-STOP");
    }

    public void thaw() throws Exception {
        signal("-CONT");
    }

    /** Sends a signal to all processes of the server. A process of a connection may have exited meanwhile. */
    private void signal(String signal) throws Exception {
        List<ProcessHandle> processes = processes();
        List<String> command = Stream.concat(
                        Stream.of("kill", signal), processes.stream().map(process -> Long.toString(process.pid())))
                .toList();
        if (new ProcessBuilder(command).start().waitFor() != 0
                && processes.stream().allMatch(ProcessHandle::isAlive)) {
            throw new AssertionError("failed: " + command);
        }
    }

    /** Returns the processor time that the running processes of the server have used. */
    Duration processorTime() throws IOException {
        return processes().stream()
                .map(process -> process.info().totalCpuDuration().orElse(Duration.ZERO))
                .reduce(Duration.ZERO, Duration::plus);
    }

    private List<ProcessHandle> processes() throws IOException {
        String pid = Files.readAllLines(data.resolve("postmaster.pid")).get(0);
        ProcessHandle postmaster =
                ProcessHandle.of(Long.parseLong(pid)).orElseThrow(() -> new AssertionError("no process " + pid));
        return Stream.concat(Stream.of(postmaster), postmaster.descendants()).toList();
    }

    @Override
    public void close() throws IOException {
        server.close();
        delete(data);
    }

    static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
