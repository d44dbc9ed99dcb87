// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks.scale;

import com.noctarius.snowcast.benchmarks.Result;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

/** Measures the cost of coordination, with members in one JVM and in several; takes some minutes and about 3 GB. */
public final class Scale {
    private static final long DEFAULT_LEASE_MILLIS = 300_000;
    private static final int MANY = 100_000;
    private static final int WARM_UP_LEASES = 2;
    private static final int MEASURED_LEASES = 2;
    private static final int SHORT_LEASE_SECONDS = 20;
    private static final int SETTLE_SECONDS = 5;
    private static final int MEGABYTES = 1_024;
    private static final String STEPS = "from a no-op to an attach";
    private static final int STEP_CALLS = 1_024;
    private static final int WARM_UP_ROUNDS = 30;
    private static final int ROUNDS = 30;

    private final List<Result> results = new ArrayList<>();

    /** The ports of the current members; the port of the newest member is the first. */
    private final List<Integer> ports = new ArrayList<>();

    private String clusterName = "";

    private Scale() {}

    public static List<Result> run() throws Exception {
        Scale scale = new Scale();
        Tables.measure(scale.results);
        scale.oneMember();
        scale.severalJvms();
        scale.steps();
        scale.renewals();
        return scale.results;
    }

    /** Prints the figures of the given parts, or of all parts. */
    public static void main(String[] arguments) throws Exception {
        Scale scale = new Scale();
        for (String part :
                arguments.length == 0 ? new String[] {"tables", "member", "jvms", "steps", "renewals"} : arguments) {
            long start = System.nanoTime();
            switch (part) {
                case "tables" -> Tables.measure(scale.results);
                case "member" -> scale.oneMember();
                case "jvms" -> scale.severalJvms();
                case "steps" -> scale.steps();
                case "renewals" -> scale.renewals();
                default -> throw new IllegalArgumentException(part);
            }
            System.err.printf("%s: %.0f s%n", part, (System.nanoTime() - start) / 1e9);
        }
        scale.results.forEach(result -> System.out.printf(
                "%-12s %-12s %-34s %-46s %14.2f %s%n",
                result.group(), result.subject(), result.setting(), result.metric(), result.value(), result.unit()));
    }

    private void add(String group, String subject, String setting, String metric, double value, String unit) {
        results.add(new Result(group, subject, setting, metric, value, 0, unit));
    }

    // --- attach and detach

    private void oneMember() {
        try (Jvm jvm = Jvm.start(2 * MEGABYTES)) {
            start(List.of(jvm), DEFAULT_LEASE_MILLIS);
            latency(jvm, "1 JVM, 1 member");
            for (int threads : new int[] {1, 2, 8}) {
                double rate = jvm.ask("rate " + threads + " 4")[0];
                add("attach", "snowcast", "1 JVM, 1 member, threads: " + threads, "attaches and detaches", rate, "1/s");
            }
        }
    }

    private void latency(Jvm jvm, String setting) {
        double[] times = jvm.ask("latency 5");
        String[] subjects = {"no-op", "no-op, backed up", "detach", "attach"};
        for (int i = 0; i < subjects.length; i++) {
            add("attach", subjects[i], setting, "p50", times[2 * i], "µs");
            add("attach", subjects[i], setting, "p99", times[2 * i + 1], "µs");
        }
        add("attach", "detach", setting, "p50 / p50 of a no-op, backed up", times[4] / times[2], "");
        add("attach", "attach", setting, "p50 / p50 of a no-op, backed up", times[6] / times[2], "");
    }

    // --- from a no-op to an attach

    /**
     * Measures the steps in turn, so that a slow minute affects all of them. Also measures the resources that all
     * members use.
     */
    private void steps() {
        List<Jvm> jvms = new ArrayList<>();
        try {
            for (int i = 0; i < 3; i++) {
                jvms.add(Jvm.start(MEGABYTES));
            }
            start(jvms, DEFAULT_LEASE_MILLIS);
            jvms.get(0).ask("steps " + STEP_CALLS);
            steps(jvms, 1, WARM_UP_ROUNDS);
            for (int threads : new int[] {1, 16}) {
                double[][] figures = steps(jvms, threads, ROUNDS);
                String setting = "3 JVMs, threads: " + threads;
                for (int step = 1; step < figures.length; step++) {
                    String subject = Steps.NAMES.get(step);
                    double[] each = figures[step];
                    double[] least = figures[0];
                    double[] cpu = new double[3];
                    Arrays.setAll(cpu, i -> (each[i] - least[i]) / 1e3);
                    double sum = Arrays.stream(cpu).sum();
                    add(STEPS, subject, setting, "p50", each[6], "µs");
                    add(STEPS, subject, setting, "CPU", sum, "µs");
                    add(STEPS, subject, setting, "CPU of the partitions' threads", cpu[0], "µs");
                    add(STEPS, subject, setting, "CPU to send and to receive", cpu[1], "µs");
                    add(STEPS, subject, setting, "CPU of the caller", cpu[2], "µs");
                    add(STEPS, subject, setting, "waits of threads", each[3] - least[3], "");
                    add(STEPS, subject, setting, "written", each[4] - least[4], "bytes");
                    add(STEPS, subject, setting, "writes", each[5] - least[5], "");
                }
            }
        } finally {
            jvms.forEach(Jvm::close);
        }
    }

