// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A dialect for H2, as a user would write it. {@code docs/reference/dialects.md} shows the marked code. */
final class UserDialect {
    /**
     * The prefix of the names of tables that need this dialect. Tests, and the processes that tests start, choose the
     * dialect by this prefix.
     */
    static final String TABLE_PREFIX = "own";

    private UserDialect() {}

    static Dialect create() {
        String ddl = read(Path.of("src/test/resources/h2-by-a-user.sql"));
        String leasesDdl = Dialect.resource("postgresql/R__snowcast_leases.sql");
        // docs/reference/dialects.md begin
        Dialect dialect = Dialect.builder("H2, by a user")
                .script(ddl)
                .lock(
                        "SELECT window_start_value, window_end_value, next_hi_value, give_backs, {state} FROM id_sequences"
                                + " WHERE sequence_name = :sequence AND window_start_value >= :from"
                                + " AND next_hi_value < window_end_value"
                                + " ORDER BY window_start_value FETCH FIRST ROW ONLY FOR UPDATE{skip locked}")
                .server("COALESCE(DATABASE_PATH(), 'memory')")
                .leases(leasesDdl, "CAST(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000 AS BIGINT)")
                .build();
        // docs/reference/dialects.md end
        return dialect;
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
