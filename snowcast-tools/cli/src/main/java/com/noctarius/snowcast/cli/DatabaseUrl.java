// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import com.noctarius.snowcast.internal.jdbc.JdbcUrl;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;

/** The URL of a database, and how this command line connects to it. */
record DatabaseUrl(String url) {
    /** The drivers that create a missing database, each with the connection property that prevents this. */
    private static final Map<String, Map.Entry<String, String>> NOT_CREATING = Map.of(
            "jdbc:h2", Map.entry("IFEXISTS", "TRUE"),
            "jdbc:hsqldb", Map.entry("ifexists", "true"),
            "jdbc:sqlite", Map.entry("open_mode", "1"));

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
            throw new JdbcUrl(url).withoutSecrets(e);
        }
    }

    private boolean isInMemory() {
        return url.startsWith(product() + ":mem:");
    }

    String product() {
        return new JdbcUrl(url).product();
    }
}
