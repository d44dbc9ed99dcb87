// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.tests.Await;
import com.noctarius.snowcast.tests.FreePort;
import com.noctarius.snowcast.tests.store.BlockStoreContract;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/**
 * A MySQL 8.0.15 server whose commits are durable. A test can kill it. The server needs the library libaio. If the
 * system does not have this library, the tests are skipped.
 */
final class MySqlServer implements AutoCloseable, BlockStoreContract.Server {
    private static final Path WORK = Path.of("target", "mysql").toAbsolutePath();
    private static final Path BASE = WORK.resolve("base");

    private final Path own;
    private final int port;
    private Process process;

    private MySqlServer(Path own, int port, Process process) {
        this.own = own;
        this.port = port;
        this.process = process;
    }

    static MySqlServer start() throws Exception {
        unpack();
        requireLibraries();
        Path own = Files.createTempDirectory(WORK, "run");
        require(own, command(own, List.of("--initialize-insecure", "--innodb-log-file-size=16M")));
        int port = FreePort.get();
        MySqlServer server = new MySqlServer(own, port, start(own, port));
        // Kill the server's process if the test's process is terminated.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> server.process.destroyForcibly()));
        server.awaitConnections();
        return server;
    }

    /** Unpacks the server, if this was not done before. Several processes may do this at the same time. */
    private static void unpack() throws Exception {
        if (Files.exists(BASE)) {
            return;
        }
        Path target = Files.createDirectories(WORK.resolve("base-" + UUID.randomUUID()));
        Path archive = WORK.resolve("archive-" + UUID.randomUUID());
        try (InputStream stream =
                Objects.requireNonNull(MySqlServer.class.getResourceAsStream("/mysql-Linux-amd64.tar.gz"))) {
            Files.copy(stream, archive);
        }
        require(WORK, List.of("tar", "-xzf", archive.toString(), "-C", target.toString()));
        Files.delete(archive);
        try {
            Files.move(target, BASE);
        } catch (IOException e) {
            if (!Files.exists(BASE)) {
                throw e;
            }
        }
    }

    private static void requireLibraries() throws Exception {
        Path output = Files.createTempFile(WORK, "version", ".txt");
        if (run(output, List.of(mysqld(), "--version")) != 0) {
            String text = Files.readString(output);
            if (text.contains("libaio")) {
                Assumptions.abort("apt-get install libaio1: " + text);
            }
            throw new AssertionError(text);
        }
    }

    private static String mysqld() {
        return BASE.resolve("bin").resolve("mysqld").toString();
    }

    private static List<String> command(Path own, List<String> more) {
        List<String> command = new ArrayList<>(List.of(
                mysqld(),
                "--no-defaults",
                "--basedir=" + BASE,
                "--lc-messages-dir=" + BASE.resolve("share"),
                "--datadir=" + own.resolve("data")));
        if (System.getProperty("user.name").equals("root")) {
            // The server refuses to run as root without this argument.
            command.add("--user=root");
        }
        command.addAll(more);
        return command;
    }

    private static Process start(Path own, int port) throws IOException {
        // The path of a Unix socket must be short.
        Path socket = Files.createTempDirectory("my").resolve("s");
        List<String> command = command(
                own,
                List.of(
                        "--port=" + port,
                        "--socket=" + socket,
                        "--bind-address=127.0.0.1",
                        "--mysqlx=OFF",
                        "--innodb-buffer-pool-size=32M",
                        "--innodb-log-file-size=16M",
                        "--innodb-flush-log-at-trx-commit=1",
                        "--sync-binlog=1",
                        "--performance-schema=OFF"));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        own.resolve("mysqld.txt").toFile()))
                .start();
    }

    private void awaitConnections() {
        Await.until("a connection to " + this, () -> {
            if (!process.isAlive()) {
                throw new AssertionError("ended with " + process.exitValue() + ": " + this);
            }
            // The only user is root@localhost, so the server must resolve the address of the client to a name.
            try (Connection connection =
                    UrlDataSource.of(url("mysql"), null, null).getConnection()) {
                return connection.isValid(1);
            } catch (SQLException e) {
                return false;
            }
        });
    }

    private static void require(Path directory, List<String> command) throws Exception {
        Path output = Files.createTempFile(directory, "output", ".txt");
        if (run(output, command) != 0) {
            throw new AssertionError(command + ": " + Files.readString(output));
        }
    }

    private static int run(Path output, List<String> command) throws Exception {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        if (!process.waitFor(5, TimeUnit.MINUTES)) {
            process.destroyForcibly();
            throw new AssertionError("does not end: " + command);
        }
        return process.exitValue();
    }

    String createDatabase(String name) throws SQLException {
        Sql.execute(url("mysql"), "CREATE DATABASE " + name);
        return url(name);
    }

    String url(String database) {
        return "jdbc:mysql://127.0.0.1:" + port + "/" + database
                + "?user=root&sslMode=DISABLED&allowPublicKeyRetrieval=true";
    }

    @Override
    public void kill() {
        Signals.kill(process);
    }

    @Override
    public void restart() throws IOException {
        process = start(own, port);
        awaitConnections();
    }

    @Override
    public void close() {
        kill();
    }

    @Override
    public String toString() {
        return "MySQL in " + own + " on port " + port;
    }
}
