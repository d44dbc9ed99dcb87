// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.SnowcastLayout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that Hazelcast's client for Node.js gets snowcast's IDs, while processes with snowcast generate IDs of the same
 * sequencer. {@code npm install} puts the client into this module's directory (see {@code .ci/run}).
 */
@Tag("integration")
class NodeClientTest {
    private static final SnowcastLayout LAYOUT = SnowcastLayout.forMaxLogicalNodeCount(128);
    private static final int FEW = 2_000;
    private static final long LEASE_MILLIS = 1_500;
    private static final Path MODULES = Path.of("node_modules");

    private final String clusterName = "snowcast-" + UUID.randomUUID();

    @TempDir
    private Path directory = Path.of("");

    private final List<Process> nodes = new ArrayList<>();

    @BeforeEach
    void requireNode() throws InterruptedException {
        String missing = Files.exists(MODULES.resolve("hazelcast-client")) ? "" : "npm install hazelcast-client@5.7.0";
        try {
            new ProcessBuilder("node", "--version").start().waitFor();
        } catch (IOException e) {
            missing = "node: " + e.getMessage();
        }
        if (!missing.isEmpty()) {
            System.out.println(
                    "skipped, since this is missing in " + Path.of("").toAbsolutePath() + ": " + missing);
        }
        Assumptions.assumeTrue(missing.isEmpty(), missing);
    }

    @AfterEach
    void stop() throws InterruptedException {
        for (Process node : nodes) {
            node.destroyForcibly();
            assertThat(node.waitFor(3, TimeUnit.MINUTES)).isTrue();
        }
    }

    private WriterProcesses processes() {
        return new WriterProcesses(
                clusterName,
                "orders",
                LAYOUT,
                directory,
                List.of("-Dsnowcast.lease.millis=" + LEASE_MILLIS, "-Dhazelcast.max.no.heartbeat.seconds=5"),
                new Ledger());
    }

    private Path file(int node, String what) {
        return directory.resolve("node-" + node + '.' + what);
    }

    private void startNode(WriterProcesses members) throws Exception {
        Path script = Path.of(getClass().getResource("flake-ids.js").toURI());
        int index = nodes.size();
        String ports = String.join(
                ",",
                members.living().stream()
                        .map(member -> Integer.toString(member.task().port()))
                        .toList());
        ProcessBuilder node = new ProcessBuilder(
                "node",
                script.toString(),
                clusterName,
                ports,
                "orders",
                file(index, "ids").toString());
        node.environment().put("NODE_PATH", MODULES.toAbsolutePath().toString());
        nodes.add(node.redirectErrorStream(true)
                .redirectOutput(Redirect.to(file(index, "txt").toFile()))
                .start());
    }

    private static String read(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the numbers of the complete lines. A killed process may leave an incomplete line. */
    private static long[] numbers(Path file) {
        String text = read(file);
        return text.substring(0, text.lastIndexOf('\n') + 1)
                .lines()
                .mapToLong(Long::parseLong)
                .toArray();
    }

    private void awaitMore(int count) {
        for (int i = 0; i < nodes.size(); i++) {
            Path file = file(i, "ids");
            Path output = file(i, "txt");
            int goal = numbers(file).length + count;
            Await.until("more IDs of Node.js", () -> {
                assertThat(read(output)).doesNotContain("for good");
                return numbers(file).length >= goal;
            });
        }
    }

    private void check(WriterProcesses members) {
        List<long[]> ids = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            ids.add(numbers(file(i, "ids")));
        }
        for (long[] each : ids) {
            IdCheck.requireTimeBetween(
                    LAYOUT,
                    TestCluster.EPOCH,
                    System.currentTimeMillis() - Duration.ofHours(1).toMillis(),
                    System.currentTimeMillis(),
                    each);
        }
        members.stopAndCheck(ids);
    }

    @Test
    void aClientWithoutSnowcastGetsIdsAndClearErrors() throws Exception {
        try (WriterProcesses members = processes()) {
            members.addMember();
            members.addServer();
            members.awaitSafe();
            members.living().get(0).awaitMore(FEW);
            startNode(members);
            awaitMore(FEW);
            assertThat(read(file(0, "txt")))
                    .contains("com.noctarius.snowcast.SnowcastStateException")
                    .contains("the cluster has no sequencer unknown");
            check(members);
        }
    }

    @Test
    void whatTheDocumentShowsRuns() throws Exception {
        Matcher snippet = Pattern.compile("```javascript\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("../../docs/clients.md")));
        assertThat(snippet.find()).isTrue();
        try (WriterProcesses members = processes()) {
            WriterProcess member = members.addMember();
            member.awaitMore(FEW);
            Path script = directory.resolve("snippet.js");
            Files.writeString(
                    script,
                    snippet.group(1)
                            .replace("\"dev\"", '"' + clusterName + '"')
                            .replace(":5701", ":" + member.task().port()));
            ProcessBuilder command = new ProcessBuilder("node", script.toString()).redirectErrorStream(true);
            command.environment().put("NODE_PATH", MODULES.toAbsolutePath().toString());
            Process node = command.start();
            nodes.add(node);
            String output = new String(node.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(node.waitFor()).as(output).isZero();
            long id = Long.parseUnsignedLong(output.lines()
                    .filter(line -> line.matches("\\d+"))
                    .findFirst()
                    .orElseThrow());
            IdCheck.requireTimeBetween(
                    LAYOUT,
                    TestCluster.EPOCH,
                    System.currentTimeMillis() - 60_000,
                    System.currentTimeMillis(),
                    new long[] {id});
        }
    }

    @Test
    @Tag("faults")
    void nothingComesTwiceWhileMembersAreKilledAndStopped() throws Exception {
        try (WriterProcesses members = processes()) {
            members.addMember();
            members.addMember();
            members.awaitSafe();
            members.awaitMore(FEW);
            startNode(members);
            startNode(members);
            awaitMore(FEW);
            for (int round = 0; round < 3; round++) {
                members.kill(members.living().get(0));
                awaitMore(FEW);
                members.addMember();
                members.awaitSafe();
                // This client gets the addresses of the present members. Later rounds kill some of these members.
                startNode(members);
                WriterProcess stopped = members.living().get(0);
                assertThat(stopped.pauseFor(Duration.ofMillis(LEASE_MILLIS + 1_000))
                                .waitFor())
                        .isZero();
                members.awaitSafe();
                members.awaitMore(FEW);
                awaitMore(FEW);
            }
            check(members);
        }
    }
}
