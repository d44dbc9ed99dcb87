// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.hazelcast.core.HazelcastInstance;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that each supported Hazelcast version has the private classes and members that snowcast uses. Hazelcast changes
 * them without notice, so add a new Hazelcast version to this test before you support it.
 */
@Tag("integration")
class PrivateHazelcastTest {
    private static final URL OURS =
            SnowcastLayout.class.getProtectionDomain().getCodeSource().getLocation();

    private static final String USED =
            PrivateHazelcast.usedBy(ArchitectureTest.CLASSES).text();

    /**
     * Returns the path that the jar of a version has in the local Maven repository, such as
     * {@code …/hazelcast/5.7.0/hazelcast-5.7.0.jar}.
     */
    private static Path jarOf(String version) throws URISyntaxException {
        Path present = Path.of(HazelcastInstance.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        return present.resolve("../..").normalize().resolve(version).resolve("hazelcast-" + version + ".jar");
    }

    @ParameterizedTest
    @ValueSource(strings = {"5.4.0", "5.5.0", "5.6.0", "5.7.0"})
    void allOfItIsThere(String version) throws Exception {
        assertThat(USED.lines()).hasSizeGreaterThan(100);
        assertThat(missingIn(version)).isEmpty();
    }

    /** If a newer Hazelcast adds an abstract method to a type that snowcast implements, a call of that method fails. */
    @ParameterizedTest
    @ValueSource(strings = {"5.4.0", "5.5.0", "5.6.0", "5.7.0"})
    void nothingIsLeftUnimplemented(String version) throws Exception {
        assumeThat(jarOf(version)).exists();
        List<String> unimplemented = new ArrayList<>();
        try (URLClassLoader loader = loader(version);
                Stream<Path> classes = Files.walk(Path.of(OURS.toURI()).resolve("com/noctarius/snowcast/internal"))) {
            for (Path path : classes.filter(
                            path -> path.toString().matches(".*internal.(cluster|client|hazelcast).*class"))
                    .toList()) {
                String name = Path.of(OURS.toURI())
                        .relativize(path)
                        .toString()
                        .replace(".class", "")
                        .replace('/', '.');
                if (!name.endsWith("package-info")) {
                    unimplementedOf(Class.forName(name, false, loader)).forEach(unimplemented::add);
                }
            }
        }
        assertThat(unimplemented).isEmpty();
    }

    private static URLClassLoader loader(String version) throws Exception {
        return new URLClassLoader(
                new URL[] {OURS, jarOf(version).toUri().toURL()}, ClassLoader.getPlatformClassLoader());
    }

    private static Stream<String> unimplementedOf(Class<?> type) {
        if (Modifier.isAbstract(type.getModifiers())) {
            return Stream.of();
        }
        Set<String> implemented = supertypes(type).stream()
                .flatMap(above -> Arrays.stream(above.getDeclaredMethods()))
                .filter(method -> !Modifier.isAbstract(method.getModifiers()))
                .map(PrivateHazelcastTest::text)
                .collect(Collectors.toSet());
        return supertypes(type).stream()
                .flatMap(above -> Arrays.stream(above.getDeclaredMethods()))
                .filter(method -> Modifier.isAbstract(method.getModifiers()))
                .map(PrivateHazelcastTest::text)
                .filter(method -> !implemented.contains(method))
                .map(method -> type.getName() + ": " + method);
    }

    private static List<String> missingIn(String version) throws Exception {
        assumeThat(jarOf(version)).exists();
        List<String> missing = new ArrayList<>();
        try (URLClassLoader loader = loader(version)) {
            String type = "";
            Set<String> present = Set.of();
            for (String line : USED.lines().toList()) {
                if (!line.startsWith(" ")) {
                    type = line;
                    present = membersOf(type, loader);
                }
                if (line.startsWith(" ") ? !present.contains(line.strip()) : present.isEmpty()) {
                    missing.add(line.equals(type) ? type : type + "." + line.strip());
                }
            }
        }
        return missing;
    }

    /** Returns the name of a type, and the members of the type and its supertypes; empty if the type does not exist. */
    private static Set<String> membersOf(String name, ClassLoader loader) {
        Class<?> type;
        try {
            type = Class.forName(name, false, loader);
        } catch (ClassNotFoundException e) {
            return Set.of();
        }
        Set<String> members = new LinkedHashSet<>(Set.of(name));
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            members.add("<init>" + parameters(constructor.getParameterTypes()) + " void");
        }
        for (Class<?> above : supertypes(type)) {
            for (Method method : above.getDeclaredMethods()) {
                members.add(text(method));
            }
            for (Field field : above.getDeclaredFields()) {
                members.add(field.getName() + " " + field.getType().getName());
            }
        }
        return members;
    }

    private static String text(Method method) {
        return method.getName() + parameters(method.getParameterTypes()) + " "
                + method.getReturnType().getName();
    }

    private static String parameters(Class<?>[] types) {
        return Arrays.stream(types).map(Class::getName).collect(Collectors.joining(", ", "(", ")"));
    }

    private static Set<Class<?>> supertypes(Class<?> type) {
        Set<Class<?>> all = new LinkedHashSet<>();
        for (Class<?> above = type; above != null; above = above.getSuperclass()) {
            all.add(above);
            for (Class<?> implemented : above.getInterfaces()) {
                all.addAll(supertypes(implemented));
            }
        }
        return all;
    }
}
