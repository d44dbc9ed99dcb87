// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks.report;

import com.noctarius.snowcast.benchmarks.Result;
import com.noctarius.snowcast.benchmarks.Results;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The figures by date, oldest first, to show slow changes. Each day has a file, whose name is the date. */
record History(NavigableMap<LocalDate, Figures> byDate) {
    private static final String SUFFIX = ".json";

    /** The group that describes the machine on which the other groups were measured. */
    static final String RUN = "run";

    /** The metrics that goals and comparisons use, by group. */
    private static final Map<String, List<String>> KEPT = Map.ofEntries(
            Map.entry(RUN, List.of("processors")),
            Map.entry("throughput", List.of("rate", "allocation")),
            Map.entry("saturation", List.of("part of the limit", "cores busy", "p99.9", "slowest thread / mean")),
            Map.entry("virtual threads", List.of("part of the limit", "slowest thread / mean", "times pinned")),
            Map.entry("half the limit", List.of("p50", "p99.9")),
            Map.entry("staleness", List.of("p99", "ticking thread")),
            Map.entry("batches", List.of("part of the limit")),
            Map.entry("integers", List.of("rate")),
            Map.entry("slow store", List.of("p99.9", "waits, by its stats")),
            Map.entry("attach", List.of("attaches and detaches", "p50 / p50 of a no-op, backed up")),
            Map.entry("sequencers", List.of("heap per copy of the table")),
            Map.entry("renewals", List.of("further CPU of all members per lease of 20 s")),
            Map.entry("holders", List.of("attach")),
            Map.entry("background", List.of("further threads")),
            Map.entry("pieces", List.of("longest on a processor")));

    static History read(Path folder) throws IOException {
        NavigableMap<LocalDate, Figures> byDate = new TreeMap<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(SUFFIX)).toList()) {
                String name = Objects.requireNonNull(file.getFileName()).toString();
                LocalDate date = LocalDate.parse(name.substring(0, name.length() - SUFFIX.length()));
                byDate.put(date, new Figures(Results.read(file)));
            }
        }
        return new History(byDate);
    }

    /** Writes the file of a day, with the newly measured figures that goals and comparisons use. */
    void keep(LocalDate date, Figures figures, Path folder) throws IOException {
        Figures measured = measured(date, kept(figures));
        byDate.put(date, measured);
        Results.writeLines(folder.resolve(date + SUFFIX), measured.results());
    }

    static Figures kept(Figures figures) {
        return new Figures(figures.results().stream()
                .filter(result -> KEPT.getOrDefault(result.group(), List.of()).contains(result.metric()))
                .toList());
    }

    /**
     * Omits each group whose figures equal those of an earlier day, because the group was not measured again. Always
     * keeps {@link #RUN}.
     */
    private Figures measured(LocalDate date, Figures figures) {
        List<Result> measured = new ArrayList<>();
        for (String group : figures.groups()) {
            Figures ofGroup = figures.of(group);
            boolean isOfBefore = byDate.headMap(date).values().stream()
                    .anyMatch(before -> before.of(group).equals(ofGroup));
            if (group.equals(RUN) || !isOfBefore) {
                measured.addAll(ofGroup.results());
            }
        }
        return new Figures(measured);
    }
}
