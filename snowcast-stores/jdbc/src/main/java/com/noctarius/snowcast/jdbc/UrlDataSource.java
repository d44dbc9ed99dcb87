// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Properties;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Opens a new connection for each request. The messages of its own exceptions contain neither the whole URL nor a
 * password.
 */
final class UrlDataSource implements DataSource {
    private final String url;
    private final Properties properties = new Properties();

    UrlDataSource(String url, @Nullable String user, @Nullable String password) {
        this.url = url;
        if (user != null) {
            properties.setProperty("user", user);
        }
        if (password != null) {
            properties.setProperty("password", password);
        }
    }

    @Override
    public Connection getConnection() throws SQLException {
        Driver driver;
        try {
            driver = DriverManager.getDriver(url);
        } catch (SQLException e) {
            // The message of this exception contains the whole URL, which may include a password.
            throw new SQLException(
                    "no driver on the class path (SNOWCAST_CLASSPATH of the command line) knows " + product(),
                    e.getSQLState());
        }
        Connection connection = driver.connect(url, properties);
        if (connection == null) {
            throw new SQLException("the driver does not accept the address of " + product());
        }
        return connection;
    }

    /** Returns the beginning of the URL, such as {@code jdbc:postgresql}, for messages. */
    private String product() {
        int end = url.indexOf(':', url.indexOf(':') + 1);
        return end < 0 ? "the URL" : url.substring(0, end);
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException();
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter out) throws SQLException {
        throw new SQLFeatureNotSupportedException();
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        throw new SQLFeatureNotSupportedException();
    }

    @Override
    public int getLoginTimeout() {
        return 0;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        throw new SQLException("wraps nothing");
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return false;
    }
}
