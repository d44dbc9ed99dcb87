// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.status.ClusterStatus;
import com.noctarius.snowcast.store.Block;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests that the privileges in the table of {@code docs/operate/sql.md} are enough, and that leases need each privilege
 * of their row.
 */
@Tag("integration")
class RightsTest {
    private static final Path DOCUMENT = Path.of("../../docs/operate/sql.md");
    private static final Map<String, String> NAMES = Map.of("S", "SELECT", "I", "INSERT", "U", "UPDATE", "D", "DELETE");
    private static final SnowcastEpoch EPOCH = SnowcastEpoch.byTimestamp(0);

    @AutoClose
    private static PostgresServer server;

    private int names;

    private record Right(String table, String right) {
        String sql(String verb, String schema, String user) {
            return verb + ' ' + right + " ON " + schema + '.' + table + (verb.equals("GRANT") ? " TO " : " FROM ")
                    + user;
        }
    }

    @BeforeAll
    static void start() throws Exception {
        server = PostgresServer.start();
    }

    private static DataSource as(String user) {
        return UrlDataSource.of(
                server.url("postgres").replaceAll("user=[^&]*", "user=" + user + "&password=" + user), null, null);
    }

    private static List<String> cells(String line) {
        List<String> cells =
                Arrays.stream(line.split("\\|", -1)).map(String::strip).toList();
        return cells.subList(1, cells.size() - 1);
    }

    private static List<Right> rights(String what) throws IOException {
        List<List<String>> table = Files.readAllLines(DOCUMENT).stream()
                .dropWhile(line -> !line.startsWith("| what the user does |"))
                .takeWhile(line -> line.startsWith("|"))
                .map(RightsTest::cells)
                .toList();
        List<String> row = table.stream()
                .filter(cells -> cells.get(0).equals(what))
                .findFirst()
                .orElseThrow();
        List<Right> rights = new ArrayList<>();
        for (int column = 1; column < row.size(); column++) {
            String name = table.get(0).get(column).replace("`", "");
            Stream.of(row.get(column).split(", "))
                    .filter(letter -> !letter.isEmpty())
                    .map(letter -> new Right(name, Objects.requireNonNull(NAMES.get(letter))))
                    .forEach(rights::add);
        }
        assertThat(rights).isNotEmpty();
        return rights;
    }

    /**
     * Creates a schema with all tables, and a user with the name of the schema. Grants the user the privileges in a row
     * of the document's table, and returns these privileges.
     */
    private static List<Right> prepare(String schema, String what) throws Exception {
        server.execute("CREATE SCHEMA " + schema);
        try (JdbcSnowcast owner = Patient.snowcast(UrlDataSource.of(server.url("postgres"), null, null))
                .tablePrefix(schema + ".snowcast")
                .build()) {
            owner.createTables();
        }
        server.execute("CREATE USER " + schema + " PASSWORD '" + schema + "'");
        server.execute("GRANT USAGE ON SCHEMA " + schema + " TO " + schema);
        List<Right> rights = rights(what);
        for (Right right : rights) {
            server.execute(right.sql("GRANT", schema, schema));
        }
        return rights;
    }

    /** Uses each privilege: creates a name, destroys it and creates it again, and updates the row of the database. */
    private void lease(String schema) throws Exception {
        server.execute("UPDATE " + schema + ".snowcast_database SET lease_millis = 0");
        try (JdbcSnowcast snowcast =
                Patient.snowcast(as(schema)).tablePrefix(schema + ".snowcast").build()) {
            String name = "orders" + names++;
            SnowcastSequencer orders = snowcast.createSequencer(name, EPOCH);
            orders.next();
            snowcast.destroySequencer(orders);
            snowcast.createSequencer(name, EPOCH).next();
        }
    }

    @Test
    void whoLeasesNodeIdsNeedsTheseRightsAndNoOthers() throws Exception {
        List<Right> rights = prepare("leases", "leases node IDs");
        lease("leases");
        for (Right right : rights) {
            server.execute(right.sql("REVOKE", "leases", "leases"));
            assertThatThrownBy(() -> lease("leases"))
                    .as("without %s", right)
                    .hasStackTraceContaining("permission denied");
            server.execute(right.sql("GRANT", "leases", "leases"));
        }
        lease("leases");
    }

    @Test
    void whoReservesIntegersNeedsNoOtherRights() throws Exception {
        prepare("integers", "reserves integers, and inserts their windows");
        JdbcShards owner = shards(UrlDataSource.of(server.url("postgres"), null, null), "integers");
        new JdbcSchema(owner).defineSequence("seats", 1, 1_000_000);
        assertThat(new JdbcBlockStore(shards(as("integers"), "integers")).reserve("seats", 10))
                .isEqualTo(Block.of(1, 10));

        prepare("reserver", "reserves integers, while agents insert the windows");
        JdbcShards ofAgent = shards(UrlDataSource.of(server.url("postgres"), null, null), "reserver");
        new JdbcSchema(ofAgent).defineSequence("seats", 1, 1_000_000);
        new WindowAgent(ofAgent, 3).topUp();
        assertThat(new JdbcBlockStore(shards(as("reserver"), "reserver")).reserve("seats", 10))
                .isEqualTo(Block.of(1, 10));
    }

    private static JdbcShards shards(DataSource dataSource, String schema) {
        return Patient.shard(dataSource).tableName(schema + ".id_sequences").build();
    }

    @Test
    void whoReadsTheStatusNeedsNoOtherRights() throws Exception {
        prepare("looking", "reads the status");
        DataSource owner = UrlDataSource.of(server.url("postgres"), null, null);
        new JdbcSchema(shards(owner, "looking")).defineSequence("seats", 1, 9);
        try (JdbcSnowcast snowcast =
                        Patient.snowcast(owner).tablePrefix("looking.snowcast").build();
                JdbcSnowcast looks = Patient.snowcast(as("looking"))
                        .tablePrefix("looking.snowcast")
                        .build()) {
            snowcast.createSequencer("orders", EPOCH);
            ClusterStatus status = looks.status();
            assertThat(status.integerSequences()).hasSize(1);
            assertThat(status.sequencers()).hasSize(1);
            assertThat(status.sequencers().get(0).attachedCount()).isOne();
            server.execute("REVOKE SELECT ON looking.snowcast_names FROM looking");
            assertThatThrownBy(looks::status)
                    .isExactlyInstanceOf(SnowcastException.class)
                    .hasMessageContaining("permission denied");
        }
    }

    @Test
    void whoMarksARestoreNeedsTheseRightsAndNoOthers() throws Exception {
        List<Right> rights = prepare("marking", "marks a restore");
        JdbcSchema schema = new JdbcSchema(shards(as("marking"), "marking"));
        assertThat(schema.markRestored(0, "marking.snowcast"))
                .containsExactly("marking.snowcast_database", "marking.id_sequences_database");
        assertThat(rights.stream().map(Right::right).collect(Collectors.toSet()))
                .containsOnly("SELECT", "UPDATE");
    }
}
