// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What can be said of a release before it is built; {@code ReleaseDirectoryTest} looks at what was built. */
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
    void theParentSaysTheRest() throws IOException {
        Pom parent = Pom.tree(ROOT).get(0);
        assertThat(parent.text("properties/project.place"))
                .startsWith("https://")
                .doesNotEndWith("/");
        assertThat(List.of("url", "scm/url", "scm/connection", "scm/developerConnection"))
                .allSatisfy(path -> assertThat(parent.text(path)).as(path).contains("${project.place}"));
        assertThat(parent.texts("licenses/license/url"))
                .containsExactly("https://www.apache.org/licenses/LICENSE-2.0.txt");
        assertThat(parent.texts("developers/developer/name")).isNotEmpty();
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

    @Test
    void theVersionOfAPluginIsInTheRootPomAndThereOnce() throws IOException {
        List<Pom> tree = Pom.tree(ROOT);
        Map<String, Integer> versions = new TreeMap<>();
        for (Pom pom : tree) {
            pom.everywhere("plugin").stream()
                    .filter(plugin -> !Pom.text(plugin, "version").isEmpty())
                    .forEach(plugin ->
                            versions.merge(tree.indexOf(pom) + " " + Pom.text(plugin, "artifactId"), 1, Integer::sum));
        }
        assertThat(versions).hasSizeGreaterThan(15);
        assertThat(versions.keySet()).allMatch(plugin -> plugin.startsWith("0 "));
        assertThat(versions.values()).containsOnly(1);
    }
}
