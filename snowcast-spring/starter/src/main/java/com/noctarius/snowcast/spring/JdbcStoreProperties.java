// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.internal.jdbc.TableNames;
import com.noctarius.snowcast.jdbc.JdbcShards;
import com.noctarius.snowcast.jdbc.JdbcSnowcast;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code snowcast.jdbc}, for the tables of integer sequences and of node IDs in the application's
 * database.
 *
 * @param tableName the name of the table with the windows of the integer sequences
 * @param tablePrefix the prefix of the names of the tables of node IDs
 * @param createTables whether missing tables are created, and missing sequences defined, when the application starts
 * @param processName the name of this process in the tables of node IDs; by default its process ID and host
 */
@ConfigurationProperties(JdbcStoreProperties.PREFIX)
record JdbcStoreProperties(
        @DefaultValue(TableNames.WINDOWS) String tableName,
        @DefaultValue(TableNames.LEASE_PREFIX) String tablePrefix,
        @DefaultValue("false") boolean createTables,
        @Nullable String processName) {
    static final String PREFIX = SnowcastProperties.PREFIX + ".jdbc";

    void applyTo(JdbcSnowcast.Builder builder) {
        check(
                "table-prefix",
                "Set it to the beginning of the names of the tables",
                () -> builder.tablePrefix(tablePrefix));
        if (processName != null) {
            check("process-name", "Set it to a name, or leave it out", () -> builder.processName(processName));
        }
    }

    private static void check(String key, String action, Runnable use) {
        try {
            use.run();
        } catch (IllegalArgumentException e) {
            throw new InvalidPropertyException(PREFIX + "." + key, "is wrong: " + e.getMessage(), action, e);
        }
    }

    String checkedTableName() {
        check(
                "table-name",
                "Set it to the name of the table",
                () -> JdbcShards.builder().tableName(tableName));
        return tableName;
    }
}
