// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.ids.SnowflakeId;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.Properties;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that define the bits of a sequencer's IDs: layout and epoch, or the name of a definition in a file. */
final class Definition {
    static final String PROFILES_VARIABLE = "SNOWCAST_PROFILES";
    private static final String DEFAULT_PROFILES = "snowcast-profiles.properties";
    private static final Instant FIRST_OF_NUMBERS = Instant.parse("2000-01-01T00:00:00Z");

    @Option(
            names = "--epoch",
            paramLabel = "TIME",
            description =
                    "The epoch, at which the time in the IDs begins: 2024-01-01, 2024-01-01T00:00:00Z, or milliseconds since 1970.")
    private @Nullable String epoch;

    @Option(
            names = "--layout",
            paramLabel = "BITS",
            description =
                    "The layout: default, positive, javascript, or the bits of time, node and counter; 41/13/10 by default.")
    private @Nullable String layout;

    @Option(
            names = "--profile",
            paramLabel = "NAME",
            description = "Reads epoch and layout from the keys NAME.epoch and NAME.layout in the file of profiles.")
    private @Nullable String profile;

    @Option(
            names = "--profiles",
            paramLabel = "FILE",
            description = "The file of profiles; by default $" + PROFILES_VARIABLE + ", or " + DEFAULT_PROFILES
                    + " in the working directory.")
    private @Nullable Path profiles;

    private final Terminal terminal;

    Definition(Terminal terminal) {
        this.terminal = terminal;
    }

    record Known(SnowcastLayout layout, SnowcastEpoch epoch) {
        SnowflakeId id(long id) {
            return SnowflakeId.of(id, layout, epoch);
        }
    }

    boolean isGiven() {
        return epoch != null || layout != null || profile != null;
    }

    Known known() throws IOException {
        if (profile == null) {
            if (epoch == null) {
                throw new WrongUseException("the epoch is missing: give --epoch, or a --profile");
            }
            return new Known(layout(layout == null ? "default" : layout), epoch(epoch));
        }
        if (epoch != null || layout != null) {
            throw new WrongUseException("--profile must not be given together with --epoch or --layout");
        }
        return ofProfile(profile);
    }

    private Known ofProfile(String name) throws IOException {
        Path file = profiles != null
                ? profiles
                : Path.of(terminal.environment().getOrDefault(PROFILES_VARIABLE, DEFAULT_PROFILES));
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        }
        requireKnownKeys(properties, file);
        String epochText = properties.getProperty(name + ".epoch");
        if (epochText == null) {
            throw new WrongUseException("profile must be one of " + names(properties) + " in " + file + ": " + name);
        }
        return new Known(layout(properties.getProperty(name + ".layout", "default")), epoch(epochText));
    }

    /** Rejects a mistyped key, because the default layout would apply in its place and decode IDs incorrectly. */
    private static void requireKnownKeys(Properties properties, Path file) {
        SortedSet<String> names = names(properties);
        for (String key : new TreeSet<>(properties.stringPropertyNames())) {
            boolean isLayout =
                    key.endsWith(".layout") && names.contains(key.substring(0, key.length() - ".layout".length()));
            if (!key.endsWith(".epoch") && !isLayout) {
                throw new WrongUseException(
                        "key must be NAME.epoch, or NAME.layout next to NAME.epoch, in " + file + ": " + key);
            }
        }
    }

    private static SortedSet<String> names(Properties properties) {
        SortedSet<String> names = new TreeSet<>();
        for (String key : properties.stringPropertyNames()) {
            if (key.endsWith(".epoch")) {
                names.add(key.substring(0, key.length() - ".epoch".length()));
            }
        }
        return names;
    }

    private static SnowcastEpoch epoch(String text) {
        try {
            return SnowcastEpoch.byInstant(time("epoch", text));
        } catch (SnowcastException e) {
            throw new WrongUseException(e.getMessage(), e);
        }
    }

    static SnowcastLayout layout(String text) {
        try {
            return SnowcastLayout.parse(text);
        } catch (IllegalArgumentException e) {
            throw new WrongUseException("layout " + text + ": " + e.getMessage(), e);
        }
    }

    /**
     * Parses a date (its start in UTC), an instant, or milliseconds since 1970. Rejects a number that means a time
     * before 2000, because it is more likely a year or a number of seconds.
     */
    static Instant time(String what, String text) {
        try {
            if (text.matches("-?\\d{1,18}")) {
                Instant time = Instant.ofEpochMilli(Long.parseLong(text));
                if (time.isBefore(FIRST_OF_NUMBERS)) {
                    throw new WrongUseException(
                            what + ": a number means milliseconds since 1970, so " + text + " is " + time
                                    + "; write a time before 2000 as an instant, such as 1970-01-01T00:00:00Z, and a year as a"
                                    + " date, such as 2024-01-01");
                }
                return time;
            }
            return text.indexOf('T') < 0
                    ? LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant()
                    : Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw new WrongUseException(
                    what + " must be like 2024-01-01, 2024-01-01T00:00:00Z or 1704067200000: " + text, e);
        }
    }
}
