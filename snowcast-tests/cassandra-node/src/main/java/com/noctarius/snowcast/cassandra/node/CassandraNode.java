// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra.node;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.math.BigInteger;
import java.net.InetSocketAddress;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One node of a {@link CassandraCluster}, in a process of its own. Not thread-safe. */
public final class CassandraNode {
    private static final int CQL_PORT = 9042;
    private static final Duration READY_AT_MOST = Duration.ofMinutes(3);
    private static final Duration ANSWER_AT_MOST = Duration.ofMinutes(3);

    private final String address;
    private final String datacenter;
    private final Path directory;
    private final List<String> jvmFlags;
    private @Nullable Running running;

    /** A process, and what it says. */
    private record Running(Process process, Writer in, BlockingQueue<String> answers) {}

    CassandraNode(String address, String datacenter, Path directory, List<String> jvmFlags) {
        this.address = address;
        this.datacenter = datacenter;
        this.directory = directory;
        this.jvmFlags = jvmFlags;
    }

    /**
     * Returns where clients connect to.
     *
     * @return the address and port
     */
    public InetSocketAddress address() {
        return new InetSocketAddress(address, CQL_PORT);
    }

    /**
     * Returns which datacenter it belongs to.
     *
     * @return the name
     */
    public String datacenter() {
        return datacenter;
    }

    String host() {
        return address;
    }

    // --- faults

