// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.client.LoadBalancer;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.cluster.Cluster;
import com.hazelcast.cluster.Member;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.NodeLease;
import com.noctarius.snowcast.NodeLeaseConfig;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.jdbc.JdbcSnowcast;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("integration")
class ClusterCommandsTest {
    @AutoClose
    @SuppressWarnings("NullAway.Init")
    private static TestMember member;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @BeforeAll
    static void start() throws IOException {
        member = TestMember.start();
        member.sequencer("orders");
    }

    /** A user who gives the same answer to each question. */
    private record Answering(String words, List<String> questions) implements Terminal.Person {
        @Override
        public @Nullable String answer(String question) {
            questions.add(question);
            return words;
        }

        @Override
        public @Nullable String secret(String question) {
            return null;
        }

        @Override
        public Terminal.Size screen() {
            return new Terminal.Size(60, 10);
        }
    }

    /** A load balancer whose class is not complete, as one in SNOWCAST_CLASSPATH may be. */
    public static final class Broken implements LoadBalancer {
        @Override
        public void init(Cluster cluster, ClientConfig config) {
            throw new NoClassDefFoundError("some/Missing");
        }

        @Override
        public @Nullable Member next() {
            return null;
        }
    }

    @Test
    void anErrorOfTheClientEndsTheCommand() throws IOException {
        Path file = Files.writeString(directory.resolve("hazelcast-client.yaml"), """
                hazelcast-client:
                  cluster-name: %s
                  network:
                    cluster-members: [%s]
                  load-balancer:
                    type: custom
                    class-name: %s
                """.formatted(
                        member.environment().get("SNOWCAST_CLUSTER"), member.address(), Broken.class.getName()));
        CommandRun run = CommandRun.of("status", "--client-config", file.toString());
        assertThat(run.err()).contains("the client of the cluster cannot start").contains("some/Missing");
        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    }

    // --- generate

    @Test
    void idsAreGeneratedByALogicalNodeOfTheirOwn() throws InterruptedException {
        long before = member.sequencer("orders").next();
        CommandRun run = member.run("generate", "orders", "--count", "2500");
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
        List<Long> ids = run.out().lines().map(Long::parseLong).toList();
        assertThat(ids).hasSize(2500).doesNotHaveDuplicates().isSorted().doesNotContain(before);
        SnowcastSequencer own = member.sequencer("orders");
        assertThat(ids).allMatch(id -> own.logicalNodeId(id) != own.logicalNodeId(before));
        assertThat(member.run("generate", "orders", "--to", "base32", "--prefix", "ord_")
                        .out())
                .matches("ord_[0-9A-Z]{13}\\R");
    }

    @Test
    void mistypedNameIsRefusedAndNotMade() {
        CommandRun run = member.run("generate", "oders");
        assertThat(run.err())
                .startsWith("the cluster has no sequencer oders, only [")
                .contains("orders");
        assertThat(run.exitCode()).isEqualTo(ExitCode.WRONG_USE);
        assertThat(member.run("status").out()).doesNotContain("oders");
    }

    @Test
    void clusterThatDoesNotAnswerIsSaid() throws IOException {
        CommandRun run =
                CommandRun.line("generate orders --connect-timeout PT1S --address 127.0.0.1:" + TestMember.freePort());
        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(run.out()).isEmpty();
        assertThat(run.err())
                .startsWith("no member of cluster dev answered within 1s at [127.0.0.1:")
                .hasLineCount(1);
    }

    @Test
    void wrongNameOfTheClusterIsSaidAtOnce() {
        long startNanos = System.nanoTime();
        CommandRun run = member.run("status", "--cluster-name", "wrong", "--connect-timeout", "2m");
        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(run.err())
                .startsWith(
                        "a member at [" + member.address() + "] refuses the connection: its cluster is not named wrong"
                                + " (give its cluster-name as --cluster-name or SNOWCAST_CLUSTER)")
                .hasLineCount(1);
        assertThat(System.nanoTime() - startNanos).isLessThan(TimeUnit.MINUTES.toNanos(2));
    }

