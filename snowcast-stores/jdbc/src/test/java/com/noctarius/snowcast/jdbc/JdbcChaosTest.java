// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs random schedules of faults, each for 15 seconds. The soak tests run for {@code -Dchaos.minutes} each.
 * {@code -Dsnowcast.seed} sets the seed of the random choices.
 */
@Tag("faults")
class JdbcChaosTest {
    private static final Duration SHORT = Duration.ofSeconds(15);

    @TempDir
    private Path directory;

    private static Duration ofSoak() {
        // By default, a quarter of -Dminutes.
        return Duration.ofSeconds(Long.getLong("chaos.minutes", Long.getLong("minutes", 10) / 4) * 60);
    }

    @Test
    void noIntegerComesTwiceFromPostgres() throws Exception {
        onPostgres(SHORT);
    }

    @Test
    @Tag("soak")
    void noIntegerComesTwiceFromPostgresForLong() throws Exception {
        onPostgres(ofSoak());
    }

    @Test
    void noIntegerComesTwiceFromMaria() throws Exception {
        onMaria(SHORT);
    }

    @Test
    @Tag("soak")
    void noIntegerComesTwiceFromMariaForLong() throws Exception {
        onMaria(ofSoak());
    }

    private void onPostgres(Duration duration) throws Exception {
        List<JdbcChaos.Place> places = new ArrayList<>();
        try (PostgresServer first = PostgresServer.start();
                PostgresServer second = PostgresServer.start()) {
            for (int i = 0; i < 4; i++) {
                PostgresServer server = i % 2 == 0 ? first : second;
                places.add(new JdbcChaos.Place(server, server.createDatabase("ids" + i)));
            }
            // The store must also cope with a short lock time-out, here in one database.
            Sql.execute(places.get(0).url(), "ALTER DATABASE ids0 SET lock_timeout = '500ms'");
            run(
                    "PostgreSQL",
                    duration,
                    places,
                    statement -> List.of("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                            + " WHERE datname = current_database() AND pid <> pg_backend_pid()"));
        }
    }

    private void onMaria(Duration duration) throws Exception {
        List<JdbcChaos.Place> places = new ArrayList<>();
        try (MariaServer first = MariaServer.start();
                MariaServer second = MariaServer.start()) {
            for (int i = 0; i < 4; i++) {
                MariaServer server = i % 2 == 0 ? first : second;
                places.add(new JdbcChaos.Place(server, server.createDatabase("ids" + i)));
            }
            Sql.execute(places.get(0).url(), "SET GLOBAL innodb_lock_wait_timeout = 1");
            run("MariaDB", duration, places, JdbcChaosTest::killingOnMaria);
        }
    }

    private static List<String> killingOnMaria(Statement statement) throws SQLException {
        List<String> statements = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery(
                "SELECT id FROM information_schema.processlist" + " WHERE db = DATABASE() AND id <> CONNECTION_ID()")) {
            while (rows.next()) {
                statements.add("KILL " + rows.getLong(1));
            }
        }
        return statements;
    }

    private void run(
            String what, Duration duration, List<JdbcChaos.Place> places, JdbcChaos.ConnectionsOf connectionsOf)
            throws Exception {
        long seed = Long.getLong("snowcast.seed", System.nanoTime());
        System.out.println("-Dsnowcast.seed=" + seed);
        try (JdbcChaos chaos = new JdbcChaos(places, connectionsOf, directory, seed)) {
            chaos.run(duration);
            System.out.println(what + ", " + duration.toSeconds() + " s: " + chaos.report());
        }
    }
}
