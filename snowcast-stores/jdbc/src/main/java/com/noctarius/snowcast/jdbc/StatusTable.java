// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** Formats a {@link JdbcStatus} as a text table. */
final class StatusTable {
    private static final List<String> HEADINGS = List.of(
            "sequence", "shard", "open windows", "integers left", "reserved up to", "announced", "per second", "lasts");
    private static final int TEXT_COLUMNS = 2;

    private final JdbcStatus status;
    private final Duration minAutonomy;

    StatusTable(JdbcStatus status, Duration minAutonomy) {
        this.status = status;
        this.minAutonomy = minAutonomy;
    }

    /** Reads the status twice, {@code interval} apart, to get the rates; only once if the interval is zero. */
    static StatusTable read(JdbcShards shards, Duration interval, Duration minAutonomy) {
        JdbcMonitor monitor = new JdbcMonitor(shards);
        JdbcStatus status = monitor.read();
        if (!interval.isZero()) {
            long end = System.nanoTime() + interval.toNanos();
            for (long left = interval.toNanos(); left > 0; left = end - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            status = monitor.read();
        }
        return new StatusTable(status, minAutonomy);
    }

    boolean needsAttention() {
        return status.needsAttention(minAutonomy);
    }

    @Override
    public String toString() {
        List<String> lines = new ArrayList<>();
        for (JdbcStatus.ShardStatus shard : status.shards()) {
            String state = shard.isReachable() ? "refused: " : "away: ";
            lines.add("shard " + shard.index() + " of " + status.shards().size() + "  "
                    + (shard.problem().isEmpty() ? "ok" : state + printable(shard.problem())));
        }
        if (!status.problem().isEmpty()) {
            lines.add("refused: " + printable(status.problem()));
        }
        lines.add("");
        lines.addAll(aligned(rows()));
        status.sequences().stream()
                .filter(sequence -> sequence.isShort(minAutonomy))
                .forEach(sequence ->
                        lines.add("SHORT: " + printable(sequence.name()) + ": a shard has no open window, or its"
                                + " open windows do not last for " + text(minAutonomy) + "; run the window agent"));
        return String.join(System.lineSeparator(), lines);
    }

    private List<List<String>> rows() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(HEADINGS);
        for (JdbcStatus.SequenceStatus sequence : status.sequences()) {
            for (JdbcStatus.WindowStatus windows : sequence.windows()) {
                rows.add(List.of(
                        printable(sequence.name()),
                        Integer.toString(windows.shard()),
                        number(windows.openWindows()),
                        number(windows.remaining()),
                        windows.reservedUpTo().isEmpty()
                                ? "-"
                                : number(windows.reservedUpTo().getAsLong()),
                        number(windows.announced()),
                        "",
                        text(sequence.autonomy(windows))));
            }
            rows.add(List.of(
                    printable(sequence.name()),
                    "all",
                    number(sequence.windows().stream()
                            .mapToLong(JdbcStatus.WindowStatus::openWindows)
                            .sum()),
                    number(sequence.remaining()),
                    "",
                    "",
                    rate(sequence.integersPerSecond()),
                    text(sequence.autonomy())));
        }
        return rows;
    }

    private static List<String> aligned(List<List<String>> rows) {
        int[] widths = IntStream.range(0, HEADINGS.size())
                .map(column -> rows.stream()
                        .mapToInt(row -> row.get(column).length())
                        .max()
                        .orElse(0))
                .toArray();
        return rows.stream().map(row -> aligned(row, widths)).toList();
    }

    private static String aligned(List<String> row, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            String padding = " ".repeat(widths[i] - row.get(i).length());
            line.append(i == 0 ? "" : "  ").append(i < TEXT_COLUMNS ? row.get(i) + padding : padding + row.get(i));
        }
        return line.toString().stripTrailing();
    }

    /** Replaces control characters, because they could move the cursor of a terminal, or begin a new line. */
    private static String printable(String text) {
        return text.replaceAll("[\\p{Cntrl}\\p{Cf}\\u2028\\u2029]", "\uFFFD");
    }

    private static String number(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    private static String rate(OptionalDouble perSecond) {
        return perSecond.isEmpty() ? "-" : String.format(Locale.ROOT, "%,.1f", perSecond.getAsDouble());
    }

    private static String text(Optional<Duration> time) {
        return time.map(StatusTable::text).orElse("-");
    }

    /** Formats a time in its two largest units; in seconds if it is below a minute. */
    private static String text(Duration time) {
        if (time.toDays() > 0) {
            return time.toDays() + " d " + time.toHoursPart() + " h";
        }
        if (time.toHours() > 0) {
            return time.toHours() + " h " + time.toMinutesPart() + " min";
        }
        return time.toMinutes() > 0
                ? time.toMinutes() + " min " + time.toSecondsPart() + " s"
                : String.format(Locale.ROOT, "%.1f s", time.toMillis() / (double) TimeUnit.SECONDS.toMillis(1));
    }
}
