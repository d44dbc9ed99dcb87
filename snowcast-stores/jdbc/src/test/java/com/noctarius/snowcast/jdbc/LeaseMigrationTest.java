// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.SnowcastEpoch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import liquibase.Scope;
import liquibase.command.CommandScope;
import liquibase.resource.ClassLoaderResourceAccessor;
import liquibase.resource.ResourceAccessor;
import org.flywaydb.core.Flyway;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that migration tools create the tables from the files in the jar, as {@code docs/sql.md} describes. */
@Tag("integration")
class LeaseMigrationTest {
    private final JdbcDataSource database = new JdbcDataSource();

    LeaseMigrationTest() {
        database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    }

    private void assertServes() throws InterruptedException {
        try (JdbcSnowcast snowcast = JdbcSnowcast.of(database)) {
            assertThat(snowcast.createSequencer("orders", SnowcastEpoch.byTimestamp(0))
                            .next())
                    .isNotZero();
        }
    }

    @Test
    void flywayRunsTheFileOfTheJar() throws Exception {
        Flyway flyway = Flyway.configure()
                .dataSource(database)
                .locations("classpath:com/noctarius/snowcast/jdbc/h2")
                .load();
        assertThat(flyway.migrate().migrationsExecuted).isEqualTo(1);
        assertServes();
        assertThat(flyway.migrate().migrationsExecuted).isZero();
        assertServes();
    }

    @Test
    void liquibaseRunsTheFileOfTheJar() throws Exception {
        ResourceAccessor files = new ClassLoaderResourceAccessor();
        Scope.child(Map.of(Scope.Attr.resourceAccessor.name(), files), () -> {
            new CommandScope("update")
                    .addArgumentValue("changelogFile", "snowcast-changelog.yaml")
                    .addArgumentValue("url", database.getURL())
                    .execute();
        });
        assertServes();
        assertThat(Files.readString(Path.of("../../docs/sql.md")))
                .contains(Files.readString(Path.of("src/test/resources/snowcast-changelog.yaml")));
    }

    /** Spring Boot replaces {@code {vendor}} in the location by the kind of the database, such as {@code h2}. */
    @Test
    void thereIsAFileForEachKindOfDatabase() throws IOException {
        String location = "classpath:com/noctarius/snowcast/jdbc/{vendor}";
        assertThat(Files.readString(Path.of("../../docs/sql.md"))).contains(location);
        for (String vendor : new String[] {"postgresql", "h2", "mariadb", "mysql"}) {
            assertThat(Dialect.resource(vendor + "/R__snowcast_leases.sql")).contains("SELECT 1, 'new', 0, 0, 0");
        }
    }
}
