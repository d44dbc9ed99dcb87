// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.noctarius.snowcast.store.BlockStoreException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Consumer;

/**
 * A command-line tool for operators, which calls the methods of {@link CassandraSchema}.
 *
 * <pre>
 * CassandraMain create cassandra.properties
 * CassandraMain define cassandra.properties products 5000001 2147483647
 * CassandraMain define-striped cassandra.properties articles 5000001 2147483647 5
 * CassandraMain status cassandra.properties
 * CassandraMain raise cassandra.properties products 4000000000
 * CassandraMain raise-striped cassandra.properties articles 4000000000
 * CassandraMain recover cassandra.properties products
 * CassandraMain recover cassandra.properties products 7000001
 * CassandraMain recover-striped cassandra.properties articles 7000001
 * </pre>
 *
 * <p>The properties file has the addresses of nodes and the name of their datacenter. The password is in an environment
 * variable or in the first line of another file. Other settings, such as TLS, are in the driver's
 * {@code application.conf}.
 *
 * <pre>
 * contact.points=10.0.0.1:9042, 10.0.0.2:9042
 * local.datacenter=europe
 * keyspace=ids
 * user=ids
 * password.file=/run/secrets/ids
 * interval=PT10S
 * </pre>
 *
 * <p>{@code local.datacenter} and {@code keyspace} are required. A {@code user} needs {@code password.file} or
 * {@code password.env}, not both. {@code interval} is how long {@code status} measures the rate; 10 seconds by default.
 * The exit code is 0 after success, and 2 if the arguments or the file are wrong. It is 1 if {@code status} reports a
 * problem, or if the command fails for another reason, for example because Cassandra cannot be reached or the sequence
 * is not defined.
 */
public final class CassandraMain {
    private static final int DONE = 0;
    private static final int FAILED = 1;
    private static final int WRONG_USE = 2;
    private static final String USAGE = "usage: create|status FILE, define FILE NAME FIRST LAST,"
            + " define-striped FILE NAME FIRST LAST STRIPES, raise|raise-striped FILE NAME LAST, recover FILE NAME [NEXT],"
            + " or recover-striped FILE NAME NEXT";

    private CassandraMain() {}

    /**
     * Runs a command, then ends the JVM with the exit code.
     *
     * @param arguments the command, the file, and the arguments of the command
     */
    public static void main(String[] arguments) {
        System.exit(run(List.of(arguments), System.getenv(), System.out, System.err));
    }

    /**
     * Runs a command, and does not end the JVM.
     *
     * @param arguments the command, the file, and the arguments of the command
     * @param environment the environment variables, one of which may contain the password
     * @param out receives the results
     * @param err receives the error messages
     * @return the exit code
     */
    public static int run(List<String> arguments, Map<String, String> environment, PrintStream out, PrintStream err) {
        try {
            // Parse the command first, so that a mistyped command is not reported as a failure of Cassandra.
            Command command = command(arguments);
            ConnectionFile file = ConnectionFile.read(Path.of(arguments.get(1)), environment);
            try (CqlSession session = file.open()) {
                return command.run(new CassandraSchema(session, file.keyspace(), file.localDatacenter()), file, out);
            }
        } catch (BlockStoreException e) {
            err.println(e.getMessage());
            return FAILED;
        } catch (DriverException e) {
            // The session could not be opened.
            err.println(e.getMessage());
            return FAILED;
        } catch (IllegalArgumentException e) {
            err.println(e.getMessage());
            return WRONG_USE;
        } catch (IOException e) {
            err.println("cannot read: " + e.getMessage());
            return WRONG_USE;
        }
    }

    /** A parsed command. It returns the exit code. */
    private interface Command {
        int run(CassandraSchema schema, ConnectionFile file, PrintStream out);
    }

    private static Command command(List<String> arguments) {
        if (arguments.size() < 2) {
            throw new IllegalArgumentException(USAGE);
        }
        if (arguments.get(0).equals("status")) {
            requireCount(arguments, 0, 0);
            return CassandraMain::status;
        }
        Consumer<CassandraSchema> change = change(arguments);
        return (schema, file, out) -> {
            change.accept(schema);
            out.println("done");
            return DONE;
        };
    }

