// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A JVM of its own, which can be killed. */
final class JavaProcess implements AutoCloseable {
    private final Process process;
    private final Path output;

    private JavaProcess(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /**
     * Starts a main class.
     *
     * @param directory where its output goes
     */
    static JavaProcess start(Path directory, String classPath, Class<?> main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                classPath,
                "-Dhazelcast.logging.type=none",
                "-Dhazelcast.phone.home.enabled=false",
                main.getName()));
        command.addAll(List.of(arguments));
        Path output = directory.resolve("output.txt");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        return new JavaProcess(process, output);
    }

    boolean isAlive() {
        return process.isAlive();
    }

    String output() {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Kills it, without a word to anybody. */
    @Override
    public void close() {
        process.destroyForcibly();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                throw new AssertionError("still alive: " + process);
            }
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }
}
