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

/** One node of a {@link CassandraCluster}, in its own process. Not thread-safe. */
public final class CassandraNode {
    private static final int CQL_PORT = 9042;
    private static final Duration READY_AT_MOST = Duration.ofMinutes(10);
    private static final Duration ANSWER_AT_MOST = Duration.ofMinutes(10);

    private final String address;
    private final String datacenter;
    private final Path directory;
    private final List<String> jvmFlags;
    private @Nullable Running running;

    /** The process of the node, its input, and the answers that it has printed. */
    private record Running(Process process, Writer in, BlockingQueue<String> answers) {}

    CassandraNode(String address, String datacenter, Path directory, List<String> jvmFlags) {
        this.address = address;
        this.datacenter = datacenter;
        this.directory = directory;
        this.jvmFlags = jvmFlags;
    }

    /** Returns the address and port for clients. */
    public InetSocketAddress address() {
        return new InetSocketAddress(address, CQL_PORT);
    }

    public String datacenter() {
        return datacenter;
    }

    String host() {
        return address;
    }

    // --- faults

    /** Kills the node as {@code kill -9} does, and waits until its process has ended. */
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

    /** Starts the node again with its data, and waits until it serves requests. */
    public void restart() {
        launch();
        awaitReady();
    }

    /** Makes the node write the data of a keyspace to data files, so that the data survive a loss of its commit log. */
    public void flush(String keyspace) {
        command("flush " + keyspace);
    }

    /** Suspends the process at an arbitrary point of its work. Its sockets stay open. */
    public void freeze() {
        signal("-STOP");
    }

    public void thaw() {
        signal("-CONT");
    }

    /**
     * Sets the wall clock of the node.
     *
     * @param offset how far the clock is ahead of the real time; negative if it is behind
     */
    public void setClock(Duration offset) {
        command("clock " + offset.toMillis());
    }

    /**
     * Drops and delays messages that this node sends to another node, until {@link CassandraCluster#heal()}.
     *
     * @param name the name of this rule, which replaces an earlier rule with that name
     * @param verbs a regular expression for the kinds of messages, such as {@code PAXOS.*}
     * @param receiver the other node
     * @param dropPercent the percentage of these messages to drop
     * @param minDelayMillis the minimum delay of the messages that are not dropped
     * @param maxDelayMillis the maximum delay of these messages
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
     * Writes the configuration of the node, which is number {@code index} of {@code count} nodes. A single node gets
     * long time-outs, so that on a busy machine it answers late rather than not at all.
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

    /** Starts the process. Does not wait until the node serves requests. */
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
            // The process has ended, which await() detects.
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
                // A string, because NodeMain needs Cassandra, which is not on the class path of this JVM.
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
