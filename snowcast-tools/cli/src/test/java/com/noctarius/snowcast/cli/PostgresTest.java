// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PostgresTest {
    private static final int ROWS = 2_000_000;
    private static final Path WORK = Path.of("target", "postgres").toAbsolutePath();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private static EmbeddedPostgres start() throws IOException {
        Files.createDirectories(WORK);
        return EmbeddedPostgres.builder()
                .setPort(TestMember.freePort())
                .setOverrideWorkingDirectory(WORK.resolve("binaries").toFile())
                .setDataDirectory(Files.createTempDirectory(WORK, "data"))
                .setPGStartupWait(Duration.ofMinutes(3))
                .start();
    }

    private static void fill(EmbeddedPostgres server) throws SQLException {
        try (Connection database = server.getPostgresDatabase().getConnection()) {
            database.createStatement().execute("CREATE TABLE orders (id BIGINT NOT NULL)");
            // The IDs have node ID 0 and counter 0, and successive milliseconds. The last row repeats the first one.
            database.createStatement()
                    .execute("INSERT INTO orders SELECT (31536000000 + i % " + ROWS + ") << 23 FROM generate_series(0, "
                            + ROWS + ") AS i");
        }
    }

    /** The rows of the table do not fit into the heap. */
    @Test
    @Tag("faults")
    void rowsAreReadAsTheyCome() throws Exception {
        try (EmbeddedPostgres server = start()) {
            fill(server);
            Files.writeString(directory.resolve("password"), "any\n");
            String command = "snowcast verify --epoch 2024-01-01 --jdbc '" + server.getJdbcUrl("postgres", "postgres")
                    + "' --table orders --column id --memory 8 --temp-dir .";
            Shell.Result result =
                    Shell.run(directory, Map.of("SNOWCAST_OPTS", "-Xmx48m"), command + " --password-file password");
            assertThat(result.output())
                    .containsPattern("ids +2,?000,?001")
                    .containsPattern("duplicates +1  such as " + (31_536_000_000L << 23));
            assertThat(result.exitCode()).isEqualTo(ExitCode.FOUND);

            Shell.Result unasked = Shell.run(directory, Map.of(), command + " --password");
            assertThat(unasked.output()).contains("there is no terminal to ask for the password: use --password-env");
            assertThat(unasked.exitCode()).isEqualTo(ExitCode.WRONG_USE);
        }
    }
}