    private static Consumer<CassandraSchema> change(List<String> arguments) {
        String name = arguments.size() < 3 ? "" : arguments.get(2);
        switch (arguments.get(0)) {
            case "create" -> {
                requireCount(arguments, 0, 0);
                return CassandraSchema::create;
            }
            case "define" -> {
                requireCount(arguments, 3, 3);
                long first = number(arguments, 3);
                long last = number(arguments, 4);
                return schema -> schema.defineSequence(name, first, last);
            }
            case "define-striped" -> {
                requireCount(arguments, 4, 4);
                long first = number(arguments, 3);
                long last = number(arguments, 4);
                // The cast alone could turn a number outside the range of an int into a valid number of stripes.
                int stripes = (int) Math.max(0, Math.min(number(arguments, 5), Integer.MAX_VALUE));
                return schema -> schema.defineStripedSequence(name, first, last, stripes);
            }
            case "raise", "raise-striped", "recover", "recover-striped" -> {
                return changeOfOne(arguments, name);
            }
            default -> throw new IllegalArgumentException(USAGE);
        }
    }

    /** Parses a command that takes a sequence and a value. The value is optional for {@code recover}. */
    private static Consumer<CassandraSchema> changeOfOne(List<String> arguments, String name) {
        String command = arguments.get(0);
        requireCount(arguments, command.equals("recover") ? 1 : 2, 2);
        if (arguments.size() == 3) {
            return schema -> schema.recoverSequence(name);
        }
        long value = number(arguments, 3);
        return switch (command) {
            case "raise" -> schema -> schema.raiseSequence(name, value);
            case "raise-striped" -> schema -> schema.raiseStripedSequence(name, value);
            case "recover" -> schema -> schema.recoverSequence(name, value);
            default -> schema -> schema.recoverStripedSequence(name, value);
        };
    }

    private static void requireCount(List<String> arguments, int min, int max) {
        int count = arguments.size() - 2;
        if (count < min || count > max) {
            throw new IllegalArgumentException(USAGE);
        }
    }

    private static long number(List<String> arguments, int index) {
        try {
            return Long.parseLong(arguments.get(index));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("must be a number: " + arguments.get(index), e);
        }
    }

    // --- status

    private static int status(CassandraSchema schema, ConnectionFile file, PrintStream out) {
        List<SequenceStatus> all = schema.status(file.interval());
        all.forEach(status -> print(status, file.localDatacenter(), out));
        return all.stream().anyMatch(CassandraMain::hasProblem) ? FAILED : DONE;
    }

    private static boolean hasProblem(SequenceStatus status) {
        return !status.problem().isEmpty()
                || status.datacenters().stream()
                        .anyMatch(datacenter -> !datacenter.problem().isEmpty());
    }

    private static void print(SequenceStatus status, String localDatacenter, PrintStream out) {
        out.println(status.sequence()
                + (status.stripes() == 0 ? ", two tiers: " : ", " + status.stripes() + " stripes: ")
                + status.firstValue() + " to " + status.lastValue() + ", " + status.left()
                + (status.stripes() == 0 ? " not claimed" : " left")
                + perSecond(status.integersPerSecond())
                + problem(status.problem()));
        for (SequenceStatus.Datacenter datacenter : status.datacenters()) {
            out.println("  " + datacenter.name()
                    + (datacenter.name().equals(localDatacenter) ? "" : " (as replicated to " + localDatacenter + ")")
                    + ": " + datacenter.remaining() + " left, " + datacenter.preloaded() + " of them in the next range"
                    + perSecond(datacenter.integersPerSecond())
                    + lasts(datacenter)
                    + problem(datacenter.problem()));
        }
    }

    private static String perSecond(OptionalDouble rate) {
        return rate.isPresent() ? String.format(Locale.ROOT, ", %.1f per second", rate.getAsDouble()) : "";
    }

    private static String lasts(SequenceStatus.Datacenter datacenter) {
        Duration autonomy = datacenter.autonomy();
        boolean isUsed = datacenter.integersPerSecond().orElse(0) > 0;
        return isUsed ? ", lasts " + autonomy.truncatedTo(ChronoUnit.SECONDS) + " alone" : "";
    }

    private static String problem(String problem) {
        return problem.isEmpty() ? "" : "; PROBLEM: " + problem;
    }
}
