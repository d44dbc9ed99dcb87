// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import com.noctarius.snowcast.SnowcastLayout;
import java.io.IOException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints a SQL condition for the IDs of a period. */
@Command(
        name = "range",
        mixinStandardHelpOptions = true,
        description = {
            "Prints the SQL condition for the IDs of a period.",
            "Times are rounded down to milliseconds. The column is signed, such as BIGINT, unless you give --unsigned."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  snowcast range --profile orders --from 2026-11-01 --to 2026-12-01",
            "  snowcast range --epoch 2024-01-01 --layout positive --from 2026-11-01 --column o.id --output json",
            "  psql -c \"SELECT * FROM orders WHERE $(snowcast range --profile orders --from 2026-11-01)\""
        })
final class Range implements Callable<Integer> {
    @Mixin
    private final Definition definition;

    @Option(names = "--from", paramLabel = "TIME", required = true, description = "The beginning, inclusive.")
    @SuppressWarnings("NullAway.Init")
    private String from;

    @Option(
            names = "--to",
            paramLabel = "TIME",
            description = "The end, exclusive; by default the end of the layout's time.")
    private @Nullable String to;

    @Option(names = "--column", paramLabel = "NAME", description = "The column; id by default.")
    private String column = "id";

    @Option(names = "--unsigned", description = "The column is unsigned, such as MySQL's BIGINT UNSIGNED.")
    private boolean isUnsigned;

    @Option(names = "--output", paramLabel = "FORM", description = "${COMPLETION-CANDIDATES}.")
    private Output output = Output.TABLE;

    private final Terminal terminal;

    Range(Terminal terminal) {
        this.terminal = terminal;
        this.definition = new Definition(terminal);
    }

    @Override
    public Integer call() throws IOException {
        Definition.Known known = definition.known();
        long first = Encode.lowestId(known, Definition.time("--from", from));
        long last = to == null ? highestId(known.layout()) : highestIdBefore(known, Definition.time("--to", to));
        if (Long.compareUnsigned(first, last) > 0) {
            throw new WrongUseException("--from must lie before --to, by a millisecond at least: " + from + ", " + to);
        }
        // In signed order, IDs with bit 63 set are below all others.
        boolean isSplit = !isUnsigned && first >= 0 && last < 0;
        print(first, last, isSplit);
        return ExitCode.DONE;
    }

    private static long highestId(SnowcastLayout layout) {
        return layout.compose(layout.maxTimestamp(), layout.logicalNodeCount() - 1, layout.idsPerMillisecond() - 1);
    }

    private static long highestIdBefore(Definition.Known known, Instant end) {
        Instant start = Instant.ofEpochMilli(known.epoch().getEpochOffset());
        if (end.toEpochMilli() <= start.toEpochMilli()) {
            throw new WrongUseException("--to must lie after the epoch " + start + ": " + end);
        }
        Instant last = Instant.ofEpochMilli(end.toEpochMilli() - 1);
        SnowcastLayout layout = known.layout();
        return Encode.lowestId(known, last)
                | layout.compose(0, layout.logicalNodeCount() - 1, layout.idsPerMillisecond() - 1);
    }

    private void print(long first, long last, boolean isSplit) {
        String condition = isSplit
                ? "(" + column + " >= " + text(first) + " OR " + column + " <= " + text(last) + ")"
                : column + " BETWEEN " + text(first) + " AND " + text(last);
        if (output == Output.JSON) {
            Map<String, Object> values = new LinkedHashMap<>();
            values.put("first", text(first));
            values.put("last", text(last));
            values.put("condition", condition);
            terminal.out().println(Json.of(values));
        } else {
            terminal.out().println(condition);
        }
        terminal.out().flush();
        if (isSplit) {
            terminal.err()
                    .println(
                            "The column is signed, and some IDs of the period are negative. To sort by time: ORDER BY CASE"
                                    + " WHEN " + column + " < 0 THEN 1 ELSE 0 END, " + column);
        }
    }

    private String text(long id) {
        return isUnsigned ? Long.toUnsignedString(id) : Long.toString(id);
    }
}
