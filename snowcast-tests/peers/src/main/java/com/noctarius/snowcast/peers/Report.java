// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.peers;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.noctarius.snowcast.peers.Findings.OfFault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The results of runs as tables of Markdown, and as JSON. */
final class Report {
    private static final String BEGIN = "<!-- results -->";
    private static final String END = "<!-- /results -->";

    private Report() {}

    static String toJson(List<Result> results) throws JsonProcessingException {
        return new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(results) + '\n';
    }

    static String toMarkdown(List<Result> results) {
        return String.join(
                "\n\n",
                summary(results),
                "IDs given twice, by fault:",
                byFault(results, found -> found.duplicates() == 0 ? "0" : "**" + grouped(found.duplicates()) + "**"),
                "Seconds from the end of a fault until each process has an ID again, at most; none if one had none before the next"
                        + " fault:",
                byFault(
                        results,
                        found -> found.secondsToFirstId() == null ? "none" : decimal(found.secondsToFirstId())),
                "What is configured:",
                configurations(results));
    }

    /** Puts the tables between the marks of a page. */
    static void writeInto(Path page, List<Result> results) throws IOException {
        String text = Files.readString(page);
        int begin = text.indexOf(BEGIN);
        int end = text.indexOf(END);
        if (begin < 0 || end < begin) {
            throw new IllegalArgumentException(page + " has not the marks " + BEGIN + " and " + END);
        }
        Files.writeString(
                page, text.substring(0, begin) + BEGIN + "\n\n" + toMarkdown(results) + "\n\n" + text.substring(end));
    }

    private static String summary(List<Result> results) {
        return table(
                List.of("generator", "seed", "s", "IDs", "given twice", "out of order", "calls refused", "silent s"),
                results,
                result -> {
                    Findings found = result.findings();
                    return List.of(
                            result.subject(),
                            Long.toString(result.seed()),
                            Math.round(result.seconds()) + "",
                            grouped(found.ids()),
                            found.hasDuplicates() ? "**" + grouped(found.duplicates()) + "**" : "0",
                            grouped(found.disorder()),
                            grouped(found.refused()),
                            Long.toString(Math.round(found.silentSeconds())));
                });
    }

    /** A column for each generator, whatever its seeds; without the faults that never happened. */
    private static String byFault(List<Result> results, Function<OfFault, String> cell) {
        List<String> subjects = results.stream().map(Result::subject).distinct().toList();
        List<String> header = new ArrayList<>(List.of("fault"));
        header.addAll(subjects);
        List<Fault> faults = Fault.all().stream()
                .filter(fault ->
                        results.stream().anyMatch(result -> result.of(fault).isPresent()))
                .toList();
        return table(header, faults, fault -> {
            List<String> row = new ArrayList<>(List.of(fault.title()));
            for (String subject : subjects) {
                row.add(results.stream()
                        .filter(result -> result.subject().equals(subject))
                        .flatMap(result -> result.of(fault).stream())
                        .reduce(OfFault::with)
                        .map(cell)
                        .orElse("–"));
            }
            return row;
        });
    }

    private static String configurations(List<Result> results) {
        List<Subject> subjects = results.stream()
                .map(Result::subject)
                .distinct()
                .map(Subjects::named)
                .toList();
        return table(
                List.of("generator", "configured", "its documentation", "promises less"),
                subjects,
                subject -> List.of(
                        subject.name(),
                        subject.configuration(),
                        subject.page().startsWith("http") ? "<" + subject.page() + ">" : ofOurs(subject.page()),
                        subject.promise()));
    }

    /** As the pages in docs link to each other. */
    private static String ofOurs(String page) {
        return "[" + page + "](" + page.substring("docs/".length()) + ")";
    }

    private static <T> String table(List<String> header, List<T> rows, Function<T, List<String>> cells) {
        return Stream.concat(
                        Stream.of(header, Collections.nCopies(header.size(), "---")),
                        rows.stream().map(cells))
                .map(row -> "| " + String.join(" | ", row) + " |")
                .collect(Collectors.joining("\n"));
    }

    private static String grouped(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private static String decimal(double number) {
        return String.format(Locale.ROOT, "%.1f", number);
    }
}
