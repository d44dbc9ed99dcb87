// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the baseline has besides its API: docs/reference/compatibility.md says what of it stays. */
class BaselineTest {
    private static final Path ROOT = Path.of("../..");
    private static final Path BASELINE = ROOT.resolve("snowcast-tests/baseline");

    /** Whoever changes a table has to say how the tables of users come to be like it. */
    @ParameterizedTest
    @CsvSource({
        "snowcast-jdbc, snowcast-stores/jdbc, com/noctarius/snowcast/jdbc/postgresql.sql",
        "snowcast-jdbc, snowcast-stores/jdbc, com/noctarius/snowcast/jdbc/mariadb.sql",
        "snowcast-cassandra, snowcast-stores/cassandra, com/noctarius/snowcast/cassandra/cassandra.cql"
    })
    void tablesAreAsTheyWere(String artifact, String module, String resource) throws IOException {
        assertThat(statements(present(module, resource)))
                .isEqualTo(statements(baseline(artifact, resource)))
                .isNotEmpty();
    }

    private static List<String> statements(String script) {
        return script.lines()
                .filter(line -> !line.strip().startsWith("--"))
                .map(line -> line.strip().replaceAll("\\s+", " "))
                .filter(line -> !line.isEmpty())
                .toList();
    }

    @ParameterizedTest
    @CsvSource({
        "META-INF/spring-configuration-metadata.json, '\"name\": \"(.*?)\"'",
        "com/noctarius/snowcast/spring/snowcast-3.0.xsd, '\\bname=\"(.*?)\"'"
    })
    void settingsOfSpringKeepTheirNames(String resource, String name) throws IOException {
        Set<String> former = names(baseline("snowcast-spring", resource), name);

        assertThat(former).hasSizeGreaterThan(20);
        assertThat(names(present("snowcast-spring/starter", resource), name)).containsAll(former);
    }

    private static Set<String> names(String text, String pattern) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map((MatchResult match) -> match.group(1))
                .collect(Collectors.toSet());
    }

    /**
     * What is written in a version of the wire format is written so for ever; a later version adds samples of its own.
     */
    @Test
    void samplesOfMessagesStay() throws IOException {
        assertThat(Files.readAllLines(ROOT.resolve(
                        "snowcast-core/src/test/resources/com/noctarius/snowcast/internal/wire/messages.txt")))
                .containsSubsequence(Files.readAllLines(BASELINE.resolve("messages.txt")));
    }

    private static String present(String module, String resource) throws IOException {
        return Files.readString(
                ROOT.resolve(module).resolve("src/main/resources").resolve(resource));
    }

    private static String baseline(String artifact, String resource) throws IOException {
        try (JarFile jar = new JarFile(BASELINE.resolve(artifact + ".jar").toFile());
                InputStream in = jar.getInputStream(requireNonNull(jar.getEntry(resource), resource))) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }
}
