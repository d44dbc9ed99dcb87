// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import com.noctarius.snowcast.ids.SnowflakeId;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

@Command(
        name = "generate",
        mixinStandardHelpOptions = true,
        description = "Leases a node ID of an existing sequencer of a cluster or database, and generates IDs with it.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  snowcast generate orders",
            "  snowcast generate orders --address 10.0.0.5:5701 --cluster-name prod --count 1000 --to base32 --prefix ord_",
            "  snowcast generate orders --jdbc jdbc:postgresql://db/shop --user ids --password"
        })
final class Generate implements Callable<Integer> {
    private static final int BATCH = 1_000;

    @ParentCommand
    @SuppressWarnings("NullAway.Init")
    private Main main;

    @Parameters(paramLabel = "SEQUENCER", description = "The name of the sequencer.")
    @SuppressWarnings("NullAway.Init")
    private String name;

    @Mixin
    private final SourceOptions options;

    @Option(names = "--count", paramLabel = "NUMBER", description = "How many IDs; 1 by default.")
    private long count = 1;

    @Option(names = "--to", paramLabel = "FORM", description = "${COMPLETION-CANDIDATES}.")
    private Form form = Form.DECIMAL;

    @Option(names = "--prefix", paramLabel = "TEXT", description = "The text to put before each ID, such as ord_.")
    private String prefix = "";

    @Option(
            names = "--output",
            paramLabel = "FORM",
            description = "${COMPLETION-CANDIDATES}; JSON prints one object per line.")
    private Output output = Output.TABLE;

    private final Terminal terminal;

    Generate(Terminal terminal) {
        this.terminal = terminal;
        this.options = new SourceOptions(terminal);
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (count < 1) {
            throw new WrongUseException("--count must be 1 or more: " + count);
        }
        try (Source source = options.open(main.isVerbose)) {
            var sequencer = source.snowcast().createSequencer(source.requireSequencer(name));
            for (long left = count; left > 0 && !terminal.out().checkError(); left -= BATCH) {
                for (long id : sequencer.next((int) Math.min(left, BATCH))) {
                    String text = prefix + form.write(SnowflakeId.of(id, sequencer));
                    terminal.out().println(output == Output.JSON ? Json.of(Map.of("id", text)) : text);
                }
            }
            terminal.out().flush();
            return ExitCode.DONE;
        }
    }
}