    /**
     * Returns, for each step, the resources that one call uses, in the order of {@link Steps#used}. Then follows the
     * duration of a call: the median of the rounds' medians.
     */
    private static double[][] steps(List<Jvm> jvms, int threads, int rounds) {
        double[][] used = new double[Steps.NAMES.size()][7];
        double[][] medians = new double[used.length][rounds];
        for (int round = 0; round < rounds; round++) {
            for (int step = 0; step < used.length; step++) {
                double[] before = used(jvms);
                medians[step][round] = jvms.get(0).ask("step " + step + ' ' + threads)[0];
                double[] after = used(jvms);
                for (int i = 0; i < after.length; i++) {
                    used[step][i] += (after[i] - before[i]) / (1.0 * rounds * STEP_CALLS);
                }
            }
        }
        for (int step = 0; step < used.length; step++) {
            Arrays.sort(medians[step]);
            used[step][6] = medians[step][rounds / 2];
        }
        return used;
    }

    private static double[] used(List<Jvm> jvms) {
        double[] sum = new double[6];
        for (Jvm jvm : jvms) {
            double[] each = jvm.ask("used");
            Arrays.setAll(sum, i -> sum[i] + each[i]);
        }
        return sum;
    }

    // --- clusters

    /** Starts a cluster with one member for each element of the list. */
    private void start(List<Jvm> jvms, long leaseMillis) {
        ports.clear();
        clusterName = "scale-" + UUID.randomUUID();
        jvms.forEach(jvm -> join(jvm, leaseMillis));
        await(jvms.get(0));
    }

    private void join(Jvm jvm, long leaseMillis) {
        ports.add(0, Jvm.freePort());
        jvm.ask("start " + clusterName + ' ' + leaseMillis + ' '
                + ports.stream().map(String::valueOf).collect(Collectors.joining(" ")));
    }

    private void await(Jvm jvm) {
        jvm.ask("await " + ports.size() + " 1");
    }

    private static double sum(List<Jvm> jvms, String request) {
        return jvms.stream().mapToDouble(jvm -> jvm.ask(request)[0]).sum();
    }

    // --- many sequencers

    private void severalJvms() {
        List<Jvm> jvms = new ArrayList<>();
        try {
            for (int i = 0; i < 4; i++) {
                jvms.add(Jvm.start(MEGABYTES));
            }
            List<Jvm> three = jvms.subList(0, 3);
            Jvm first = jvms.get(0);
            start(three, DEFAULT_LEASE_MILLIS);
            latency(first, "3 JVMs, 3 members");
            double[] client = first.ask("client 3");
            add("attach", "client", "3 JVMs, 3 members", "detach, p50", client[0], "µs");
            add("attach", "client", "3 JVMs, 3 members", "attach, p50", client[2], "µs");
            double rate = first.ask("rate 8 4")[0];
            add("attach", "snowcast", "3 JVMs, 3 members, threads: 8", "attaches and detaches", rate, "1/s");

            joinAndLeave(jvms, 0);
            double[] heapBefore = each(three, "heap");
            double threadsBefore = sum(three, "threads");
            double idle = idleCpu(three);
            int created = 0;
            for (int count : new int[] {1_000, 10_000, MANY}) {
                double seconds = first.ask("create " + created + ' ' + count)[0];
                add(
                        "sequencers",
                        "snowcast",
                        "3 JVMs, up to " + count,
                        "creation rate",
                        (count - created) / seconds,
                        "1/s");
                created = count;
                if (count == 10_000) {
                    for (Jvm other : jvms.subList(1, 3)) {
                        other.ask("create 0 " + count);
                    }
                    heap(three, heapBefore, count, "3 holders");
                }
            }
            heap(three, heapBefore, MANY, "most 1 holder");
            joinAndLeave(jvms, MANY);
            add(
                    "background",
                    "snowcast",
                    MANY + " idle sequencers",
                    "further threads",
                    sum(three, "threads") - threadsBefore,
                    "");
            add(
                    "background",
                    "snowcast",
                    MANY + " idle sequencers",
                    "further CPU",
                    100 * (idleCpu(three) - idle),
                    "% of a core");
        } finally {
            jvms.forEach(Jvm::close);
        }
    }

    private static double[] each(List<Jvm> jvms, String request) {
        return jvms.stream().mapToDouble(jvm -> jvm.ask(request)[0]).toArray();
    }

    /**
     * Adds the growth of the heap per sequencer. The members own equal shares of the tables. Beyond the first 10,000
     * sequencers, all holders are on the first member.
     */
    private void heap(List<Jvm> three, double[] before, int count, String setting) {
        double[] now = each(three, "heap");
        double[] grown = new double[now.length];
        Arrays.setAll(grown, i -> (now[i] - before[i]) / count);
        String where = count + " sequencers, " + setting;
        add(
                "sequencers",
                "snowcast",
                where,
                "heap of all members per sequencer",
                Arrays.stream(grown).sum(),
                "bytes");
        add("sequencers", "snowcast", where, "of that on the first member", grown[0], "bytes");
        add("sequencers", "snowcast", where, "of that on the others", (grown[1] + grown[2]) / 2, "bytes each");
    }

