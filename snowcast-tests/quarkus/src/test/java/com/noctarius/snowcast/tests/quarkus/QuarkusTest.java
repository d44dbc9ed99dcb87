// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests.quarkus;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.junit.main.LaunchResult;
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

/** Tests the beans of snowcast-quarkus and the code of docs/quarkus.md in a Quarkus application without Hazelcast. */
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
    void everythingThatIsConfiguredIsABeanAndTheNodeIdIsFreeAtTheEnd(QuarkusMainLauncher launcher) throws SQLException {
        LaunchResult result = launcher.launch();
        assertThat(line(result, "Named")).isEqualTo("orders invoices 1024");
        assertThat(line(result, "Stored")).matches("\\[(\\d{15,19}), 1000, \\{\"id\":\"\\1\",\"article\":\"bread\"}]");
        assertThat(line(result, "Ready"))
                .contains("\"name\":\"snowcast\",\"status\":\"UP\"")
                .containsPattern("\"sequencers.orders\":\"node ID \\d+, lease for PT4M.*\"")
                .containsPattern("\"node-leases.workers\":\"node ID \\d+, lease for PT4M.*\"")
                .containsPattern("\"sequences.invoices\":\"\\d+ integers reserved\"");
        assertThat(line(result, "Meters"))
                .contains(
                        "snowcast.clock.steps",
                        "snowcast.lease.node.id",
                        "snowcast.sequence.remaining",
                        "snowcast.sequencer.renewal.failures",
                        "snowcast.sequencer.lease.remaining",
                        "snowcast.sequencer.node.id",
                        "snowcast.sequencer.nodes.attached");
        assertThat(line(result, "Issued")).isEqualTo(Shop.IDS + 1 + ".0");
        assertThat(leasedNodeIds()).isZero();
        Set<String> ids = new HashSet<>(List.of(line(result, "IDs").split(" ")));
        // The node ID is free also if the meters cannot be closed.
        ids.addAll(List.of(line(launcher.launch("failing-meters"), "IDs").split(" ")));
        assertThat(ids).hasSize(2 * Shop.IDS);
        assertThat(leasedNodeIds()).isZero();
    }

    private static String line(LaunchResult result, String name) {
        return result.getOutputStream().stream()
                .filter(printed -> printed.startsWith(name + " "))
                .findFirst()
                .orElseThrow()
                .substring(name.length() + 1);
    }

    private int leasedNodeIds() throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM shop_nodes WHERE attached = 1")) {
            rows.next();
            return rows.getInt(1);
        }
    }

    @Test
    void wrongPropertyEndsTheStartAndIsNamed(QuarkusMainLauncher launcher) {
        String property = "snowcast.sequencers.orders.layout";
        System.setProperty(property, "positiv");
        try {
            LaunchResult result = launcher.launch();
            assertThat(result.exitCode()).isNotZero();
            assertThat(result.getErrorOutput() + result.getOutput())
                    .contains(property + " must be default, positive, javascript, or the bits of time, node ID and"
                            + " counter, such as 41/13/10: positiv (layout must be default, positive,"
                            + " javascript, or bits such as 41/13/10: positiv)");
        } finally {
            System.clearProperty(property);
        }
    }

    @Test
    void codeOfTheDocumentIsTheCodeThatIsTested() throws Exception {
        String document = Files.readString(Path.of("../../docs/quarkus.md"));
        List<String> java = snippets(document, "java");
        String sources = "src/test/java/" + getClass().getPackageName().replace('.', '/');
        assertThat(java).hasSize(3);
        assertThat(Files.readString(Path.of(sources, "IdsInJson.java"))).endsWith("\n" + java.get(2));
        assertThat(Files.readString(Path.of(sources, "OrderDesk.java"))).endsWith("\n" + java.get(0));
        assertThat(Files.readString(Path.of(sources, "Purchase.java"))).endsWith("\n" + java.get(1));
        List<String> properties = snippets(document, "properties");
        assertThat(properties).isNotEmpty();
        String tested = Files.readString(Path.of("src/test/resources/application.properties"));
        assertThat(tested).startsWith(properties.get(0));
        assertThat(properties.subList(1, properties.size()))
                .allSatisfy(more -> assertThat(tested).contains("\n" + more));
        assertThat(document).contains("Quarkus " + System.getProperty("tested.version"));
    }

    private static List<String> snippets(String document, String language) {
        return Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
                .matcher(document)
                .results()
                .map(match -> match.group(1))
                .toList();
    }
}
