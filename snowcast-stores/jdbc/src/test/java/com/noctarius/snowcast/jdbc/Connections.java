// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Wraps data sources, connections and statements, to inject faults. */
final class Connections {
    private Connections() {}

    /** Intercepts each call of a connection's method. */
    interface Around {
        @Nullable
        Object call(Connection connection, String method, Call call) throws Throwable;
    }

    interface Call {
        @Nullable
        Object proceed() throws Throwable;
    }

    /** Runs before a data source returns a connection, or after a statement was executed. */
    interface Event {
        void happens() throws SQLException;
    }

    static DataSource around(DataSource dataSource, Around around) {
        return intercepted(dataSource, () -> {}, around);
    }

    /** Returns a data source that refuses connections while {@code isAway} is true. */
    static DataSource away(DataSource dataSource, AtomicBoolean isAway) {
        return before(dataSource, () -> {
            if (isAway.get()) {
                throw new SQLException("it is away", "08001");
            }
        });
    }

    static DataSource before(DataSource dataSource, Event before) {
        return intercepted(dataSource, before, (connection, method, call) -> call.proceed());
    }

    /** Lets a call hang until {@code end} is counted down. */
    static void await(CountDownLatch end) throws SQLException {
        try {
            end.await();
        } catch (InterruptedException e) {
            throw new SQLException(e);
        }
    }

    /** Wraps a statement; {@code after} runs after each execution. */
    static PreparedStatement after(PreparedStatement statement, Event after) {
        return proxy(PreparedStatement.class, (proxy, method, arguments) -> {
            Object result = unwrapped(() -> method.invoke(statement, arguments));
            if (method.getName().startsWith("execute")) {
                after.happens();
            }
            return result;
        });
    }

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

    /** Returns a pool of one connection, which stays open when a caller closes it. */
    static DataSource sharing(Connection only) {
        Connection kept = unclosed(only);
        return choosing(() -> kept);
    }

    /** Wraps a connection so that {@code close()} has no effect. */
    static Connection unclosed(Connection only) {
        return proxy(
                Connection.class,
                (proxy, method, arguments) ->
                        method.getName().equals("close") ? null : unwrapped(() -> method.invoke(only, arguments)));
    }

    private static DataSource intercepted(DataSource dataSource, Event before, Around around) {
        return proxy(DataSource.class, (proxy, method, arguments) -> {
            if (!method.getName().equals("getConnection")) {
                return unwrapped(() -> method.invoke(dataSource, arguments));
            }
            before.happens();
            Connection connection = dataSource.getConnection();
            return proxy(
                    Connection.class,
                    (own, called, values) -> around.call(
                            connection, called.getName(), () -> unwrapped(() -> called.invoke(connection, values))));
        });
    }

    static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(Connections.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    static @Nullable Object unwrapped(Call call) throws Throwable {
        try {
            return call.proceed();
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
