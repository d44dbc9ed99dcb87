// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.jdbc.JdbcShards;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of the store that Boot makes over the application's database.
 *
 * @param poolSize how many connections its own pool has at most, 1 or more
 * @param tableName the name of the table of windows
 */
@ConfigurationProperties(JdbcStoreProperties.PREFIX)
record JdbcStoreProperties(
        @DefaultValue("2") int poolSize,
        @DefaultValue("id_sequences") String tableName) {
    static final String PREFIX = SnowcastProperties.PREFIX + ".jdbc";

    int checkedPoolSize() {
        if (poolSize < 1) {
            throw new InvalidPropertyException(
                    PREFIX + ".pool-size",
                    "must be a number from 1: " + poolSize,
                    "Set it to 2, or leave it out",
                    null);
        }
        return poolSize;
    }

    String checkedTableName() {
        try {
            JdbcShards.builder().tableName(tableName);
            return tableName;
        } catch (IllegalArgumentException e) {
            throw new InvalidPropertyException(
                    PREFIX + ".table-name", "is wrong: " + e.getMessage(), "Set it to the name of the table", e);
        }
    }
}
