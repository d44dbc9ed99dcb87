// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.springframework.boot.jdbc.DataSourceBuilder;

/**
 * A small pool next to the application's, to the same database and with the same settings. A transaction that holds a
 * connection of the application's pool and asks for an integer then never waits for a second one of that pool.
 *
 * <p>No {@code DataSource} bean: the application's stays the only one.
 */
final class JdbcStorePool implements AutoCloseable {
    /** Below the store's time-out of calls, so that the pool's own message says what is missing. */
    private static final long CONNECTION_TIMEOUT_MILLIS = TimeUnit.SECONDS.toMillis(3);

    /**
     * HikariCP begins a validation until the connection time-out has passed, and then waits for it. By default, 5 s, it
     * waits longer than the store.
     */
    private static final long VALIDATION_TIMEOUT_MILLIS = TimeUnit.SECONDS.toMillis(1);

    private static final String POSTGRESQL = "jdbc:postgresql:";

    /**
     * A thread of ours that has a statement cancelled waits for the answer, and so does the caller. By default, 10 s,
     * both wait longer than the store.
     */
    private static final String CANCEL_TIMEOUT = "cancelSignalTimeout";

    private static final String CANCEL_TIMEOUT_SECONDS = "1";

    private final HikariDataSource connections;

    private JdbcStorePool(HikariDataSource connections) {
        this.connections = connections;
    }

    /** Connects nowhere before its first use: a database that is down keeps no context from starting. */
    static JdbcStorePool nextTo(DataSource application, int size) {
        HikariDataSource own = copyOf(application);
        own.setPoolName("snowcast");
        own.setMaximumPoolSize(size);
        own.setMinimumIdle(1);
        own.setConnectionTimeout(CONNECTION_TIMEOUT_MILLIS);
        own.setValidationTimeout(Math.min(own.getValidationTimeout(), VALIDATION_TIMEOUT_MILLIS));
        limitCancelling(own);
        return new JdbcStorePool(own);
    }

    /** In the URL: the properties are the same object as the application's. */
    private static void limitCancelling(HikariDataSource own) {
        String url = own.getJdbcUrl();
        if (url != null
                && url.startsWith(POSTGRESQL)
                && !url.contains(CANCEL_TIMEOUT)
                && !own.getDataSourceProperties().containsKey(CANCEL_TIMEOUT)) {
            own.setJdbcUrl(url + (url.contains("?") ? '&' : '?') + CANCEL_TIMEOUT + '=' + CANCEL_TIMEOUT_SECONDS);
        }
    }

    private static HikariDataSource copyOf(DataSource application) {
        try {
            if (application.isWrapperFor(HikariDataSource.class)) {
                HikariDataSource own = new HikariDataSource();
                application.unwrap(HikariDataSource.class).copyStateTo(own);
                return own;
            }
            return DataSourceBuilder.derivedFrom(application)
                    .type(HikariDataSource.class)
                    .build();
        } catch (SQLException | RuntimeException e) {
            throw new IllegalStateException(
                    "snowcast needs connections of its own, and it is not known how " + application
                            + " connects: declare a JdbcShards bean, or a JdbcSnowcast bean for node IDs, over a DataSource"
                            + " of its own",
                    e);
        }
    }

    DataSource connections() {
        return connections;
    }

    @Override
    public void close() {
        connections.close();
    }
}
