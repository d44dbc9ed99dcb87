// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.jdbc.JdbcSnowcast;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.Map;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("integration")
class StoreCommandsTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @Test
    void shardsAreCreatedDefinedRaisedAndRead() throws IOException {
        Path file = directory.resolve("shards.properties");
        Files.writeString(
                file,
                "shard.0.url=jdbc:h2:" + directory.resolve("ids")
                        + ";WRITE_DELAY=0\nuser=ids\npassword.env=IDS_PASSWORD\n"
                        + "window.size=1000\nmin.autonomy=PT0S\nstatus.interval=PT0.01S\n");
        assertThat(jdbc("create", file.toString())).isEqualTo(done());
        assertThat(jdbc("define", file.toString(), "orders", "1", "100000")).isEqualTo(done());
        assertThat(jdbc("raise", file.toString(), "orders", "200000")).isEqualTo(done());
        assertThat(jdbc("top-up", file.toString()).out()).contains("1 sequences, 3 new windows");
        CommandRun status = jdbc("status", file.toString());
        assertThat(status.out()).contains("shard 0 of 1  ok").contains("orders");
        assertThat(status.exitCode()).isEqualTo(ExitCode.DONE);
        assertThat(jdbc("restored", file.toString(), "0").out()).contains("marked: id_sequences_database");
        assertThat(jdbc("recover", file.toString(), "0", "orders=7000")).isEqualTo(done());
    }

    /** The first integer begins a window. The restore has lost the reservation of this integer. */
    @Test
    void integersGoOnAboveTheHighestInUseAlsoIfItBeginsAWindow() throws Exception {
        String url = "jdbc:h2:mem:window;DB_CLOSE_DELAY=-1";
        JdbcDataSource database = new JdbcDataSource();
        database.setURL(url);
        IntegerSequenceConfig seats = IntegerSequenceConfig.builder("seats").build();
        long highest;
        try (JdbcSnowcast snowcast = JdbcSnowcast.of(database)) {
            snowcast.createTables();
            highest = snowcast.createIntegerSequence(seats).next();
        }
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("UPDATE id_sequences SET next_hi_value = window_start_value");
        }
        assertThat(ofDatabase(url, "restored").exitCode()).isEqualTo(ExitCode.DONE);
        try (JdbcSnowcast snowcast = JdbcSnowcast.of(database)) {
            assertThatThrownBy(() -> snowcast.createIntegerSequence(seats).next())
                    .hasMessageContaining("run recover");
        }

        assertThat(ofDatabase(url, "recover", "seats=" + highest).exitCode()).isEqualTo(ExitCode.DONE);

        try (JdbcSnowcast snowcast = JdbcSnowcast.of(database)) {
            assertThat(snowcast.createIntegerSequence(seats).next()).isGreaterThan(highest);
        }
    }

    @Test
    void aDatabaseThatWasRestoredIsMarkedAndItsIntegersGoOnAboveThoseInUse() throws Exception {
        String url = "jdbc:h2:mem:restored;DB_CLOSE_DELAY=-1";
        JdbcDataSource database = new JdbcDataSource();
        database.setURL(url);
        IntegerSequenceConfig seats = IntegerSequenceConfig.builder("seats").build();
        try (JdbcSnowcast snowcast = JdbcSnowcast.of(database)) {
            snowcast.createTables();
            snowcast.createIntegerSequence(seats).next();
        }
        assertThat(ofDatabase(url, "restored").out())
                .isEqualTo("marked: snowcast_database, id_sequences_database" + System.lineSeparator());
        assertThat(ofDatabase(url, "restored", "--output", "json").out())
                .isEqualTo("{\"marked\": [\"snowcast_database\", \"id_sequences_database\"]}" + System.lineSeparator());
        try (JdbcSnowcast snowcast = JdbcSnowcast.of(database)) {
            assertThatThrownBy(() -> snowcast.createSequencer("orders", SnowcastEpoch.byTimestamp(0)))
                    .isInstanceOf(SnowcastUnavailableException.class);
            assertThatThrownBy(() -> snowcast.createIntegerSequence(seats).next())
                    .hasMessageContaining("run recover");
        }
        assertThat(ofDatabase(url, "recover", "seat=7000").err()).contains("seat");
        assertThat(ofDatabase(url, "recover", "seats").err()).contains("must be NAME=INTEGER");
        CommandRun twice = ofDatabase(url, "recover", "seats=7000", "seats=700");
        assertThat(twice.err()).contains("each sequence must have one argument: seats");
        assertThat(twice.exitCode()).isEqualTo(ExitCode.WRONG_USE);
        assertThat(ofDatabase(url, "recover", "seats=7000"))
                .isEqualTo(new CommandRun(ExitCode.DONE, "recovered: seats" + System.lineSeparator(), ""));
        try (JdbcSnowcast snowcast = JdbcSnowcast.of(database)) {
            assertThat(snowcast.createIntegerSequence(seats).next()).isGreaterThan(7_000);
        }
        assertThat(CommandRun.of("restored").err()).contains("--jdbc is missing");
    }

    private static CommandRun ofDatabase(String url, String... command) {
        return CommandRun.line(String.join(" ", command) + " --jdbc " + url);
    }

    private static CommandRun jdbc(String... arguments) {
        String[] all = new String[arguments.length + 1];
        all[0] = "jdbc";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return CommandRun.of("", Map.of("IDS_PASSWORD", "secret"), null, all);
    }

    private static CommandRun done() {
        return new CommandRun(ExitCode.DONE, "done" + System.lineSeparator(), "");
    }

    @Test
    void wrongUseIsSaid() throws IOException {
        assertThat(CommandRun.of("jdbc", "frobnicate", "/no/such/file"))
                .isEqualTo(
                        new CommandRun(ExitCode.WRONG_USE, "", "cannot read: /no/such/file" + System.lineSeparator()));
        assertThat(CommandRun.of("cassandra", "frobnicate", "/no/such/file").err())
                .startsWith("usage: create|status FILE");
        Path file = directory.resolve("cassandra.properties");
        Files.writeString(file, "contact.points=127.0.0.1:1\nlocal.datacenter=a\nkeyspace=ids\n");
        CommandRun unreachable = CommandRun.of("cassandra", "create", file.toString());
        assertThat(unreachable.exitCode()).isEqualTo(ExitCode.FOUND);
        assertThat(unreachable.err()).contains("127.0.0.1").doesNotContain("\tat ");
        assertThat(CommandRun.of("jdbc").err()).contains("Missing required parameter");
    }
}
