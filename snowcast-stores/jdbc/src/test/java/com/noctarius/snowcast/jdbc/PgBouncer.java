// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.tests.Await;
import com.noctarius.snowcast.tests.FreePort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A PgBouncer in front of a PostgreSQL server, in transaction mode, without support for prepared statements. */
final class PgBouncer implements AutoCloseable {
    private static final Path BINARY = Path.of("/usr/sbin/pgbouncer");
    static final String MISSING = "PgBouncer is missing: Debian's package pgbouncer has it";

    private final Process process;
    private final int port;

    private PgBouncer(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    static boolean isInstalled() {
        return Files.isExecutable(BINARY);
    }

    /**
     * Starts a PgBouncer.
     *
     * @param directory the directory for its files
     * @param databases the lines of the section {@code [databases]}, without the address of the server
     */
    static PgBouncer start(Path directory, int serverPort, String... databases) throws IOException {
        int port = FreePort.get();
        Path settings = directory.resolve("pgbouncer.ini");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        List<String> lines = new ArrayList<>(List.of("[databases]"));
        for (String database : databases) {
            lines.add(database + " host=127.0.0.1 user=postgres port=" + serverPort);
        }
        lines.addAll(List.of(
                "[pgbouncer]",
                "listen_addr = 127.0.0.1",
                "listen_port = " + port,
                "unix_socket_dir =",
                "auth_type = any",
                "pool_mode = transaction",
                "default_pool_size = 3",
                "server_login_retry = 1",
                knowsPreparedStatements() ? "max_prepared_statements = 0" : "",
                "ignore_startup_parameters = extra_float_digits",
                ""));
        Files.write(settings, lines);
        // PgBouncer refuses to run as root.
        List<String> command = new ArrayList<>(List.of(BINARY.toString()));
        if ("root".equals(System.getProperty("user.name"))) {
            command.addAll(List.of("-u", "nobody"));
        }
        command.add(settings.toString());
        Path log = directory.resolve("pgbouncer.txt");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        Await.until("PgBouncer", () -> answers(port) || !process.isAlive());
        assertThat(process.isAlive()).as(Files.readString(log)).isTrue();
        return new PgBouncer(process, port);
    }

    /** Returns whether this version supports prepared statements in transaction mode: 1.21 or later. */
    private static boolean knowsPreparedStatements() throws IOException {
        Process version = new ProcessBuilder(BINARY.toString(), "--version").start();
        String text = new String(version.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        Matcher minor = Pattern.compile("PgBouncer 1\\.([0-9]+)").matcher(text);
        return !minor.find() || Integer.parseInt(minor.group(1)) >= 21;
    }

    private static boolean answers(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    int port() {
        return port;
    }

    @Override
    public void close() {
        Signals.kill(process);
    }
}
