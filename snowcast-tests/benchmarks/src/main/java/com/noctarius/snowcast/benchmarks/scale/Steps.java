// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks.scale;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.spi.impl.InternalCompletableFuture;
import com.hazelcast.spi.impl.operationservice.OperationService;
import com.noctarius.snowcast.SnowcastSequencer;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * The steps from a no-op to an attach. Each of the third to sixth steps adds one thing that an attach does and the step
 * before does not. The last two steps are a detach and an attach.
 */
final class Steps {
    /** The names of the steps. The first step does nothing, and shows the cost of the measurement itself. */
    static final List<String> NAMES = List.of(
            "nothing",
            "no-op, 1 backup",
            "no-op, 2 backups",
            "its messages as long as those of an attach",
            "its messages those of an attach",
            "its answer awaited as that of an attach",
            "detach, 1 backup",
            "attach, 2 backups");

    private static final String CALLER = "caller";
    private static final Path OF_THREADS = Path.of("/proc/self/task");
    private static final Path OF_PROCESS = Path.of("/proc/self/io");

    private final List<SnowcastSequencer> sequencers;
    private final OperationService operations;
    private final int[] partitions;
    /** Cached threads stay alive for a while after their work, so that {@link #used} can read their CPU time. */
    private final ExecutorService callers = Executors.newCachedThreadPool(work -> new Thread(work, CALLER));

    /** Creates the steps of a member for its attached sequencers. */
    Steps(HazelcastInstance member, OperationService operations, List<SnowcastSequencer> sequencers) {
        this.operations = operations;
        this.sequencers = sequencers;
        this.partitions = sequencers.stream()
                .mapToInt(sequencer -> Worker.partitionOf(member, sequencer))
                .toArray();
    }

    /**
     * Makes a step once for each sequencer, in {@code threads} threads. Returns the median and 99th percentile of the
     * durations in microseconds.
     */
    double[] run(int step, int threads) throws ExecutionException, InterruptedException {
        Histogram times = new ConcurrentHistogram(3);
        List<Callable<Boolean>> work = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            int first = thread;
            work.add(() -> {
                for (int i = first; i < partitions.length; i += threads) {
                    long before = System.nanoTime();
                    call(step, i);
                    times.recordValue(System.nanoTime() - before);
                }
                return true;
            });
        }
        for (Future<Boolean> each : callers.invokeAll(work)) {
            each.get();
        }
        return Worker.percentiles(times);
    }

    private void call(int step, int i) throws ExecutionException, InterruptedException, TimeoutException {
        switch (step) {
            case 0 -> {}
            case 1 -> noOp(1, Cargo.NOTHING, i).get();
            case 2 -> noOp(2, Cargo.NOTHING, i).get();
            case 3 -> noOp(2, Cargo.BYTES, i).get();
            case 4 -> noOp(2, Cargo.VALUES, i).get();
            case 5 ->
                CompletableFuture.completedFuture(Cargo.VALUES)
                        .thenCompose(cargo -> noOp(2, cargo, i).thenApplyAsync(answer -> answer, Runnable::run))
                        .get(1, TimeUnit.MINUTES);
            case 6 -> sequencers.get(i).detachLogicalNode();
            default -> sequencers.get(i).attachLogicalNode();
        }
    }

    private InternalCompletableFuture<Object> noOp(int backups, Cargo cargo, int i) {
        return operations
                .createInvocationBuilder(NoOp.SERVICE, new NoOp(backups, cargo), partitions[i])
                .invoke();
    }

    /**
     * Returns the resources that this process has used. The first three numbers are CPU times in nanoseconds: of the
     * partition threads, of the threads that send and receive, and of the callers. The other numbers are how often a
     * thread began to wait, the bytes written, and the number of write calls. On other systems than Linux, these are 0.
     */
    static double[] used() throws IOException {
        double[] used = new double[6];
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds())) {
            int kind = thread == null ? -1 : kindOf(thread.getThreadName());
            if (kind >= 0) {
                used[kind] += Math.max(threads.getThreadCpuTime(thread.getThreadId()), 0);
            }
        }
        if (Files.exists(OF_THREADS)) {
            try (DirectoryStream<Path> ofThreads = Files.newDirectoryStream(OF_THREADS)) {
                for (Path ofThread : ofThreads) {
                    used[3] += number(ofThread.resolve("status"), "voluntary_ctxt_switches:");
                }
            }
        }
        used[4] = number(OF_PROCESS, "wchar:");
        used[5] = number(OF_PROCESS, "syscw:");
        return used;
    }

    private static int kindOf(String thread) {
        if (thread.contains(".partition-operation.")) {
            return 0;
        }
        if (thread.contains(".IO.") || thread.contains(".response-")) {
            return 1;
        }
        return thread.equals(CALLER) ? 2 : -1;
    }

    private static double number(Path file, String name) throws IOException {
        try {
            for (String line : Files.readAllLines(file)) {
                if (line.startsWith(name)) {
                    return Double.parseDouble(line.substring(name.length()).trim());
                }
            }
        } catch (NoSuchFileException e) {
            return 0; // The thread has ended, or this is not Linux.
        }
        return 0;
    }
}
