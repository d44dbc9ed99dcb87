// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.List;
import java.util.Properties;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that select a database and its user. */
final class DatabaseLogin {
    @Option(names = "--jdbc", paramLabel = "URL", description = "The database.")
    private @Nullable String url;

    @Option(names = "--user", paramLabel = "NAME", description = "The user of the database.")
    private @Nullable String user;

    @Option(names = "--password", description = "Asks for the password.")
    private boolean isPasswordAsked;

    @Option(
            names = "--password-env",
            paramLabel = "VARIABLE",
            description = "The environment variable with the password.")
    private @Nullable String passwordVariable;

    @Option(
            names = "--password-file",
            paramLabel = "FILE",
            description = "The file with the password in its first line.")
    private @Nullable Path passwordFile;

    private final Terminal terminal;

    DatabaseLogin(Terminal terminal) {
        this.terminal = terminal;
    }

    boolean isGiven() {
        return url != null;
    }

    boolean isOf(String product) {
        return new DatabaseUrl(String.valueOf(url)).product().equals(product);
    }

    Connection open() throws IOException, SQLException {
        return new DatabaseUrl(String.valueOf(url)).connect(properties());
    }

    /**
     * Returns a data source that supports only {@code getConnection()}, and opens a new connection each time. If the
     * user has to type the password, asks for it once.
     */
    DataSource dataSource() throws IOException {
        DatabaseUrl database = new DatabaseUrl(String.valueOf(url));
        Properties properties = properties();
        InvocationHandler handler = (proxy, method, arguments) -> {
            if (method.getDeclaringClass() == Object.class) {
                return method.invoke(this, arguments);
            }
            if (method.getName().equals("getConnection") && arguments == null) {
                return database.connect((Properties) properties.clone());
            }
            throw new SQLFeatureNotSupportedException(method.getName());
        };
        return (DataSource) Proxy.newProxyInstance(
                DatabaseLogin.class.getClassLoader(), new Class<?>[] {DataSource.class}, handler);
    }

    private Properties properties() throws IOException {
        Properties properties = new Properties();
        if (user != null) {
            properties.setProperty("user", user);
        }
        String password = password();
        if (password != null) {
            properties.setProperty("password", password);
        }
        return properties;
    }

    private @Nullable String password() throws IOException {
        if (passwordVariable != null) {
            String password = terminal.environment().get(passwordVariable);
            if (password == null) {
                throw new WrongUseException("the environment has no variable " + passwordVariable);
            }
            return password;
        }
        if (passwordFile != null) {
            List<String> lines = Files.readAllLines(passwordFile);
            if (lines.isEmpty()) {
                throw new WrongUseException("the file with the password is empty: " + passwordFile);
            }
            return lines.get(0);
        }
        if (!isPasswordAsked) {
            return null;
        }
        if (terminal.person() == null) {
            throw new WrongUseException(
                    "there is no terminal to ask for the password: use --password-env or --password-file");
        }
        return terminal.person().secret("Password: ");
    }
}
