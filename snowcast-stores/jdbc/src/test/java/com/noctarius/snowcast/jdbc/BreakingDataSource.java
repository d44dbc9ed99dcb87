// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/** A data source whose connections break before or after a statement or commit, as a hook decides. */
final class BreakingDataSource {
    private final Hook hook;

    interface Hook {
        /** Throws to break the connection before ({@code isBefore}) or after a statement or commit. */
        void at(boolean isBefore) throws SQLException;
    }

    private BreakingDataSource(Hook hook) {
        this.hook = hook;
    }

    static DataSource of(String url, Hook hook) {
        BreakingDataSource breaking = new BreakingDataSource(hook);
        return Connections.proxy(
                DataSource.class,
                (proxy, method, arguments) -> breaking.proxy(Connection.class, DriverManager.getConnection(url)));
    }

    private <T> T proxy(Class<T> type, Object target) {
        return Connections.proxy(type, (proxy, method, arguments) -> call(target, method, arguments));
    }

    private Object call(Object target, Method method, Object[] arguments) throws Throwable {
        boolean isAsked =
                method.getName().startsWith("execute") || method.getName().equals("commit");
        try {
            if (isAsked) {
                hook.at(true);
            }
            Object result = method.invoke(target, arguments);
            if (isAsked) {
                hook.at(false);
            }
            return result instanceof PreparedStatement ? proxy(PreparedStatement.class, result) : result;
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
