// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The URL of a database. Messages do not contain it, because it may contain passwords and SQL statements. */
record DatabaseUrl(String url) {
    /** The drivers that create a missing database, each with the connection property that prevents this. */
    private static final Map<String, Map.Entry<String, String>> NOT_CREATING = Map.of(
            "jdbc:h2", Map.entry("IFEXISTS", "TRUE"),
            "jdbc:hsqldb", Map.entry("ifexists", "true"),
            "jdbc:sqlite", Map.entry("open_mode", "1"));

    /** Matches the value of a setting, or a password that precedes the host. */
    private static final Pattern SETTING = Pattern.compile("[?;&]\\s*([\\w.]+)=([^?;&]*)|//[^/@:]*(:)([^/@]*)@");

    private static final Pattern PUBLIC_VALUE = Pattern.compile("\\w{0,3}|(?i:true|false)|\\d+");

    Connection connect(Properties properties) throws SQLException {
        Driver driver;
        try {
            driver = DriverManager.getDriver(url);
        } catch (SQLException e) {
            throw new WrongUseException("no driver knows " + product() + ": put its jar into SNOWCAST_CLASSPATH", null);
        }
        Map.Entry<String, String> notCreating = NOT_CREATING.get(product());
        if (notCreating != null
                && !isInMemory()
                && !url.toUpperCase(Locale.ROOT).contains("IFEXISTS=")) {
            properties.setProperty(notCreating.getKey(), notCreating.getValue());
        }
        try {
            Connection connection = driver.connect(url, properties);
            if (connection == null) {
                throw new WrongUseException("the driver of " + product() + " does not accept the URL");
            }
            return connection;
        } catch (SQLException e) {
            throw withoutSecrets(e);
        }
    }

    private boolean isInMemory() {
        return url.startsWith(product() + ":mem:");
    }

    /**
     * Returns the part {@code jdbc:name}, for example {@code jdbc:mysql}; the text {@code the URL} if there is no
     * second colon.
     */
    String product() {
        int end = url.indexOf(':', url.indexOf(':') + 1);
        return end < 0 ? "the URL" : url.substring(0, end);
    }

    /** Returns the exception without secrets, and without its cause, whose message may have the same secrets. */
    private SQLException withoutSecrets(SQLException failure) {
        String state = " (SQLState " + failure.getSQLState() + ", error " + failure.getErrorCode() + ")";
        String message = String.valueOf(failure.getMessage());
        if (hasStatement()) {
            // The driver may quote the URL in parts, which the replacement below does not find.
            message = "could not connect; the message of the driver is not shown, as it may quote the INIT= of the URL";
        }
        for (String secret : secrets()) {
            message = message.replace(secret, "***");
        }
        return new SQLException(
                product() + ": " + message.replace(url, "the URL") + state,
                failure.getSQLState(),
                failure.getErrorCode());
    }

    private boolean hasStatement() {
        return Pattern.compile("[?;&]\\s*INIT=", Pattern.CASE_INSENSITIVE)
                .matcher(url)
                .find();
    }

    private List<String> secrets() {
        return SETTING.matcher(url)
                .results()
                .filter(setting -> !"user".equalsIgnoreCase(setting.group(1)))
                .map(DatabaseUrl::value)
                .filter(value -> !PUBLIC_VALUE.matcher(value).matches())
                .toList();
    }

    private static String value(MatchResult setting) {
        return setting.group(2) == null ? setting.group(4) : setting.group(2);
    }
}
