// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests commands, each of which runs in a separate process. */
@Tag("integration")
class ProcessTest {
    private static final String DECODE = " decode --epoch 2024-01-01 764750276312737799";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private Shell.Result run(String command) throws IOException, InterruptedException {
        return Shell.run(directory, Map.of(), command);
    }

    private static String jar() {
        Path jar = Path.of(System.getProperty("snowcast.cli.jar"));
        assertThat(jar).as("made by mvn package").exists();
        return jar.toString();
    }

    /** Loading Hazelcast's classes would take a second. */
    @Test
    void theJarRunsAndCommandsThatNeedNoClusterLoadNoClassOfHazelcast() throws Exception {
        Shell.Result result = run("\"$JAVA_HOME/bin/java\" -Xlog:class+load -jar " + jar() + DECODE);
        String range = run("SNOWCAST_OPTS=-Xlog:class+load snowcast range --epoch 2024-01-01 --from 2025-01-01")
                .output();
        assertThat(List.of(result.output(), range))
                .allSatisfy(output -> assertThat(output)
                        .contains("com.noctarius.snowcast.cli.Main ")
                        .doesNotContain(" com.hazelcast."));
        assertThat(result.output()).contains("2026-11-21T03:42:17.123Z");
        assertThat(result.exitCode()).isEqualTo(ExitCode.DONE);
    }

    @Test
    void theScriptFindsTheJarBesideIt() throws Exception {
        Shell.Result result =
                run("cp \"$(command -v snowcast)\" . && cp " + jar() + " . && SNOWCAST_JAR= ./snowcast" + DECODE);
        assertThat(result.output()).contains("2026-11-21T03:42:17.123Z");
        assertThat(run("rm *.jar; SNOWCAST_JAR= ./snowcast" + DECODE).output()).contains("mvn -B -ntp -q package");
    }

    @Test
    void nobodyReadsAnyMore() throws Exception {
        Shell.Result result = run("(yes 764750276312737799 | snowcast decode --epoch 2024-01-01 | head -1) 2>&1");
        assertThat(result.output()).contains("time").hasLineCount(1);
    }

    /**
     * Resets the handling of SIGINT, because a child ignores the signal if the process that runs the tests ignores it.
     */
    @Test
    void ctrlCEndsCleanly() throws Exception {
        Path output = directory.resolve("output.txt");
        Process process = Shell.builder(
                        directory, Map.of(), "exec env --default-signal=INT snowcast decode --epoch 2024-01-01")
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try (OutputStream input = process.getOutputStream()) {
            input.write("764750276312737799\n".repeat(10_000).getBytes(StandardCharsets.UTF_8));
            input.flush();
            long deadlineNanos = System.nanoTime() + TimeUnit.MINUTES.toNanos(3);
            while (Files.size(output) == 0) {
                assertThat(System.nanoTime()).isLessThan(deadlineNanos);
                assertThat(process.isAlive()).isTrue();
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
            }
            assertThat(run("kill -INT " + process.pid()).exitCode()).isZero();
            assertThat(process.waitFor(3, TimeUnit.MINUTES)).isTrue();
            assertThat(process.exitValue()).isEqualTo(130);
            assertThat(Files.readString(output)).doesNotContain("\tat ").doesNotContain("Exception");
        } finally {
            process.destroyForcibly();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"bash", "zsh"})
    void shellsCompleteArguments(String shell) throws Exception {
        if (run("command -v " + shell).exitCode() != 0) {
            System.out.println("skipped: there is no " + shell + " on this machine");
            return;
        }
        assertThat(run("snowcast completion > completion && " + shell + " -n completion"))
                .isEqualTo(new Shell.Result(0, ""));
        if (shell.equals("bash")) {
            String complete = "source completion; COMP_WORDS=(snowcast %s); COMP_CWORD=%d; COMP_LINE='snowcast %s';"
                    + " COMP_POINT=${#COMP_LINE}; _complete_snowcast; echo \"${COMPREPLY[@]}\"";
            assertThat(run(complete.formatted("dec", 1, "dec")).output()).isEqualTo("decode\n");
            assertThat(run(complete.formatted("decode --ep", 2, "decode --ep")).output())
                    .contains("--epoch");
        }
    }
}
