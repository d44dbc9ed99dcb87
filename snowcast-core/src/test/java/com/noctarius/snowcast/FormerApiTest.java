// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests that every public type and member of snowcast 1 and 2 still exists, or is in {@code former-api-gone.txt}. */
class FormerApiTest {
    private static final Pattern FORMER = Pattern.compile("(1 2|1  |  2) (\\S.*)");
    private static final Pattern GONE = Pattern.compile("(\\S.*) -- (\\S.*)");
    private static final Pattern TYPE = Pattern.compile("(?:interface|class|enum) (\\S+)");

    @Test
    void whatVersions1And2HadIsThereOrKnownToBeGone() throws IOException {
        Set<String> former = new TreeSet<>(lines("former-api.txt", FORMER, 2).keySet());
        Set<String> missing = new TreeSet<>(former);
        missing.removeAll(present(former));
        Map<String, String> gone = lines("former-api-gone.txt", GONE, 1);

        assertThat(former).hasSizeGreaterThan(70);
        assertThat(missing).isEqualTo(gone.keySet());
    }

    /**
     * Returns a list's lines, without comments and empty lines. The key of a line is the text that group number
     * {@code key} of the pattern matches in it.
     */
    private static Map<String, String> lines(String list, Pattern pattern, int key) throws IOException {
        Map<String, String> lines = new HashMap<>();
        try (InputStream in = requireNonNull(FormerApiTest.class.getResourceAsStream(list))) {
            new String(in.readAllBytes(), UTF_8)
                    .lines()
                    .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .forEach(line -> {
                        Matcher matcher = pattern.matcher(line);
                        assertThat(matcher.matches()).as(line).isTrue();
                        assertThat(lines.put(matcher.group(key), line))
                                .as("%s twice", line)
                                .isNull();
                    });
        }
        return lines;
    }

    /**
     * Returns the types of a list that still exist, with their supertypes and public members, in the format of the
     * list.
     */
    private static Set<String> present(Set<String> former) {
        return former.stream()
                .map(TYPE::matcher)
                .filter(Matcher::matches)
                .map(type -> type.group(1))
                .flatMap(FormerApiTest::publicType)
                .flatMap(FormerApiTest::describe)
                .collect(Collectors.toSet());
    }

    private static Stream<Class<?>> publicType(String name) {
        try {
            return Stream.<Class<?>>of(Class.forName("com.noctarius.snowcast." + name))
                    .filter(type -> Modifier.isPublic(type.getModifiers()));
        } catch (ClassNotFoundException e) {
            return Stream.empty();
        }
    }

    private static Stream<String> describe(Class<?> type) {
        String kind = type.isInterface() ? "interface" : type.isEnum() ? "enum" : "class";
        return Stream.of(
                        Stream.of(kind + ' ' + type.getSimpleName()),
                        supertypes(type).map(above -> type.getSimpleName() + " is a " + above.getSimpleName()),
                        Arrays.stream(type.getFields()).map(FormerApiTest::describe),
                        Arrays.stream(type.getConstructors()).map(FormerApiTest::describe),
                        Arrays.stream(type.getMethods()).map(method -> describe(type, method)))
                .flatMap(each -> each);
    }

    private static Stream<Class<?>> supertypes(Class<?> type) {
        return Stream.concat(Stream.ofNullable(type.getSuperclass()), Arrays.stream(type.getInterfaces()))
                .flatMap(above -> Stream.concat(Stream.of(above), supertypes(above)));
    }

    private static String describe(Field field) {
        return field.getDeclaringClass().getSimpleName() + '.' + field.getName();
    }

    private static String describe(Constructor<?> constructor) {
        return "new " + constructor.getDeclaringClass().getSimpleName() + parameters(constructor) + thrown(constructor);
    }

    private static String describe(Class<?> type, Method method) {
        return (Modifier.isStatic(method.getModifiers()) ? "static " : "")
                + type.getSimpleName() + '.' + method.getName() + parameters(method) + ": "
                + method.getReturnType().getSimpleName() + thrown(method);
    }

    private static String parameters(Executable executable) {
        return Arrays.stream(executable.getParameterTypes())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(", ", "(", ")"));
    }

    private static String thrown(Executable executable) {
        String types = Arrays.stream(executable.getExceptionTypes())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(", "));
        return types.isEmpty() ? "" : " throws " + types;
    }
}
