// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.internal.jdbc.JdbcUrl;
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
 * Opens a new connection for each request. The messages of exceptions contain neither the whole URL nor a password of
 * it.
 */
final class UrlDataSource {
    private final JdbcUrl url;
    private final Properties properties = new Properties();

    private UrlDataSource(String url, @Nullable String user, @Nullable String password) {
        this.url = new JdbcUrl(url);
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
            driver = DriverManager.getDriver(url.url());
        } catch (SQLException e) {
            // The message of this exception contains the whole URL, which may include a password.
            throw new SQLException(
                    "no driver on the class path (SNOWCAST_CLASSPATH of the command line) knows " + url.product(),
                    e.getSQLState());
        }
        Connection connection;
        try {
            connection = driver.connect(url.url(), properties);
        } catch (SQLException e) {
            throw url.withoutSecrets(e);
        }
        if (connection == null) {
            throw new SQLException("the driver does not accept the address of " + url.product());
        }
        return connection;
    }
}
