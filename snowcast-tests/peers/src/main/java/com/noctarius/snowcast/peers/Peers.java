// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.peers;

import com.noctarius.snowcast.tests.NamespaceNetwork;
import com.noctarius.snowcast.tests.WallClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Runs all generators under the same faults, and reports; docs/peers.md has the command. */
public final class Peers {
    private static final Duration LEASE = Duration.ofSeconds(10);

    private final Path directory;
    private final Optional<Path> clockLibrary;
    private final Optional<String> obstacleToNamespaces = NamespaceNetwork.obstacle();

    private Peers(Path directory) throws IOException {
        this.directory = directory;
        Path clock = directory.resolve("clock");
        delete(clock);
        this.clockLibrary = WallClock.compile(Files.createDirectories(clock));
    }

    /**
     * Runs.
     *
     * @param arguments where the results go, the minutes for each generator and seed, the seeds with commas between
     *     them, and a pattern for the names of the generators
     */
    public static void main(String[] arguments) throws Exception {
        Peers peers = new Peers(Path.of(arguments[0]).toAbsolutePath());
        peers.run(
                Subjects.matching(arguments[3]),
                Duration.ofMillis((long) (Double.parseDouble(arguments[1]) * 60_000)),
                Stream.of(arguments[2].split(",")).map(Long::valueOf).toList());
    }

    private void run(List<Subject> subjects, Duration duration, List<Long> seeds) throws Exception {
        obstacleToNamespaces.ifPresent(why -> System.out.println("no splits, and one MAC address for all: " + why));
        if (clockLibrary.isEmpty()) {
            System.out.println("no clocks are set: there is no C compiler");
        }
        List<Result> results = new ArrayList<>();
        for (Subject subject : subjects) {
            for (long seed : seeds) {
                System.out.println(subject.name() + ", seed " + seed);
                results.add(run(subject, duration, seed));
                // After each, so that a run that is ended has something.
                Files.writeString(directory.resolve("peers.md"), Report.toMarkdown(results) + '\n');
                Files.writeString(directory.resolve("peers.json"), Report.toJson(results));
            }
        }
        System.out.println(Report.toMarkdown(results));
        String page = System.getProperty("page", "");
        if (!page.isEmpty()) {
            // From the root of the project.
            Report.writeInto(Path.of("../..").resolve(page), results);
        }
        requireNoDuplicateOfOurs(results);
    }

    private Result run(Subject subject, Duration duration, long seed) throws Exception {
        Path own = directory.resolve("processes").resolve(subject.name());
        delete(own);
        Files.createDirectories(own);
        String run = subject.name() + '-' + seed;
        try (Place host = Place.of(subject.needs(), own, clockLibrary, obstacleToNamespaces.isEmpty())) {
            History history = Run.of(subject, seed, duration, LEASE, host);
            JepsenHistory.write(history, false, directory.resolve(run + ".edn.gz"));
            JepsenHistory.write(history, true, directory.resolve(run + "-crowds.edn.gz"));
            Files.writeString(directory.resolve(run + ".svg"), Plot.of(subject.name(), history));
            Findings findings = Findings.of(history);
            findings.examples().forEach(example -> System.out.println("twice: " + example));
            return new Result(subject.name(), seed, (history.end() - history.begin()) / 1e9, findings);
        }
    }

    private static void requireNoDuplicateOfOurs(List<Result> results) {
        List<String> defects = results.stream()
                .filter(result ->
                        Subjects.isOurs(result.subject()) && result.findings().hasDuplicates())
                .map(result -> result.subject() + ", seed " + result.seed() + ": "
                        + result.findings().examples())
                .toList();
        if (!defects.isEmpty()) {
            throw new AssertionError("a defect of snowcast: " + defects);
        }
    }

    private static void delete(Path path) throws IOException {
        if (Files.exists(path)) {
            try (Stream<Path> files = Files.walk(path)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }
}
