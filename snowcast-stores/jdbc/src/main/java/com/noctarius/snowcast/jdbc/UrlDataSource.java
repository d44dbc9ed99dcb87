// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Properties;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Opens a new connection for each request. The messages of its own exceptions contain neither the whole URL nor a
 * password.
 */
final class UrlDataSource {
    private final String url;
    private final Properties properties = new Properties();

    private UrlDataSource(String url, @Nullable String user, @Nullable String password) {
        this.url = url;
        if (user != null) {
            properties.setProperty("user", user);
        }
        if (password != null) {
            properties.setProperty("password", password);
        }
    }

    /** Returns a data source that supports only {@code getConnection()}. */
    static DataSource of(String url, @Nullable String user, @Nullable String password) {
        UrlDataSource opener = new UrlDataSource(url, user, password);
        InvocationHandler handler = (proxy, method, arguments) -> {
            if (method.getDeclaringClass() == Object.class) {
                return method.invoke(opener, arguments);
            }
            if (method.getName().equals("getConnection") && arguments == null) {
                return opener.connect();
            }
            throw new SQLFeatureNotSupportedException(method.getName());
        };
        return (DataSource) Proxy.newProxyInstance(
                UrlDataSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, handler);
    }

    private Connection connect() throws SQLException {
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
}
