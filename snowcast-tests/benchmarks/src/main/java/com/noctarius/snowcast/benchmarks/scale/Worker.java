// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks.scale;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.cluster.Member;
import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.instance.impl.HazelcastInstanceProxy;
import com.hazelcast.internal.util.LatencyDistribution;
import com.hazelcast.partition.Partition;
import com.hazelcast.spi.impl.NodeEngineImpl;
import com.hazelcast.spi.impl.operationservice.impl.OperationServiceImpl;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/**
 * The main class of a JVM with members. It executes the requests of a {@link Jvm}, one on each line of its standard
 * input, and answers each with a line of numbers.
 */
final class Worker {
    /** The prefix of an answer. */
    static final String ANSWER = "= ";

    private static final SnowcastEpoch EPOCH = SnowcastEpoch.byTimestamp(1_500_000_000_000L);
    private static final String LOOPBACK = "127.0.0.1";
    private static final int WARM_UP_SECONDS = 6;

    private final List<HazelcastInstance> members = new ArrayList<>();
    private final List<SnowcastSequencer> kept = new ArrayList<>();
    private boolean isTimed;
    private int[] ports = {};
    private String clusterName = "";

    private Worker() {}

    public static void main(String[] arguments) throws Exception {
        PrintStream answers = System.out;
        System.setOut(System.err);
        Worker worker = new Worker();
        BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = requests.readLine(); line != null; line = requests.readLine()) {
            double[] numbers = worker.answer(line.split(" "));
            answers.println(
                    ANSWER + Arrays.stream(numbers).mapToObj(Double::toString).collect(Collectors.joining(" ")));
            answers.flush();
        }
        Runtime.getRuntime().halt(0);
    }

    private double[] answer(String[] words) throws Exception {
        switch (words[0]) {
            case "start" -> start(words[1], Long.parseLong(words[2]), ints(words, 3));
            case "stop" -> stop();
            case "await" -> await(Integer.parseInt(words[1]), Double.parseDouble(words[2]));
            case "timed" -> isTimed = true;
            case "reset" -> reset();
            case "piece" -> {
                return Piece.ALL.get(Integer.parseInt(words[1])).counted();
            }
            case "latency" -> {
                return latency(members.get(0), Integer.parseInt(words[1]));
            }
            case "client" -> {
                return client(Integer.parseInt(words[1]));
            }
            case "rate" -> {
                return new double[] {rate(Integer.parseInt(words[1]), Integer.parseInt(words[2]))};
            }
            case "create" -> {
                return new double[] {create(Integer.parseInt(words[1]), Integer.parseInt(words[2]))};
            }
            case "heap" -> {
                return new double[] {heap()};
            }
            case "cpu" -> {
                return new double[] {cpuNanos()};
            }
            case "threads" -> {
                return new double[] {ManagementFactory.getThreadMXBean().getThreadCount()};
            }
            case "ops" -> {
                return operationsOf(words[1]);
            }
            default -> throw new IllegalArgumentException(words[0]);
        }
        return new double[0];
    }

    private static int[] ints(String[] words, int from) {
        return Arrays.stream(words, from, words.length)
                .mapToInt(Integer::parseInt)
                .toArray();
    }

    // --- members

    /** Starts a member at the first port. The other ports are the ports of the current members. */
    private void start(String cluster, long leaseMillis, int[] withPorts) {
        ports = withPorts;
        clusterName = cluster;
        Config config = new Config();
        config.setClusterName(cluster);
        config.getJetConfig().setEnabled(false);
        config.getNetworkConfig().setPort(ports[0]).setPortAutoIncrement(false);
        config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface(LOOPBACK);
        JoinConfig join = config.getNetworkConfig().getJoin();
        join.getAutoDetectionConfig().setEnabled(false);
        join.getMulticastConfig().setEnabled(false);
        join.getTcpIpConfig().setEnabled(true);
        Arrays.stream(ports).skip(1).forEach(port -> join.getTcpIpConfig().addMember(LOOPBACK + ':' + port));
        config.setProperty("hazelcast.wait.seconds.before.join", "0");
        config.setProperty("snowcast.lease.millis", Long.toString(leaseMillis));
        config.getSerializationConfig().addDataSerializableFactory(NoOp.FACTORY_ID, new NoOp.Factory());
        if (isTimed) {
            TimedService.register(config);
        }
        members.add(Hazelcast.newHazelcastInstance(config));
    }

    private void stop() {
        members.remove(members.size() - 1).shutdown();
    }

    /**
     * Waits until there are {@code size} members, each of them owns at least {@code partOfShare} times an equal share
     * of the partitions, and all backups exist.
     */
    private void await(int size, double partOfShare) throws InterruptedException, TimeoutException {
        HazelcastInstance member = members.get(0);
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        while (!isBalanced(member, size, partOfShare)
                || !member.getPartitionService().isClusterSafe()) {
            if (System.nanoTime() > deadline) {
                throw new TimeoutException(size + " members");
            }
            Thread.sleep(5);
        }
    }

    private static boolean isBalanced(HazelcastInstance member, int size, double partOfShare) {
        Map<UUID, Integer> owned = new HashMap<>();
        int partitions = 0;
        for (Partition partition : member.getPartitionService().getPartitions()) {
            Member owner = partition.getOwner();
            if (owner != null) {
                owned.merge(owner.getUuid(), 1, Integer::sum);
            }
            partitions++;
        }
        double least = Math.floor(partitions / (double) size) * partOfShare;
        return member.getCluster().getMembers().size() == size
                && owned.size() == size
                && owned.values().stream().allMatch(count -> count >= least);
    }

    private void reset() {
        members.forEach(member -> operations(member).getOpLatencyDistributions().clear());
        Piece.ALL.forEach(Piece::reset);
    }

    private static NodeEngineImpl engine(HazelcastInstance member) {
        return ((HazelcastInstanceProxy) member).getOriginal().node.getNodeEngine();
    }

    private static OperationServiceImpl operations(HazelcastInstance member) {
        return engine(member).getOperationService();
    }

    /**
     * Returns how many operations of a class the members have run since the last {@link #reset}, and the longest and
     * total time of these operations in microseconds.
     */
    private double[] operationsOf(String simpleName) {
        double count = 0;
        double longest = 0;
        double micros = 0;
        for (HazelcastInstance member : members) {
            for (Map.Entry<?, LatencyDistribution> each :
                    operations(member).getOpLatencyDistributions().entrySet()) {
                if (((Class<?>) each.getKey()).getSimpleName().equals(simpleName)) {
                    count += (double) each.getValue().count();
                    longest = Math.max(longest, (double) each.getValue().maxMicros());
                    micros += (double) each.getValue().totalMicros();
                }
            }
        }
        return new double[] {count, longest, micros};
    }

    // --- what is measured

    private static SnowcastSequencer create(HazelcastInstance hazelcast, String name) {
        return SnowcastSystem.snowcast(hazelcast).createSequencer(name, EPOCH);
    }

    private static List<SnowcastSequencer> sequencers(HazelcastInstance hazelcast, String prefix) {
        List<SnowcastSequencer> sequencers = new ArrayList<>();
        for (int i = 0; i < 256; i++) {
            sequencers.add(create(hazelcast, prefix + i));
        }
        return sequencers;
    }

    /** Returns the median and 99th percentile, in µs, of no-ops without and with backups, detaches and attaches. */
    private static double[] latency(HazelcastInstance member, int seconds)
            throws ExecutionException, InterruptedException {
        List<SnowcastSequencer> sequencers = sequencers(member, "latency");
        int backups = member.getCluster().getMembers().size() - 1;
        return passes(
                sequencers,
                seconds,
                sequencer -> noOp(member, partitionOf(member, sequencer), 0),
                sequencer -> noOp(member, partitionOf(member, sequencer), backups),
                SnowcastSequencer::detachLogicalNode,
                SnowcastSequencer::attachLogicalNode);
    }

    /** A call for a sequencer or its partition. */
    private interface Step {
        void run(SnowcastSequencer sequencer) throws ExecutionException, InterruptedException;
    }

    /**
     * Measures the steps in turn, each for all sequencers. Consecutive calls then almost always go to different
     * partitions. Otherwise, a step would gain from the call before, which has woken the thread of the partition.
     */
    private static double[] passes(List<SnowcastSequencer> sequencers, int seconds, Step... steps)
            throws ExecutionException, InterruptedException {
        Histogram[] times = new Histogram[steps.length];
        for (int part : new int[] {WARM_UP_SECONDS, seconds}) {
            Arrays.setAll(times, i -> new Histogram(3));
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(part);
            while (System.nanoTime() < end) {
                for (int i = 0; i < steps.length; i++) {
                    for (SnowcastSequencer sequencer : sequencers) {
                        long before = System.nanoTime();
                        steps[i].run(sequencer);
                        times[i].recordValue(System.nanoTime() - before);
                    }
                }
            }
        }
        return percentiles(times);
    }

    private static int partitionOf(HazelcastInstance member, SnowcastSequencer sequencer) {
        return member.getPartitionService()
                .getPartition(sequencer.getSequencerName())
                .getPartitionId();
    }

    private static double[] percentiles(Histogram... times) {
        return Arrays.stream(times)
                .flatMap(each ->
                        List.of(each.getValueAtPercentile(50) / 1_000.0, each.getValueAtPercentile(99) / 1_000.0)
                                .stream())
                .mapToDouble(Double::doubleValue)
                .toArray();
    }

    private static void noOp(HazelcastInstance member, int partition, int backups)
            throws ExecutionException, InterruptedException {
        operations(member)
                .createInvocationBuilder(NoOp.SERVICE, new NoOp(backups), partition)
                .invoke()
                .get();
    }

    /** Returns the medians and 99th percentiles, in microseconds, of detaches and attaches by a client. */
    private double[] client(int seconds) throws ExecutionException, InterruptedException {
        ClientConfig config = new ClientConfig();
        config.setClusterName(clusterName);
        config.getNetworkConfig().addAddress(LOOPBACK + ':' + ports[0]);
        HazelcastInstance client = HazelcastClient.newHazelcastClient(config);
        try {
            return passes(
                    sequencers(client, "client"),
                    seconds,
                    SnowcastSequencer::detachLogicalNode,
                    SnowcastSequencer::attachLogicalNode);
        } finally {
            client.shutdown();
        }
    }

    /** Returns how many attaches and detaches the threads make per second. Each thread has its own sequencers. */
    private double rate(int threads, int seconds) throws ExecutionException, InterruptedException {
        List<SnowcastSequencer> sequencers = sequencers(members.get(0), "rate");
        int each = sequencers.size() / threads;
        AtomicInteger done = new AtomicInteger();
        long start = System.nanoTime();
        long end = start + TimeUnit.SECONDS.toNanos(seconds);
        inParallel(threads, thread -> {
            for (int i = 0; System.nanoTime() < end; i = (i + 1) % each) {
                sequencers.get(thread * each + i).detachLogicalNode().attachLogicalNode();
                done.addAndGet(2);
            }
        });
        return done.get() / secondsSince(start);
    }

    /** Creates the sequencers with the numbers {@code from} to {@code to} - 1, and returns the duration in seconds. */
    private double create(int from, int to) throws ExecutionException, InterruptedException {
        int threads = 8;
        AtomicInteger next = new AtomicInteger(from);
        List<List<SnowcastSequencer>> created = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            created.add(new ArrayList<>());
        }
        long start = System.nanoTime();
        inParallel(threads, thread -> {
            for (int i = next.getAndIncrement(); i < to; i = next.getAndIncrement()) {
                created.get(thread).add(create(members.get(0), "sequencer-" + i));
            }
        });
        double seconds = secondsSince(start);
        created.forEach(kept::addAll);
        return seconds;
    }

    private static double secondsSince(long startNanos) {
        return (System.nanoTime() - startNanos) / 1e9;
    }

    /** Work that several threads do. Each thread gets its own number, from 0. */
    private interface Work {
        void run(int thread) throws Exception;
    }

    private static void inParallel(int threads, Work work) throws ExecutionException, InterruptedException {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int thread = i;
                running.add(executor.submit(() -> {
                    work.run(thread);
                    return null;
                }));
            }
            for (Future<?> each : running) {
                each.get();
            }
        } finally {
            executor.shutdown();
        }
    }

    /** Returns the used heap after a garbage collection, in bytes. */
    static double heap() throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            System.gc();
            Thread.sleep(100);
        }
        return (double) ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static double cpuNanos() {
        return (double) ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }
}
