// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.cluster.ClusterState;
import com.hazelcast.cluster.Member;
import com.hazelcast.config.YamlConfigBuilder;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.tests.Await;
import com.noctarius.snowcast.tests.FreePort;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests how applications and members in separate processes, as in production, start together and shut down. */
@Tag("faults")
class DeskProcessesTest {
    private final String cluster = "shop-" + UUID.randomUUID();

    @TempDir
    private Path directory;

    private final int firstPort = FreePort.get();
    private final int secondPort = FreePort.get();

    /** Writes the Hazelcast configuration of a member, which searches for others at the first and the second port. */
    private Path memberAt(int port, String... more) throws IOException {
        String text = """
                hazelcast:
                  cluster-name: %s
                  network:
                    port:
                      port: %d
                      auto-increment: false
                    join:
                      auto-detection:
                        enabled: false
                      multicast:
                        enabled: false
                      tcp-ip:
                        enabled: true
                        member-list:
                          - 127.0.0.1:%d
                          - 127.0.0.1:%d
                    interfaces:
                      enabled: true
                      interfaces:
                        - 127.0.0.1
                  jet:
                    enabled: false
                """.formatted(cluster, port, firstPort, secondPort);
        return Files.writeString(
                directory.resolve(port + "-hazelcast.yaml"),
                text + String.join("\n", more).indent(2));
    }

    private DeskProcess application(String name, Path configuration, String... properties) throws IOException {
        String[] all = new String[properties.length + 1];
        all[0] = "spring.hazelcast.config=" + configuration.toUri();
        System.arraycopy(properties, 0, all, 1, properties.length);
        return DeskProcess.application(name, directory, all);
    }

    /** Returns the content of hazelcast.yaml that docs/spring.md shows for applications that are members. */
    private static String recipe() throws IOException {
        Matcher block =
                Pattern.compile("```yaml\nhazelcast:\n(.*?)```", Pattern.DOTALL).matcher(document());
        assertThat(block.find()).isTrue();
        return block.group(1).indent(-2);
    }

    /**
     * Returns the content of hazelcast.yaml for members that are separate processes. It has one property more than
     * {@link #recipe}.
     */
    private static String recipeOfMembers() throws IOException {
        Matcher property =
                Pattern.compile("below `properties`:\\s+`(snowcast\\S+ \\w+)`").matcher(document());
        assertThat(property.find()).isTrue();
        return recipe().replaceFirst("properties:\n", "properties:\n  " + property.group(1) + "\n");
    }

    private static String document() throws IOException {
        return Files.readString(Path.of("../../docs/spring.md"));
    }

    /** Returns the content of {@link #recipe} without the property that makes Hazelcast itself wait for members. */
    private static String inOrder() throws IOException {
        String waiting = "properties:\n  hazelcast.initial.min.cluster.size: 2\n";
        assertThat(recipe()).startsWith(waiting);
        return recipe().substring(waiting.length());
    }

    private static final String PROTECTED = "snowcast.cluster.split-brain-protection-name=majority";

    @Test
    void twoApplicationsThatStartInOrderWaitForTheirQuorum() throws Exception {
        try (DeskProcess first = application("first", memberAt(firstPort, inOrder()), PROTECTED)) {
            first.awaitLog("sequencer orders has to wait, until 20");
            assertThat(first.isReady()).isFalse();
            try (DeskProcess second = application("second", memberAt(secondPort, inOrder()), PROTECTED)) {
                assertServes(first.awaitReady());
                assertServes(second.awaitReady());
            }
            assertThat(first.log().split("has to wait", -1)).as("said once").hasSize(2);
        }
    }

    @Test
    void anApplicationThatWaitsEndsWhenItIsTerminated() throws Exception {
        String forLong = "snowcast.attach-timeout=1h";
        try (DeskProcess first = application("first", memberAt(firstPort, inOrder()), PROTECTED, forLong)) {
            first.awaitLog("sequencer orders has to wait, until 20").terminate().awaitEnd();
            // At SIGTERM, Spring does not wait for the end of the start, so it is uncertain whether the member shuts
            // down gracefully. No node ID is lost, because no sequencer was attached.
            assertThat(first.log()).doesNotContain("could not be had").doesNotContain("Terminating forcefully");
        }
    }

