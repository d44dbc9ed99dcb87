// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import java.io.Console;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The input and output of a command. Commands write results to {@code out}, and all other text to {@code err}. */
record Terminal(
        InputStream in,
        ShownStream out,
        ShownStream err,
        Map<String, String> environment,
        @Nullable Person person) {
    private static final Pattern SIZE = Pattern.compile("(\\d+) (\\d+)\\s*");

    Terminal(
            InputStream in,
            PrintStream out,
            PrintStream err,
            Map<String, String> environment,
            @Nullable Person person) {
        this(in, ShownStream.of(out), ShownStream.of(err), environment, person);
    }

    /** The screen size in characters. */
    record Size(int columns, int lines) {
        static final Size USUAL = new Size(80, 24);
    }

    /** The user at the terminal. At the end of the input, answers are null. */
    interface Person {
        @Nullable
        String answer(String question);

        /** Asks without showing the typed text. */
        @Nullable
        String secret(String question);

        Size screen();
    }

    static Terminal ofProcess() {
        return new Terminal(System.in, System.out, System.err, System.getenv(), personAt(System.console()));
    }

    private static @Nullable Person personAt(@Nullable Console console) {
        return console == null || !isTerminal(console) ? null : new ConsolePerson(console);
    }

    /** Since JDK 22, a process without a terminal may have a console; {@code Console.isTerminal} then returns false. */
    private static boolean isTerminal(Console console) {
        try {
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (NoSuchMethodException e) {
            return true;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private record ConsolePerson(Console console) implements Person {
        @Override
        public @Nullable String answer(String question) {
            return console.readLine("%s", question);
        }

        @Override
        public @Nullable String secret(String question) {
            char[] secret = console.readPassword("%s", question);
            return secret == null ? null : new String(secret);
        }

        /** Asks {@code stty} for the size, because Java cannot determine it. */
        @Override
        public Size screen() {
            try {
                Process stty = new ProcessBuilder("stty", "size")
                        .redirectInput(new File("/dev/tty"))
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
                Matcher size =
                        SIZE.matcher(new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII));
                boolean isKnown = size.matches()
                        && !size.group(1).equals("0")
                        && !size.group(2).equals("0");
                return isKnown
                        ? new Size(Integer.parseInt(size.group(2)), Integer.parseInt(size.group(1)))
                        : Size.USUAL;
            } catch (IOException e) {
                return Size.USUAL; // There is no stty or no terminal.
            }
        }
    }
}
