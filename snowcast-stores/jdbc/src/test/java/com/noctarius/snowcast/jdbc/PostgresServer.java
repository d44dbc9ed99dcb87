// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.tests.store.BlockStoreContract;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A PostgreSQL server whose commits are durable, and which can be killed and frozen. */
final class PostgresServer implements AutoCloseable, BlockStoreContract.Server {
    private static final Path WORK = Path.of("target", "postgres").toAbsolutePath();

    private final Path data;
    private final String fsync;
    private EmbeddedPostgres server;

    private PostgresServer(Path data, String fsync, EmbeddedPostgres server) {
        this.data = data;
        this.fsync = fsync;
        this.server = server;
    }

    static PostgresServer start() throws IOException {
        return start("on");
    }

    /** Commits outlive a crash of the server, and not one of the machine. */
    static PostgresServer startWithoutSync() throws IOException {
        return start("off");
    }

    private static PostgresServer start(String fsync) throws IOException {
        Files.createDirectories(WORK);
        Path data = Files.createTempDirectory(WORK, "data");
        return new PostgresServer(data, fsync, start(data, fsync, 0));
    }

    private static EmbeddedPostgres start(Path data, String fsync, int port) throws IOException {
        EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
                .setOverrideWorkingDirectory(WORK.resolve("binaries").toFile())
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .setServerConfig("fsync", fsync)
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("max_connections", "150")
                .setServerConfig("shared_buffers", "16MB")
                .setPGStartupWait(Duration.ofMinutes(3));
        if (port != 0) {
            builder.setPort(port);
        }
        return builder.start();
    }

    /** Makes a database; returns its URL. */
    String createDatabase(String name) throws SQLException {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + name);
        }
        return url(name);
    }

    String url(String database) {
        return server.getJdbcUrl("postgres", database);
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
        // It holds a lock on the directory for as long as it is open, dead or not.
        server.close();
        server = start(data, fsync, server.getPort());
    }

    /** Stops the server in the middle of whatever it does; its sockets stay open. */
    void freeze() throws Exception {
        signal("-STOP");
    }

    void thaw() throws Exception {
        signal("-CONT");
    }

    private void signal(String signal) throws Exception {
        List<String> command = Stream.concat(
                        Stream.of("kill", signal), processes().stream().map(process -> Long.toString(process.pid())))
                .toList();
        if (new ProcessBuilder(command).start().waitFor() != 0) {
            throw new AssertionError("failed: " + command);
        }
    }

    /** The postmaster and its children. */
    private List<ProcessHandle> processes() throws IOException {
        String pid = Files.readAllLines(data.resolve("postmaster.pid")).get(0);
        ProcessHandle postmaster =
                ProcessHandle.of(Long.parseLong(pid)).orElseThrow(() -> new AssertionError("no process " + pid));
        return Stream.concat(Stream.of(postmaster), postmaster.descendants()).toList();
    }

    @Override
    public void close() throws IOException {
        server.close();
        try (Stream<Path> files = Files.walk(data)) {
            for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
