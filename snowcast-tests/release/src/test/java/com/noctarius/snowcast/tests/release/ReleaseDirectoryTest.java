// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Element;

/**
 * Tests that the release directory has everything that Maven Central requires. {@code .ci/release-check} makes the
 * directory from this source tree, and {@code -Drelease.directory=} names it.
 */
@Tag("release")
class ReleaseDirectoryTest {
    private static final Path ROOT = Path.of("../..");
    private static final Path DIRECTORY =
            Path.of(System.getProperty("release.directory", "release.directory is not set"));
    private static final Path GROUP = DIRECTORY.resolve("com/noctarius/snowcast");
    /** Applications, which have no API. */
    private static final Set<String> WITHOUT_API = Set.of("snowcast-cli", "snowcast-server");

    static Stream<Pom> published() throws IOException {
        return Pom.published(ROOT).stream();
    }

    static Stream<Pom> jars() throws IOException {
        return published().filter(Pom::isJar);
    }

    private static String version() throws IOException {
        return Pom.tree(ROOT).get(0).text("version");
    }

    private static Path file(Pom pom, String suffix) throws IOException {
        return GROUP.resolve(pom.artifact()).resolve(version()).resolve(pom.artifact() + "-" + version() + suffix);
    }

    private static Pom released(Pom pom) throws IOException {
        return Pom.read(file(pom, ".pom"));
    }

