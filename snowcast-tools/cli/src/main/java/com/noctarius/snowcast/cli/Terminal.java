// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import java.io.Console;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a command reads from and writes to. Results go to {@code out}, all else to {@code err}.
 *
 * @param in what is piped into it
 * @param environment its variables
 * @param person who can be asked; null if nobody is there
 */
record Terminal(
        InputStream in,
        PrintStream out,
        PrintStream err,
        Map<String, String> environment,
        @Nullable Person person) {
    /** Whoever sits there. Both answers are null at the end of the input. */
    interface Person {
        @Nullable
        String answer(String question);

        /** Asks for what is not shown. */
        @Nullable
        String secret(String question);
    }

    /** That of this process. */
    static Terminal ofProcess() {
        return new Terminal(System.in, System.out, System.err, System.getenv(), personAt(System.console()));
    }

    private static @Nullable Person personAt(@Nullable Console console) {
        return console == null || !isTerminal(console) ? null : new ConsolePerson(console);
    }

    /** From JDK 22 on there is always a console, which says whether somebody sits there. */
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
    }
}
