// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The result of a command that ran in this JVM. */
record CommandRun(int exitCode, String out, String err) {
    static CommandRun of(String... arguments) {
        return of("", Map.of(), null, arguments);
    }

    static CommandRun withInput(String input, String... arguments) {
        return of(input, Map.of(), null, arguments);
    }

    static CommandRun of(
            String input, Map<String, String> environment, Terminal.@Nullable Person person, String... arguments) {
        return of(
                new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                environment,
                person,
                List.of(arguments));
    }

    static CommandRun of(
            InputStream input,
            Map<String, String> environment,
            Terminal.@Nullable Person person,
            List<String> arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int exitCode = Main.run(
                new Terminal(
                        input,
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8),
                        environment,
                        person),
                arguments);
        return new CommandRun(exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    static CommandRun line(String arguments) {
        return of(arguments.split(" "));
    }
}
