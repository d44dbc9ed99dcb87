// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.store.BlockStoreException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The command line of the shards: runs a {@link WindowAgent} once, for example from cron, shows the status, and changes
 * the tables. The JDBC driver must be on the class path.
 *
 * <pre>
 * WindowAgentMain top-up shards.properties
 * WindowAgentMain create shards.properties
 * WindowAgentMain change-shards shards.properties [ID of a database that is given up ...]
 * WindowAgentMain define shards.properties orders 5000001 2147483647
 * WindowAgentMain status shards.properties
 * WindowAgentMain raise shards.properties orders 9007199254740991
 * WindowAgentMain restored shards.properties 0
 * WindowAgentMain recover shards.properties 1
 * WindowAgentMain recover shards.properties 0 orders=7200000 tickets=90000
 * WindowAgentMain recover shards.properties 0 nothing-lost
 * </pre>
 *
 * <p>{@code restored} marks a database that was restored: for a while processes grant no node IDs, and stores reject
 * the shard until it is recovered, see {@link JdbcSchema#markRestored}. {@code recover} recovers a shard that failed
 * over or was restored, as the three recovery methods of {@link JdbcSchema} do: with the data of the other shards, with
 * the highest integer in use of each sequence, or unchanged because nothing was lost.
 *
 * <p>The file lists the shards. A password is in an environment variable, or is the first line of a separate file.
 * Without the number of a shard, the keys {@code user}, {@code password.env} and {@code password.file} apply to each
 * shard that has no user or password of its own.
 *
 * <pre>
 * shard.0.url=jdbc:postgresql://db0/shop
 * shard.1.url=jdbc:postgresql://db1/shop
 * user=ids
 * password.file=/run/secrets/ids
 * shard.1.user=ids1
 * shard.1.password.env=IDS1_PASSWORD
 * table=id_sequences
 * lease.prefix=snowcast
 * window.size=100000
 * min.open.windows=3
 * statement.timeout=PT10S
 * call.timeout=PT20S
 * status.interval=PT5S
 * min.autonomy=PT2M
 * </pre>
 *
 * <p>The URLs are required; {@code create} and {@code change-shards} also require {@code window.size}. From
 * {@code table} on, all values above except that of {@code window.size} are defaults. The exit code is 0 when
 * everything is done, 1 when the command fails, for example because a shard cannot be reached or is rejected, and 2
 * when the arguments or the file are wrong. {@code status} prints how many integers each shard has left; a
 * {@link JdbcMonitor} reads the shards twice, {@code status.interval} apart, or once if the interval is zero. The exit
 * code of {@code status} is also 1 when a shard has no open window of a sequence, or too few integers: they would not
 * last for {@code min.autonomy} if that shard alone served all processes.
 */
public final class WindowAgentMain {
    private static final int DONE = 0;
    private static final int FAILED = 1;
    private static final int WRONG_USE = 2;
    private static final String USAGE =
            "usage: top-up|create|status FILE, or change-shards FILE [GIVEN_UP_ID ...], or define FILE NAME FIRST LAST, or"
                    + " raise FILE NAME LAST, or restored FILE SHARD, or recover FILE SHARD [nothing-lost |"
                    + " NAME=INTEGER ...]";
    private static final Map<String, Integer> ARGUMENTS =
            Map.of("top-up", 2, "create", 2, "status", 2, "define", 5, "raise", 4, "restored", 3);

    private final Properties properties;
    private final Map<String, String> environment;
    private final Set<String> used = new HashSet<>();
    private int exitCode = DONE;

    private WindowAgentMain(Properties properties, Map<String, String> environment) {
        this.properties = properties;
        this.environment = environment;
    }

    /**
     * Runs the command and ends the JVM with the exit code.
     *
     * @param arguments the command, the file, and the arguments of the command
     */
    public static void main(String[] arguments) {
        System.exit(run(List.of(arguments), System.getenv(), System.out, System.err));
    }

    /**
     * Runs the command, without ending the JVM.
     *
     * @param arguments the command, the file, and the arguments of the command
     * @param environment the environment variables, which may contain passwords
     * @param out receives results
     * @param err receives errors
     * @return the exit code
     */
    public static int run(List<String> arguments, Map<String, String> environment, PrintStream out, PrintStream err) {
        try {
            if (arguments.size() < 2) {
                throw new IllegalArgumentException(USAGE);
            }
            Properties properties = new Properties();
            try (InputStream file = Files.newInputStream(Path.of(arguments.get(1)))) {
                properties.load(file);
            }
            WindowAgentMain main = new WindowAgentMain(properties, environment);
            out.println(main.run(arguments));
            return main.exitCode;
        } catch (BlockStoreException e) {
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

    private String run(List<String> arguments) throws IOException {
        JdbcShards shards = shards();
        long windowSize = number("window.size", 0);
        // A value that is out of range stays out of range as an int.
        int minOpenWindows = (int) Math.max(0, Math.min(number("min.open.windows", 3), Integer.MAX_VALUE));
        Duration interval = duration("status.interval", Duration.ofSeconds(5));
        Duration minAutonomy = duration("min.autonomy", Duration.ofMinutes(2));
        String leasePrefix = Objects.requireNonNullElse(value("lease.prefix"), "snowcast");
        refuseUnknown();
        JdbcSchema schema = new JdbcSchema(shards);
        String command = arguments.get(0);
        int least = command.equals("change-shards") ? 2 : 3;
        if (arguments.size() != ARGUMENTS.getOrDefault(command, Math.max(least, arguments.size()))) {
            throw new IllegalArgumentException(USAGE);
        }
        switch (command) {
            case "top-up" -> {
                WindowAgent.TopUp done = new WindowAgent(shards, minOpenWindows).topUp();
                return done.sequences() + " sequences, " + done.windows() + " new windows";
            }
            case "status" -> {
                StatusTable status = StatusTable.read(shards, interval, minAutonomy);
                exitCode = status.needsAttention() ? FAILED : DONE;
                return status.toString();
            }
            case "create" -> schema.create(windowSize);
            case "change-shards" -> schema.changeShards(windowSize, Set.copyOf(arguments.subList(2, arguments.size())));
            case "define" ->
                schema.defineSequence(
                        arguments.get(2), number("FIRST", arguments.get(3)), number("LAST", arguments.get(4)));
            case "raise" -> schema.raiseLastValue(arguments.get(2), number("LAST", arguments.get(3)));
            case "restored" -> {
                return "marked: "
                        + String.join(", ", schema.markRestored(shard(shards, arguments.get(2)), leasePrefix));
            }
            case "recover" -> recover(schema, shards, arguments);
            default -> throw new IllegalArgumentException(USAGE);
        }
        return "done";
    }

    private static int shard(JdbcShards shards, String argument) {
        long shard = number("SHARD", argument);
        if (shard < 0 || shard >= shards.count()) {
            throw new IllegalArgumentException("SHARD must be 0 to " + (shards.count() - 1) + ": " + shard);
        }
        return (int) shard;
    }

    private static void recover(JdbcSchema schema, JdbcShards shards, List<String> arguments) {
        int shard = shard(shards, arguments.get(2));
        List<String> rest = arguments.subList(3, arguments.size());
        if (rest.isEmpty()) {
            schema.recover(shard);
        } else if (rest.equals(List.of("nothing-lost"))) {
            schema.recoverWithoutLoss(shard);
        } else {
            Map<String, Long> above = new HashMap<>();
            for (String each : rest) {
                // Search for the last '=', because a name may contain this character, but an integer does not.
                int equals = each.lastIndexOf('=');
                if (equals < 0) {
                    throw new IllegalArgumentException(USAGE);
                }
                String name = each.substring(0, equals);
                if (above.put(name, number("INTEGER", each.substring(equals + 1))) != null) {
                    throw new IllegalArgumentException("each sequence must have one argument: " + name);
                }
            }
            schema.recover(shard, above);
        }
    }

    private JdbcShards shards() throws IOException {
        JdbcShards.Builder builder = JdbcShards.builder();
        // These keys are allowed even if every shard has its own values.
        used.addAll(List.of("user", "password.env", "password.file"));
        for (int i = 0; value("shard." + i + ".url") != null; i++) {
            String shard = "shard." + i + '.';
            String user = value(shard + "user");
            String password = password(shard);
            builder.shard(UrlDataSource.of(
                    String.valueOf(value(shard + "url")),
                    user == null ? value("user") : user,
                    password == null ? password("") : password));
        }
        String table = value("table");
        if (table != null) {
            builder.tableName(table);
        }
        return builder.statementTimeout(duration("statement.timeout", Duration.ofSeconds(10)))
                .callTimeout(duration("call.timeout", Duration.ofSeconds(20)))
                .build();
    }

    private @Nullable String password(String prefix) throws IOException {
        String variable = value(prefix + "password.env");
        String file = value(prefix + "password.file");
        if (variable != null && file != null) {
            throw new IllegalArgumentException(
                    "there must be one of " + prefix + "password.env and " + prefix + "password.file");
        }
        if (variable != null) {
            String password = environment.get(variable);
            if (password == null) {
                throw new IllegalArgumentException("the environment has no variable " + variable);
            }
            return password;
        }
        return file == null ? null : firstLine(file);
    }

    private static String firstLine(String file) throws IOException {
        List<String> lines;
        try {
            lines = Files.readAllLines(Path.of(file));
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("not a path: " + file, e);
        }
        if (lines.isEmpty()) {
            throw new IllegalArgumentException("the file with the password is empty: " + file);
        }
        return lines.get(0);
    }

    private @Nullable String value(String key) {
        used.add(key);
        return properties.getProperty(key);
    }

    private long number(String key, long otherwise) {
        String value = value(key);
        return value == null ? otherwise : number(key, value);
    }

    private static long number(String what, String value) {
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(what + " must be a number: " + value, e);
        }
    }

    private Duration duration(String key, Duration otherwise) {
        String value = value(key);
        try {
            return value == null ? otherwise : Duration.parse(value);
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException(key + " must be a duration such as PT2S: " + value, e);
        }
    }

    /** Rejects unknown keys, because a misspelled key would silently leave its default in force. */
    private void refuseUnknown() {
        properties.stringPropertyNames().stream()
                .sorted()
                .filter(key -> !used.contains(key))
                .findFirst()
                .ifPresent(key -> {
                    throw new IllegalArgumentException("unknown key, or key of a shard after a missing number: " + key);
                });
    }
}
