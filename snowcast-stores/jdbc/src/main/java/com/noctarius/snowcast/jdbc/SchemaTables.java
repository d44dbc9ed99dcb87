// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.sql.SQLException;
import java.util.UUID;

/**
 * Creates the tables of shards if they do not exist, adds columns that tables of a former version lack, and inserts the
 * identity of each database.
 */
final class SchemaTables {
    private static final System.Logger LOGGER = System.getLogger(SchemaTables.class.getName());

    private final JdbcShards shards;
    private final Tables tables;

    SchemaTables(JdbcShards shards) {
        this.shards = shards;
        this.tables = shards.tables();
    }

    void create() {
        for (Shard shard : shards.all()) {
            try {
                shard.call(transaction -> create(shard, transaction));
            } catch (SQLException e) {
                boolean areThere = PermanentFailure.isOfRights(e) && hasTables(shard);
                if (!areThere && !Tables.isDuplicateKey(e) && !Tables.isSyntaxOrAccess(e)) {
                    throw shards.failed(shard, "", e);
                }
                if (!areThere) {
                    // Try again, because IF NOT EXISTS may fail if another process creates the same table at the same
                    // time.
                    LOGGER.log(System.Logger.Level.DEBUG, "tried again", e);
                    shards.call(shard, "", transaction -> create(shard, transaction));
                }
            }
            upgrade(shard);
            shards.write(
                    shard,
                    "",
                    "INSERT INTO " + tables.database() + " (one, database_id, server_id) SELECT 1, ?, {server}{dual}"
                            + " WHERE NOT EXISTS (SELECT 1 FROM " + tables.database() + ") AND {durable}",
                    UUID.randomUUID().toString());
        }
    }

    private boolean create(Shard shard, Transaction transaction) throws SQLException {
        ShardCheck.requireDurable(shard, transaction);
        for (String statement : transaction.dialect().createStatements(tables)) {
            transaction.update(statement);
        }
        return true;
    }

    /**
     * Returns whether this user can read the four tables, with the columns named here. A user with more privileges may
     * have created the tables.
     */
    private boolean hasTables(Shard shard) {
        return hasColumn(shard, tables.windows(), "give_backs")
                && hasColumn(shard, tables.names(), "floor_value")
                && hasColumn(shard, tables.shard(), "database_ids")
                && hasColumn(shard, tables.database(), "recoveries");
    }

    private void upgrade(Shard shard) {
        addColumn(shard, tables.windows(), "give_backs", "BIGINT DEFAULT 0");
        addColumn(shard, tables.names(), "complete_value", "BIGINT DEFAULT 0");
        addColumn(shard, tables.names(), "floor_value", "BIGINT DEFAULT 0");
        addColumn(
                shard,
                tables.shard(),
                "database_ids",
                "VARCHAR(" + ShardList.MAX_LENGTH + ") DEFAULT '" + Generation.NO_IDS + "'");
    }

    private void addColumn(Shard shard, String table, String column, String type) {
        if (hasColumn(shard, table, column)) {
            return;
        }
        try {
            shard.autoCommit(transaction ->
                    transaction.update("ALTER TABLE " + table + " ADD COLUMN " + column + ' ' + type + " NOT NULL"));
        } catch (SQLException e) {
            // Another process may have added the column at the same time.
            if (!hasColumn(shard, table, column)) {
                throw shards.failed(
                        shard, "table " + table + ", which a former version created, lacks column " + column + ": ", e);
            }
        }
    }

    private boolean hasColumn(Shard shard, String table, String column) {
        try {
            shard.autoCommit(transaction ->
                    transaction.query("SELECT " + column + " FROM " + table + " WHERE 1 = 0", row -> row));
            return true;
        } catch (SQLException e) {
            if (Tables.isSyntaxOrAccess(e)) {
                return false;
            }
            throw shards.failed(shard, "", e);
        }
    }
}
