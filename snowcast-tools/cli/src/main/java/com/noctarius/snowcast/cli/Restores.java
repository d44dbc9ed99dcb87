// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import com.noctarius.snowcast.internal.jdbc.TableNames;
import com.noctarius.snowcast.jdbc.JdbcSchema;
import com.noctarius.snowcast.jdbc.JdbcShards;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/**
 * The commands to run after a single database was restored: see {@code docs/operate/sql.md}. For shards, see
 * {@link Stores}.
 */
final class Restores {
    private Restores() {}

    /** The options of both commands: the database, the prefix of its tables, and the form of the output. */
    static final class Options {
        @Mixin
        private final DatabaseLogin database;

        @Option(
                names = "--table-prefix",
                description =
                        "The prefix of the tables of node IDs; snowcast by default. The tables of integers are in the"
                                + " same schema.")
        private String tablePrefix = TableNames.LEASE_PREFIX;

        @Option(
                names = "--output",
                paramLabel = "FORM",
                description = "${COMPLETION-CANDIDATES}; JSON prints one object per line.")
        private Output output = Output.TABLE;

        private final Terminal terminal;

        Options(Terminal terminal) {
            this.terminal = terminal;
            this.database = new DatabaseLogin(terminal);
        }

        private JdbcSchema schema(boolean isVerbose) throws IOException {
            if (!database.isGiven()) {
                throw new WrongUseException("--jdbc is missing: it names the database that was restored");
            }
            Logs.configure(isVerbose);
            return new JdbcSchema(JdbcShards.builder()
                    .shard(database.dataSource())
                    .tableName(TableNames.windows(tablePrefix))
                    .build());
        }

        private int print(String text, String key, List<String> values) {
            terminal.out().println(output == Output.JSON ? Json.of(Map.of(key, values)) : text);
            terminal.out().flush();
            return ExitCode.DONE;
        }
    }

    @Command(
            name = "restored",
            mixinStandardHelpOptions = true,
            description = {
                "Marks a database that was restored, for node IDs and integer sequences, and prints the marked tables.",
                "Run it before a process connects. New leases of node IDs then wait for lease + 2 minutes, and integer",
                "sequences wait for: snowcast recover."
            },
            footerHeading = "%nExamples:%n",
            footer = {"  snowcast restored --jdbc jdbc:postgresql://db/shop --user ids --password"})
    static final class Restored implements Callable<Integer> {
        @ParentCommand
        @SuppressWarnings("NullAway.Init")
        private Main main;

        @Mixin
        private final Options options;

        Restored(Terminal terminal) {
            this.options = new Options(terminal);
        }

        @Override
        public Integer call() throws IOException {
            List<String> marked = options.schema(main.isVerbose).markRestored(0, options.tablePrefix);
            return options.print("marked: " + String.join(", ", marked), "marked", marked);
        }
    }

    @Command(
            name = "recover",
            mixinStandardHelpOptions = true,
            description = {
                "Lets the integer sequences of a database continue after a loss. Give for each sequence an integer that is",
                "at least as high as all integers in use. Before, restart the processes that use the sequences."
            },
            footerHeading = "%nExamples:%n",
            footer = {
                "  snowcast recover orders=7200000 seats=90000 --jdbc jdbc:postgresql://db/shop --user ids --password",
                "  snowcast recover nothing-lost --jdbc jdbc:postgresql://db/shop --user ids --password"
            })
    static final class Recover implements Callable<Integer> {
        private static final String NOTHING_LOST = "nothing-lost";

        @ParentCommand
        @SuppressWarnings("NullAway.Init")
        private Main main;

        @Parameters(
                paramLabel = "NAME=INTEGER",
                arity = "1..*",
                description =
                        "Every sequence of the database; or only nothing-lost, if it is certain that nothing was lost.")
        private List<String> arguments = List.of();

        @Mixin
        private final Options options;

        Recover(Terminal terminal) {
            this.options = new Options(terminal);
        }

        @Override
        public Integer call() throws IOException {
            if (arguments.equals(List.of(NOTHING_LOST))) {
                options.schema(main.isVerbose).recoverWithoutLoss(0);
                return options.print("recovered", "recovered", List.of());
            }
            Map<String, Long> above = new HashMap<>();
            List<String> names = new ArrayList<>();
            for (String argument : arguments) {
                // The last equals sign is the separator, because a name may contain equals signs.
                int equals = argument.lastIndexOf('=');
                String name = argument.substring(0, Math.max(equals, 0));
                Long former;
                try {
                    former = above.put(name, Long.parseLong(argument.substring(equals + 1)));
                } catch (NumberFormatException e) {
                    throw new WrongUseException(
                            "argument must be NAME=INTEGER, or only " + NOTHING_LOST + ": " + argument, e);
                }
                if (former != null) {
                    throw new WrongUseException("each sequence must have one argument: " + name);
                }
                names.add(name);
            }
            try {
                options.schema(main.isVerbose).recover(0, above);
            } catch (IllegalArgumentException e) {
                throw new WrongUseException(String.valueOf(e.getMessage()), e);
            }
            return options.print("recovered: " + String.join(", ", names), "recovered", names);
        }
    }
}
