// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * Rejects options that would have no effect. A user who forgets {@code --jdbc}, for example, would otherwise run the
 * command on a cluster, although {@code --user} names the user of a database.
 */
final class OptionRules {
    private static final List<Need> NEEDS = List.of(
            new Need("--jdbc", "--user", "--password", "--password-env", "--password-file", "--table-prefix"),
            new Need("--jdbc", "--table", "--query"),
            new Need("--profile", "--profiles"),
            new Need("--csv", "--delimiter"),
            new Need("--time", "--node", "--counter"),
            new Need("--watch", "--interval", "--times"));

    private static final List<Choice> CHOICES = List.of(
            new Choice("--jdbc", "--file", "--csv", "--header", "--connect-timeout"),
            new Choice("--query", "--column"),
            new Choice("--password", "--password-env", "--password-file"),
            new Choice("--password-env", "--password-file"));

    private OptionRules() {}

    /** Options that have an effect only together with another option. */
    private record Need(String needed, List<String> options) {
        Need(String needed, String... options) {
            this(needed, List.of(options));
        }
    }

    /** Options that have no effect together with another option. */
    private record Choice(String chosen, List<String> others) {
        Choice(String chosen, String... others) {
            this(chosen, List.of(others));
        }
    }

    /** Throws a {@link ParameterException} if an option of the command would have no effect. */
    static void check(ParseResult line) {
        ParseResult command = line.subcommand();
        if (command == null || command.isUsageHelpRequested() || command.isVersionHelpRequested()) {
            return;
        }
        CommandSpec spec = command.commandSpec();
        for (Need need : NEEDS) {
            boolean isMissing = spec.findOption(need.needed()) != null && !command.hasMatchedOption(need.needed());
            need.options().stream()
                    .filter(option -> isMissing && command.hasMatchedOption(option))
                    .findFirst()
                    .ifPresent(option -> refuse(spec, option + " needs " + need.needed()));
        }
        for (Choice choice : CHOICES) {
            choice.others().stream()
                    .filter(other -> command.hasMatchedOption(choice.chosen()) && command.hasMatchedOption(other))
                    .findFirst()
                    .ifPresent(other -> refuse(spec, choice.chosen() + " must not be given together with " + other));
        }
    }

    private static void refuse(CommandSpec spec, String message) {
        throw new ParameterException(spec.commandLine(), message);
    }
}
