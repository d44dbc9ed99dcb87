// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * Measures how soon processes continue after a fault, from the files that they write. Fails if a process does not
 * continue within three minutes. The measured times depend on the machine, and are only printed.
 */
final class Liveness {
    private static final Duration AT_MOST = Duration.ofMinutes(3);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    /** A worker that needs longer than this is printed, with the last failure of its process. */
    private static final long LATE_MILLIS = 20_000;
    /** A process that writes nothing for this time is stalled, because no call takes that long without a fault. */
    private static final long STALL_MILLIS = 1_000;

    private final List<Recovery> recoveries = new ArrayList<>();
    /** The times from the end of each fault until all members listed each other, and each partition had its backup. */
    private final List<Long> wholeMillis = new ArrayList<>();

    enum Work {
        IDS,
        /** The process receives a grant, or the renewal of a lease. */
        GRANTS;

        private List<Path> files(WriterProcess process) {
            return this == IDS ? process.files() : List.of(process.task().grants());
        }

        private long count(Path file) {
            try {
                if (!Files.exists(file)) {
                    return 0;
                }
                return this == GRANTS ? GrantFile.count(file) : Files.size(file) / Long.BYTES;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /**
     * The recovery of one process after a fault.
     *
     * @param wasStalled whether the process was stalled when the fault ended (false for grants, which are rare)
     * @param firstMillis from the end of the fault to the first success
     * @param steadyMillis from the end of the fault to the last success that came after a gap of more than a second;
     *     equal to {@code firstMillis} if there was no such gap
     */
    private record Recovery(String fault, Work work, boolean wasStalled, long firstMillis, long steadyMillis) {}

    /**
     * Observes, after a fault, one file of a process. The file grows when the process does one kind of {@link Work}.
     */
    private static final class Worker {
        final WriterProcess process;
        final Work work;
        final Path file;
        final boolean wasStalled;
        private long count;
        private long nanos;
        private long firstMillis = -1;
        private long steadyMillis;
        private long goal;

        Worker(WriterProcess process, Work work, Path file, long nanos) {
            this.process = process;
            this.work = work;
            this.file = file;
            this.nanos = nanos;
            this.count = work.count(file);
            this.goal = count + 1;
            this.wasStalled = work != Work.GRANTS && ageMillis(file) > STALL_MILLIS;
        }

        private static long ageMillis(Path file) {
            try {
                return Files.exists(file)
                        ? System.currentTimeMillis()
                                - Files.getLastModifiedTime(file).toMillis()
                        : Long.MAX_VALUE;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        void look(long healedNanos) {
            long nowCount = work.count(file);
            if (nowCount > count) {
                long now = System.nanoTime();
                long millis = TimeUnit.NANOSECONDS.toMillis(now - healedNanos);
                firstMillis = firstMillis < 0 ? millis : firstMillis;
                if (now - nanos > TimeUnit.MILLISECONDS.toNanos(STALL_MILLIS)) {
                    steadyMillis = millis;
                }
                count = nowCount;
                nanos = now;
            }
        }

        void wantMore(int more) {
            goal = count + (work == Work.GRANTS ? 1 : more);
        }

        /** Returns whether the worker must wait, even without a fault, until another holder releases a node ID. */
        boolean waitsForOthers() {
            return file.equals(MoreIds.LEASE_OF_FEW.file(process.files().get(0)));
        }

        boolean isAtGoal() {
            return count >= goal;
        }

        Recovery recovery(String fault) {
            return new Recovery(fault, work, wasStalled, firstMillis, Math.max(firstMillis, steadyMillis));
        }
    }

    /**
     * Waits until all members list each other and have all backups. Then waits until each process has done each kind of
     * work once, and then more of it. Call this when a fault ends.
     *
     * @param more how many more IDs each process must write into each of its files
     */
    void awaitRecovery(String fault, WriterProcesses processes, List<Work> works, int more) {
        long healed = System.nanoTime();
        List<Worker> workers = processes.living().stream()
                .flatMap(process -> works.stream()
                        .flatMap(work ->
                                work.files(process).stream().map(file -> new Worker(process, work, file, healed))))
                .toList();
        awaitSafe(processes, workers, healed);
        wholeMillis.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - healed));
        await(fault, workers, healed);
        workers.forEach(worker -> worker.wantMore(more));
        await(fault, workers, healed);
        List<Worker> timed =
                workers.stream().filter(worker -> !worker.waitsForOthers()).toList();
        timed.forEach(worker -> recoveries.add(worker.recovery(fault)));
        timed.stream()
                .filter(worker -> worker.firstMillis > LATE_MILLIS)
                .forEach(worker -> System.out.println(fault + ": " + worker.file.getFileName() + " went on after "
                        + worker.firstMillis + " ms; its process failed last with "
                        + worker.process.last(IdWriter.FAILED).orElse("nothing")));
    }

    private static void await(String fault, List<Worker> workers, long healed) {
        long deadline = System.nanoTime() + AT_MOST.toNanos();
        while (true) {
            workers.forEach(worker -> worker.look(healed));
            List<Worker> late =
                    workers.stream().filter(worker -> !worker.isAtGoal()).toList();
            if (late.isEmpty()) {
                return;
            }
            if (System.nanoTime() - deadline > 0) {
                late.stream().map(worker -> worker.process).distinct().forEach(WriterProcess::printThreads);
                throw new AssertionError("not within " + AT_MOST + " after " + fault + ": "
                        + late.stream()
                                .map(worker -> "\n  " + worker.file.getFileName() + " of " + worker.process)
                                .collect(Collectors.joining()));
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    private static void awaitSafe(WriterProcesses processes, List<Worker> workers, long healed) {
        long deadline = System.nanoTime() + AT_MOST.toNanos();
        while (!processes.areSafe()) {
            workers.forEach(worker -> worker.look(healed));
            if (System.nanoTime() - deadline > 0) {
                processes.living().forEach(WriterProcess::printThreads);
                throw new AssertionError("no whole cluster within " + AT_MOST + ": " + processes.living());
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    void addAll(Liveness other) {
        recoveries.addAll(other.recoveries);
        wholeMillis.addAll(other.wholeMillis);
    }

    // --- the summary

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("\n    ms from the end of a fault to ... (number: p50, p95, max)")
                .append("\n    one cluster, with all backups ")
                .append(distribution(wholeMillis.stream().mapToLong(Long::longValue)));
        for (Work work : Work.values()) {
            List<Recovery> all =
                    recoveries.stream().filter(each -> each.work == work).toList();
            text.append("\n    ")
                    .append(work.name().toLowerCase(Locale.ROOT))
                    .append(": the first ")
                    .append(distribution(all.stream().mapToLong(Recovery::firstMillis)));
            if (work != Work.GRANTS) {
                text.append("; of those that had stopped ")
                        .append(distribution(
                                all.stream().filter(Recovery::wasStalled).mapToLong(Recovery::firstMillis)))
                        .append("; the end of the last stall ")
                        .append(distribution(all.stream().mapToLong(Recovery::steadyMillis)));
            }
        }
        Map<String, Long> longest = new TreeMap<>();
        recoveries.stream()
                .filter(each -> each.work != Work.GRANTS)
                .forEach(each -> longest.merge(each.fault, each.steadyMillis, Math::max));
        return text + "\n    the longest by fault: " + longest;
    }

    private static String distribution(LongStream millis) {
        long[] sorted = millis.sorted().toArray();
        return sorted.length == 0
                ? "(none)"
                : String.format(
                        Locale.ROOT,
                        "(%d: %,d, %,d, %,d)",
                        sorted.length,
                        sorted[sorted.length / 2],
                        sorted[Math.min(sorted.length - 1, sorted.length * 95 / 100)],
                        sorted[sorted.length - 1]);
    }
}
