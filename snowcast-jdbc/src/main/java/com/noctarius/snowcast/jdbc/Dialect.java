// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.sql.SQLException;
import java.util.Locale;

/** The databases that are known, and how each is asked whether it keeps what it has committed. */
enum Dialect {
    POSTGRESQL(
            "postgresql.sql",
            "SELECT 1 WHERE current_setting('synchronous_commit') = 'off'",
            "synchronous_commit = off: a crash takes back what was committed; set it to on, at least for this user"),
    MARIADB(
            "mariadb.sql",
            "SELECT 1 FROM DUAL WHERE @@global.innodb_flush_log_at_trx_commit = 0",
            "innodb_flush_log_at_trx_commit = 0: a crash takes back what was committed; set it to 1"),
    H2(
            "h2.sql",
            "SELECT 1 WHERE DATABASE_PATH() IS NOT NULL AND NOT EXISTS (SELECT * FROM INFORMATION_SCHEMA.SETTINGS"
                    + " WHERE SETTING_NAME = 'WRITE_DELAY' AND SETTING_VALUE = '0')",
            "a WRITE_DELAY: a crash takes back what was committed; add ;WRITE_DELAY=0 to its URL");

    private final String script;
    /** Gives a row if commits are not durable. */
    private final String lossQuery;

    private final String loss;

    Dialect(String script, String lossQuery, String loss) {
        this.script = script;
        this.lossQuery = lossQuery;
        this.loss = loss;
    }

    static Dialect of(Transaction transaction) throws SQLException {
        String product = transaction.connection().getMetaData().getDatabaseProductName();
        return switch (product.toLowerCase(Locale.ROOT)) {
            case "postgresql" -> POSTGRESQL;
            case "mariadb", "mysql" -> MARIADB;
            case "h2" -> H2;
            default ->
                throw new ShardMismatchException("the database must be PostgreSQL, MariaDB, MySQL or H2: " + product);
        };
    }

    /** The file with its DDL. */
    String script() {
        return script;
    }

    /** Fails if a block could be handed out twice because the database forgets that it was reserved. */
    void requireDurable(Shard shard, Transaction transaction) throws SQLException {
        if (!transaction.query(lossQuery, row -> row.getInt(1)).isEmpty()) {
            throw new ShardMismatchException(shard + " has " + loss);
        }
    }
}
