// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import com.noctarius.snowcast.status.ClusterStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** Says who holds what. */
@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        description = {
            "Says which sequencers and integer sequences a cluster has, and who holds which logical node until when.",
            "The exit code is 1 if a merge reported possible duplicates, or a sequence has lost its pool."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  snowcast status",
            "  snowcast status --address 10.0.0.5:5701,10.0.0.6:5701 --cluster-name prod --watch",
            "  snowcast status --client-config hazelcast-client.yaml --output json"
        })
final class Status implements Callable<Integer> {
    private static final String CLEAR_SCREEN = "\u001b[H\u001b[J";

    @ParentCommand
    @SuppressWarnings("NullAway.Init")
    private Main main;

    @Mixin
    private final ClusterOptions options;

    @Option(names = "--output", paramLabel = "FORM", description = "${COMPLETION-CANDIDATES}: an object a line.")
    private Output output = Output.TABLE;

    @Option(names = "--watch", description = "Draws it again and again, until Ctrl-C.")
    private boolean isWatching;

    @Option(names = "--interval", paramLabel = "DURATION", description = "How often; PT2S as without the option.")
    private Duration interval = Duration.ofSeconds(2);

    @Option(names = "--times", paramLabel = "NUMBER", description = "Ends --watch after so many times.")
    private long times = Long.MAX_VALUE;

    private final Terminal terminal;

    Status(Terminal terminal) {
        this.terminal = terminal;
        this.options = new ClusterOptions(terminal);
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (interval.isNegative() || times < 1) {
            throw new WrongUseException("--interval must not be negative, and --times 1 or more");
        }
        try (Cluster cluster = Cluster.connect(options, main.isVerbose)) {
            ClusterStatus status = cluster.status();
            print(status);
            for (long i = 1; isWatching && i < times && !terminal.out().checkError(); i++) {
                Thread.sleep(interval.toMillis());
                status = cluster.status();
                if (terminal.person() != null && output == Output.TABLE) {
                    terminal.out().print(CLEAR_SCREEN);
                }
                print(status);
            }
            return StatusText.needsAttention(status) ? ExitCode.FOUND : ExitCode.DONE;
        }
    }

    private void print(ClusterStatus status) {
        if (output == Output.JSON) {
            terminal.out().println(StatusText.json(status));
        } else {
            StatusText.lines(status).forEach(terminal.out()::println);
        }
        terminal.out().flush();
    }
}
