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

/**
 * Runs the generators whose names match a pattern under the same faults, and reports the results. docs/peers.md has the
 * command.
 */
public final class Peers {
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
     * Runs the generators.
     *
     * @param arguments the directory for the results; the minutes for each seed and each group of generators; the
     *     seeds, separated by commas; and a pattern for the names of the generators
     */
    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[0]).toAbsolutePath();
        List<Result> results = new Peers(directory)
                .run(
                        Subjects.inGroups(Subjects.matching(arguments[3])),
                        Duration.ofMillis((long) (Double.parseDouble(arguments[1]) * 60_000)),
                        Stream.of(arguments[2].split(",")).map(Long::valueOf).toList());
        System.out.println(Report.toMarkdown(results));
        requireNoDuplicateOfOurs(results);
    }

    private List<Result> run(List<List<Subject>> groups, Duration duration, List<Long> seeds) throws Exception {
        obstacleToNamespaces.ifPresent(why -> System.out.println("no splits, and one MAC address for all: " + why));
        if (clockLibrary.isEmpty()) {
            System.out.println("no clocks are set: there is no C compiler");
        }
        List<Result> results = new ArrayList<>();
        for (List<Subject> group : groups) {
            for (long seed : seeds) {
                System.out.println(group.stream().map(Subject::name).toList() + ", seed " + seed);
                results.addAll(run(group, duration, seed));
                // Write the results after each seed, so that an aborted run has some results.
                Files.writeString(directory.resolve("peers.md"), Report.toMarkdown(results) + '\n');
            }
        }
        return results;
    }

    private List<Result> run(List<Subject> group, Duration duration, long seed) throws Exception {
        Path own = directory.resolve("processes").resolve(group.get(0).name());
        delete(own);
        Files.createDirectories(own);
        Run.Recorded recorded;
        try (Place host = Place.of(group.get(0).needs(), own, clockLibrary, obstacleToNamespaces.isEmpty())) {
            recorded = Run.of(group, seed, duration, host);
        }
        List<Result> results = new ArrayList<>();
        for (Subject subject : group) {
            results.add(evaluate(subject.name(), seed, recorded.of(subject.name())));
        }
        return results;
    }

    private Result evaluate(String subject, long seed, History history) throws IOException {
        Files.writeString(directory.resolve(subject + '-' + seed + ".svg"), Plot.of(subject, history));
        Findings findings = Findings.of(history);
        findings.examples().forEach(example -> System.out.println("twice: " + subject + ": " + example));
        return new Result(subject, seed, (history.end() - history.begin()) / 1e9, findings);
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