    @Test
    void aRequestUnderWayIsAnsweredWhenTheApplicationIsTerminated() throws Exception {
        try (DeskProcess shop = application("shop", memberAt(firstPort))) {
            assertServes(shop.awaitReady());
            CompletableFuture<HttpResponse<String>> answer = shop.getLater("/long");
            shop.awaitLog("a request is under way").terminate();
            assertThat(answer.get().statusCode()).isEqualTo(200);
            assertThat(answer.get().body()).matches("\\d+ with product \\d+");
            shop.awaitEnd();
            assertThat(shop.log())
                    .contains("Hazelcast shuts down, orders is Detached")
                    .doesNotContain("Terminating forcefully")
                    .doesNotContain("Exception");
        }
    }

    @Test
    void membersInApplicationsWaitForEachOtherBeforeAnythingIsAsked() throws Exception {
        try (DeskProcess first = application("first", memberAt(firstPort, recipe()), PROTECTED)) {
            first.awaitLog("is STARTING");
            assertThat(first.isReady()).isFalse();
            try (DeskProcess second = application("second", memberAt(secondPort, recipe()), PROTECTED)) {
                assertServes(first.awaitReady());
                assertServes(second.awaitReady());
                assertThat(first.log() + second.log()).doesNotContain("has to wait");
            }
        }
    }

    @Test
    void clientsOfMembersThatWaitForEachOtherStartWithThem() throws Exception {
        try (DeskProcess shop = application("shop", client());
                DeskProcess first = DeskProcess.member("first", directory, memberAt(firstPort, recipeOfMembers()))) {
            first.awaitLog("is STARTING");
            assertThat(shop.isReady()).isFalse();
            try (DeskProcess second =
                    DeskProcess.member("second", directory, memberAt(secondPort, recipeOfMembers()))) {
                second.awaitLog("is STARTED");
                assertServes(shop.awaitReady());
            }
        }
    }

    private Path client(String... more) throws IOException {
        String text = """
                hazelcast-client:
                  cluster-name: %s
                  network:
                    cluster-members:
                      - 127.0.0.1:%d
                      - 127.0.0.1:%d
                """.formatted(cluster, firstPort, secondPort);
        return Files.writeString(
                directory.resolve("hazelcast-client.yaml"),
                text + String.join("\n", more).indent(2));
    }

    @Test
    void anApplicationWhoseClientIsNotConnectedEndsWhenItIsTerminated() throws Exception {
        Path offline = client("connection-strategy:", "  async-start: true");
        try (DeskProcess shop = application("shop", offline, "snowcast.attach-timeout=1h")) {
            shop.awaitLog("sequencer orders has to wait, until 20").terminate().awaitEnd();
            assertThat(shop.log())
                    .contains("the client is not connected to the cluster")
                    .doesNotContain("could not be had");
        }
    }

    private HazelcastInstance memberHere(int port) throws IOException {
        try (InputStream yaml = Files.newInputStream(memberAt(port))) {
            return Hazelcast.newHazelcastInstance(new YamlConfigBuilder(yaml).build());
        }
    }

    /** Hazelcast retries the request for a node ID for ten minutes, because the cluster state forbids a new backup. */
    @Test
    void anApplicationThatWaitsForAnAnswerEndsWhenItIsTerminated() throws Exception {
        List<HazelcastInstance> members =
                List.of(memberHere(firstPort), memberHere(secondPort), memberHere(FreePort.get()));
        try {
            HazelcastInstance first = members.get(0);
            Await.until("all", () -> first.getCluster().getMembers().size() == 3);
            // This call makes Hazelcast assign the partitions.
            SnowcastSystem.snowcast(first).createSequencer("other", SnowcastEpoch.byTimestamp(0));
            Await.until("backups", () -> first.getPartitionService().isClusterSafe());
            first.getCluster().changeClusterState(ClusterState.NO_MIGRATION);
            Member owner = first.getPartitionService().getPartition("orders").getOwner();
            for (HazelcastInstance member : members) {
                if (member.getCluster().getLocalMember().equals(owner)) {
                    member.getLifecycleService().terminate(); // The former backup is now the owner, and has no backup.
                }
            }
            Path patient = client("properties:", "  hazelcast.client.invocation.timeout.seconds: 600");
            try (DeskProcess shop = application("shop", patient)) {
                shop.awaitLog("is CLIENT_CONNECTED").terminate().awaitEnd();
                assertThat(shop.isReady()).isFalse();
            }
        } finally {
            members.forEach(member -> member.getLifecycleService().terminate());
        }
    }

    private static void assertServes(DeskProcess shop) throws Exception {
        HttpResponse<String> answer = shop.get("/order");
        assertThat(answer.statusCode()).as(shop.log()).isEqualTo(200);
        assertThat(answer.body()).matches("\\d+ with product \\d+");
    }
}