    @Test
    void configurationOfAClientIsRead() throws IOException {
        Path file = directory.resolve("hazelcast-client.yaml");
        Files.writeString(
                file,
                "hazelcast-client:\n  cluster-name: " + member.environment().get("SNOWCAST_CLUSTER")
                        + "\n  network:\n    cluster-members:\n      - "
                        + member.environment().get("SNOWCAST_ADDRESS") + "\n");
        assertThat(CommandRun.of("generate", "orders", "--client-config", file.toString())
                        .out())
                .matches("\\d+\\R");
        assertThat(CommandRun.of("generate", "orders", "--client-config", file.toString(), "--address", "a:1")
                        .err())
                .contains("--client-config must not be given together with --address or --cluster-name");
    }

    // --- clusters

    /**
     * Two clusters with the same name can issue the same IDs. As long as the clusters do not merge, only the command
     * {@code clusters} reports them.
     */
    @Test
    void twoClustersOfOneNameAreFound() throws IOException {
        try (TestMember first = TestMember.start();
                TestMember second = first.startPeer();
                TestMember stranger = first.startStranger()) {
            CommandRun ofOne = first.run("clusters", "--address", first.address() + ',' + second.address());
            assertThat(ofOne.err()).isEmpty();
            assertThat(ofOne.exitCode()).isEqualTo(ExitCode.DONE);
            assertThat(ofOne.out())
                    .startsWith("cluster  address")
                    .containsPattern("1 +" + first.address() + " +2 +127.0.0.1:\\d+, 127.0.0.1:\\d+")
                    .containsPattern("1 +" + second.address() + " +2 +127.0.0.1:\\d+, 127.0.0.1:\\d+");
            String addresses = String.join(",", first.address(), stranger.address(), second.address());
            CommandRun run = first.run("clusters", "--address", addresses);
            assertThat(run.exitCode()).isEqualTo(ExitCode.FOUND);
            assertThat(run.out())
                    .containsPattern("1 +" + first.address() + " +2 ")
                    .containsPattern("1 +" + second.address() + " +2 ")
                    .containsPattern("2 +" + stranger.address() + " +1 +" + stranger.address());
            assertThat(run.err())
                    .startsWith("2 clusters of the same name answer, and do not list each other's members")
                    .hasLineCount(1);
            assertThat(first.run("clusters", "--address", addresses, "--output", "json")
                            .out()
                            .lines())
                    .hasSize(2)
                    .allMatch(line -> line.endsWith("\"agree\": true}"));
        }
    }

    @Test
    void addressThatDoesNotAnswerIsNamed() throws IOException {
        String unreachable = "127.0.0.1:" + TestMember.freePort();
        CommandRun run =
                member.run("clusters", "--address", member.address() + ',' + unreachable, "--connect-timeout", "PT1S");
        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(run.out())
                .containsPattern("1 +" + member.address() + " +\\d ")
                .containsPattern("- +" + unreachable);
        assertThat(run.err()).contains("no member of cluster cli-").contains("[" + unreachable + "]");
    }

    // --- status

    @Test
    void statusSaysWhoHoldsWhat() {
        CommandRun table = member.run("status");
        assertThat(table.exitCode()).isEqualTo(ExitCode.DONE);
        assertThat(table.err()).isEmpty();
        assertThat(table.out())
                .containsPattern("orders +41/13/10 +2024-01-01T00:00:00Z +\\d +\\d +\\d+ +8,1\\d\\d")
                .containsPattern("orders +[\\d,]+ +attached +\\d{4}-\\S+Z +member 127.0.0.1:");
        assertThat(member.run("status", "--output", "json").out())
                .contains("\"name\": \"orders\", \"epoch\": \"2024-01-01T00:00:00Z\", \"layout\": \"41/13/10\"")
                .contains("\"state\": \"attached\"")
                .contains("\"possibleDuplicates\": []")
                .hasLineCount(1);
    }

