// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

class HelpTest {
    private static final Pattern VARIABLE = Pattern.compile("SNOWCAST_[A-Z]+");
    private static final Pattern EXAMPLE = Pattern.compile("snowcast ([^|)]*)");

    private static CommandLine all() {
        return Main.commandLine(new Terminal(System.in, System.out, System.err, Map.of(), null), "");
    }

    static Stream<CommandLine> commands() {
        return all().getSubcommands().values().stream();
    }

    @ParameterizedTest
    @MethodSource("commands")
    void everyCommandHasHelpWithExamplesThatAreAccepted(CommandLine command) {
        CommandRun help = CommandRun.of(command.getCommandName(), "--help");
        assertThat(help.exitCode()).isEqualTo(ExitCode.DONE);
        assertThat(help.err()).isEmpty();
        int count = 0;
        for (String line : command.getCommandSpec().usageMessage().footer()) {
            Matcher example = EXAMPLE.matcher(line);
            if (example.find()) {
                count++;
                // Throws if the example has an unknown option or argument.
                all().parseArgs(example.group(1).strip().split("\\s+"));
            }
        }
        assertThat(count).isPositive();
    }

    @ParameterizedTest
    @MethodSource("commands")
    void theTableSaysWhichStoresACommandIsFor(CommandLine command) throws IOException {
        CommandLine.Model.CommandSpec spec = command.getCommandSpec();
        String cells = Stream.of("--address", "--jdbc", "--output")
                .map(option -> spec.findOption(option) == null ? "| " : "yes | ")
                .collect(Collectors.joining());
        assertThat(Files.readString(Path.of("../../docs/cli.md")))
                .containsPattern("(?m)^\\| [^|]*`" + command.getCommandName() + "`[^|]*\\| "
                        + Pattern.quote(cells.strip()) + "$");
    }

    @Test
    void exitCodesAreDocumented() throws IOException, IllegalAccessException {
        String document = Files.readString(Path.of("../../docs/cli.md"));
        String help = CommandRun.of("--help").out();
        for (Field code : ExitCode.class.getDeclaredFields()) {
            if (Modifier.isStatic(code.getModifiers()) && code.getType() == int.class) {
                code.setAccessible(true);
                assertThat(document).contains("| " + code.getInt(null) + " |");
                assertThat(help).contains("  " + code.getInt(null) + "    ");
            }
        }
    }

    @Test
    void environmentVariablesAreDocumented() throws IOException {
        String document = Files.readString(Path.of("../../docs/reference/configuration.md"));
        try (Stream<Path> files = Files.walk(Path.of("src/main"))) {
            for (Path file : files.filter(path -> path.toString().matches(".*(\\.java|/snowcast)"))
                    .filter(Files::isRegularFile)
                    .toList()) {
                assertThat(VARIABLE.matcher(Files.readString(file)).results().map(MatchResult::group))
                        .allSatisfy(variable -> assertThat(document).contains("| `" + variable + "` |"));
            }
        }
    }

    @Test
    void versionIsPrinted() {
        assertThat(CommandRun.of("--version").out()).startsWith("snowcast ");
    }
}
