// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;

/** Prints a script that makes a shell complete the arguments of {@code snowcast}. */
@Command(
        name = "completion",
        mixinStandardHelpOptions = true,
        description = "Prints a script that completes arguments in bash and zsh.",
        footerHeading = "%nExample, for ~/.bashrc or ~/.zshrc:%n",
        footer = "  source <(snowcast completion)")
final class Completion implements Callable<Integer> {
    private final Terminal terminal;

    Completion(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        terminal.out().print(AutoComplete.bash("snowcast", Main.commandLine(terminal, "")));
        terminal.out().flush();
        return ExitCode.DONE;
    }
}