    @Test
    void statusOfADatabaseIsThatOfACluster() throws Exception {
        String url = "jdbc:h2:mem:status;DB_CLOSE_DELAY=-1";
        JdbcDataSource database = new JdbcDataSource();
        database.setURL(url);
        assertThat(CommandRun.of("status", "--jdbc", url).err()).contains("run JdbcSnowcast.createTables");
        try (JdbcSnowcast snowcast =
                JdbcSnowcast.builder(database).processName("pod-1").build()) {
            snowcast.createTables();
            snowcast.createSequencer("bills", SnowcastEpoch.byTimestamp(0));
            snowcast.leaseNode(
                    NodeLeaseConfig.builder("workers").maxNodeCount(32).build());
            snowcast.createIntegerSequence(IntegerSequenceConfig.builder("seats")
                            .firstValue(1)
                            .lastValue(2_147_483_647)
                            .build())
                    .next();
            CommandRun run = CommandRun.of("status", "--jdbc", url);
            assertThat(run.err()).isEmpty();
            assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
            assertThat(run.out())
                    .containsPattern("bills +41/13/10 +1970-01-01T00:00:00Z +\\d +1 +0 +8,191")
                    .containsPattern("bills +[\\d,]+ +attached +\\d{4}-\\S+Z +pod-1")
                    .containsPattern("workers +node lease +\\d +1 +0 +31")
                    .containsPattern("seats +1 +2,147,483,647 +[1-9][\\d,]* +2,[\\d,]+\\R");
            assertThat(CommandRun.of("status", "--jdbc", url, "--output", "json")
                            .out())
                    .contains("\"name\": \"bills\"")
                    .containsPattern("\"name\": \"seats\", \"firstValue\": \"1\", \"lastValue\": \"2147483647\","
                            + " \"remaining\": \"2\\d{9}\", \"highest\": \"[1-9]\\d*\"");
            assertThat(CommandRun.of("status", "--jdbc", url, "--table-prefix", "other")
                            .err())
                    .contains("run JdbcSnowcast.createTables");
        }
    }

    @Test
    void whatIsDoneWithAClusterIsDoneWithADatabase() throws Exception {
        String url = "jdbc:h2:mem:commands;DB_CLOSE_DELAY=-1";
        JdbcDataSource database = new JdbcDataSource();
        database.setURL(url);
        try (JdbcSnowcast snowcast =
                JdbcSnowcast.builder(database).tablePrefix("shop").build()) {
            snowcast.createTables();
            SnowcastSequencer bills = snowcast.createSequencer("bills", SnowcastEpoch.byTimestamp(0));
            NodeLease workers = snowcast.leaseNode(
                    NodeLeaseConfig.builder("workers").maxNodeCount(32).build());
            int node = bills.logicalNodeId(bills.next());

            CommandRun run = ofShop(url, "generate", "bills", "--count", "1500");
            assertThat(run.err()).isEmpty();
            List<Long> ids = run.out().lines().map(Long::parseLong).toList();
            assertThat(ids).hasSize(1500).doesNotHaveDuplicates().allMatch(id -> bills.logicalNodeId(id) != node);
            assertThat(ofShop(url, "generate", "bills", "--output", "json").out())
                    .matches("\\{\"id\": \"-?\\d+\"}\\R");
            assertThat(ofShop(url, "generate", "bils"))
                    .isEqualTo(new CommandRun(
                            ExitCode.WRONG_USE,
                            "",
                            "the database has no sequencer bils, only [bills, workers]" + System.lineSeparator()));
            assertThat(snowcast.status().sequencers().get(0).attachedCount())
                    .as("each command has given its node ID back")
                    .isEqualTo(1);

            assertThat(ofShop(url, "bench", "bills", "--seconds", "1", "--output", "json")
                            .out())
                    .matches("\\{\"IDs\": [1-9]\\d+, .*\"duplicates\": 0}\\R");
            assertThat(ofShop(url, "destroy", "bills", "--yes").out())
                    .isEqualTo("destroyed bills" + System.lineSeparator());
            assertThat(ofShop(url, "destroy", "workers", "--yes", "--output", "json")
                            .out())
                    .isEqualTo("{\"destroyed\": \"workers\"}" + System.lineSeparator());
            assertThat(snowcast.status().sequencers()).isEmpty();
            assertThat(workers.name()).isEqualTo("workers");
        }
        assertThat(ofShop(url, "generate", "bills", "--address", "127.0.0.1:5701")
                        .err())
                .contains("must not be given together with");
    }

    private static CommandRun ofShop(String url, String... command) {
        return CommandRun.line(String.join(" ", command) + " --table-prefix shop --jdbc " + url);
    }