    private void joinAndLeave(List<Jvm> jvms, int sequencers) {
        List<Jvm> three = jvms.subList(0, 3);
        Jvm first = jvms.get(0);
        Jvm fourth = jvms.get(3);
        String setting = "3 JVMs, " + sequencers + " sequencers";
        three.forEach(jvm -> jvm.ask("reset"));
        long start = System.nanoTime();
        join(fourth, DEFAULT_LEASE_MILLIS);
        await(first);
        add("sequencers", "a member joins", setting, "until all copies are there", millisSince(start), "ms");
        partitionRuns(jvms, "a member joins", setting);
        jvms.forEach(jvm -> jvm.ask("reset"));
        start = System.nanoTime();
        fourth.ask("stop");
        ports.remove(0);
        await(first);
        add("sequencers", "a member leaves", setting, "until all copies are there", millisSince(start), "ms");
        partitionRuns(three, "a member leaves", setting);
    }

    /** Adds how long partition threads take to make, send and take over the copies of migrating partitions. */
    private void partitionRuns(List<Jvm> jvms, String subject, String setting) {
        String[] operations = {"UrgentPartitionRunnable", "InvokeMigrationOps", "MigrationOperation"};
        String[] names = {"making a copy", "sending a copy", "taking a copy"};
        for (int i = 0; i < operations.length; i++) {
            String request = "ops " + operations[i];
            double[][] all = jvms.stream().map(jvm -> jvm.ask(request)).toArray(double[][]::new);
            double count = Arrays.stream(all).mapToDouble(each -> each[0]).sum();
            double micros = Arrays.stream(all).mapToDouble(each -> each[2]).sum();
            add(
                    "sequencers",
                    subject,
                    setting,
                    names[i] + ", mean on the partition's thread",
                    micros / Math.max(count, 1),
                    "µs");
            double longest =
                    Arrays.stream(all).mapToDouble(each -> each[1]).max().orElse(0);
            add("sequencers", subject, setting, names[i] + ", longest on the partition's thread", longest, "µs");
        }
    }

    private static double millisSince(long startNanos) {
        return (System.nanoTime() - startNanos) / 1e6;
    }

    /** Returns how much CPU time the idle JVMs use, in cores. */
    private static double idleCpu(List<Jvm> jvms) {
        int seconds = 10;
        double before = sum(jvms, "cpu");
        sleep(seconds);
        return (sum(jvms, "cpu") - before) / (seconds * 1e9);
    }

    private static void sleep(int seconds) {
        try {
            Thread.sleep(seconds * 1_000L);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    // --- renewals

    /** Measures what the renewals during one lease cost. For longer leases, this cost is the same. */
    private void renewals() {
        try (Jvm jvm = Jvm.start(3 * MEGABYTES)) {
            start(List.of(jvm, jvm, jvm), SHORT_LEASE_SECONDS * 1_000);
            sleep(SETTLE_SECONDS);
            double idle = idleCpu(List.of(jvm));
            int created = 0;
            for (int count : new int[] {10_000, MANY}) {
                double seconds = jvm.ask("create " + created + ' ' + count)[0];
                add(
                        "sequencers",
                        "snowcast",
                        "1 JVM, up to " + count,
                        "creation rate",
                        (count - created) / seconds,
                        "1/s");
                created = count;
                renewalsOf(jvm, count, idle);
            }
        }
    }

    private void renewalsOf(Jvm jvm, int count, double idle) {
        // Wait until the sequencers of a partition share requests, and the JVM has compiled the code for such requests.
        sleep(WARM_UP_LEASES * SHORT_LEASE_SECONDS);
        jvm.ask("heap");
        jvm.ask("reset");
        double before = jvm.ask("cpu")[0];
        sleep(MEASURED_LEASES * SHORT_LEASE_SECONDS);
        double millis = (jvm.ask("cpu")[0] - before) / 1e6 / MEASURED_LEASES - idle * SHORT_LEASE_SECONDS * 1_000;
        double[] requests = jvm.ask("ops RequestOperation");
        double[] backups = jvm.ask("ops Backup");
        String setting = "1 JVM, 3 members, " + count + " attachments";
        add("renewals", "snowcast", setting, "requests per lease", requests[0] / MEASURED_LEASES, "");
        add("renewals", "snowcast", setting, "backups per lease", backups[0] / MEASURED_LEASES, "");
        add("renewals", "snowcast", setting, "mean run of a request", requests[2] / requests[0], "µs");
        add("renewals", "snowcast", setting, "longest run of a request", requests[1], "µs");
        add(
                "renewals",
                "snowcast",
                setting,
                "further CPU of all members per lease of " + SHORT_LEASE_SECONDS + " s",
                millis,
                "ms");
    }
}
