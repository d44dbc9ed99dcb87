// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.internal.cluster.Replicas;
import com.noctarius.snowcast.store.MemoryBlockStore;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that logs show each change of a holder's node ID, and no stack trace of snowcast during graceful shutdowns. */
@Tag("integration")
class LogsClusterTest {
    private static final String OF_SNOWCAST = "com.noctarius.snowcast.";

    private final Queue<LogRecord> log = new ConcurrentLinkedQueue<>();
    private final Logger root = Logger.getLogger("");
    private final Handler[] former = root.getHandlers();

    @BeforeEach
    void listen() {
        Arrays.stream(former).forEach(root::removeHandler);
        root.addHandler(new Handler() {
            @Override
            public void publish(LogRecord line) {
                log.add(line);
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        });
    }

    @AfterEach
    void listenNoMore() {
        Arrays.stream(root.getHandlers()).forEach(root::removeHandler);
        Arrays.stream(former).forEach(root::addHandler);
    }

    private static HazelcastInstance addMember(TestCluster cluster) {
        return cluster.addMember(config -> config.setProperty("hazelcast.logging.type", "jdk"));
    }

    private static HazelcastInstance addClient(TestCluster cluster) {
        return cluster.addClient(config -> config.setProperty("hazelcast.logging.type", "jdk"));
    }

    private List<String> linesOfSnowcast() {
        return log.stream()
                .filter(line -> line.getLoggerName().startsWith(OF_SNOWCAST))
                .map(line -> line.getLevel() + " " + line.getMessage())
                .toList();
    }

    @Test
    void everyChangeOfWhoHasWhichLogicalNodeIsOneLineOfItsHolder() {
        String name = TestCluster.newName();
        try (MockCluster cluster = MockCluster.of(1)) {
            for (HazelcastInstance instance : List.of(addMember(cluster), addClient(cluster))) {
                log.clear();
                SnowcastSequencer sequencer = TestCluster.create(instance, name);
                int first = sequencer.stats().logicalNodeId().orElseThrow();
                sequencer.detachLogicalNode().attachLogicalNode();
                int second = sequencer.stats().logicalNodeId().orElseThrow();
                SnowcastSystem.snowcast(instance).destroySequencer(sequencer);
                SnowcastSequencer again = TestCluster.create(instance, name);
                int third = again.stats().logicalNodeId().orElseThrow();
                instance.shutdown();

                String prefix = "INFO \\S+ \\[\\S+] \\[\\S+] Sequencer " + name + ": ";
                String attached = prefix + "attached to node ID %s until 20[-0-9]+T[:.0-9]+Z";
                String detached = prefix + "detached from node ID %s: %s";
                List<String> expected = List.of(
                        attached.formatted(first),
                        detached.formatted(first, "the application detached it"),
                        attached.formatted(second),
                        detached.formatted(second, "it was destroyed"),
                        attached.formatted(third),
                        detached.formatted(third, "the HazelcastInstance was shut down"));
                // The second node ID is released in the background. If the shutdown interrupts the release, there is a
                // line about it.
                List<String> lines = linesOfSnowcast().stream()
                        .filter(line -> !line.contains("could not give back node ID " + second + ";"))
                        .toList();
                assertThat(lines).hasSameSizeAs(expected);
                for (int i = 0; i < lines.size(); i++) {
                    assertThat(lines.get(i)).matches(expected.get(i));
                }
            }
        }
    }

    @Test
    void logOfANewOwnerNamesTheSequencersOfWhichItHasNoCopy() {
        try (MockCluster cluster = MockCluster.of(0, Map.of())) {
            HazelcastInstance owner = addMember(cluster);
            addMember(cluster);
            cluster.awaitSafe();
            String lost = cluster.nameOwnedBy(owner);
            SnowcastSystem.snowcast(owner)
                    .createSequencer(SequencerConfig.builder(lost)
                            .epoch(TestCluster.EPOCH)
                            .backupCount(0)
                            .build());
            cluster.crash(owner);

            Await.until(
                    "the loss is logged",
                    () -> linesOfSnowcast().stream().anyMatch(line -> line.contains(lost + " of partition ")));
            assertThat(linesOfSnowcast())
                    .anyMatch(line -> line.startsWith("WARNING")
                            && line.contains(lost + " of partition ")
                            && line.contains(
                                    " are lost: its owner left, and this member had no copy of what was granted"));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void orderlyEndOfMembersAndClientsLogsNoStackTrace(boolean membersFirst) throws Exception {
        String name = TestCluster.newName();
        try (TcpCluster cluster = TcpCluster.of(0, Map.of())) {
            List<HazelcastInstance> members = List.of(addMember(cluster), addMember(cluster));
            cluster.awaitSafe();
            List<HazelcastInstance> clients = List.of(addClient(cluster), addClient(cluster));
            List<HazelcastInstance> all = new ArrayList<>(membersFirst ? members : clients);
            all.addAll(membersFirst ? clients : members);
            for (HazelcastInstance instance : all) {
                TestCluster.create(instance, name).next(3);
                SnowcastSystem.snowcast(instance)
                        .createIntegerSequence(IntegerSequenceConfig.builder(name)
                                .store(new MemoryBlockStore())
                                .build())
                        .next(3);
            }
            Await.until(
                    "both members have all partitions",
                    () -> members.stream()
                            .allMatch(member -> IntStream.range(0, TestCluster.PARTITIONS)
                                    .allMatch(partitionId -> Replicas.has(member, partitionId))));
            log.clear();
            all.forEach(HazelcastInstance::shutdown);

            assertThat(log)
                    .filteredOn(line -> line.getThrown() != null && isOfSnowcast(line))
                    .extracting(line -> line.getMessage() + " " + line.getThrown())
                    .isEmpty();
        }
    }

    /**
     * Returns whether a line or its stack trace names an internal class of snowcast. Hazelcast logs exceptions, too,
     * for example about a lost member.
     */
    private static boolean isOfSnowcast(LogRecord line) {
        StringWriter text = new StringWriter().append(line.getLoggerName()).append(line.getMessage());
        line.getThrown().printStackTrace(new PrintWriter(text));
        return text.toString().contains("com.noctarius.snowcast.internal");
    }
}
