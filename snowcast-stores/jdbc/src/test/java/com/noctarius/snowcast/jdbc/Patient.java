// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.time.Duration;
import javax.sql.DataSource;

/**
 * Creates builders with time-outs of minutes, for tests that do not test time-outs. On a busy machine, a transaction
 * may take longer than the default of four seconds.
 */
final class Patient {
    private static final Duration STATEMENT = Duration.ofMinutes(2);
    private static final Duration TRANSACTION = Duration.ofMinutes(3);

    private Patient() {}

    static JdbcSnowcast.Builder snowcast(DataSource dataSource) {
        return JdbcSnowcast.builder(dataSource).timeouts(STATEMENT, TRANSACTION);
    }

    static JdbcShards.Builder shard(DataSource dataSource) {
        return JdbcShards.builder()
                .shard(dataSource)
                .statementTimeout(STATEMENT)
                .callTimeout(TRANSACTION);
    }
}
