// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import com.noctarius.snowcast.cassandra.CassandraMain;
import com.noctarius.snowcast.jdbc.WindowAgentMain;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Runs the command lines of the stores; see {@code docs/jdbc.md} and {@code docs/cassandra.md}. */
final class Stores {
    private Stores() {}

    @Command(
            name = "jdbc",
            mixinStandardHelpOptions = true,
            description = {
                "Manages the shards of integer sequences in SQL databases.",
                "ACTION FILE [ARGUMENT...] is one of:",
                "  create FILE, status FILE, top-up FILE",
                "  define FILE NAME FIRST LAST, raise FILE NAME LAST",
                "  change-shards FILE [GIVEN_UP_ID...]",
                "  restored FILE SHARD, recover FILE SHARD [nothing-lost | NAME=INTEGER...]",
                "The exit code is also 1 if a shard cannot be reached or refuses."
            },
            footerHeading = "%nExamples:%n",
            footer = {
                "  snowcast jdbc create shards.properties",
                "  snowcast jdbc restored shards.properties 0",
                "  snowcast jdbc recover shards.properties 0 orders=7200000"
            })
    static final class Jdbc implements Callable<Integer> {
        @ParentCommand
        @SuppressWarnings("NullAway.Init")
        private Main main;

        @Parameters(paramLabel = "ACTION FILE [ARGUMENT...]", hideParamSyntax = true, arity = "1..*")
        private List<String> arguments = List.of();

        private final Terminal terminal;

        Jdbc(Terminal terminal) {
            this.terminal = terminal;
        }

        @Override
        public Integer call() {
            Logs.configure(main.isVerbose);
            int exitCode = WindowAgentMain.run(arguments, terminal.environment(), terminal.out(), terminal.err());
            terminal.out().flush();
            return exitCode;
        }
    }

    @Command(
            name = "cassandra",
            mixinStandardHelpOptions = true,
            description = {
                "Manages integer sequences in Cassandra.",
                "ACTION FILE [ARGUMENT...] is one of:",
                "  create FILE, status FILE",
                "  define FILE NAME FIRST LAST, define-striped FILE NAME FIRST LAST STRIPES",
                "  raise FILE NAME LAST, raise-striped FILE NAME LAST",
                "  recover FILE NAME [NEXT], recover-striped FILE NAME NEXT",
                "The exit code is also 1 if Cassandra cannot be reached or refuses."
            },
            footerHeading = "%nExamples:%n",
            footer = {
                "  snowcast cassandra status cassandra.properties",
                "  snowcast cassandra raise cassandra.properties products 4000000000"
            })
    static final class Cassandra implements Callable<Integer> {
        @ParentCommand
        @SuppressWarnings("NullAway.Init")
        private Main main;

        @Parameters(paramLabel = "ACTION FILE [ARGUMENT...]", hideParamSyntax = true, arity = "1..*")
        private List<String> arguments = List.of();

        private final Terminal terminal;

        Cassandra(Terminal terminal) {
            this.terminal = terminal;
        }

        @Override
        public Integer call() {
            Logs.configure(main.isVerbose);
            int exitCode = CassandraMain.run(arguments, terminal.environment(), terminal.out(), terminal.err());
            terminal.out().flush();
            return exitCode;
        }
    }
}
