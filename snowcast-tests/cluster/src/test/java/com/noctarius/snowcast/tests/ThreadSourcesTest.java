// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks that the modules for applications create all threads by {@code internal.base.Threads}. */
class ThreadSourcesTest {
    private static final Path ROOT = Path.of("../..");
    private static final List<String> APPLICATIONS_USE = List.of(
            "snowcast-core",
            "snowcast-stores/jdbc",
            "snowcast-stores/cassandra",
            "snowcast-spring",
            "snowcast-frameworks",
            "snowcast-tools/server");

    /** Code that creates threads itself, or makes the JDK start threads that may inherit objects of the caller. */
    private static final Pattern MAKES_THREADS =
            Pattern.compile("new (Thread|Timer)\\(|Executors\\.new\\w+\\((\\w+)?\\)"
                    + "|new (Scheduled)?ThreadPoolExecutor\\((\\w+, )*\\w+\\)|(?<!Delays)\\.(orTimeout|completeOnTimeout)\\("
                    + "|delayedExecutor\\(|commonPool\\(|parallelStream\\(|\\.parallel\\(\\)"
                    + "|Cleaner\\.create\\(\\)");

    @Test
    void allThreadsAreMadeInOnePlace() {
        assertThat(APPLICATIONS_USE.stream().flatMap(ThreadSourcesTest::sources))
                .allSatisfy(source -> {
                    if (!source.endsWith("internal/base/Threads.java")) {
                        assertThat(MAKES_THREADS
                                        .matcher(Files.readString(source))
                                        .results())
                                .as(source.toString())
                                .isEmpty();
                    }
                });
    }

    private static Stream<Path> sources(String module) {
        try (Stream<Path> files = Files.walk(ROOT.resolve(module))) {
            List<Path> sources = files.filter(file -> file.toString().contains("src/main/java")
                            && file.toString().endsWith(".java"))
                    .toList();
            assertThat(sources).as(module).isNotEmpty();
            return sources.stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
