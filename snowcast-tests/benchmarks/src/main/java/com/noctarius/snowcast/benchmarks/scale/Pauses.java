// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks.scale;

import com.noctarius.snowcast.benchmarks.Result;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Measures how long reads of a map wait while partitions migrate, with many sequencers and with none. Also measures how
 * long a partition thread works for snowcast without a chance to do other work.
 */
public final class Pauses {
    private static final int SEQUENCERS = 100_000;
    private static final int CYCLES = 4;
    private static final int QUIET_MILLIS = 8_000;
    private static final int MEMBERS = 3;
    private static final int HEAP_MEGABYTES = 2_048;
    /** A fifth of the default, so that more leases are renewed during the measured phases. */
    private static final long LEASE_MILLIS = 60_000;

    /**
     * The titles of operations that Hazelcast itself times, by class name. Hazelcast measures no CPU times. A get does
     * no work for snowcast, so its times show the delays of the machine.
     */
    private static final SortedMap<String, String> OPERATIONS =
            new TreeMap<>(Map.of("RequestOperation", "a request", "Backup", "a backup", "GetOperation", "a get"));

    private final List<Result> results;
    private final double effort;
    private final int sequencers;
    private final List<Jvm> jvms = new ArrayList<>();

    /** The ports of the current members; the port of the newest member is the first. */
    private final List<Integer> ports = new ArrayList<>();

    private final String clusterName = "pauses-" + UUID.randomUUID();
    private final Map<String, Seen> phases = new LinkedHashMap<>();

    /** The measurements of all phases with the same name, in all JVMs. */
    private static final class Seen {
        private final Map<String, Counted> pieces = new LinkedHashMap<>();
        private double garbageMillis;
        private int count;
        private double millis;
    }

    /** Pieces of work of one kind. Times are in microseconds; CPU times are NaN if they are not known. */
    private record Counted(double count, double most, double all, double mostCpu, double allCpu) {
        private static Counted pieces(double[] piece) {
            return new Counted(piece[0], piece[1], piece[2], piece[3], piece[4]);
        }

        private static Counted operations(double[] operations) {
            return new Counted(operations[0], operations[1], operations[2], Double.NaN, Double.NaN);
        }

        private Counted plus(Counted other) {
            return new Counted(
                    count + other.count,
                    Math.max(most, other.most),
                    all + other.all,
                    Math.max(mostCpu, other.mostCpu),
                    allCpu + other.allCpu);
        }
    }

    private Pauses(List<Result> results, double effort, int sequencers) {
        this.results = results;
        this.effort = effort;
        this.sequencers = sequencers;
    }

    /** Measures and returns all figures. Takes three minutes times {@code effort}, and about 3 GB of memory. */
    public static List<Result> run(double effort) throws InterruptedException {
        List<Result> results = new ArrayList<>();
        for (int sequencers : new int[] {0, (int) Math.ceil(SEQUENCERS * effort)}) {
            new Pauses(results, effort, sequencers).measure();
        }
        return results;
    }

    private void measure() throws InterruptedException {
        try {
            while (jvms.size() < MEMBERS) {
                join(start());
            }
            await();
            Jvm first = jvms.get(0);
            first.ask("create 0 " + sequencers);
            for (Jvm jvm : jvms) {
                jvm.ask("heap"); // Collects the garbage, so that no later phase has to.
            }
            first.ask("map");
            begin("quiet");
            Thread.sleep(Math.round(QUIET_MILLIS * effort));
            end("quiet");
            for (int i = 0; i < Math.max(1, Math.round(CYCLES * effort)); i++) {
                leave(joined());
                kill(joined());
            }
            phases.forEach(this::report);
        } finally {
            jvms.forEach(Jvm::close);
        }
    }

    // --- phases

    private Jvm joined() {
        Jvm jvm = start();
        begin("a member joins");
        join(jvm);
        end("a member joins");
        return jvm;
    }

    private void leave(Jvm jvm) {
        begin("a member leaves");
        jvm.ask("stop");
        ports.remove(0);
        end("a member leaves");
        jvm.close();
        jvms.remove(jvm);
    }

    private void kill(Jvm jvm) {
        begin("a member is killed");
        jvm.close();
        jvms.remove(jvm);
        ports.remove(0);
        end("a member is killed");
    }

    private void begin(String phase) {
        jvms.forEach(jvm -> jvm.ask("reset"));
        jvms.get(0).ask("begin " + phase);
    }

    /** Waits until all migrations have ended, and collects the measurements of the phase. */
    private void end(String phase) {
        await();
        double[] length = jvms.get(0).ask("end");
        Seen seen = phases.computeIfAbsent(phase, any -> new Seen());
        seen.count++;
        seen.millis += length[0];
        for (Jvm jvm : jvms) {
            seen.garbageMillis = Math.max(seen.garbageMillis, jvm.ask("garbage")[0]);
            for (int i = 0; i < Piece.ALL.size(); i++) {
                Counted pieces = Counted.pieces(jvm.ask("piece " + i));
                seen.pieces.merge(Piece.ALL.get(i).title(), pieces, Counted::plus);
            }
            OPERATIONS.forEach((operation, title) -> {
                Counted operations = Counted.operations(jvm.ask("ops " + operation));
                seen.pieces.merge(title, operations, Counted::plus);
            });
        }
    }

    // --- members

    private Jvm start() {
        Jvm jvm = Jvm.start(HEAP_MEGABYTES);
        jvms.add(jvm);
        jvm.ask("timed");
        return jvm;
    }

    private void join(Jvm jvm) {
        ports.add(0, Jvm.freePort());
        jvm.ask("start " + clusterName + ' ' + LEASE_MILLIS + ' '
                + ports.stream().map(String::valueOf).collect(Collectors.joining(" ")));
    }

    private void await() {
        // Require only 0.9 of an equal share: after a member has left or was killed, the other members do not own
        // exactly equal shares of the partitions.
        jvms.get(0).ask("await " + ports.size() + " 0.9");
    }

    // --- figures

    private void report(String phase, Seen seen) {
        String subject = sequencers + " sequencers";
        double[] gets = jvms.get(0).ask("gets " + phase);
        add("pauses", subject, phase, "times", seen.count, "");
        add("pauses", subject, phase, "mean length", seen.millis / seen.count, "ms");
        add("pauses", subject, phase, "gets", gets[0], "");
        add("pauses", subject, phase, "p50", gets[1], "ms");
        add("pauses", subject, phase, "p99.9", gets[2], "ms");
        add("pauses", subject, phase, "longest", gets[3], "ms");
        add("pauses", subject, phase, "longest collection of garbage", seen.garbageMillis, "ms");
        seen.pieces.forEach((piece, counted) -> {
            if (counted.count > 0) {
                String setting = phase + ", " + subject;
                add("pieces", piece, setting, "times", counted.count, "");
                add("pieces", piece, setting, "mean by the clock", counted.all / counted.count, "µs");
                add("pieces", piece, setting, "longest by the clock", counted.most, "µs");
                if (!Double.isNaN(counted.allCpu)) {
                    add("pieces", piece, setting, "mean on a processor", counted.allCpu / counted.count, "µs");
                    add("pieces", piece, setting, "longest on a processor", counted.mostCpu, "µs");
                }
            }
        });
    }

    private void add(String group, String subject, String setting, String metric, double value, String unit) {
        results.add(new Result(group, subject, setting, metric, value, 0, unit));
    }
}
