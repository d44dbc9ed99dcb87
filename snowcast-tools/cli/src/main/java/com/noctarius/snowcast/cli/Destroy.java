// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import com.noctarius.snowcast.NodeLeaseConfig;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.Snowcast;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

@Command(
        name = "destroy",
        mixinStandardHelpOptions = true,
        description = {
            "Destroys a sequencer or a node lease of a cluster or a database: every process that uses it gets errors.",
            "Asks you to repeat the name."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  snowcast destroy orders",
            "  snowcast destroy orders --yes --jdbc jdbc:postgresql://db/shop --user ids --password"
        })
final class Destroy implements Callable<Integer> {
    @ParentCommand
    @SuppressWarnings("NullAway.Init")
    private Main main;

    @Parameters(paramLabel = "NAME", description = "The name.")
    @SuppressWarnings("NullAway.Init")
    private String name;

    @Mixin
    private final SourceOptions options;

    @Option(names = "--yes", description = "Destroys without asking.")
    private boolean isConfirmed;

    @Option(
            names = "--output",
            paramLabel = "FORM",
            description = "${COMPLETION-CANDIDATES}; JSON prints one object per line.")
    private Output output = Output.TABLE;

    private final Terminal terminal;

    Destroy(Terminal terminal) {
        this.terminal = terminal;
        this.options = new SourceOptions(terminal);
    }

    @Override
    public Integer call() throws IOException {
        if (!isConfirmed && terminal.person() == null) {
            throw new WrongUseException(
                    "there is no terminal to ask whether " + name + " shall be destroyed: use --yes");
        }
        try (Source source = options.open(main.isVerbose)) {
            destroy(source);
            terminal.out().println(output == Output.JSON ? Json.of(Map.of("destroyed", name)) : "destroyed " + name);
            terminal.out().flush();
            return ExitCode.DONE;
        }
    }

    private void destroy(Source source) {
        Optional<NodeLeaseConfig> lease = source.nodeLease(name);
        if (lease.isPresent()) {
            confirm("node lease");
            source.snowcast().destroyNodeLease(source.snowcast().leaseNode(lease.get()));
            return;
        }
        SequencerConfig config = source.requireSequencer(name);
        confirm("sequencer");
        Snowcast snowcast = source.snowcast();
        snowcast.destroySequencer(snowcast.createSequencer(config));
    }

    private void confirm(String what) {
        if (isConfirmed || terminal.person() == null) {
            return;
        }
        String answer = terminal.person().answer("Repeat the name of the " + what + " to destroy: ");
        if (!name.equals(answer)) {
            throw new WrongUseException("nothing was destroyed: the names differ");
        }
    }
}
