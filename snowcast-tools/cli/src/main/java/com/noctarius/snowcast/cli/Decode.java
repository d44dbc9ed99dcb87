// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import com.noctarius.snowcast.ids.SnowflakeId;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints the time, node ID and counter of IDs. */
@Command(
        name = "decode",
        mixinStandardHelpOptions = true,
        description = "Prints the time, node ID and counter of IDs, and their other forms.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  snowcast decode --epoch 2024-01-01 764750276312737799",
            "  snowcast decode --profile orders --output json 0uUYzTIeNfz 0N77GAC8R1A07",
            "  snowcast decode --profile orders --prefix ord_ ord_0N77GAC8R1A07",
            "  psql -Atc 'SELECT id FROM orders' | snowcast decode --profile orders",
            "  snowcast decode --profile orders --csv --column id --file orders.csv"
        })
final class Decode implements Callable<Integer> {
    private static final int LINES_BETWEEN_CHECKS = 1_000;

    @Parameters(
            paramLabel = "ID",
            description = {
                "Numbers, signed or unsigned, or any of the other forms, recognized by their length: Base62 (11 characters),"
                        + " Base32 (13), UUID (36), or readable (2026-11-21T03:42:17.123Z-0042-0007).",
                "Without IDs, reads a column of the input."
            })
    private List<String> ids = List.of();

    @Mixin
    private final Definition definition;

    @Mixin
    private final Column column;

    @Option(names = "--prefix", paramLabel = "TEXT", description = "The text before each ID, such as ord_.")
    private String prefix = "";

    @Option(
            names = "--output",
            paramLabel = "FORM",
            description = "${COMPLETION-CANDIDATES}; JSON prints one object per line.")
    private Output output = Output.TABLE;

    private final Terminal terminal;
    private long lines;

    Decode(Terminal terminal) {
        this.terminal = terminal;
        this.definition = new Definition(terminal);
        this.column = new Column(terminal);
    }

    @Override
    public Integer call() throws IOException {
        Definition.Known known = definition.known();
        if (!ids.isEmpty() && column.isGiven()) {
            throw new WrongUseException("give either IDs or --file, --csv, --column or --header");
        }
        if (ids.isEmpty()) {
            column.read((text, line) -> print(text, known));
        } else {
            for (String id : ids) {
                print(id, known);
            }
        }
        terminal.out().flush();
        return ExitCode.DONE;
    }

    /** Returns false if the output has no reader any more, which the method checks once per 1,000 lines. */
    private boolean print(String text, Definition.Known known) {
        SnowflakeId id = Form.read(Form.withoutPrefix(text, prefix), known);
        if (output == Output.JSON) {
            terminal.out().println(Json.of(values(id)));
        } else {
            if (lines == 0) {
                terminal.out().println(row("ID", "time", "node", "counter", "Base62", "Base32"));
            }
            terminal.out()
                    .println(row(
                            Form.DECIMAL.write(id),
                            id.instant().toString(),
                            Integer.toString(id.logicalNodeId()),
                            Integer.toString(id.counter()),
                            Form.BASE62.write(id),
                            Form.BASE32.write(id)));
        }
        return ++lines % LINES_BETWEEN_CHECKS != 0 || !terminal.out().checkError();
    }

    private static String row(String id, String time, String node, String counter, String base62, String base32) {
        return Text.right(id, 20) + "  " + Text.left(time, 24) + "  " + Text.right(node, 5) + "  "
                + Text.right(counter, 7) + "  " + Text.left(base62, 11) + "  " + base32;
    }

    private static Map<String, Object> values(SnowflakeId id) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("id", Form.DECIMAL.write(id));
        values.put("unsigned", Form.UNSIGNED.write(id));
        values.put("time", id.instant());
        values.put("logicalNodeId", id.logicalNodeId());
        values.put("counter", id.counter());
        values.put("base62", Form.BASE62.write(id));
        values.put("base32", Form.BASE32.write(id));
        values.put("readable", Form.READABLE.write(id));
        if (hasUuid(id)) {
            values.put("uuid", Form.UUID.write(id));
        }
        return values;
    }

    /**
     * An ID from before 1970 has no UUID. No ID is too late for a UUID, because its time has at most 42 bits, and its
     * epoch is in the past.
     */
    private static boolean hasUuid(SnowflakeId id) {
        return id.instant().toEpochMilli() >= 0;
    }
}
