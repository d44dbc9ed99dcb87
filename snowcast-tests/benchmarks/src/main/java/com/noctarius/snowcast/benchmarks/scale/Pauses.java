// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks.scale;

import com.noctarius.snowcast.benchmarks.Result;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Measures how long a partition thread works for snowcast without a chance to do other work, while partitions migrate,
 * with many sequencers and with none.
 */
public final class Pauses {
    private static final int SEQUENCERS = 100_000;
    private static final int CYCLES = 4;
    private static final int QUIET_MILLIS = 8_000;
    private static final int MEMBERS = 3;
    private static final int HEAP_MEGABYTES = 2_048;
    /** A fifth of the default, so that more leases are renewed during the measured phases. */
    private static final long LEASE_MILLIS = 60_000;

    private final List<Result> results;
    private final double effort;
    private final int sequencers;
    private final List<Jvm> jvms = new ArrayList<>();

    /** The ports of the current members; the port of the newest member is the first. */
    private final List<Integer> ports = new ArrayList<>();

    private final String clusterName = "pauses-" + UUID.randomUUID();
    /** The pieces of all phases with the same name, in all JVMs, by phase and kind. */
    private final Map<String, Map<String, Counted>> phases = new LinkedHashMap<>();

    /** Pieces of work of one kind. Times are in microseconds. */
    private record Counted(double count, double most, double all, double mostCpu, double allCpu) {
        private static Counted of(double[] piece) {
            return new Counted(piece[0], piece[1], piece[2], piece[3], piece[4]);
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
            begin();
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
        begin();
        join(jvm);
        end("a member joins");
        return jvm;
    }

    private void leave(Jvm jvm) {
        begin();
        jvm.ask("stop");
        ports.remove(0);
        end("a member leaves");
        jvm.close();
        jvms.remove(jvm);
    }

    private void kill(Jvm jvm) {
        begin();
        jvm.close();
        jvms.remove(jvm);
        ports.remove(0);
        end("a member is killed");
    }

    private void begin() {
        jvms.forEach(jvm -> jvm.ask("reset"));
    }

    /** Waits until all migrations have ended, and collects the measurements of the phase. */
    private void end(String phase) {
        await();
        Map<String, Counted> seen = phases.computeIfAbsent(phase, any -> new LinkedHashMap<>());
        for (Jvm jvm : jvms) {
            for (int i = 0; i < Piece.ALL.size(); i++) {
                seen.merge(Piece.ALL.get(i).title(), Counted.of(jvm.ask("piece " + i)), Counted::plus);
            }
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

    private void report(String phase, Map<String, Counted> seen) {
        String setting = phase + ", " + sequencers + " sequencers";
        seen.forEach((piece, counted) -> {
            if (counted.count > 0) {
                add(piece, setting, "times", counted.count, "");
                add(piece, setting, "mean by the clock", counted.all / counted.count, "µs");
                add(piece, setting, "longest by the clock", counted.most, "µs");
                add(piece, setting, "mean on a processor", counted.allCpu / counted.count, "µs");
                add(piece, setting, "longest on a processor", counted.mostCpu, "µs");
            }
        });
    }

    private void add(String piece, String setting, String metric, double value, String unit) {
        results.add(new Result("pieces", piece, setting, metric, value, 0, unit));
    }
}
