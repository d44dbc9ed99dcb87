// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.examples;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Starts a cluster on this machine, generates IDs on all members at once, and checks that no ID occurs twice. */
public final class Quickstart {
    private static final SnowcastEpoch EPOCH = SnowcastEpoch.byInstant(Instant.parse("2024-01-01T00:00:00Z"));
    private static final int SHOWN_IDS = 5;

    private Quickstart() {}

    /** Runs the example. It exits with 1 if it finds a duplicate ID, and with 2 for an invalid argument. */
    public static void main(String[] args) throws Exception {
        Options options;
        try {
            options = Options.parse(args);
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.err.println(Options.HELP);
            System.exit(2);
            return;
        }
        if (options.help()) {
            System.out.println(Options.HELP);
            return;
        }
        try (LocalCluster cluster = LocalCluster.start(options.members())) {
            if (!run(cluster, options)) {
                System.exit(1);
            }
        }
    }

    private static boolean run(LocalCluster cluster, Options options) throws Exception {
        List<SnowcastSequencer> sequencers = new ArrayList<>();
        for (HazelcastInstance member : cluster.members()) {
            sequencers.add(SnowcastSystem.snowcast(member).createSequencer("orders", EPOCH));
        }
        System.out.printf("A cluster of %d members; sequencer \"orders\" on each.%n%n", options.members());
        show(sequencers);
        boolean unique = generate(sequencers, options);
        showStates(cluster.members().get(0), sequencers.get(0));
        return unique;
    }

    private static void show(List<SnowcastSequencer> sequencers) throws InterruptedException {
        System.out.println("                  ID   time                       node   counter");
        for (int i = 0; i < SHOWN_IDS; i++) {
            SnowcastSequencer sequencer = sequencers.get(i % sequencers.size());
            long id = sequencer.next();
            Instant time = Instant.ofEpochMilli(EPOCH.getEpochOffset() + sequencer.timestampValue(id));
            System.out.printf(
                    "%20d   %-24s   %4d   %7d%n", id, time, sequencer.logicalNodeId(id), sequencer.counterValue(id));
        }
    }

    /** Generates IDs from one or more threads per member, then looks for duplicates. */
    private static boolean generate(List<SnowcastSequencer> sequencers, Options options) throws Exception {
        int threads = options.threads() * sequencers.size();
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        long start = System.nanoTime();
        long end = start + options.seconds() * 1_000_000_000L;
        List<Callable<Ids>> tasks = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            SnowcastSequencer sequencer = sequencers.get(i % sequencers.size());
            tasks.add(() -> {
                Ids ids = new Ids();
                while (System.nanoTime() < end) {
                    ids.add(sequencer.next());
                }
                return ids;
            });
        }
        List<Ids> results = new ArrayList<>();
        for (Future<Ids> result : executor.invokeAll(tasks)) {
            results.add(result.get());
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        executor.shutdown();
        long[] all = Ids.sorted(results);
        long duplicates = Ids.countDuplicates(all);
        System.out.printf(
                Locale.ROOT,
                "%n%d threads generated %,d IDs in %.1f s: %,.0f per second, %,.0f per millisecond and member.%n",
                threads,
                all.length,
                seconds,
                all.length / seconds,
                all.length / seconds / 1000 / sequencers.size());
        System.out.printf(Locale.ROOT, "%,d IDs checked: %d duplicates%n%n", all.length, duplicates);
        return duplicates == 0;
    }

    private static void showStates(HazelcastInstance member, SnowcastSequencer sequencer) throws InterruptedException {
        Snowcast snowcast = SnowcastSystem.snowcast(member);
        sequencer.detachLogicalNode();
        System.out.println("after detachLogicalNode():  " + sequencer.getSequencerState());
        sequencer.attachLogicalNode();
        System.out.println("after attachLogicalNode():  " + sequencer.getSequencerState() + ", node ID "
                + sequencer.logicalNodeId(sequencer.next()));
        snowcast.destroySequencer(sequencer);
        System.out.println("after destroySequencer():   " + sequencer.getSequencerState());
    }

    private static final class Ids {
        private long[] values = new long[1 << 16];
        private int size;

        void add(long id) {
            if (size == values.length) {
                values = Arrays.copyOf(values, 2 * size);
            }
            values[size++] = id;
        }

        static long[] sorted(List<Ids> lists) {
            long[] all = lists.stream()
                    .flatMapToLong(ids -> Arrays.stream(ids.values, 0, ids.size))
                    .toArray();
            Arrays.parallelSort(all);
            return all;
        }

        static long countDuplicates(long[] sorted) {
            long duplicates = 0;
            for (int i = 1; i < sorted.length; i++) {
                if (sorted[i] == sorted[i - 1]) {
                    duplicates++;
                }
            }
            return duplicates;
        }
    }

    private record Options(int members, int threads, int seconds, boolean help) {
        static final String HELP = """
                Options:
                  --members N   members of the cluster, 1 to 10 (default 3)
                  --threads N   threads per member, 1 to 64 (default 2)
                  --seconds N   how long to generate, 1 to 30 (default 2); each takes about 50 MB of heap
                  --help        show this""";

        static Options parse(String[] args) {
            int members = 3;
            int threads = 2;
            int seconds = 2;
            for (int i = 0; i < args.length; i++) {
                switch (args[i]) {
                    case "--help" -> {
                        return new Options(0, 0, 0, true);
                    }
                    case "--members" -> members = number(args, ++i, 10);
                    case "--threads" -> threads = number(args, ++i, 64);
                    case "--seconds" -> seconds = number(args, ++i, 30);
                    default -> throw new IllegalArgumentException("unknown option: " + args[i]);
                }
            }
            return new Options(members, threads, seconds, false);
        }

        private static int number(String[] args, int index, int max) {
            String option = args[index - 1];
            String text = index < args.length ? args[index] : "nothing";
            try {
                int number = Integer.parseInt(text);
                if (number >= 1 && number <= max) {
                    return number;
                }
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(option + " must be a number from 1 to " + max + ": " + text, e);
            }
            throw new IllegalArgumentException(option + " must be from 1 to " + max + ": " + text);
        }
    }
}
