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
}
