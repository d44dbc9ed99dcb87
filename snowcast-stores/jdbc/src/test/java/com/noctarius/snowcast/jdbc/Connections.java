// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Puts faults between a caller and real connections. */
final class Connections {
    private Connections() {}

    /** What happens around a call of a connection's method. */
    interface Around {
        Object call(Connection connection, String method, Call call) throws Throwable;
    }

    /** The call itself. */
    interface Call {
        Object proceed() throws Throwable;
    }

    /** What happens before a connection is handed out. */
    interface Before {
        void connect() throws SQLException;
    }

    static DataSource around(DataSource dataSource, Around around) {
        return intercepted(dataSource, () -> {}, around);
    }

    static DataSource before(DataSource dataSource, Before before) {
        return intercepted(dataSource, before, (connection, method, call) -> call.proceed());
    }

    /** How a connection is chosen. */
    interface Choice {
        Connection connect() throws SQLException;
    }

    static DataSource choosing(Choice choice) {
        return proxy(DataSource.class, (proxy, method, arguments) -> {
            if (!method.getName().equals("getConnection")) {
                throw new UnsupportedOperationException(method.getName());
            }
            return choice.connect();
        });
    }

    /** A pool of one connection that is never closed. */
    static DataSource sharing(Connection only) {
        Connection kept = unclosed(only);
        return choosing(() -> kept);
    }

    /** The same connection, which stays open when it is closed. */
    static Connection unclosed(Connection only) {
        return proxy(
                Connection.class,
                (proxy, method, arguments) ->
                        method.getName().equals("close") ? null : unwrapped(() -> method.invoke(only, arguments)));
    }

    private static DataSource intercepted(DataSource dataSource, Before before, Around around) {
        return proxy(DataSource.class, (proxy, method, arguments) -> {
            if (!method.getName().equals("getConnection")) {
                return unwrapped(() -> method.invoke(dataSource, arguments));
            }
            before.connect();
            Connection connection = dataSource.getConnection();
            return proxy(
                    Connection.class,
                    (own, called, values) -> around.call(
                            connection, called.getName(), () -> unwrapped(() -> called.invoke(connection, values))));
        });
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(Connections.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static Object unwrapped(Call call) throws Throwable {
        try {
            return call.proceed();
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
