// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import static com.noctarius.snowcast.jdbc.TestShards.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.store.Block;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.UUID;
import liquibase.Scope;
import liquibase.command.CommandScope;
import liquibase.resource.ClassLoaderResourceAccessor;
import liquibase.resource.DirectoryResourceAccessor;
import liquibase.resource.ResourceAccessor;
import org.flywaydb.core.Flyway;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that the printed SQL script does the same as {@code JdbcSchema}, and that migration tools can run it and the
 * files in the jar, as {@code docs/sql.md} describes.
 */
@Tag("integration")
class SchemaScriptTest {
    private static final String SHOP = "h2 id_sequences 100000 shop 0/1 orders 5000001 2147483647 it's 1 9";

    private final JdbcDataSource database = new JdbcDataSource();

    @TempDir
    private Path directory;

    SchemaScriptTest() {
        database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    }

    private static String printed(String arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int exit = SchemaScript.run(
                Arrays.asList(arguments.split(" ")),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
        assertThat(exit).as(err.toString(StandardCharsets.UTF_8)).isEqualTo(err.size() == 0 ? 0 : 2);
        return exit == 0 ? out.toString(StandardCharsets.UTF_8) : err.toString(StandardCharsets.UTF_8);
    }

    private void assertServes() {
        JdbcShards shards = JdbcShards.of(database);
        assertThatExceptionOfType(ShardMismatchException.class)
                .isThrownBy(() -> TestShards.store(shards).reserve("orders", 10))
                .withMessageContaining("shard 0 of 1 were created by a script, and no window agent has run since");
        assertThat(new JdbcBlockStore(shards).reserve("orders", 10)).isEqualTo(Block.of(5_000_001, 5_000_010));
        JdbcSchema schema = new JdbcSchema(shards);
        schema.create(100_000);
        schema.defineSequence("orders", 5_000_001, Integer.MAX_VALUE);
        schema.defineSequence("it's", 1, 9);
        assertThat(new JdbcBlockStore(shards).reserve("it's", 10)).isEqualTo(Block.of(1, 9));
    }

    @Test
    void twoListsThatShareADatabaseAreRefusedAlsoWhenScriptsMadeThem() throws Exception {
        MemoryShards memory = MemoryShards.of(4);
        for (int i = 0; i < 4; i++) {
            String script = printed("h2 id_sequences 100 shop " + Math.min(i, 2) + "/3 orders 1 100000");
            for (String statement : script.split(";", -1)) {
                if (!statement.isBlank()) {
                    memory.execute(i, statement);
                }
            }
        }
        WindowAgent first = new WindowAgent(memory.list(0, 1, 2).plain(), 3);
        WindowAgent second = new WindowAgent(memory.list(0, 1, 3).plain(), 3);
        first.topUp();
        assertRefused(second::topUp, "of the list [", "and not of this list, [");
        first.topUp();
        memory.allWindows("orders");
        assertThat(memory.windows(3, "orders")).isEmpty();
    }

    @Test
    void flywayRunsIt() throws Exception {
        Files.writeString(directory.resolve("V1__integers.sql"), printed(SHOP));
        Flyway flyway = flyway("filesystem:" + directory);
        assertThat(flyway.migrate().migrationsExecuted).isEqualTo(1);
        assertServes();
        assertThat(flyway.migrate().migrationsExecuted).isZero();
    }

    private Flyway flyway(String location) {
        return Flyway.configure().dataSource(database).locations(location).load();
    }

    @Test
    void liquibaseRunsIt() throws Exception {
        Files.writeString(
                directory.resolve("integers.sql"),
                "--liquibase formatted sql\n--changeset shop:integers\n" + printed(SHOP));
        runLiquibase(new DirectoryResourceAccessor(directory), "integers.sql");
        assertServes();
    }

    private void runLiquibase(ResourceAccessor files, String changelog) throws Exception {
        Scope.child(Map.of(Scope.Attr.resourceAccessor.name(), files), () -> {
            new CommandScope("update")
                    .addArgumentValue("changelogFile", changelog)
                    .addArgumentValue("url", database.getURL())
                    .execute();
        });
    }

    // --- the files in the jar

    private void assertGrants() throws InterruptedException {
        try (JdbcSnowcast snowcast = JdbcSnowcast.of(database)) {
            SnowcastSequencer orders = snowcast.createSequencer("orders", SnowcastEpoch.byTimestamp(0));
            assertThat(orders.next()).isNotZero();
        }
    }

    @Test
    void flywayRunsTheFileOfTheJar() throws Exception {
        Flyway flyway = flyway("classpath:com/noctarius/snowcast/jdbc/h2");
        assertThat(flyway.migrate().migrationsExecuted).isEqualTo(1);
        assertGrants();
        assertThat(flyway.migrate().migrationsExecuted).isZero();
        assertGrants();
    }

    @Test
    void liquibaseRunsTheFileOfTheJar() throws Exception {
        runLiquibase(new ClassLoaderResourceAccessor(), "snowcast-changelog.yaml");
        assertGrants();
        assertThat(Files.readString(Path.of("../../docs/sql.md")))
                .contains(Files.readString(Path.of("src/test/resources/snowcast-changelog.yaml")));
    }

    /** Spring Boot replaces {@code {vendor}} in the location by the kind of the database, such as {@code h2}. */
    @Test
    void thereIsAFileForEachKindOfDatabase() throws Exception {
        assertThat(Files.readString(Path.of("../../docs/sql.md")))
                .contains("classpath:com/noctarius/snowcast/jdbc/{vendor}");
        for (String vendor : new String[] {"postgresql", "h2", "mariadb", "mysql"}) {
            assertThat(Dialect.resource(vendor + "/R__snowcast_leases.sql")).contains("SELECT 1, 'new', 0, 0, 0");
        }
    }

    // --- the script

    @Test
    void eachShardHasAScriptOfItsOwn() {
        assertThat(printed("postgresql ids.numbers 1000 shop 2/3"))
                .contains("CREATE TABLE IF NOT EXISTS ids.numbers (", "CREATE TABLE IF NOT EXISTS ids.numbers_names (")
                .contains("VALUES (1, 2, 3, 1000, 'shop');", "md5(random()")
                .doesNotContain("id_sequences", "--", "ENGINE");
        assertThat(printed("mysql id_sequences 1000 a\\b 0/1")).contains("ENGINE = InnoDB", "1000, 'a\\\\b');");
    }

    /** The same integer as {@code defineSequence} stores. */
    @Test
    void theHighestLastValueIsThatOfADefinition() {
        assertThat(printed("h2 ids 1000 shop 0/1 orders 5 " + Long.MAX_VALUE))
                .contains("VALUES ('orders', 5, 9223372036854775806);");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            h2                                    | usage: postgresql
            oracle ids 1000 shop 0/1              | usage: postgresql
            h2 ids 1000 shop 0/1 orders 1         | usage: postgresql
            h2 i-ds 1000 shop 0/1                 | tableName must be
            h2 ids 0 shop 0/1                     | WINDOW_SIZE must be a number from 1
            h2 ids 1000 shop 1/1                  | INDEX/COUNT must be such as 0/1 or 2/3: 1/1
            h2 ids 1000 shop 0/1 orders 5 4       | LAST must be a number from 5
            h2 ids 1000 shop 0/1 orders x 4       | FIRST must be a number from 0
            """)
    void wrongArgumentsAreRefused(String arguments, String reason) {
        assertThat(printed(arguments)).startsWith(reason);
    }
}
