// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.sql.SQLException;
import java.util.Locale;

/** The supported databases: the file of their DDL, and queries that tell whether commits are durable. */
enum Dialect {
    POSTGRESQL(
            "postgresql.sql",
            "SELECT 1 WHERE current_setting('synchronous_commit') = 'off'",
            "synchronous_commit = off: a crash takes back what was committed; set it to on, at least for this user",
            "SELECT 1 WHERE current_setting('fsync') = 'off'",
            "fsync = off"),
    MARIADB(
            "mariadb.sql",
            "SELECT 1 FROM DUAL WHERE @@global.innodb_flush_log_at_trx_commit = 0",
            "innodb_flush_log_at_trx_commit = 0: a crash takes back what was committed; set it to 1",
            "SELECT 1 FROM DUAL WHERE @@global.innodb_flush_log_at_trx_commit = 2",
            "innodb_flush_log_at_trx_commit = 2"),
    H2(
            "postgresql.sql",
            "SELECT 1 WHERE DATABASE_PATH() IS NOT NULL AND NOT EXISTS (SELECT * FROM INFORMATION_SCHEMA.SETTINGS"
                    + " WHERE SETTING_NAME = 'WRITE_DELAY' AND SETTING_VALUE = '0')",
            "a WRITE_DELAY: a crash takes back what was committed; add ;WRITE_DELAY=0 to its URL",
            "SELECT 1 WHERE FALSE",
            "");

    private static final System.Logger LOGGER = System.getLogger(Dialect.class.getName());

    private final String script;
    /** Returns a row if commits are not durable. */
    private final String lossQuery;

    private final String loss;
    /** Returns a row if commits survive a crash of the server but not one of its machine. */
    private final String riskQuery;

    private final String risk;

    Dialect(String script, String lossQuery, String loss, String riskQuery, String risk) {
        this.script = script;
        this.lossQuery = lossQuery;
        this.loss = loss;
        this.riskQuery = riskQuery;
        this.risk = risk;
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

    /** Logs if a block could be handed out twice when the machine crashes. */
    void warnOfRisk(Shard shard, Transaction transaction) throws SQLException {
        if (!transaction.query(riskQuery, row -> row.getInt(1)).isEmpty()) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    shard + " has " + risk + ": if its machine crashes, integers are handed out again");
        }
    }
}