    /** Kills it as {@code kill -9} does, and waits until it is dead. */
    public void kill() {
        Running present = running;
        if (present == null) {
            return;
        }
        present.process.destroyForcibly();
        try {
            if (!present.process.waitFor(3, TimeUnit.MINUTES)) {
                throw new IllegalStateException("still alive: " + this);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } finally {
            running = null;
        }
    }

    /** Starts it again with the data it had, and waits until it serves. */
    public void restart() {
        launch();
        awaitReady();
    }

    /**
     * Writes what it has of a keyspace into files, so that it keeps that without its commit log.
     *
     * @param keyspace the name of the keyspace
     */
    public void flush(String keyspace) {
        command("flush " + keyspace);
    }

    /** Stops the process in the middle of whatever it does; its sockets stay open. */
    public void freeze() {
        signal("-STOP");
    }

    /** Ends {@link #freeze()}. */
    public void thaw() {
        signal("-CONT");
    }

    /**
     * Sets its wall clock.
     *
     * @param offset how much later than it is
     */
    public void setClock(Duration offset) {
        command("clock " + offset.toMillis());
    }

    /**
     * Drops and delays messages that it sends to other nodes, until {@link CassandraCluster#heal()}.
     *
     * @param name of the rule; replaces another one of that name
     * @param verbs a regular expression for the kinds of messages, such as {@code PAXOS.*}
     * @param receiver the other node
     * @param dropPercent how many of them are dropped
     * @param minDelayMillis how long the others are delayed at least
     * @param maxDelayMillis and at most
     */
    public void disturb(
            String name,
            String verbs,
            CassandraNode receiver,
            int dropPercent,
            int minDelayMillis,
            int maxDelayMillis) {
        command("rule %s %s %s %d %d %d"
                .formatted(
                        name,
                        verbs,
                        receiver.address.replace(".", "\\."),
                        dropPercent,
                        minDelayMillis,
                        maxDelayMillis));
    }

    private void signal(String signal) {
        List<String> command =
                List.of("kill", signal, Long.toString(running().process.pid()));
        try {
            if (new ProcessBuilder(command).start().waitFor() != 0) {
                throw new IllegalStateException("failed: " + command);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    // --- the process

    /**
     * Writes its configuration; {@code index} of {@code count} nodes. Alone it cannot be cut off, and is to answer late
     * rather than not on a machine that is busy.
     */
    void configure(int index, int count, String seeds, Map<String, String> settings) throws IOException {
        Files.createDirectories(directory.resolve("log"));
        Files.createDirectories(directory.resolve("tmp"));
        BigInteger token = BigInteger.TWO
                .pow(64)
                .divide(BigInteger.valueOf(count))
                .multiply(BigInteger.valueOf(index))
                .subtract(BigInteger.TWO.pow(63));
        String yaml = resource("/cassandra-node.yaml")
                .replace("@timeout@", count == 1 ? "120s" : "3s")
                .replace("@token@", token.toString())
                .replace("@address@", address)
                .replace("@seeds@", seeds)
                .replace("@directory@", directory.toString());
        for (Map.Entry<String, String> setting : settings.entrySet()) {
            yaml = yaml.replaceAll("(?m)^" + setting.getKey() + ":.*$", "") + '\n' + setting.getKey() + ": "
                    + setting.getValue() + '\n';
        }
        Files.writeString(directory.resolve("cassandra.yaml"), yaml);
        Files.writeString(directory.resolve("rackdc.properties"), "dc=" + datacenter + "\nrack=r1\n");
    }

    /** Starts the process; does not wait for it. */
    void launch() {
        try {
            Process process = new ProcessBuilder(commandLine())
                    .directory(directory.toFile())
                    .redirectError(directory.resolve("log/stderr.txt").toFile())
                    .start();
            Running started = new Running(process, process.outputWriter(), new LinkedBlockingQueue<>());
            Thread reader = new Thread(() -> read(started), "cassandra " + address);
            reader.setDaemon(true);
            reader.start();
            running = started;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void read(Running started) {
        try (BufferedReader out = started.process.inputReader()) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                if (line.equals("READY") || line.startsWith("OK ")) {
                    started.answers.add(line);
                }
            }
        } catch (IOException e) {
            // It is dead; whoever waits for an answer sees that.
        }
    }

    private List<String> commandLine() throws IOException {
        List<String> command = new ArrayList<>(List.of(NodeJava.executable().toString()));
        command.addAll(NodeJava.flags());
        command.addAll(jvmFlags);
        command.addAll(List.of(
                "-Djava.io.tmpdir=" + directory.resolve("tmp"),
                "-Dcassandra.config=file://" + directory.resolve("cassandra.yaml"),
                "-Dcassandra-rackdc.properties=file://" + directory.resolve("rackdc.properties"),
                "-Dcassandra.storagedir=" + directory,
                "-Dcassandra.logdir=" + directory.resolve("log"),
                "-cp",
                classPath(),
                // By name: its class needs Cassandra, which is not on the class path here.
                "com.noctarius.snowcast.cassandra.node.NodeMain"));
        return command;
    }

    private static String classPath() throws IOException {
        try {
            Path own = Path.of(CassandraNode.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            return own
                    + System.getProperty("path.separator")
                    + resource("/cassandra.classpath").strip();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String resource(String name) throws IOException {
        try (InputStream stream = Objects.requireNonNull(CassandraNode.class.getResourceAsStream(name), name)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    void awaitReady() {
        String line = await(READY_AT_MOST);
        if (!line.equals("READY")) {
            throw new IllegalStateException(this + " should have said READY: " + line);
        }
    }

    String command(String line) {
        Running present = running();
        try {
            present.in.write(line + "\n");
            present.in.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(this + " does not listen", e);
        }
        return await(ANSWER_AT_MOST).substring("OK ".length());
    }

    private String await(Duration atMost) {
        Running present = running();
        long deadline = System.nanoTime() + atMost.toNanos();
        try {
            while (true) {
                String line = present.answers.poll(100, TimeUnit.MILLISECONDS);
                if (line != null) {
                    return line;
                }
                if (!present.process.isAlive() || System.nanoTime() - deadline > 0) {
                    throw new IllegalStateException((present.process.isAlive() ? "no answer within " + atMost : "dead")
                            + ": " + this + "\n" + lastLines());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private String lastLines() {
        StringBuilder lines = new StringBuilder();
        for (String name : List.of("stderr.txt", "system.log")) {
            Path file = directory.resolve("log").resolve(name);
            if (Files.exists(file)) {
                try (Stream<String> all = Files.lines(file)) {
                    List<String> read = all.toList();
                    read.subList(Math.max(0, read.size() - 20), read.size())
                            .forEach(line -> lines.append(line).append('\n'));
                } catch (IOException e) {
                    lines.append(e);
                }
            }
        }
        return lines.toString();
    }

    private Running running() {
        Running present = running;
        if (present == null) {
            throw new IllegalStateException("not started: " + this);
        }
        return present;
    }

    @Override
    public String toString() {
        return "CassandraNode{" + address + ", datacenter=" + datacenter + ", directory=" + directory + '}';
    }
}
