// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compiles and runs the first program in the README, without changes. */
@Tag("integration")
class ReadmeProgramTest {
    @TempDir
    private Path directory = Path.of("");

    @Test
    void theProgramPrintsAnIdAndEnds() throws Exception {
        Matcher program = Pattern.compile("```java\n(import com\\.hazelcast.*?class (\\w+).*?)```", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("../../README.md")));
        assertThat(program.find()).isTrue();
        Path source = directory.resolve(program.group(2) + ".java");
        Files.writeString(source, program.group(1));
        String classPath = System.getProperty("java.class.path");
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .run(null, null, null, "-proc:none", "-cp", classPath, "-d", directory.toString(), "" + source))
                .isZero();
        // The program must not join the cluster of a test that runs at the same time.
        Path configuration = Files.writeString(directory.resolve("hazelcast.yaml"), """
                hazelcast:
                  cluster-name: readme-%d
                  network:
                    interfaces: {enabled: true, interfaces: [127.0.0.1]}
                    join: {auto-detection: {enabled: false}, multicast: {enabled: false}}
                """.formatted(
                        ProcessHandle.current().pid()));
        Path output = directory.resolve("output.txt");
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Dhazelcast.config=" + configuration,
                        "-Dhazelcast.phone.home.enabled=false",
                        "-Dhazelcast.logging.type=none",
                        "-cp",
                        directory + File.pathSeparator + classPath,
                        program.group(2)))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(3, TimeUnit.MINUTES)).as("it ends").isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue()).as(Files.readString(output)).isZero();
        assertThat(Files.readString(output)).containsPattern("(?m)^\\d{18,19}$");
    }
}
