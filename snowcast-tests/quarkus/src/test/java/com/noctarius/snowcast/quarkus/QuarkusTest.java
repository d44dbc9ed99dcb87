// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.quarkus;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.junit.main.QuarkusMainLauncher;
import io.quarkus.test.junit.main.QuarkusMainTest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The beans of docs/quarkus.md in an application of Quarkus. */
@QuarkusMainTest
@Tag("integration")
class QuarkusTest {
    private static final String PROPERTY = "quarkus.datasource.jdbc.url";

    @TempDir
    Path directory;

    private String url;

    @BeforeEach
    void useNewDatabase() {
        url = "jdbc:h2:" + directory.resolve("shop") + ";WRITE_DELAY=0";
        System.setProperty(PROPERTY, url);
    }

    @AfterEach
    void clear() {
        System.clearProperty(PROPERTY);
    }

    @Test
    void nodeIdIsFreeWhenTheApplicationHasEnded(QuarkusMainLauncher launcher) throws SQLException {
        Set<String> ids = new HashSet<>();
        for (int run = 1; run <= 2; run++) {
            String line = launcher.launch().getOutputStream().stream()
                    .filter(printed -> printed.startsWith("IDs "))
                    .findFirst()
                    .orElseThrow();
            ids.addAll(List.of(line.substring("IDs ".length()).split(" ")));
            assertThat(ids).hasSize(run * Shop.IDS);
            assertThat(leasedNodeIds()).isZero();
        }
    }

    private int leasedNodeIds() throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM snowcast_nodes WHERE attached = 1")) {
            rows.next();
            return rows.getInt(1);
        }
    }

    @Test
    void codeOfTheDocumentIsTheCodeThatIsTested() throws Exception {
        String document = Files.readString(Path.of("../../docs/quarkus.md"));
        List<String> snippets = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
                .matcher(document)
                .results()
                .map(match -> match.group(1))
                .toList();
        String sources = "src/test/java/" + getClass().getPackageName().replace('.', '/');
        assertThat(snippets).hasSize(2);
        assertThat(Files.readString(Path.of(sources, "Ids.java"))).endsWith("\n" + snippets.get(0));
        assertThat(Files.readString(Path.of(sources, "OrderDesk.java"))).endsWith("\n" + snippets.get(1));
        assertThat(document).contains("Quarkus " + System.getProperty("tested.version"));
    }
}
