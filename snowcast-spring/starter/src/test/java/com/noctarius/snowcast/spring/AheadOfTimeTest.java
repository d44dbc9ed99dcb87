// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplicationAotProcessor;
import org.springframework.context.aot.AbstractAotProcessor;

/** Tests that an application has its sequencers after ahead-of-time processing, as for a native image. */
@Tag("integration")
class AheadOfTimeTest {
    @TempDir
    private Path directory;

    @Test
    void sequencersAreDecidedUponAtBuildTimeAndConfiguredAtRunTime() throws Exception {
        Path sources = directory.resolve("sources");
        Path classes = Files.createDirectories(directory.resolve("classes"));
        new SpringApplicationAotProcessor(
                        AheadOfTimeApplication.class,
                        AbstractAotProcessor.Settings.builder()
                                .sourceOutput(sources)
                                .resourceOutput(classes)
                                .classOutput(classes)
                                .groupId("test")
                                .artifactId("test")
                                .build(),
                        new String[0])
                .process();
        compile(sources, classes);
        String output = run(
                classes,
                "--snowcast.sequencers.orders.max-logical-nodes=128",
                "--snowcast.sequences.products.store-ref=store");
        assertThat(output)
                .contains("ID of my.deliveries: ")
                .containsPattern("ID of orders: \\d+, 128 nodes")
                .contains("product 7000000");
    }

    private static void compile(Path sources, Path classes) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
                Stream<Path> found = Files.walk(sources)) {
            List<Path> all =
                    found.filter(path -> path.toString().endsWith(".java")).toList();
            boolean compiled = compiler.getTask(
                            messages,
                            files,
                            null,
                            List.of("-d", classes.toString(), "-proc:none", "-nowarn"),
                            null,
                            files.getJavaFileObjectsFromPaths(all))
                    .call();
            assertThat(compiled).as(messages.toString()).isTrue();
        }
    }

    private String run(Path classes, String... arguments) throws IOException, InterruptedException {
        Path log = directory.resolve("log");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Dspring.aot.enabled=true",
                "-Dhazelcast.phone.home.enabled=false",
                "-cp",
                classes + System.getProperty("path.separator") + System.getProperty("java.class.path"),
                AheadOfTimeApplication.class.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertThat(process.waitFor(5, TimeUnit.MINUTES)).as("it ended").isTrue();
        } finally {
            process.destroyForcibly();
        }
        String output = Files.readString(log, StandardCharsets.UTF_8);
        assertThat(process.exitValue()).as(output).isZero();
        return output;
    }
}
