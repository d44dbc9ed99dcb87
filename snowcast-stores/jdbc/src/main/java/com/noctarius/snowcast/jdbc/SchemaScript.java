// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.store.SequenceName;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Prints an SQL script that makes a database a shard and defines sequences, for Flyway, Liquibase or another migration
 * tool. With the script, the application does not need the privilege to create tables.
 *
 * <pre>
 * SchemaScript postgresql id_sequences 100000 shop 0/1 orders 5000001 2147483647
 * </pre>
 *
 * <p>The first argument is the database: {@code postgresql}, {@code h2}, {@code mariadb} or {@code mysql}. The next
 * arguments are the name of the table of windows, the number of integers in a window, and the name of the installation.
 * All shards of an installation share this name, and no other installation has it. Then follow the index of the shard
 * and the number of shards, such as {@code 0/1}. The other arguments are the name, first and last value of each
 * sequence; give these arguments for one shard only. Run the script once, in a database without these tables. The exit
 * code is 2 when the arguments are wrong.
 */
public final class SchemaScript {
    private static final int DONE = 0;
    private static final int WRONG_USE = 2;
    private static final String USAGE =
            "usage: postgresql|h2|mariadb|mysql TABLE WINDOW_SIZE INSTALLATION INDEX/COUNT [NAME FIRST LAST]...";
    private static final int OF_SHARD = 5;
    private static final int OF_SEQUENCE = 3;
    private static final int MAX_INSTALLATION_LENGTH = 100;
    private static final Pattern SHARD = Pattern.compile("(\\d{1,6})/(\\d{1,6})");

    private final boolean isMaria;
    /** An SQL expression that gives every database a unique ID, even if two databases run the same script. */
    private final String newId;

    private final Tables tables;

    private SchemaScript(String database, Tables tables) {
        this.newId = switch (database.toLowerCase(Locale.ROOT)) {
            case "postgresql" -> "md5(random()::text || random()::text || clock_timestamp()::text)";
            case "h2" -> "CAST(RANDOM_UUID() AS VARCHAR)";
            case "mariadb", "mysql" -> "UUID()";
            default -> throw new IllegalArgumentException(USAGE);
        };
        this.isMaria = newId.equals("UUID()");
        this.tables = tables;
    }

    /**
     * Prints the script and ends the JVM with the exit code.
     *
     * @param arguments as the description of the class says
     */
    public static void main(String[] arguments) {
        System.exit(run(List.of(arguments), System.out, System.err));
    }

    static int run(List<String> arguments, PrintStream out, PrintStream err) {
        try {
            out.print(of(arguments));
            return DONE;
        } catch (IllegalArgumentException e) {
            err.println(e.getMessage());
            return WRONG_USE;
        }
    }

    private static String of(List<String> arguments) {
        if (arguments.size() < OF_SHARD || (arguments.size() - OF_SHARD) % OF_SEQUENCE != 0) {
            throw new IllegalArgumentException(USAGE);
        }
        String table = JdbcShards.requireTableName("tableName", arguments.get(1));
        SchemaScript script = new SchemaScript(arguments.get(0), new Tables(table));
        StringBuilder text = new StringBuilder(script.createTables());
        text.append(script.insertShard(
                number("WINDOW_SIZE", arguments.get(2), 1), arguments.get(3), arguments.get(OF_SHARD - 1)));
        for (int i = OF_SHARD; i < arguments.size(); i += OF_SEQUENCE) {
            long first = number("FIRST", arguments.get(i + 1), 0);
            long last = number("LAST", arguments.get(i + 2), first);
            String name = SequenceName.require(arguments.get(i));
            text.append(script.insertSequence(name, first, SequenceRow.last(name, first, last)));
        }
        return text.toString();
    }

    /** Returns the file that {@code JdbcSchema} runs, without its comments, which not all tools parse correctly. */
    private String createTables() {
        String text = Dialect.resource(isMaria ? "mariadb.sql" : "postgresql.sql");
        return tables.named(text.replaceAll("(?m)^--.*\\R", "")).strip() + "\n\n";
    }

    private String insertShard(long windowSize, String installation, String shard) {
        Matcher parts = SHARD.matcher(shard);
        if (!parts.matches() || Integer.parseInt(parts.group(1)) >= Integer.parseInt(parts.group(2))) {
            throw new IllegalArgumentException("INDEX/COUNT must be such as 0/1 or 2/3: " + shard);
        }
        if (installation.isBlank() || installation.length() > MAX_INSTALLATION_LENGTH) {
            throw new IllegalArgumentException(
                    "INSTALLATION must have 1 to " + MAX_INSTALLATION_LENGTH + " characters: '" + installation + "'");
        }
        return "INSERT INTO " + tables.shard() + " (generation, shard_index, shard_count, window_size, installation)"
                + "\n    VALUES (1, " + parts.group(1) + ", " + parts.group(2) + ", " + windowSize + ", "
                + quoted(installation) + ");\nINSERT INTO " + tables.database()
                + " (one, database_id, server_id)\n    VALUES (1, " + newId + ", '" + LeaseTables.NEW + "');\n";
    }

    private String insertSequence(String name, long first, long last) {
        return "INSERT INTO " + tables.names() + " (sequence_name, lowest_value, highest_value)" + "\n    VALUES ("
                + quoted(name) + ", " + first + ", " + last + ");\n";
    }

    private String quoted(String text) {
        String quoted = text.replace("'", "''");
        return '\'' + (isMaria ? quoted.replace("\\", "\\\\") : quoted) + '\'';
    }

    private static long number(String what, String text, long min) {
        return parsed(text)
                .filter(number -> number >= min)
                .orElseThrow(() -> new IllegalArgumentException(what + " must be a number from " + min + ": " + text));
    }

    private static Optional<Long> parsed(String text) {
        try {
            return Optional.of(Long.parseLong(text));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
