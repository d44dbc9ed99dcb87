// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.micronaut;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.context.ApplicationContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The beans of docs/micronaut.md in contexts of Micronaut, with Micronaut Data, which wraps the {@code DataSource}. */
@Tag("integration")
class MicronautTest {
    private static final int IDS = 1_000;
    private static final String URL = "jdbc:h2:mem:micronaut;DB_CLOSE_DELAY=-1";

    @Test
    void nodeIdsAreLeasedWhileAContextRuns() throws Exception {
        Set<Long> ids = new HashSet<>();
        try (ApplicationContext first = run()) {
            issue(first, ids);
            try (ApplicationContext second = run()) {
                issue(second, ids);
                assertThat(leasedNodeIds()).hasSize(2);
            }
            assertThat(leasedNodeIds()).hasSize(1);
            issue(first, ids);
        }
        assertThat(leasedNodeIds()).isEmpty();
        assertThat(ids).hasSize(3 * IDS);
    }

    private static ApplicationContext run() {
        return ApplicationContext.run(Map.of("datasources.default.url", URL));
    }

    private static void issue(ApplicationContext context, Set<Long> ids) throws InterruptedException {
        OrderDesk desk = context.getBean(OrderDesk.class);
        for (int i = 0; i < IDS; i++) {
            ids.add(desk.newOrderId());
        }
    }

    private static List<Integer> leasedNodeIds() throws SQLException {
        List<Integer> nodeIds = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(URL, "sa", "");
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT node_id FROM snowcast_nodes WHERE attached = 1")) {
            while (rows.next()) {
                nodeIds.add(rows.getInt(1));
            }
        }
        return nodeIds;
    }

    @Test
    void codeOfTheDocumentIsTheCodeThatIsTested() throws Exception {
        String document = Files.readString(Path.of("../../docs/micronaut.md"));
        List<String> snippets = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
                .matcher(document)
                .results()
                .map(match -> match.group(1))
                .toList();
        String sources = "src/test/java/" + getClass().getPackageName().replace('.', '/');
        assertThat(snippets).hasSize(2);
        assertThat(Files.readString(Path.of(sources, "Ids.java"))).endsWith("\n" + snippets.get(0));
        assertThat(Files.readString(Path.of(sources, "OrderDesk.java"))).endsWith("\n" + snippets.get(1));
        assertThat(document).contains("Micronaut " + System.getProperty("tested.version"));
    }
}
