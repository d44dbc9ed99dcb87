// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.tests.FreePort;
import com.noctarius.snowcast.tests.store.BlockStoreContract;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.h2.tools.Server;

/** An H2 server in its own process, with databases in files. The process exits when the test's process ends. */
final class H2Server implements AutoCloseable, BlockStoreContract.Server {
    private final Path directory;
    private final int port;
    private Process process;

    private H2Server(Path directory, int port, Process process) {
        this.directory = directory;
        this.port = port;
        this.process = process;
    }

    static H2Server start(Path directory) throws IOException {
        Files.createDirectories(directory);
        int port = FreePort.get();
        return new H2Server(directory, port, start(directory, port));
    }

    private static Process start(Path directory, int port) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        Integer.toString(port),
                        directory.toAbsolutePath().toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("h2.txt").toFile())
                .start();
        awaitPort(port, process);
        return process;
    }

    private static void awaitPort(int port, Process process) {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(3);
        while (System.nanoTime() - deadline < 0 && process.isAlive()) {
            try {
                new Socket(InetAddress.getLoopbackAddress(), port).close();
                return;
            } catch (IOException e) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            }
        }
        throw new AssertionError("H2 does not listen on " + port);
    }

    static final class Main {
        private Main() {}

        public static void main(String[] arguments) throws Exception {
            Server.createTcpServer("-tcpPort", arguments[0], "-baseDir", arguments[1], "-ifNotExists")
                    .start();
            while (System.in.read() >= 0) {
                // The test's process writes nothing. The stream ends when that process ends.
            }
            System.exit(0);
        }
    }

    /**
     * Returns the URL of a database, which H2 creates at the first connection. The database stays open while it has no
     * connections, so that H2 does not have to open its files again.
     */
    String url(String database) {
        return "jdbc:h2:tcp://127.0.0.1:" + port + "/./" + database + ";USER=sa;WRITE_DELAY=0;DB_CLOSE_DELAY=-1";
    }

    @Override
    public void kill() {
        Signals.kill(process);
    }

    @Override
    public void restart() throws IOException {
        process = start(directory, port);
    }

    @Override
    public void close() {
        kill();
    }
}
