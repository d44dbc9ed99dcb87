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

/** Compiles {@code Coroutines.kt} and runs what it has. */
@Tag("integration")
class CoroutinesTest {
    private static final Path SOURCE = Path.of("src/test/kotlin/com/noctarius/snowcast/tests/Coroutines.kt");

    @TestFactory
    Stream<DynamicTest> coroutines(@TempDir Path classes) throws Exception {
        ExitCode exitCode = new K2JVMCompiler()
                .exec(
                        System.err,
                        "-Werror",
                        "-no-stdlib",
                        "-no-reflect",
                        "-jvm-target",
                        "17",
                        "-classpath",
                        System.getProperty("java.class.path"),
                        "-d",
                        classes.toString(),
                        SOURCE.toString());
        assertThat(exitCode).isEqualTo(ExitCode.OK);
        Class<?> coroutines = new URLClassLoader(
                        new URL[] {classes.toUri().toURL()}, getClass().getClassLoader())
                .loadClass("com.noctarius.snowcast.tests.Coroutines");
        Object instance = coroutines.getConstructor().newInstance();
        List<DynamicTest> tests = Arrays.stream(coroutines.getMethods())
                .filter(method -> method.getDeclaringClass() == coroutines && method.getParameterCount() == 0)
                .map(method -> DynamicTest.dynamicTest(method.getName(), () -> method.invoke(instance)))
                .toList();
        assertThat(tests).hasSize(5);
        return tests.stream();
    }
}