    @Test
    void watchedStatusFitsIntoTheScreenAndCountsDown() {
        for (int i = 0; i < 6; i++) {
            member.sequencer("watched-" + i);
        }
        CommandRun seen = CommandRun.of(
                "",
                member.environment(),
                new Answering("", new ArrayList<>()),
                "status --watch --times 2 --interval 1100ms".split(" "));
        List<String> screens = List.of(seen.out().split(Pattern.quote("\u001b[H\u001b[J")));
        assertThat(screens).hasSize(4);
        assertThat(screens.get(1)).contains("again in 2 s; Ctrl-C ends");
        assertThat(screens.get(2)).contains("again in 1 s; Ctrl-C ends");
        assertThat(screens.subList(1, 4))
                .allSatisfy(screen -> assertThat(screen.lines())
                        .hasSizeLessThanOrEqualTo(10)
                        .allMatch(line -> line.length() <= 60)
                        .anyMatch(line -> line.startsWith("sequencer "))
                        .anyMatch(line -> line.matches("\\.\\.\\. \\d+ more lines")));
    }

    // --- destroy

    @Test
    void sequencerIsDestroyedOnceItsNameWasSaidAgain() {
        SnowcastSequencer doomed = member.sequencer("doomed");
        List<String> questions = new ArrayList<>();
        CommandRun other =
                CommandRun.of("", member.environment(), new Answering("domed", questions), "destroy", "doomed");
        assertThat(other.err()).contains("nothing was destroyed: the names differ");
        assertThat(other.exitCode()).isEqualTo(ExitCode.WRONG_USE);
        assertThat(doomed.getSequencerState()).isEqualTo(SnowcastSequenceState.Attached);
        CommandRun same =
                CommandRun.of("", member.environment(), new Answering("doomed", questions), "destroy", "doomed");
        assertThat(same.out()).isEqualTo("destroyed doomed" + System.lineSeparator());
        assertThat(questions).hasSize(2).allMatch(question -> question.contains("sequencer"));
        assertThatThrownBy(doomed::next).isInstanceOf(SnowcastStateException.class);
    }

    @Test
    void nodeLeaseIsShownAndDestroyed() {
        NodeLease lease = member.snowcast()
                .leaseNode(NodeLeaseConfig.builder("workers").maxNodeCount(32).build());
        assertThat(member.run("status").out())
                .containsPattern("workers +node lease +1 +1 +0 +31")
                .containsPattern("workers +" + lease.nodeId() + " +attached +\\d{4}-\\S+Z +member 127.0.0.1:");
        List<String> questions = new ArrayList<>();
        CommandRun run =
                CommandRun.of("", member.environment(), new Answering("workers", questions), "destroy", "workers");
        assertThat(run.out()).isEqualTo("destroyed workers" + System.lineSeparator());
        assertThat(questions).hasSize(1).allMatch(question -> question.contains("node lease"));
        assertThatThrownBy(lease::nodeId)
                .isInstanceOf(SnowcastStateException.class)
                .hasMessageContaining("it was destroyed");
        assertThat(member.run("status").out()).doesNotContain("workers");
    }

    @Test
    void nothingIsDestroyedWhereNobodyCanBeAsked() {
        SnowcastSequencer spared = member.sequencer("spared");
        CommandRun run = member.run("destroy", "spared");
        assertThat(run.exitCode()).isEqualTo(ExitCode.WRONG_USE);
        assertThat(run.err()).contains("use --yes");
        assertThat(spared.getSequencerState()).isEqualTo(SnowcastSequenceState.Attached);
        assertThat(member.run("destroy", "spared", "--yes").exitCode()).isEqualTo(ExitCode.DONE);
        assertThat(spared.getSequencerState()).isEqualTo(SnowcastSequenceState.Destroyed);
    }

    // --- bench

    @Test
    void benchCountsRateLatencyAndDuplicates() {
        CommandRun run =
                member.run("bench", "orders", "--seconds", "1", "--threads", "2", "--batch", "10", "--progress");
        assertThat(run.err())
                .containsPattern("\r\\[#+\\.+\\] [1-9][\\d,]+ IDs, ")
                .endsWith("generated" + System.lineSeparator());
        assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
        assertThat(run.out())
                .containsPattern("IDs +[1-9][0-9,]+\\R")
                .containsPattern("IDs per second +[1-9][0-9,]+\\R")
                .containsPattern("call, median, ns +[1-9][0-9,]*\\R")
                .containsPattern("duplicates +0\\R");
        assertThat(member.run("bench", "orders", "--seconds", "0").err()).contains("--seconds must be 1 to 3600: 0");
    }
}
