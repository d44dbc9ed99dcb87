// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static java.util.function.Predicate.not;
import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.tests.FormerCall.Shows;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** Tests that each call of versions 1 and 2 in the documents has a test; {@code -Dtables=write} writes the tables. */
class FormerCallTablesTest {
    private static final Path SAME = Path.of("../../docs/dev/evidence.md");
    private static final Path DIFFERENT = Path.of("../../docs/migration/snowcast-1-and-2.md");

    @Test
    void eachRowIsShownByATest() {
        Set<JavaMethod> methods = new ClassFileImporter()
                .importPackages("com.noctarius.snowcast.tests").stream()
                        .flatMap(type -> type.getMethods().stream())
                        .filter(method -> method.isAnnotatedWith(Shows.class))
                        .collect(Collectors.toSet());

        assertThat(methods)
                .allMatch(method ->
                        method.isAnnotatedWith(Test.class) || method.isAnnotatedWith(ParameterizedTest.class));
        assertThat(methods.stream()
                        .flatMap(method -> Arrays.stream(
                                method.getAnnotationOfType(Shows.class).value()))
                        .collect(Collectors.toSet()))
                .isEqualTo(EnumSet.allOf(FormerCall.class));
    }

    @Test
    void theDocumentsHaveTheRows() throws IOException {
        requireTable(SAME, "what stays", table("| call | snowcast 1, 2 and 3 |", FormerCall::isSame));
        requireTable(
                DIFFERENT, "what is different", table("| | snowcast 1 and 2 | snowcast 3 |", not(FormerCall::isSame)));
    }

    private static void requireTable(Path page, String name, String table) throws IOException {
        String rendered = replace(Files.readString(page), name, table);
        if ("write".equals(System.getProperty("tables"))) {
            Files.writeString(page, rendered);
        }
        assertThat(rendered)
                .as("%s; -Dtest=FormerCallTablesTest -Dtables=write writes it again", page)
                .isEqualTo(Files.readString(page));
    }

    private static String table(String head, Predicate<FormerCall> isInIt) {
        String rule =
                "|" + "---|".repeat((int) head.chars().filter(c -> c == '|').count() - 1);
        return Arrays.stream(FormerCall.values())
                .filter(isInIt)
                .map(FormerCall::row)
                .collect(Collectors.joining("\n", head + '\n' + rule + '\n', "\n"));
    }

    /** Replaces the text between two comments with a name. */
    private static String replace(String page, String name, String text) {
        Matcher matcher = Pattern.compile("(<!-- " + name + " -->\n).*(<!-- /" + name + " -->)", Pattern.DOTALL)
                .matcher(page);
        assertThat(matcher.find()).as(name).isTrue();
        return matcher.replaceFirst("$1" + Matcher.quoteReplacement(text) + "$2");
    }
}
