// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A member or client in its own process. Except for a server, it writes IDs to a file. */
final class WriterProcess implements AutoCloseable {
    /** On a busy machine, a process may take minutes to start and join. A test may take ten minutes in total. */
    private static final Duration AT_MOST = Duration.ofMinutes(8);

    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final IdWriter.Task task;
    private final boolean takesMore;
    private final JavaProcess process;
    private OptionalInt settled = OptionalInt.empty();

    private WriterProcess(IdWriter.Task task, boolean takesMore, JavaProcess process) {
        this.task = task;
        this.takesMore = takesMore;
        this.process = process;
    }

    /**
     * Starts a process. Does not wait until the process generates IDs.
     *
     * @param wrapper a command such as {@code nsenter} that runs the rest of the command line in its own process; may
     *     be empty
     * @param properties properties of Hazelcast and snowcast, as flags of the JVM
     */
    static WriterProcess start(List<String> wrapper, IdWriter.Task task, List<String> properties) throws IOException {
        List<String> flags = new ArrayList<>(List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        flags.addAll(properties);
        return new WriterProcess(
                task,
                properties.contains("-D" + MoreIds.PROPERTY + "=true"),
                JavaProcess.start(
                        wrapper,
                        Path.of(task.file() + ".txt"),
                        flags,
                        System.getProperty("java.class.path"),
                        IdWriter.class,
                        task.toArguments()));
    }

    IdWriter.Task task() {
        return task;
    }

    List<Path> files() {
        List<Path> files = new ArrayList<>(List.of(task.file()));
        if (takesMore) {
            Stream.of(MoreIds.values()).map(more -> more.file(task.file())).forEach(files::add);
        }
        return files;
    }

    boolean hasSaid(String words) {
        return process.output().contains(words);
    }

    /** Starts a shell that pauses the process for a time. The shell ends the pause even if this JVM ends before. */
    Process pauseFor(Duration time) throws IOException {
        String pid = Long.toString(process.pid());
        return new ProcessBuilder("sh", "-c", "kill -STOP $0; sleep $1; kill -CONT $0", pid, seconds(time)).start();
    }

    /** Pauses the process by SIGSTOP until the result is closed, or this JVM ends. */
    Pause pause() throws IOException {
        Process shell = new ProcessBuilder(
                        "sh", "-c", "kill -STOP $0; echo; read end; kill -CONT $0", Long.toString(process.pid()))
                .start();
        int newline = shell.getInputStream().read();
        if (newline < 0) {
            throw new IOException("not stopped: " + this);
        }
        return new Pause(shell);
    }

    /** A pause of a process, which {@link #close} ends. */
    record Pause(Process shell) implements AutoCloseable {
        boolean lasts() {
            return shell.isAlive();
        }

        @Override
        public void close() {
            try {
                shell.getOutputStream().close();
                if (shell.waitFor() != 0) {
                    throw new AssertionError("it did not go on");
                }
            } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    private static String seconds(Duration time) {
        return Double.toString(time.toMillis() / 1_000.0);
    }

    void awaitMore(int count) {
        long goal = idsWritten() + count;
        awaitWhileAlive("more IDs", () -> idsWritten() >= goal);
    }

    void awaitRenewals(int count) {
        long goal = GrantFile.renewals(task.grants()) + count;
        awaitWhileAlive("renewals", () -> GrantFile.renewals(task.grants()) >= goal);
    }

    void terminate() {
        process.terminate();
    }

    /** Makes the process write the stacks of its threads to its output, and prints that output. */
    void printThreads() {
        try {
            new ProcessBuilder("kill", "-QUIT", Long.toString(process.pid()))
                    .start()
                    .waitFor();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
        // This is the last line of a thread dump.
        awaitLine("JNI global refs");
        System.out.println("---- " + task.by() + "\n" + process.output());
    }

    /** Waits without a time limit until the process ends. Returns its exit code. */
    int awaitEnd() throws InterruptedException {
        return process.awaitEnd();
    }

    /**
     * Returns the longest duration of a batch so far, including a detach and attach before it. Ignores the first batch,
     * and each batch right after a failed one.
     */
    Duration longestWait() {
        return last(IdWriter.LONGEST_WAIT)
                .map(line -> Duration.ofMillis(Long.parseLong(line.substring(IdWriter.LONGEST_WAIT.length()))))
                .orElse(Duration.ZERO);
    }

    void requireNoFailure() {
        if (last(IdWriter.FAILED).isPresent()) {
            throw new AssertionError("a call failed: " + this);
        }
    }

    long idsWritten() {
        try {
            return Files.exists(task.file()) ? Files.size(task.file()) / Long.BYTES : 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until the last line with a prefix is the given line. */
    void awaitLast(String prefix, String line) {
        awaitWhileAlive(line, () -> last(prefix).filter(line::equals).isPresent());
    }

    /** Waits until the member lists fewer members than the given number. */
    void awaitFewerThan(int members) {
        awaitWhileAlive(
                "fewer than " + members + " members",
                () -> last(IdWriter.CLUSTER)
                        .filter(line -> IntStream.range(0, members)
                                .anyMatch(size -> line.startsWith(IdWriter.clusterLine(size, false))))
                        .isPresent());
    }

    /** Waits for a line with a prefix. Returns the last such line. */
    String awaitLine(String prefix) {
        awaitWhileAlive(prefix, () -> last(prefix).isPresent());
        return last(prefix).orElseThrow();
    }

    private void awaitWhileAlive(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + AT_MOST.toNanos();
        boolean isAlive = true;
        while (!condition.getAsBoolean()) {
            if (!isAlive || System.nanoTime() - deadline > 0) {
                String why = isAlive ? "not within " + AT_MOST + ": " : "it ended before: ";
                throw new AssertionError(why + what + " of " + this);
            }
            isAlive = process.isAlive();
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    Optional<String> last(String prefix) {
        return lines(prefix).stream().reduce((former, later) -> later);
    }

    List<String> lines(String prefix) {
        return lines().stream().filter(line -> line.startsWith(prefix)).toList();
    }

    private List<String> lines() {
        return process.output().lines().toList();
    }

    /** Records how many IDs the process has written. No later ID may be a duplicate, even if a merge reports it. */
    void settle() {
        settled = OptionalInt.of(Math.toIntExact(idsWritten()));
    }

    void enter(Ledger ledger) {
        IdLog log = enter(task, ledger);
        settled.ifPresent(size -> ledger.settle(log, size));
    }

    /** Enters all IDs of a task into a ledger, with the times of the calls. Returns their log. */
    static IdLog enter(IdWriter.Task task, Ledger ledger) {
        IdLog log = ledger.open(task.sequencer(), task.by(), task.layout());
        long[] ids = read(task.file());
        long[] calls = read(task.calls());
        for (int i = 0; i + 2 < calls.length; i += 3) {
            int from = log.size();
            log.addCall(calls[i], calls[i + 1], Arrays.copyOfRange(ids, from, from + (int) calls[i + 2]));
        }
        // The process may have been killed before it wrote the times of the last call.
        log.add(Arrays.copyOfRange(ids, log.size(), ids.length));
        return log;
    }

    long[] ids() {
        return read(task.file());
    }

    /** Returns the 64-bit numbers in a file, without an incomplete one that a killed process may have left. */
    static long[] read(Path file) {
        try {
            byte[] bytes = Files.exists(file) ? Files.readAllBytes(file) : new byte[0];
            LongBuffer buffer = ByteBuffer.wrap(bytes, 0, bytes.length / Long.BYTES * Long.BYTES)
                    .asLongBuffer();
            long[] ids = new long[buffer.remaining()];
            buffer.get(ids);
            return ids;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        List<String> lines = lines();
        return "process " + process.pid() + " with " + idsWritten() + " IDs, which said last: "
                + lines.subList(Math.max(0, lines.size() - 8), lines.size());
    }

    @Override
    public void close() {
        process.close();
    }
}
