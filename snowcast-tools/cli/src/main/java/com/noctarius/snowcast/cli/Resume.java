// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.IntegerSequenceNotLostException;
import com.noctarius.snowcast.IntegerSequenceUnknownException;
import com.noctarius.snowcast.Ordering;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Says where an integer sequence goes on whose pool was lost. */
@Command(
        name = "resume",
        mixinStandardHelpOptions = true,
        description = {
            "Sets where an integer sequence continues after all replicas of its pool were lost.",
            "If --at is not above every integer that was handed out, integers repeat.",
            "A sequence that is not lost, or does not exist in the cluster, is refused, and nothing is changed: the exit"
                    + " code is 2. After a restart of the whole cluster no sequence is known; let a program create it with"
                    + " a first value above all integers in use then."
        },
        footerHeading = "%nExample:%n",
        footer = "  snowcast resume products --at 7200000 --lost-before 2026-11-23T10:00:00Z --last-value 2147483647")
final class Resume implements Callable<Integer> {
    @ParentCommand
    @SuppressWarnings("NullAway.Init")
    private Main main;

    @Parameters(paramLabel = "SEQUENCE", description = "The name of the integer sequence.")
    @SuppressWarnings("NullAway.Init")
    private String name;

    @Mixin
    private final ClusterOptions options;

    @Option(
            names = "--at",
            paramLabel = "INTEGER",
            required = true,
            description = "Above every integer that was handed out under the name.")
    private long at;

    @Option(
            names = "--lost-before",
            paramLabel = "TIME",
            required = true,
            description = "A time after the loss that is meant, not in the future: a later loss is refused again.")
    @SuppressWarnings("NullAway.Init")
    private String lostBefore;

    @Option(names = "--first-value", paramLabel = "INTEGER", description = "As it is defined everywhere.")
    private long firstValue = 1;

    @Option(
            names = "--last-value",
            paramLabel = "INTEGER",
            required = true,
            description = "As it is defined everywhere.")
    private long lastValue;

    @Option(names = "--backup-count", paramLabel = "NUMBER", description = "As it is defined everywhere; 1 otherwise.")
    private int backupCount = 1;

    @Option(names = "--cluster-order", description = "Where its ordering is that of the cluster.")
    private boolean isInClusterOrder;

    private final Terminal terminal;

    Resume(Terminal terminal) {
        this.terminal = terminal;
        this.options = new ClusterOptions(terminal);
    }

    @Override
    public Integer call() throws IOException {
        try (Cluster cluster = Cluster.connect(options, main.isVerbose)) {
            cluster.snowcast()
                    .resumeIntegerSequence(config(), at, Definition.time("--lost-before", lostBefore))
                    .close();
            terminal.out().println("resumed " + name);
            terminal.out().flush();
            return ExitCode.DONE;
        } catch (IntegerSequenceNotLostException | IntegerSequenceUnknownException | IllegalArgumentException e) {
            throw new WrongUseException(e.getMessage(), e);
        }
    }

    private IntegerSequenceConfig config() {
        try {
            IntegerSequenceConfig.Builder config = IntegerSequenceConfig.builder(name)
                    .firstValue(firstValue)
                    .lastValue(lastValue)
                    .backupCount(backupCount)
                    .blockSize(1);
            return (isInClusterOrder ? config.ordering(Ordering.CLUSTER) : config).build();
        } catch (IllegalArgumentException e) {
            throw new WrongUseException(e.getMessage(), e);
        }
    }
}
