// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.ids.SnowflakeId;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Converts IDs to another form, or composes an ID from its parts. */
@Command(
        name = "encode",
        mixinStandardHelpOptions = true,
        description = {
            "Writes IDs in another form, or makes an ID from time, node and counter.",
            "A sequencer may issue the same ID as one that you make: use yours to search, not as a key."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  snowcast encode --epoch 2024-01-01 --to base62 764750276312737799",
            "  snowcast encode --profile orders --time 2026-11-21T03:42:17.123Z --node 42 --counter 7"
        })
final class Encode implements Callable<Integer> {
    @Parameters(paramLabel = "ID", description = "IDs in any form; none with --time.")
    private List<String> ids = List.of();

    @Mixin
    private final Definition definition;

    @Option(names = "--time", paramLabel = "TIME", description = "Makes an ID of this time.")
    private @Nullable String time;

    @Option(names = "--node", paramLabel = "NUMBER", description = "Its node ID; 0 by default.")
    private int node;

    @Option(names = "--counter", paramLabel = "NUMBER", description = "Its counter; 0 by default.")
    private int counter;

    @Option(names = "--to", paramLabel = "FORM", description = "${COMPLETION-CANDIDATES}.")
    private Form form = Form.DECIMAL;

    @Option(names = "--prefix", paramLabel = "TEXT", description = "The text to put before each ID, such as ord_.")
    private String prefix = "";

    private final Terminal terminal;

    Encode(Terminal terminal) {
        this.terminal = terminal;
        this.definition = new Definition(terminal);
    }

    @Override
    public Integer call() throws IOException {
        Definition.Known known = definition.known();
        if (ids.isEmpty() == (time == null)) {
            throw new WrongUseException("give either IDs or --time");
        }
        if (time != null) {
            print(compose(known, Definition.time("time", time)));
        }
        ids.forEach(id -> print(Form.read(id, known)));
        terminal.out().flush();
        return ExitCode.DONE;
    }

    private SnowflakeId compose(Definition.Known known, Instant instant) {
        SnowcastLayout layout = known.layout();
        requireBelow("node", node, layout.logicalNodeCount());
        requireBelow("counter", counter, layout.idsPerMillisecond());
        return known.id(lowestId(known, instant) | layout.compose(0, node, counter));
    }

    static long lowestId(Definition.Known known, Instant instant) {
        try {
            return SnowflakeId.lowestId(instant, known.layout(), known.epoch());
        } catch (IllegalArgumentException e) {
            throw new WrongUseException(e.getMessage(), e);
        }
    }

    private static void requireBelow(String what, int number, int end) {
        if (number < 0 || number >= end) {
            throw new WrongUseException(what + " must be 0 to " + (end - 1) + ": " + number);
        }
    }

    private void print(SnowflakeId id) {
        terminal.out().println(prefix + form.write(id));
    }
}
