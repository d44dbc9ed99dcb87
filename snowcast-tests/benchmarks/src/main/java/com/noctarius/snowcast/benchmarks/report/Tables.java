// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks.report;

import com.noctarius.snowcast.benchmarks.Result;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalDouble;

/** Formats figures as Markdown tables. */
final class Tables {
    private Tables() {}

    /** Returns a table of rates, with a column for each number of threads, and a column of bytes per ID or integer. */
    static String throughput(Figures figures, String counted) {
        Figures rates = figures.ofMetric("rate");
        Figures allocations = figures.ofMetric("allocation");
        List<String> header = new ArrayList<>(List.of(counted + "s per µs"));
        header.addAll(rates.settings());
        header.add("bytes per " + counted);
        List<List<String>> rows = new ArrayList<>();
        for (String subject : rates.subjects()) {
            Figures ofSubject = rates.ofSubject(subject);
            List<String> row = new ArrayList<>(List.of(subject));
            rates.settings().forEach(setting -> row.add(cell(ofSubject.ofSetting(setting))));
            row.add(bytes(allocations.ofSubject(subject).greatest()));
            rows.add(row);
        }
        return table(header, rows);
    }

    /** Rounds to a tenth of a byte, because threads in the background allocate, too. */
    private static String bytes(OptionalDouble most) {
        return most.isEmpty() ? "" : Figures.text(Math.rint(most.getAsDouble() * 10) / 10);
    }

    /** Returns a table with a row for each subject and setting, and a column for each metric. */
    static String byMetric(Figures figures) {
        List<String> header = new ArrayList<>(List.of("", ""));
        for (String metric : figures.metrics()) {
            String unit = figures.ofMetric(metric).results().get(0).unit();
            header.add(unit.isEmpty() ? metric : metric + ", " + unit);
        }
        List<List<String>> rows = new ArrayList<>();
        for (String subject : figures.subjects()) {
            Figures ofSubject = figures.ofSubject(subject);
            for (String setting : ofSubject.settings()) {
                Figures ofSetting = ofSubject.ofSetting(setting);
                List<String> row = new ArrayList<>(List.of(subject, setting));
                figures.metrics().forEach(metric -> row.add(cell(ofSetting.ofMetric(metric))));
                rows.add(row);
            }
        }
        return table(header, rows);
    }

    /** Returns a table with one figure per row, for groups whose metrics have little in common. */
    static String plain(Figures figures) {
        List<List<String>> rows = new ArrayList<>();
        for (Result result : figures.results()) {
            String value = Figures.text(result) + (result.unit().isEmpty() ? "" : " " + result.unit());
            rows.add(List.of(result.subject(), result.setting(), result.metric(), value));
        }
        return table(List.of("", "", "", ""), rows);
    }

    static String runs(Figures figures) {
        List<List<String>> rows = new ArrayList<>();
        for (Result result : figures.of("run").results()) {
            rows.add(List.of(result.subject(), result.setting(), Figures.text(result)));
        }
        return table(List.of("part", "on", "processors"), rows);
    }

    static String goals(List<Goal> goals) {
        List<List<String>> rows = new ArrayList<>();
        for (Goal goal : goals) {
            rows.add(List.of(goal.what(), goal.goal(), goal.figure(), goal.verdict()));
        }
        return table(List.of("what", "goal", "figure", "met"), rows);
    }

    private static String cell(Figures figures) {
        return figures.isEmpty() ? "" : Figures.text(figures.results().get(0));
    }

    private static String table(List<String> header, List<List<String>> rows) {
        StringBuilder text = new StringBuilder();
        row(text, header);
        row(text, Collections.nCopies(header.size(), "---"));
        rows.forEach(row -> row(text, row));
        return text.toString();
    }

    private static void row(StringBuilder text, List<String> cells) {
        text.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }
}
