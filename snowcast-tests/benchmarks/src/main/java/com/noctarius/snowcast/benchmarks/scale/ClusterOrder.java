// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks.scale;

import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.instance.impl.HazelcastInstanceProxy;
import com.hazelcast.partition.Partition;
import com.hazelcast.spi.impl.operationservice.OperationService;
import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.Ordering;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.benchmarks.Result;
import com.noctarius.snowcast.benchmarks.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;

/** Integers in the order of the cluster, of two members in this JVM, compared with an operation that does nothing. */
public final class ClusterOrder {
    private static final String GROUP = "cluster order";
    private static final String LOOPBACK = "127.0.0.1";
    private static final int[] CALLERS = {1, 8, 64};

    private final List<Result> results = new ArrayList<>();
    private final double effort;

    private ClusterOrder(double effort) {
        this.effort = effort;
    }

    /** Returns all figures; takes a minute and a half times {@code effort}. */
    public static List<Result> run(double effort) throws Exception {
        ClusterOrder benchmark = new ClusterOrder(effort);
        int[] ports = {Jvm.freePort(), Jvm.freePort()};
        String name = "cluster-order-" + UUID.randomUUID();
        HazelcastInstance member = start(name, ports[0], ports[1]);
        HazelcastInstance other = start(name, ports[1], ports[0]);
        try {
            while (member.getCluster().getMembers().size() < 2
                    || !member.getPartitionService().isClusterSafe()) {
                TimeUnit.MILLISECONDS.sleep(10);
            }
            benchmark.measure(member, true, "this member is the owner");
            benchmark.measure(member, false, "the other member is the owner");
            return benchmark.results;
        } finally {
            other.shutdown();
            member.shutdown();
        }
    }

    private static HazelcastInstance start(String cluster, int port, int otherPort) {
        Config config = new Config().setClusterName(cluster);
        config.getJetConfig().setEnabled(false);
        config.getNetworkConfig().setPort(port).setPortAutoIncrement(false);
        config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface(LOOPBACK);
        JoinConfig join = config.getNetworkConfig().getJoin();
        join.getAutoDetectionConfig().setEnabled(false);
        join.getMulticastConfig().setEnabled(false);
        join.getTcpIpConfig().setEnabled(true).addMember(LOOPBACK + ':' + otherPort);
        config.setProperty("hazelcast.wait.seconds.before.join", "0");
        config.getSerializationConfig().addDataSerializableFactory(NoOp.FACTORY_ID, new NoOp.Factory());
        return Hazelcast.newHazelcastInstance(config);
    }

    private void measure(HazelcastInstance member, boolean isOwner, String setting) throws Exception {
        Partition partition = partition(member, isOwner);
        IntegerSequence sequence = SnowcastSystem.snowcast(member)
                .createIntegerSequence(IntegerSequenceConfig.builder(nameIn(member, partition))
                        .lastValue(Long.MAX_VALUE)
                        .ordering(Ordering.CLUSTER)
                        .build());
        latency(member, partition, sequence, setting);
        double one = 0;
        for (int callers : CALLERS) {
            double rate = rate(sequence, callers);
            one = callers == 1 ? rate : one;
            add(Threads.setting(callers) + ", " + setting, "rate", rate, "1/s");
            add(Threads.setting(callers) + ", " + setting, "rate / rate of 1 thread", rate / Math.max(one, 1), "");
        }
    }

    private void add(String setting, String metric, double value, String unit) {
        results.add(new Result(GROUP, "snowcast", setting, metric, value, 0, unit));
    }

    private static Partition partition(HazelcastInstance member, boolean isOwner) {
        return member.getPartitionService().getPartitions().stream()
                .filter(each -> member.getCluster().getLocalMember().equals(each.getOwner()) == isOwner)
                .findFirst()
                .orElseThrow();
    }

    private static String nameIn(HazelcastInstance member, Partition partition) {
        String name = "numbers";
        while (!member.getPartitionService().getPartition(name).equals(partition)) {
            name = "numbers " + UUID.randomUUID();
        }
        return name;
    }

    /** By turns, so that a slow second is not one's alone. */
    private void latency(HazelcastInstance member, Partition partition, IntegerSequence sequence, String setting)
            throws Exception {
        OperationService operations = ((HazelcastInstanceProxy) member)
                .getOriginal()
                .node
                .getNodeEngine()
                .getOperationService();
        Histogram noOps = new Histogram(3);
        Histogram calls = new Histogram(3);
        for (double seconds : new double[] {10 * effort, 10 * effort}) {
            noOps.reset();
            calls.reset();
            long end = System.nanoTime() + (long) (seconds * TimeUnit.SECONDS.toNanos(1));
            while (System.nanoTime() < end) {
                long before = System.nanoTime();
                operations
                        .createInvocationBuilder(NoOp.SERVICE, new NoOp(1, Cargo.NOTHING), partition.getPartitionId())
                        .invoke()
                        .get();
                long between = System.nanoTime();
                sequence.next();
                calls.recordValue(System.nanoTime() - between);
                noOps.recordValue(between - before);
            }
        }
        double noOp = noOps.getValueAtPercentile(50);
        double call = calls.getValueAtPercentile(50);
        add("1 thread, " + setting, "p50 of a no-op, backed up", noOp / 1_000, "µs");
        add("1 thread, " + setting, "p50", call / 1_000, "µs");
        add("1 thread, " + setting, "p50 / p50 of a no-op, backed up", call / noOp, "");
    }

    private double rate(IntegerSequence sequence, int callers) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(callers);
        AtomicBoolean stopped = new AtomicBoolean();
        LongAdder count = new LongAdder();
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
            all.add(executor.submit(() -> {
                while (!stopped.get()) {
                    sequence.next();
                    count.increment();
                }
                return null;
            }));
        }
        pause(3 * effort);
        long before = count.sum();
        long since = System.nanoTime();
        pause(5 * effort);
        double rate = (count.sum() - before) * 1e9 / (System.nanoTime() - since);
        stopped.set(true);
        for (Future<?> each : all) {
            each.get();
        }
        executor.shutdown();
        return rate;
    }

    private static void pause(double seconds) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep((long) (seconds * 1_000));
    }
}
