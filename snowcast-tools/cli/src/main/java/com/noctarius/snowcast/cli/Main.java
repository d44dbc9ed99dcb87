// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command {@code snowcast}. */
@Command(
        name = "snowcast",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Decodes IDs, checks tables, and manages clusters and stores.",
        synopsisSubcommandLabel = "COMMAND",
        footerHeading = "%nExit codes:%n",
        footer = {
            "  0    done",
            "  1    a check failed, for example because there are duplicates",
            "  2    the arguments, a file or the input are wrong",
            "  3    a cluster, database or file could not be used",
            "  4    the command ran out of memory, or has a defect",
            "  130  ended by Ctrl-C"
        })
final class Main implements Runnable {
    private static final Map<String, Function<Terminal, Object>> COMMANDS = commands();
    private static final int MAX_SUGGESTIONS = 2;
    private static final Pattern SIMPLE_DURATION = Pattern.compile("(\\d{1,9})(ms|s|m|h)");

    @Option(
            names = "--verbose",
            scope = CommandLine.ScopeType.INHERIT,
            description = "Shows stack traces, and the log of Hazelcast, on standard error.")
    boolean isVerbose;

    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init")
    CommandLine.Model.CommandSpec spec;

    private static Map<String, Function<Terminal, Object>> commands() {
        Map<String, Function<Terminal, Object>> commands = new LinkedHashMap<>();
        commands.put("decode", Decode::new);
        commands.put("encode", Encode::new);
        commands.put("range", Range::new);
        commands.put("verify", Verify::new);
        commands.put("generate", Generate::new);
        commands.put("status", Status::new);
        commands.put("clusters", Clusters::new);
        commands.put("destroy", Destroy::new);
        commands.put("bench", Bench::new);
        commands.put("restored", Restores.Restored::new);
        commands.put("recover", Restores.Recover::new);
        commands.put("jdbc", Stores.Jdbc::new);
        commands.put("cassandra", Stores.Cassandra::new);
        commands.put("completion", Completion::new);
        return commands;
    }

    public static void main(String[] arguments) {
        // There is no flush after each line, because a command may write a million lines.
        PrintStream out = new PrintStream(
                new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 16),
                false,
                StandardCharsets.UTF_8);
        Terminal process = Terminal.ofProcess();
        Terminal terminal = new Terminal(process.in(), out, process.err(), process.environment(), process.person());
        int exitCode = run(terminal, List.of(arguments));
        terminal.out().flush();
        System.exit(exitCode);
    }

    static int run(Terminal terminal, List<String> arguments) {
        try {
            return commandLine(terminal, arguments.isEmpty() ? "" : arguments.get(0))
                    .execute(arguments.toArray(String[]::new));
        } catch (OutOfMemoryError e) {
            terminal.out().flush();
            terminal.err()
                    .println("The heap of " + (Runtime.getRuntime().maxMemory() >> 20) + " MB is too small: raise it by"
                            + " SNOWCAST_OPTS=-Xmx512m, for example"
                            + (arguments.contains("verify") ? ", or lower --memory" : ""));
            return ExitCode.BROKEN;
        }
    }

    /**
     * Creates the command line. If {@code command} is the name of a command, the command line contains only this
     * command, because loading all commands takes longer than running most of them.
     */
    static CommandLine commandLine(Terminal terminal, String command) {
        CommandLine line = new CommandLine(new Main());
        COMMANDS.forEach((name, create) -> {
            if (!COMMANDS.containsKey(command) || command.equals(name)) {
                line.addSubcommand(name, create.apply(terminal));
            }
        });
        line.setOut(new java.io.PrintWriter(terminal.out(), true, StandardCharsets.UTF_8));
        line.setErr(new java.io.PrintWriter(terminal.err(), true, StandardCharsets.UTF_8));
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.registerConverter(Duration.class, Main::duration);
        line.setExecutionStrategy(parsed -> {
            OptionRules.check(parsed);
            return new CommandLine.RunLast().execute(parsed);
        });
        line.setParameterExceptionHandler((failure, unused) -> refuse(terminal, failure));
        line.setExecutionExceptionHandler((failure, of, unused) -> Failures.exitCode(terminal, failure, isVerbose(of)));
        return line;
    }

    /** Parses {@code 500ms}, {@code 2s}, {@code 5m}, {@code 1h}, or the ISO form {@code PT2S}. */
    private static Duration duration(String text) {
        Matcher number = SIMPLE_DURATION.matcher(text);
        try {
            if (number.matches()) {
                long amount = Long.parseLong(number.group(1));
                return switch (number.group(2)) {
                    case "ms" -> Duration.ofMillis(amount);
                    case "s" -> Duration.ofSeconds(amount);
                    case "m" -> Duration.ofMinutes(amount);
                    default -> Duration.ofHours(amount);
                };
            }
            return Duration.parse(text);
        } catch (DateTimeParseException e) {
            throw new TypeConversionException("must be like 500ms, 2s, 5m, 1h or PT2S: " + text);
        }
    }

    private static int refuse(Terminal terminal, ParameterException failure) {
        terminal.err().println(failure.getMessage());
        if (failure instanceof UnmatchedArgumentException unmatched) {
            unmatched.getSuggestions().stream()
                    .limit(MAX_SUGGESTIONS)
                    .forEach(suggestion -> terminal.err().println("Did you mean " + suggestion + "?"));
        }
        terminal.err()
                .println("See: " + failure.getCommandLine().getCommandSpec().qualifiedName() + " --help");
        return ExitCode.WRONG_USE;
    }

    private static boolean isVerbose(CommandLine line) {
        return line.getCommandSpec().root().userObject() instanceof Main main && main.isVerbose;
    }

    /** Called if the user gives no command. */
    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "There must be a command.");
    }
}
