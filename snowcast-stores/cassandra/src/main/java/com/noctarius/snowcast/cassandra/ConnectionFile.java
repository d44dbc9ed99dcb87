// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the connection to a datacenter, which {@link CassandraMain} reads from its properties file.
 *
 * @param contactPoints empty if the file has none; the driver then uses its own configuration
 * @param password null if there is no user
 */
record ConnectionFile(
        List<InetSocketAddress> contactPoints,
        String localDatacenter,
        String keyspace,
        @Nullable String user,
        @Nullable String password,
        Duration interval) {
    private static final int DEFAULT_PORT = 9042;
    static final Set<String> KEYS = Set.of(
            "contact.points", "local.datacenter", "keyspace", "user", "password.env", "password.file", "interval");

    static ConnectionFile read(Path path, Map<String, String> environment) throws IOException {
        Properties properties = new Properties();
        try (InputStream file = Files.newInputStream(path)) {
            properties.load(file);
        }
        // Reject unknown keys. If a misspelled key were ignored, its default would silently apply.
        properties.stringPropertyNames().stream()
                .filter(key -> !KEYS.contains(key))
                .sorted()
                .findFirst()
                .ifPresent(key -> {
                    throw new IllegalArgumentException("unknown key: " + key);
                });
        String user = properties.getProperty("user");
        String password = password(properties, environment);
        if ((user == null) != (password == null)) {
            throw new IllegalArgumentException("there must be both user and a password, or neither");
        }
        return new ConnectionFile(
                contactPoints(properties.getProperty("contact.points", "")),
                required(properties, "local.datacenter"),
                required(properties, "keyspace"),
                user,
                password,
                interval(properties.getProperty("interval", "PT10S")));
    }

    private static String required(Properties properties, String key) {
        String value = properties.getProperty(key);
        if (value == null) {
            throw new IllegalArgumentException("the file must have " + key);
        }
        return value;
    }

    private static List<InetSocketAddress> contactPoints(String text) {
        List<InetSocketAddress> points = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            String point = part.strip();
            if (!point.isEmpty()) {
                int colon = point.lastIndexOf(':');
                boolean hasPort = (colon > 0 && point.indexOf(':') == colon) || point.contains("]:");
                points.add(
                        hasPort
                                ? new InetSocketAddress(point.substring(0, colon), port(point.substring(colon + 1)))
                                : new InetSocketAddress(point, DEFAULT_PORT));
            }
        }
        return points;
    }

    private static int port(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("contact.points must be host:port: " + text, e);
        }
    }

    private static Duration interval(String text) {
        try {
            return Duration.parse(text);
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException("interval must be a duration such as PT10S: " + text, e);
        }
    }

    private static @Nullable String password(Properties properties, Map<String, String> environment)
            throws IOException {
        String variable = properties.getProperty("password.env");
        String file = properties.getProperty("password.file");
        if (variable != null && file != null) {
            throw new IllegalArgumentException("there must be one of password.env and password.file");
        }
        if (variable != null) {
            String password = environment.get(variable);
            if (password == null) {
                throw new IllegalArgumentException("the environment has no variable " + variable);
            }
            return password;
        }
        if (file == null) {
            return null;
        }
        List<String> lines = Files.readAllLines(Path.of(file));
        if (lines.isEmpty()) {
            throw new IllegalArgumentException("the file with the password is empty: " + file);
        }
        return lines.get(0);
    }

    /** Connects with protocol V4, because {@link CassandraSchema} accepts no later version. */
    CqlSession open() {
        CqlSessionBuilder builder = CqlSession.builder()
                .withLocalDatacenter(localDatacenter)
                .withConfigLoader(DriverConfigLoader.programmaticBuilder()
                        .withString(DefaultDriverOption.PROTOCOL_VERSION, "V4")
                        .build());
        contactPoints.forEach(builder::addContactPoint);
        if (user != null && password != null) {
            builder.withAuthCredentials(user, password);
        }
        return builder.build();
    }

    /** Returns a text without the password. */
    @Override
    public String toString() {
        return "ConnectionFile{contactPoints=" + contactPoints + ", localDatacenter=" + localDatacenter + ", keyspace="
                + keyspace + '}';
    }
}
