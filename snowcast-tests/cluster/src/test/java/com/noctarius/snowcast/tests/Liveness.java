// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Requires that processes continue within three minutes after a fault, and finds out from the files that they write how
 * soon they do. The times depend on the machine, and are only printed.
 */
final class Liveness {
    private static final Duration AT_MOST = Duration.ofMinutes(3);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** The longest time from the end of a fault until all processes had IDs and grants. */
    private final Map<String, Long> longestMillis = new TreeMap<>();

    /** A file that grows while a process gets IDs; or grants and renewals of leases. */
    private static final class Worker {
        final WriterProcess process;
        private final Path file;
        private final boolean isOfGrants;
        private long goal;

        Worker(WriterProcess process, Path file, boolean isOfGrants) {
            this.process = process;
            this.file = file;
            this.isOfGrants = isOfGrants;
            this.goal = count() + 1;
        }

        private long count() {
            try {
                if (!Files.exists(file)) {
                    return 0;
                }
                return isOfGrants ? GrantFile.count(file) : Files.size(file) / Long.BYTES;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        void wantMore(int more) {
            goal = count() + (isOfGrants ? 1 : more);
        }

        boolean isLate() {
            return count() < goal;
        }

        @Override
        public String toString() {
            return "\n  " + file.getFileName() + " of " + process;
        }
    }

    /**
     * Waits until all members list each other and have all backups. Then waits until each process has got an ID of each
     * sequencer and a grant, and then more of them. Call this when a fault ends.
     *
     * @param more how many more IDs each process must write into each of its files
     */
    void awaitRecovery(String fault, WriterProcesses processes, int more) {
        long healed = System.nanoTime();
        List<Worker> workers = processes.living().stream()
                .flatMap(process -> Stream.concat(
                        process.files().stream().map(file -> new Worker(process, file, false)),
                        Stream.of(new Worker(process, process.task().grants(), true))))
                .toList();
        while (!processes.areSafe()) {
            requireTime(healed, "no whole cluster after " + fault, processes.living());
        }
        awaitGoals(fault, workers);
        longestMillis.merge(fault, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - healed), Math::max);
        workers.forEach(worker -> worker.wantMore(more));
        awaitGoals(fault, workers);
    }

    private static void awaitGoals(String fault, List<Worker> workers) {
        long start = System.nanoTime();
        List<Worker> late = workers;
        while (true) {
            late = late.stream().filter(Worker::isLate).toList();
            if (late.isEmpty()) {
                return;
            }
            String what = "does not go on after " + fault
                    + late.stream().map(Worker::toString).collect(Collectors.joining());
            requireTime(
                    start,
                    what,
                    late.stream().map(worker -> worker.process).distinct().toList());
        }
    }

    private static void requireTime(long startNanos, String what, List<WriterProcess> late) {
        if (System.nanoTime() - startNanos > AT_MOST.toNanos()) {
            late.forEach(WriterProcess::printThreads);
            throw new AssertionError("within " + AT_MOST + ": " + what);
        }
        LockSupport.parkNanos(POLL_NANOS);
    }

    @Override
    public String toString() {
        return "\n    ms from the end of a fault until all went on, the longest by fault: " + longestMillis;
    }
}