    @Test
    void itHasThePublishedArtifactsAndNoOthers() throws IOException {
        try (Stream<Path> artifacts = Files.list(GROUP)) {
            assertThat(artifacts.map(path -> path.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(
                            published().map(Pom::artifact).toList());
        }
    }

    @Test
    void theVersionIsOneThatMavenCentralTakes() throws IOException {
        assertThat(version()).doesNotEndWith("-SNAPSHOT");
    }

    @ParameterizedTest
    @MethodSource("jars")
    void everyJarComesWithAllThatBelongsToIt(Pom pom) throws IOException {
        for (String suffix :
                List.of(".jar", ".pom", "-sources.jar", "-javadoc.jar", "-cyclonedx.json", "-cyclonedx.xml")) {
            assertThat(file(pom, suffix)).isNotEmptyFile();
        }
    }

    /** Without the profile {@code sign}, no file is signed. */
    @Test
    void eitherEveryFileIsSignedOrNone() throws IOException {
        try (Stream<Path> files = Files.walk(GROUP)) {
            List<Path> published = files.filter(path -> path.toString().matches(".*\\.(pom|jar|json|xml)"))
                    .filter(path -> !path.endsWith("maven-metadata.xml"))
                    .toList();
            assertThat(published.stream()
                            .map(path -> Files.exists(Path.of(path + ".asc")))
                            .collect(Collectors.toSet()))
                    .hasSize(1);
        }
    }

    @ParameterizedTest
    @MethodSource("published")
    void everyPomStandsAloneAndSaysAll(Pom pom) throws IOException {
        Pom released = released(pom);
        assertThat(Files.readString(released.file())).doesNotContain("${").doesNotContain("SNAPSHOT");
        assertThat(released.elements("parent")).isEmpty();
        assertThat(released.elements("repositories")).isEmpty();
        assertThat(released.text("groupId")).isEqualTo("com.noctarius.snowcast");
        assertThat(released.artifact()).isEqualTo(pom.artifact());
        assertThat(released.text("version")).isEqualTo(version());
        for (String path : List.of(
                "name",
                "description",
                "url",
                "licenses/license/name",
                "licenses/license/url",
                "developers/developer/name",
                "scm/url",
                "scm/connection",
                "scm/developerConnection")) {
            assertThat(released.text(path)).as(path).isNotEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("published")
    void thePlaceIsFilledIn(Pom pom) throws IOException {
        Pom released = released(pom);
        assertThat(List.of("url", "scm/url", "scm/connection", "scm/developerConnection"))
                .allSatisfy(path -> assertThat(released.text(path)).doesNotContain(".invalid"));
    }

    @ParameterizedTest
    @MethodSource("published")
    void everyDependencyHasAVersion(Pom pom) throws IOException {
        assertThat(released(pom).everywhere("dependency")).isNotEmpty().allSatisfy(dependency -> {
            assertThat(Pom.text(dependency, "version")).isNotEmpty();
            assertThat(Pom.text(dependency, "scope")).isNotIn("test", "system");
        });
    }

    @Test
    void theBomManagesThisReleaseAndNothingElse() throws IOException {
        Pom bom = released(published().filter(pom -> !pom.isJar()).findFirst().orElseThrow());
        assertThat(bom.elements("dependencies")).isEmpty();
        assertThat(bom.texts("dependencyManagement/dependencies/dependency/groupId"))
                .containsOnly("com.noctarius.snowcast");
        assertThat(bom.texts("dependencyManagement/dependencies/dependency/version"))
                .containsOnly(version());
    }

    @ParameterizedTest
    @MethodSource("jars")
    void theJarHasItsLicenseAndModuleName(Pom pom) throws IOException {
        try (JarFile jar = new JarFile(file(pom, ".jar").toFile())) {
            assertThat(entries(jar)).contains("META-INF/LICENSE");
            assertThat(jar.getManifest().getMainAttributes().getValue("Automatic-Module-Name"))
                    .isEqualTo(pom.text("properties/module.name"));
        }
    }

    @ParameterizedTest
    @MethodSource("jars")
    void everyPackageOfTheApiIsDocumented(Pom pom) throws IOException {
        try (JarFile jar = new JarFile(file(pom, ".jar").toFile());
                JarFile javadoc = new JarFile(file(pom, "-javadoc.jar").toFile())) {
            String module = pom.text("properties/module.name") + "/";
            List<String> pages = entries(javadoc)
                    .map(page -> page.startsWith(module) ? page.substring(module.length()) : page)
                    .toList();
            if (WITHOUT_API.contains(pom.artifact())) {
                assertThat(pages).contains("README.md");
                return;
            }
            Set<String> packages = entries(jar)
                    .filter(entry -> entry.matches("com/noctarius/.*\\.class") && !entry.contains("/internal/"))
                    .map(entry -> entry.substring(0, entry.lastIndexOf('/')))
                    .collect(Collectors.toSet());
            assertThat(packages).isNotEmpty();
            assertThat(pages)
                    .contains("index.html")
                    .containsAll(packages.stream()
                            .map(name -> name + "/package-summary.html")
                            .toList());
            assertThat(pages.stream().filter(page -> page.matches("com/noctarius/.*/[A-Z]\\w+\\.html")))
                    .isNotEmpty();
        }
    }

    /** Returns the names of the entries, without the folder in which Spring Boot puts the classes. */
    private static Stream<String> entries(JarFile jar) {
        return jar.stream().map(entry -> entry.getName().replaceFirst("^BOOT-INF/classes/", ""));
    }

    @ParameterizedTest
    @MethodSource("jars")
    void theSbomHasWhatThePomBrings(Pom pom) throws IOException {
        String sbom = Files.readString(file(pom, "-cyclonedx.json"));
        List<Element> brought = released(pom).elements("dependencies/dependency").stream()
                .filter(dependency -> Set.of("", "compile", "runtime").contains(Pom.text(dependency, "scope")))
                .filter(dependency -> !Pom.text(dependency, "optional").equals("true"))
                .toList();
        assertThat(brought)
                .isNotEmpty()
                .allSatisfy(dependency -> assertThat(sbom)
                        .contains("\"pkg:maven/" + Pom.text(dependency, "groupId") + "/"
                                + Pom.text(dependency, "artifactId") + "@" + Pom.text(dependency, "version")
                                + "?type=jar\""));
        assertThat(sbom).doesNotContain("pkg:maven/com.tngtech.archunit/");
    }
}
