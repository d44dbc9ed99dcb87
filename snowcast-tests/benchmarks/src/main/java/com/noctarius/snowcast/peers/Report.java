// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.peers;

import com.noctarius.snowcast.peers.Findings.OfFault;
import com.noctarius.snowcast.peers.Subject.Need;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Formats the results of runs as Markdown tables. */
final class Report {
    private Report() {}

    static String toMarkdown(List<Result> results) {
        List<OfSubject> all = OfSubject.of(results);
        return String.join(
                "\n\n",
                summary(all),
                "IDs given twice, by the letter of the fault above; generators and faults without any are left out:",
                byFault(
                        all.stream()
                                .filter(each -> each.duplicates() > 0)
                                .map(each -> new Row(each.subject().name(), each.results()))
                                .toList(),
                        found -> found.duplicates() > 0,
                        found -> found.duplicates() == 0 ? "0" : grouped(found.duplicates())),
                "The longest time, in seconds, from the end of a fault until every process had an ID again; *none* if a"
                        + " process never got one; – if the fault does not apply:",
                byFault(
                        rowsByNeed(all),
                        found -> true,
                        found -> found.secondsToFirstId() == null ? "none" : decimal(found.secondsToFirstId())),
                "What is configured, with links to the documentation:",
                configurations(all));
    }

    /** The results of one generator with all seeds. */
    private record OfSubject(Subject subject, List<Result> results) {
        static List<OfSubject> of(List<Result> results) {
            return Subjects.all().stream()
                    .map(subject -> new OfSubject(
                            subject,
                            results.stream()
                                    .filter(result -> result.subject().equals(subject.name()))
                                    .sorted(Comparator.comparing(Result::seed))
                                    .toList()))
                    .filter(each -> !each.results.isEmpty())
                    .toList();
        }

        long sum(ToLongFunction<Findings> count) {
            return results.stream().map(Result::findings).mapToLong(count).sum();
        }

        long duplicates() {
            return sum(Findings::duplicates);
        }

        double sumOfSeconds(ToDoubleFunction<Result> seconds) {
            return results.stream().mapToDouble(seconds).sum();
        }
    }

    /** A row of a table of faults: the results of one generator, or of several. */
    private record Row(String name, List<Result> results) {
        Optional<OfFault> of(Fault fault) {
            return results.stream().flatMap(result -> result.of(fault).stream()).reduce(OfFault::with);
        }
    }

    /** Returns a row for each generator with a database or a cluster, and one for all others. */
    private static List<Row> rowsByNeed(List<OfSubject> all) {
        List<Row> rows = new ArrayList<>();
        List<Result> others = new ArrayList<>();
        for (OfSubject each : all) {
            if (each.subject().needs() == Need.NOTHING) {
                others.addAll(each.results());
            } else {
                rows.add(new Row(each.subject().name(), each.results()));
            }
        }
        if (!others.isEmpty()) {
            rows.add(new Row("all others", others));
        }
        return rows;
    }

    private static String summary(List<OfSubject> all) {
        return table(
                List.of("generator", "s", "IDs", "given twice", "out of order", "calls refused", "silent s"),
                all,
                each -> List.of(
                        each.subject.name(),
                        rounded(each.sumOfSeconds(Result::seconds)),
                        grouped(each.sum(Findings::ids)),
                        each.duplicates() > 0 ? "**" + grouped(each.duplicates()) + "**" : "0",
                        grouped(each.sum(Findings::disorder)),
                        grouped(each.sum(Findings::refused)),
                        rounded(each.sumOfSeconds(result -> result.findings().silentSeconds()))));
    }

    /** Returns a table with these rows. A fault has a column if {@code hasColumn} accepts its result in any row. */
    private static String byFault(List<Row> all, Predicate<OfFault> hasColumn, Function<OfFault, String> cell) {
        List<Fault> faults = Fault.all().stream()
                .filter(fault -> all.stream()
                        .anyMatch(each -> each.of(fault).filter(hasColumn).isPresent()))
                .toList();
        return table(
                Stream.concat(Stream.of("generator"), faults.stream().map(Fault::letter))
                        .toList(),
                all,
                each -> Stream.concat(
                                Stream.of(each.name()),
                                faults.stream()
                                        .map(fault -> each.of(fault).map(cell).orElse("–")))
                        .toList());
    }

    private static String configurations(List<OfSubject> all) {
        return table(
                List.of("generator", "configured", "promises less than unique IDs in order"),
                all.stream().map(OfSubject::subject).toList(),
                subject -> List.of(linked(subject), subject.configuration(), subject.promise()));
    }

    /** Returns the name as a link to the documentation. A page of this project is relative to the folder docs. */
    private static String linked(Subject subject) {
        return "[" + subject.name() + "](" + subject.page().replaceFirst("^docs/", "") + ")";
    }

    private static <T> String table(List<String> header, List<T> rows, Function<T, List<String>> cells) {
        String ruler = "|" + "---|".repeat(header.size());
        Stream<String> lines = rows.stream().map(row -> line(cells.apply(row)));
        return Stream.concat(Stream.of(line(header), ruler), lines).collect(Collectors.joining("\n"));
    }

    private static String line(List<String> cells) {
        return "| " + String.join(" | ", cells) + " |";
    }

    private static String grouped(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private static String rounded(double number) {
        return grouped(Math.round(number));
    }

    private static String decimal(double number) {
        return String.format(Locale.ROOT, "%.1f", number);
    }
}
