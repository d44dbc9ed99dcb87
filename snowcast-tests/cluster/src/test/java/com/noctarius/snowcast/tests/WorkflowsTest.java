// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** What GitHub reads is well-formed, and runs no action that somebody else could exchange. */
class WorkflowsTest {
    private static final Path ROOT = Path.of("../..");
    private static final Path GITHUB = ROOT.resolve(".github");
    private static final Pattern MODULE = Pattern.compile("<module>(.*?)</module>");
    private static final Pattern USES = Pattern.compile("(?m)^\\s*(?:- )?uses:(.*)$");
    private static final Pattern PINNED =
            Pattern.compile(" ([\\w.-]+/[\\w.-]+)[\\w./-]*@([0-9a-f]{40}) # v\\d+\\.\\d+\\.\\d+");

    static Stream<Path> files() throws IOException {
        return filesIn(GITHUB);
    }

    static Stream<Path> workflows() throws IOException {
        return filesIn(GITHUB.resolve("workflows"));
    }

    static Stream<Path> forms() throws IOException {
        return filesIn(GITHUB.resolve("ISSUE_TEMPLATE")).filter(path -> !path.endsWith("config.yml"));
    }

    private static Stream<Path> filesIn(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(path -> path.toString().matches(".*\\.ya?ml")).toList().stream();
        }
    }

    private static Map<Object, Object> load(Path file) throws IOException {
        LoaderOptions options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        return new Yaml(new SafeConstructor(options)).load(Files.readString(file));
    }

    /** A class that was renamed would run again without notice; one that was added by mistake would never run. */
    @Test
    void eachTestThatAChangeLeavesOutIsThere() throws IOException {
        try (Stream<Path> all = Files.walk(ROOT, 3)) {
            List<Path> lists = all.filter(path -> path.endsWith("nightly.txt") || path.endsWith("newest-boot-only.txt"))
                    .toList();
            assertThat(lists).hasSizeGreaterThan(1);
            for (Path list : lists) {
                Path module = Objects.requireNonNull(list.getParent());
                Set<String> names = new HashSet<>(testsOf(module));
                names.addAll(
                        testsOf(ROOT.resolve("snowcast-spring"))); // Which run in the modules of both lines of Boot.
                for (String pattern : Files.readAllLines(list)) {
                    PathMatcher matcher = list.getFileSystem().getPathMatcher("glob:" + pattern.replace("**/", ""));
                    assertThat(names).as("%s of %s", pattern, list).anyMatch(name -> matcher.matches(Path.of(name)));
                }
            }
        }
    }

    private static List<String> testsOf(Path directory) throws IOException {
        try (Stream<Path> sources = Files.walk(directory)) {
            return sources.map(path -> String.valueOf(path.getFileName()))
                    .filter(name -> name.endsWith("Test.java"))
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void fileIsYaml(Path file) throws IOException {
        assertThat(load(file)).isNotEmpty();
    }

    @Test
    void actionsArePinnedByCommit() throws IOException {
        Map<String, String> pins = new TreeMap<>();
        for (Path workflow : workflows().toList()) {
            for (String use : uses(workflow)) {
                Matcher pinned = PINNED.matcher(use);
                assertThat(pinned.matches())
                        .as("uses:%s of %s names a commit, and the version behind it", use, workflow)
                        .isTrue();
                String reference = use.substring(use.indexOf('@'));
                assertThat(pins.merge(pinned.group(1), reference, (first, other) -> first))
                        .as("an action has one version everywhere")
                        .isEqualTo(reference);
            }
        }
        assertThat(pins).containsKey("actions/checkout");
    }

    private static List<String> uses(Path workflow) throws IOException {
        List<String> uses = new ArrayList<>();
        Matcher matcher = USES.matcher(Files.readString(workflow));
        while (matcher.find()) {
            uses.add(matcher.group(1));
        }
        return uses;
    }

    @ParameterizedTest
    @MethodSource("workflows")
    void workflowMayOnlyReadUnlessAJobSaysOtherwise(Path workflow) throws IOException {
        assertThat(load(workflow).get("permissions")).isEqualTo(Map.of("contents", "read"));
    }

    @ParameterizedTest
    @MethodSource("workflows")
    void stepsRunSomething(Path workflow) throws IOException {
        Map<Object, Object> file = load(workflow);
        // YAML 1.1 takes "on" for a boolean.
        assertThat(file).containsKeys("name", true, "jobs");
        for (Map<Object, Object> job : maps(file, "jobs")) {
            assertThat(job).containsKeys("runs-on", "steps");
            assertThat(maps(job, "steps"))
                    .isNotEmpty()
                    .allMatch(step -> step.containsKey("uses") != step.containsKey("run"));
        }
    }

    @ParameterizedTest
    @MethodSource("forms")
    void formAsksOneQuestionAtATime(Path form) throws IOException {
        Map<Object, Object> file = load(form);
        assertThat(file).containsKeys("name", "description", "body");
        List<Map<Object, Object>> questions = maps(file, "body").stream()
                .filter(element -> !"markdown".equals(element.get("type")))
                .toList();
        assertThat(questions).isNotEmpty().allSatisfy(question -> {
            assertThat(question.get("type")).isIn("textarea", "input", "dropdown", "checkboxes");
            assertThat(question.get("attributes"))
                    .asInstanceOf(InstanceOfAssertFactories.MAP)
                    .containsKey("label");
        });
        assertThat(questions)
                .extracting(question -> question.get("id"))
                .doesNotContainNull()
                .doesNotHaveDuplicates();
    }

    /** Nor is a version held back that nothing uses any more. */
    @Test
    void dependencyThatStaysBehindIsUsed() throws IOException {
        StringBuilder poms = new StringBuilder(Files.readString(ROOT.resolve("pom.xml")));
        for (Matcher module = MODULE.matcher(poms.toString()); module.find(); ) {
            poms.append(Files.readString(ROOT.resolve(module.group(1)).resolve("pom.xml")));
        }
        List<String> ignored = new ArrayList<>();
        for (Map<Object, Object> update : maps(load(GITHUB.resolve("dependabot.yml")), "updates")) {
            if (update.containsKey("ignore")) {
                maps(update, "ignore").forEach(each -> ignored.add(String.valueOf(each.get("dependency-name"))));
            }
        }
        assertThat(ignored).isNotEmpty().allSatisfy(name -> {
            String artifact = name.substring(name.indexOf(':') + 1);
            assertThat(poms)
                    .as(name)
                    .containsPattern("<groupId>" + Pattern.quote(name.substring(0, name.indexOf(':')))
                            + "</groupId>\\s*<artifactId>"
                            + (artifact.equals("*") ? "" : Pattern.quote(artifact) + "<"));
        });
    }

    /** Returns the entries of a list, or the values of a map. */
    @SuppressWarnings("unchecked")
    private static List<Map<Object, Object>> maps(Map<Object, Object> parent, String key) {
        Object value = Objects.requireNonNull(parent.get(key), key);
        List<Map<Object, Object>> maps = new ArrayList<>();
        Iterable<?> entries = value instanceof Map<?, ?> map ? map.values() : (Iterable<?>) value;
        entries.forEach(entry -> maps.add((Map<Object, Object>) entry));
        return maps;
    }
}
