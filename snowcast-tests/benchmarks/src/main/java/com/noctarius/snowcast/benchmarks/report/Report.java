// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks.report;

import com.noctarius.snowcast.benchmarks.Results;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** Writes figures into the documents about benchmarks; docs/dev/benchmarks.md has the command. */
public final class Report {
    /** The groups that have their own place in the document. The other groups are in the place {@code scale}. */
    private static final List<String> OWN_PLACE = List.of(
            "run",
            "throughput",
            "half the limit",
            "saturation",
            "virtual threads",
            "staleness",
            "batches",
            "integers",
            "slow store",
            "pieces");

    /** The generators that the summary compares. */
    private static final List<String> IN_SUMMARY = List.of(
            "System.currentTimeMillis",
            "snowcast",
            "snowcast, batch of 256",
            "Agrona",
            "CosId",
            "FlakeIdGenerator, tuned");

    private Report() {}

    /**
     * Writes the documents.
     *
     * @param args the file with the figures, the file of the summary, and the folder of the full document
     */
    public static void main(String[] args) throws IOException {
        Figures figures = new Figures(Results.read(Path.of(args[0])));
        Path summary = Path.of(args[1]);
        Files.writeString(summary, summarize(Files.readString(summary), figures));
        Path folder = Path.of(args[2]);
        Path document = folder.resolve("README.md");
        Files.writeString(document, render(Files.readString(document), figures));
    }

    static String summarize(String summary, Figures figures) {
        return new Document(summary)
                .with("summary", Tables.throughput(figures.of("throughput").ofSubjects(IN_SUMMARY), "ID"))
                .with(
                        "missed goals",
                        Tables.goals(Goals.of(figures).stream()
                                .filter(Goal::isMissed)
                                .toList()))
                .text();
    }

    static String render(String document, Figures figures) {
        return new Document(document)
                .with("goals", Tables.goals(Goals.of(figures)))
                .with("runs", Tables.runs(figures))
                .with("throughput", Tables.throughput(figures.of("throughput"), "ID"))
                .with("latency", Tables.byMetric(figures.of("half the limit")))
                .with("saturation", Tables.byMetric(figures.of("saturation")))
                .with("virtual threads", Tables.byMetric(figures.of("virtual threads")))
                .with("staleness", Tables.byMetric(figures.of("staleness")))
                .with("batches", Tables.byMetric(figures.of("batches")))
                .with("integers", Tables.throughput(figures.of("integers"), "integer"))
                .with("slow store", Tables.byMetric(figures.of("slow store")))
                .with("pieces", Tables.byMetric(figures.of("pieces")))
                .with("scale", scale(figures))
                .text();
    }

    private static String scale(Figures figures) {
        return figures.groups().stream()
                .filter(group -> !OWN_PLACE.contains(group))
                .map(group -> "**" + group + "**\n\n" + Tables.plain(figures.of(group)))
                .collect(Collectors.joining("\n"));
    }
}
