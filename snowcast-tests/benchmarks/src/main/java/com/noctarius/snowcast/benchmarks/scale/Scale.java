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
        scale.renewals();
        return scale.results;
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
            for (int i = 0; i < 3; i++) {
                jvms.add(Jvm.start(MEGABYTES));
            }
            Jvm first = jvms.get(0);
            start(jvms, DEFAULT_LEASE_MILLIS);
            latency(first, "3 JVMs, 3 members");
            double[] client = first.ask("client 3");
            add("attach", "client", "3 JVMs, 3 members", "detach, p50", client[0], "µs");
            add("attach", "client", "3 JVMs, 3 members", "attach, p50", client[2], "µs");
            double rate = first.ask("rate 8 4")[0];
            add("attach", "snowcast", "3 JVMs, 3 members, threads: 8", "attaches and detaches", rate, "1/s");

            double[] heapBefore = each(jvms, "heap");
            double threadsBefore = sum(jvms, "threads");
            double idle = idleCpu(jvms);
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
                    heap(jvms, heapBefore, count, "3 holders");
                }
            }
            heap(jvms, heapBefore, MANY, "most 1 holder");
            add(
                    "background",
                    "snowcast",
                    MANY + " idle sequencers",
                    "further threads",
                    sum(jvms, "threads") - threadsBefore,
                    "");
            add(
                    "background",
                    "snowcast",
                    MANY + " idle sequencers",
                    "further CPU",
                    100 * (idleCpu(jvms) - idle),
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
