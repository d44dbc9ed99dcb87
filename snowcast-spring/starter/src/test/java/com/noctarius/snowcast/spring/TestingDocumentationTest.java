// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests that the examples in docs/testing.md come from tests that run on this Boot version. */
class TestingDocumentationTest {
    private static final Path DOCUMENT = Path.of("../../docs/testing.md");
    /** The second directory has the tests that only this Boot version can compile. */
    private static final List<Path> SOURCES =
            List.of(Path.of("../../snowcast-spring/starter/src/test/java"), Path.of("src/test/java"));

    private static String withoutLayout(String code) {
        return code.replaceAll("\\s+", "");
    }

    private static Stream<String> sources(Path root) {
        try (Stream<Path> files = Files.walk(root)) {
            return files
                    .filter(file -> file.toString().endsWith(".java"))
                    .map(TestingDocumentationTest::read)
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return withoutLayout(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void eachSnippetIsPartOfATest() throws IOException {
        List<String> sources =
                SOURCES.stream().flatMap(TestingDocumentationTest::sources).toList();
        assertThat(Snippets.of(DOCUMENT, "java"))
                .hasSizeGreaterThan(10)
                .allSatisfy(snippet -> assertThat(sources).anyMatch(source -> source.contains(withoutLayout(snippet))));
    }

    /** {@link StandaloneTest} starts applications with these properties. */
    @Test
    void propertiesAreTheOnesThatAreTested() throws IOException {
        assertThat(Snippets.of(DOCUMENT, "properties"))
                .containsExactly("snowcast.standalone-node=0\n", "snowcast.standalone-node=${HOSTNAME}\n");
    }
}
