// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jetbrains.kotlin.cli.common.ExitCode;
import org.jetbrains.kotlin.cli.jvm.K2JVMCompiler;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Compiles each file of {@code src/test/kotlin} and runs its tests. */
@Tag("integration")
class KotlinTest {
    private static final Path SOURCES = Path.of("src/test/kotlin/com/noctarius/snowcast/tests");

    @TestFactory
    Stream<DynamicTest> coroutines(@TempDir Path classes) throws Exception {
        return testsOf("Coroutines", 5, classes);
    }

    @TestFactory
    Stream<DynamicTest> jsonIds(@TempDir Path classes) throws Exception {
        // The option names the default of Kotlin 2.2. Without the option, Kotlin warns that later versions put the
        // annotation on the field, too.
        return testsOf("JsonIds", 5, classes, "-Xannotation-default-target=first-only");
    }

    private Stream<DynamicTest> testsOf(String name, int count, Path classes, String... options) throws Exception {
        Stream<String> arguments = Stream.of(
                "-Werror",
                "-no-stdlib",
                "-no-reflect",
                "-jvm-target",
                "17",
                "-classpath",
                System.getProperty("java.class.path"),
                "-d",
                classes.toString(),
                SOURCES.resolve(name + ".kt").toString());
        ExitCode exitCode = new K2JVMCompiler()
                .exec(System.err, Stream.concat(Stream.of(options), arguments).toArray(String[]::new));
        assertThat(exitCode).isEqualTo(ExitCode.OK);
        Class<?> compiled = new URLClassLoader(
                        new URL[] {classes.toUri().toURL()}, getClass().getClassLoader())
                .loadClass("com.noctarius.snowcast.tests." + name);
        Object instance = compiled.getConstructor().newInstance();
        List<DynamicTest> tests = Arrays.stream(compiled.getMethods())
                .filter(method -> method.getDeclaringClass() == compiled && method.getParameterCount() == 0)
                .map(method -> DynamicTest.dynamicTest(method.getName(), () -> method.invoke(instance)))
                .toList();
        assertThat(tests).hasSize(count);
        return tests.stream();
    }
}
