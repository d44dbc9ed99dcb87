// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the POMs of a release before it is built. {@code ReleaseDirectoryTest} tests the built files. */
class PublishedPomsTest {
    private static final Path ROOT = Path.of("../..");

    @Test
    void theBomHasEveryPublishedJar() throws IOException {
        List<Pom> published = Pom.published(ROOT);
        Pom bom = published.stream()
                .filter(pom -> pom.artifact().equals("snowcast-bom"))
                .findFirst()
                .orElseThrow();
        assertThat(bom.texts("dependencyManagement/dependencies/dependency/artifactId"))
                .containsExactlyInAnyOrderElementsOf(
                        published.stream().filter(Pom::isJar).map(Pom::artifact).toList());
        assertThat(bom.texts("dependencyManagement/dependencies/dependency/version"))
                .containsOnly("${project.version}");
    }

    @Test
    void everyPublishedPomSaysWhatItIs() throws IOException {
        assertThat(Pom.published(ROOT)).hasSizeGreaterThan(10).allSatisfy(pom -> {
            assertThat(pom.text("name")).isNotEmpty();
            assertThat(pom.text("description")).isNotEmpty();
        });
    }

    @Test
    void everyPublishedJarHasAModuleNameOfItsOwn() throws IOException {
        List<String> names = Pom.published(ROOT).stream()
                .filter(Pom::isJar)
                .map(pom -> pom.text("properties/module.name"))
                .toList();
        assertThat(names)
                .doesNotHaveDuplicates()
                .allSatisfy(name -> assertThat(name).startsWith("com.noctarius.snowcast"));
    }
}
