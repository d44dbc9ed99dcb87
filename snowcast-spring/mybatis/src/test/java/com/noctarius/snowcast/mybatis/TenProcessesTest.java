// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.mybatis;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.SnowcastLayout;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests ten processes on one host, like ten containers, with MyBatis-Plus' own generator and with a sequencer. */
@Tag("faults")
class TenProcessesTest {
    private static final int PROCESSES = 10;
    /**
     * MyBatis-Plus guesses a worker ID below 32. All ten guesses differ in about one trial of five, but hardly in all
     * 20 trials.
     */
    private static final int TRIALS = 20;

    /** The IDs of all processes, and the node IDs in the IDs of each process. */
    private record Outcome(List<Long> ids, List<Set<Integer>> nodes) {
        int duplicates() {
            return ids.size() - new HashSet<>(ids).size();
        }

        int processesWithTheNodeOfAnother() {
            TreeMap<Integer, Integer> processes = new TreeMap<>();
            nodes.forEach(ofOne -> ofOne.forEach(node -> processes.merge(node, 1, Integer::sum)));
            return (int) nodes.stream()
                    .filter(ofOne -> ofOne.stream().anyMatch(node -> processes.getOrDefault(node, 0) > 1))
                    .count();
        }

        @Override
        public String toString() {
            return ids.size() + " IDs of " + nodes.size() + " processes with the node IDs " + nodes + ": "
                    + processesWithTheNodeOfAnother() + " processes had the node ID of another, " + duplicates()
                    + " IDs were there twice";
        }
    }

    /** The guess depends on the process IDs, so one trial may happen to have no duplicates. */
    @Test
    void mybatisPlusGuessesOneWorkerForSeveralProcesses() throws Exception {
        Outcome outcome = run(OrderProcess.MYBATIS_PLUS);
        System.out.println("MyBatis-Plus: " + outcome);
        for (int trial = 2; trial <= TRIALS && outcome.duplicates() == 0; trial++) {
            outcome = run(OrderProcess.MYBATIS_PLUS);
            System.out.println("MyBatis-Plus, trial " + trial + ": " + outcome);
        }
        assertThat(outcome.processesWithTheNodeOfAnother()).isPositive();
        assertThat(outcome.duplicates()).isPositive();
    }

    @Test
    void sequencerGivesNoIdTwice() throws Exception {
        Config config = new Config().setClusterName("ten-" + UUID.randomUUID());
        JoinConfig join = config.getNetworkConfig().getJoin();
        join.getAutoDetectionConfig().setEnabled(false);
        join.getMulticastConfig().setEnabled(false);
        config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface("127.0.0.1");
        // Bind only this address, because other tests use the same port of other loopback addresses.
        config.setProperty("hazelcast.socket.bind.any", "false");
        HazelcastInstance member = Hazelcast.newHazelcastInstance(config);
        try {
            int port = member.getCluster().getLocalMember().getAddress().getPort();
            Outcome outcome = run(config.getClusterName(), "127.0.0.1:" + port);
            System.out.println("snowcast: " + outcome);
            assertThat(outcome.duplicates()).isZero();
        } finally {
            member.shutdown();
        }
    }

    private static Outcome run(String... arguments) throws Exception {
        List<Process> processes = new ArrayList<>();
        try {
            for (int i = 0; i < PROCESSES; i++) {
                processes.add(start(arguments));
            }
            List<BufferedReader> outputs = new ArrayList<>();
            for (Process process : processes) {
                BufferedReader output =
                        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
                String line = output.readLine();
                while (line != null && !line.equals(OrderProcess.READY)) {
                    line = output.readLine();
                }
                assertThat(line).isEqualTo(OrderProcess.READY);
                outputs.add(output);
            }
            for (Process process : processes) {
                process.getOutputStream().write('\n');
                process.getOutputStream().flush();
            }
            return read(outputs);
        } finally {
            for (Process process : processes) {
                process.destroyForcibly().waitFor(1, TimeUnit.MINUTES);
            }
        }
    }

    private static Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElseThrow());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-Xmx128m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.addAll(List.of("-cp", classPath(), OrderProcess.class.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
                .replace(File.pathSeparator + File.pathSeparator, File.pathSeparator);
    }

    private static Outcome read(List<BufferedReader> outputs) throws IOException {
        List<Long> ids = new ArrayList<>();
        List<Set<Integer>> nodes = new ArrayList<>();
        for (BufferedReader output : outputs) {
            Set<Integer> nodesOfOne = new HashSet<>();
            for (int i = 0; i < OrderProcess.IDS; i++) {
                long id = Long.parseLong(output.readLine());
                ids.add(id);
                nodesOfOne.add(SnowcastLayout.POSITIVE.logicalNodeId(id));
            }
            nodes.add(nodesOfOne);
        }
        return new Outcome(ids, nodes);
    }
}
