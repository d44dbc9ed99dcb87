// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.explorer;

import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Tests that each method named in the specification in docs/dev/spec exists, and that README.md there explains every
 * rule.
 */
class SpecificationTest {
    private static final Path SPEC = Path.of("../docs/dev/spec");
    private static final Path MAIN = Path.of("src/main/java");

    private static final Pattern METHOD = Pattern.compile("\\b[A-Z][a-z]\\w+\\.(?!tla|cfg)[a-z]\\w+\\b");

    /** Matches an operator of the specification, together with the comment above it. */
    private static final Pattern OPERATOR =
            Pattern.compile("(?m)((?:^\\\\\\*.*\n)*)^(\\w+)(?:\\([\\w, ]+\\))? ==(.*(?:\n(?! *$).*)*)");

    private final String module = read("Grants.tla");
    private final String page = read("README.md");

    private static String read(String file) {
        try {
            return Files.readString(SPEC.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<MatchResult> matches(Pattern pattern, String text) {
        return pattern.matcher(text).results();
    }

    private static Stream<MatchResult> matches(String pattern, String text) {
        return matches(Pattern.compile(pattern), text);
    }

    @Test
    void methodThatIsNamedExists() throws IOException {
        Map<String, Path> sources = sources();
        Set<String> named =
                matches(METHOD, module + page).map(MatchResult::group).collect(toSet());
        assertThat(named).hasSizeGreaterThan(30).allSatisfy(name -> {
            String type = name.substring(0, name.indexOf('.'));
            assertThat(sources).containsKey(type);
            assertThat(methods(Objects.requireNonNull(sources.get(type)))).contains(name.substring(type.length() + 1));
        });
    }

    private static Map<String, Path> sources() throws IOException {
        try (Stream<Path> files = Files.walk(MAIN)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> !file.endsWith("package-info.java"))
                    .collect(toMap(file -> file.getFileName().toString().replace(".java", ""), MAIN::relativize));
        }
    }

    private static Set<String> methods(Path source) throws ClassNotFoundException {
        String name = source.toString()
                .replace(".java", "")
                .replace(source.getFileSystem().getSeparator(), ".");
        return Arrays.stream(Class.forName(name).getDeclaredMethods())
                .map(Method::getName)
                .collect(toSet());
    }

    /**
     * The comment of each operator that changes a copy of the table or a holder must name a Java method. {@code Init}
     * is an exception.
     */
    @Test
    void eachActionNamesAMethod() {
        List<MatchResult> operators = matches(OPERATOR, module).toList();
        List<String> without = operators.stream()
                .filter(operator ->
                        operator.group(3).contains("copy'") || operator.group(3).contains("holder'"))
                .filter(operator -> !List.of("Init").contains(operator.group(2)))
                .filter(operator -> matches(METHOD, operator.group(1)).findAny().isEmpty())
                .map(operator -> operator.group(2))
                .toList();
        assertThat(operators).hasSizeGreaterThan(40);
        assertThat(without).isEmpty();
    }

    @Test
    void eachRuleIsInTheTableOfThePage() {
        Set<String> rules = matches("Holds\\(\"(\\w+)\"\\)", module)
                .map(match -> match.group(1))
                .collect(toSet());
        Set<String> rows = matches("(?m)^\\| `([A-Z_]+)` \\|", page)
                .map(match -> match.group(1))
                .collect(toSet());
        assertThat(rules).hasSizeGreaterThan(15);
        assertThat(rows).isEqualTo(rules);
    }

    /** The page must also name those rules of the explorer that the specification does not have. */
    @Test
    void eachRuleOfTheExplorerIsOnThePage() {
        assertThat(Arrays.stream(Mutation.values()).filter(mutation -> mutation != Mutation.NONE))
                .allSatisfy(mutation -> assertThat(page).contains("`" + mutation + "`"));
    }

    @Test
    void theInvariantsAreChecked() throws IOException {
        Set<String> invariants = Set.of("GrantsAreDisjoint", "HolderStaysInGrant", "SlotsIncrease", "NoIdTwice");
        try (Stream<Path> files = Files.list(SPEC)) {
            List<Path> configurations =
                    files.filter(file -> file.toString().endsWith(".cfg")).toList();
            assertThat(configurations).hasSizeGreaterThan(2);
            for (Path configuration : configurations) {
                assertThat(Files.readString(configuration)).contains("LeftOut = {}");
                assertThat(Files.readString(configuration).split("\\s+")).containsAll(invariants);
            }
        }
        assertThat(module.split("\\s+")).containsAll(invariants);
    }
}
