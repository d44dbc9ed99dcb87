// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.cluster.Member;
import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.LifecycleEvent.LifecycleState;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.status.ClusterStatus;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

/**
 * The main class of {@link VersionProcess}: a member or client that does what its standard input says, line by line,
 * and ends when that does. Of snowcast it uses nothing but the API, so it runs with every version of snowcast 3.
 */
public final class VersionMain {
    static final String ANSWER = "= ";
    static final String REFUSAL = "! ";
    static final String CLIENT = "client";
    static final int NODES = 128;

    private static final SnowcastEpoch EPOCH = SnowcastEpoch.byInstant(Instant.parse("2024-01-01T00:00:00Z"));

    private final HazelcastInstance hazelcast;
    private final Snowcast snowcast;
    private final Map<String, SnowcastSequencer> sequencers = new HashMap<>();
    private final Queue<String> reported = new ConcurrentLinkedQueue<>();
    private volatile boolean hasMerged;

    private VersionMain(HazelcastInstance hazelcast) {
        this.hazelcast = hazelcast;
        this.snowcast = SnowcastSystem.snowcast(hazelcast);
        hazelcast.getLifecycleService().addLifecycleListener(event -> {
            if (event.getState() == LifecycleState.MERGED) {
                hasMerged = true;
            }
        });
        snowcast.addPossibleDuplicatesListener(found -> reported.add(found.sequencerName()));
    }

    /** Arguments: cluster name; own port, or "client"; public port; ports of members, with commas. */
    public static void main(String[] args) {
        try {
            run(args);
        } catch (Throwable e) {
            System.err.println("It ends by:");
            e.printStackTrace();
        } finally {
            // Hazelcast's threads would go on.
            Runtime.getRuntime().halt(0);
        }
    }

    private static void run(String[] args) throws Exception {
        List<String> members = Arrays.stream(args[3].split(",", -1))
                .map(port -> "127.0.0.1:" + port)
                .toList();
        VersionMain main = new VersionMain(
                args[1].equals(CLIENT)
                        ? startClient(args[0], members)
                        : startMember(args[0], Integer.parseInt(args[1]), args[2], members));
        say(ANSWER + "started");
        BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        for (String request = requests.readLine(); request != null; request = requests.readLine()) {
            String[] words = request.split(" ", -1);
            try {
                say(ANSWER + main.answer(words[0], words[1], Integer.parseInt(words[2])));
            } catch (RuntimeException | Error e) {
                say(REFUSAL + e.getClass().getSimpleName() + ": " + e.getMessage());
            }
        }
    }

    private static void say(String line) {
        System.out.println(line.replace('\n', ' '));
        System.out.flush();
    }

    private static HazelcastInstance startClient(String clusterName, List<String> members) {
        ClientConfig config = new ClientConfig().setClusterName(clusterName);
        members.forEach(config.getNetworkConfig()::addAddress);
        return HazelcastClient.newHazelcastClient(config);
    }

    private static HazelcastInstance startMember(
            String clusterName, int port, String publicPort, List<String> members) {
        Config config = new Config().setClusterName(clusterName);
        config.getJetConfig().setEnabled(false);
        config.getNetworkConfig()
                .setPort(port)
                .setPortAutoIncrement(false)
                .setPublicAddress("127.0.0.1:" + publicPort)
                .getInterfaces()
                .setEnabled(true)
                .addInterface("127.0.0.1");
        JoinConfig join = config.getNetworkConfig().getJoin();
        join.getAutoDetectionConfig().setEnabled(false);
        join.getMulticastConfig().setEnabled(false);
        join.getTcpIpConfig().setEnabled(true).setMembers(members);
        return Hazelcast.newHazelcastInstance(config);
    }

    private String answer(String verb, String name, int number) throws InterruptedException {
        return switch (verb) {
            case "ids" -> numbers(create(name, NODES).next(number));
            case "create" -> state(create(name, number));
            case "attach" -> state(existing(name).attachLogicalNode());
            case "detach" -> state(existing(name).detachLogicalNode());
            case "destroy" -> {
                snowcast.destroySequencer(existing(name));
                yield state(existing(name));
            }
            case "state" -> state(existing(name));
            case "extensions" -> Long.toString(existing(name).stats().extensionCount());
            case "reported" -> reported.stream().distinct().sorted().collect(Collectors.joining(", "));
            case "merged" -> Boolean.toString(hasMerged);
            case "holders" -> Long.toString(holders(name));
            case "members" ->
                Integer.toString(hazelcast.getCluster().getMembers().size());
            case "owns" -> Boolean.toString(owns(name));
            case "safe" -> Boolean.toString(hazelcast.getPartitionService().isClusterSafe());
            case "leave" -> {
                hazelcast.shutdown();
                yield "";
            }
            default -> throw new IllegalArgumentException(verb);
        };
    }

    private static String numbers(long[] numbers) {
        return Arrays.stream(numbers).mapToObj(Long::toString).collect(Collectors.joining(" "));
    }

    private static String state(SnowcastSequencer sequencer) {
        return sequencer.getSequencerState().toString();
    }

    private SnowcastSequencer create(String name, int nodes) {
        SnowcastSequencer sequencer = snowcast.createSequencer(name, EPOCH, nodes);
        sequencers.put(name, sequencer);
        return sequencer;
    }

    private SnowcastSequencer existing(String name) {
        return Objects.requireNonNull(sequencers.get(name), name);
    }

    private long holders(String name) {
        return SnowcastSystem.clusterStatus(hazelcast).sequencers().stream()
                .filter(sequencer -> sequencer.name().equals(name))
                .flatMap(sequencer -> sequencer.nodes().stream())
                .filter(ClusterStatus.Node::isAttached)
                .count();
    }

    private boolean owns(String name) {
        Member owner = hazelcast.getPartitionService().getPartition(name).getOwner();
        return owner != null && owner.localMember();
    }
}
