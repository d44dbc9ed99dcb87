// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.peers;

import com.noctarius.snowcast.tests.JavaProcess;
import com.noctarius.snowcast.tests.WallClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A process that takes IDs. Its main class is {@link Worker}. */
final class Node implements AutoCloseable {
    /**
     * Stands for the place of a process of a crowd, or of a process that runs only while the database is restored. Also
     * stands for the network namespace of a process that has none.
     */
    static final int NO_PLACE = -1;

    private final Setup setup;
    private final int place;
    private final JavaProcess process;
    /** The log of each generator, by the name of the generator. */
    private final Map<String, CallLog> logs;

    private final Optional<WallClock> clock;
    private long endNanos;

    private Node(Setup setup, int place, JavaProcess process, Map<String, CallLog> logs, Optional<WallClock> clock) {
        this.setup = setup;
        this.place = place;
        this.process = process;
        this.logs = logs;
        this.clock = clock;
    }

    /**
     * Starts a process. Does not wait for its first ID.
     *
     * @param place the place of the process, which is its line in the plot
     * @param wrapper the words before the java command, such as {@code nice}; may be empty
     */
    static Node start(Setup setup, int place, List<String> wrapper, Optional<WallClock> clock) throws IOException {
        List<String> wrappers = new ArrayList<>(wrapper);
        clock.ifPresent(present -> wrappers.addAll(present.wrapper()));
        List<String> flags = new ArrayList<>(List.of("-Xmx96m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        // Pass on the flags of this JVM that Hazelcast needs.
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("--"))
                .forEach(flags::add);
        Map<String, CallLog> logs = new LinkedHashMap<>();
        for (String subject : setup.subjects()) {
            logs.put(subject, CallLog.open(setup.logOf(subject)));
        }
        JavaProcess process = JavaProcess.start(
                wrappers,
                Path.of(setup.log() + ".txt"),
                flags,
                System.getProperty("java.class.path"),
                Worker.class,
                setup.toArguments());
        return new Node(setup, place, process, logs, clock);
    }

    Setup setup() {
        return setup;
    }

    int place() {
        return place;
    }

    void pause() throws IOException, InterruptedException {
        signal("-STOP");
    }

    void resume() throws IOException, InterruptedException {
        signal("-CONT");
    }

    private void signal(String signal) throws IOException, InterruptedException {
        String pid = Long.toString(process.pid());
        if (new ProcessBuilder("kill", signal, pid).start().waitFor() != 0) {
            throw new IllegalStateException("kill " + signal + ' ' + this);
        }
    }

    void setClockAhead(Duration time) {
        clock.orElseThrow(() -> new IllegalStateException("there is no C compiler"))
                .setAhead(time);
    }

    /** Returns whether each generator of the process has returned an ID after a time. */
    boolean hasIdSince(long nanos) {
        return logs.values().stream().allMatch(log -> log.lastIdNanos() > nanos);
    }

    boolean hasIds(long count) {
        return logs.values().stream().allMatch(log -> log.idCount() >= count);
    }

    /**
     * Returns the calls of a generator in this process, which must have been killed. Returns no calls if the generator
     * did not run in this process.
     */
    History.Caller toHistory(String subject) throws IOException {
        List<Call> calls = logs.containsKey(subject) ? CallLog.read(setup.logOf(subject)) : List.of();
        return new History.Caller(setup.name(), place, setup.isOfCrowd(), endNanos, calls);
    }

    @Override
    public String toString() {
        return setup.name();
    }

    /** Kills the process with SIGKILL, unless it was killed before. */
    @Override
    public void close() {
        if (endNanos != 0) {
            return;
        }
        process.close();
        endNanos = System.nanoTime();
        try {
            for (CallLog log : logs.values()) {
                log.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
