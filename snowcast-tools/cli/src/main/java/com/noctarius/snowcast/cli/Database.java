// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.jdbc.JdbcSnowcast;
import com.noctarius.snowcast.status.ClusterStatus;
import java.io.IOException;
import java.time.Duration;

/**
 * A {@code Snowcast} of a database. It also closes when the process exits, so that its node IDs become free at once.
 */
final class Database implements Source {
    /**
     * Shorter than the default lease. After a loss of data, processes wait for at least the longest lease of any
     * process. A command with this short lease usually does not prolong that wait.
     */
    private static final Duration LEASE = Duration.ofMinutes(2);

    private final JdbcSnowcast snowcast;
    private final Thread hook;

    private Database(JdbcSnowcast snowcast) {
        this.snowcast = snowcast;
        this.hook = new Thread(snowcast::close, "snowcast-cli-end");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    static Database open(DatabaseLogin login, String tablePrefix, boolean isVerbose) throws IOException {
        Logs.configure(isVerbose);
        return new Database(JdbcSnowcast.builder(login.dataSource())
                .tablePrefix(tablePrefix)
                .lease(LEASE)
                .build());
    }

    @Override
    public String called() {
        return "the database";
    }

    @Override
    public Snowcast snowcast() {
        return snowcast;
    }

    @Override
    public ClusterStatus status() {
        return snowcast.status();
    }

    @Override
    public void close() {
        snowcast.close();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process is exiting, so the shutdown hook closes the Snowcast, too.
            return;
        }
    }
}
