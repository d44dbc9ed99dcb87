// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A separate Java process, which a test can kill. */
public final class JavaProcess implements AutoCloseable {
    private final Process process;
    private final Path output;

    private JavaProcess(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    static JavaProcess start(Path directory, String classPath, Class<?> main, String... arguments) throws IOException {
        return start(directory.resolve("output.txt"), List.of(), classPath, main, List.of(arguments));
    }

    static JavaProcess start(Path output, List<String> flags, String classPath, Class<?> main, List<String> arguments)
            throws IOException {
        return start(List.of(), output, flags, classPath, main, arguments);
    }

    /**
     * Starts a process that runs a main class.
     *
     * @param wrapper a command such as {@code nsenter} that runs the rest of the command line in its own process; may
     *     be empty
     * @param output the file for its output
     * @param flags the flags of the JVM
     */
    public static JavaProcess start(
            List<String> wrapper,
            Path output,
            List<String> flags,
            String classPath,
            Class<?> main,
            List<String> arguments)
            throws IOException {
        List<String> command = new ArrayList<>(wrapper);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                classPath,
                "-Dhazelcast.logging.type=none",
                "-Dhazelcast.phone.home.enabled=false"));
        // The process gets the module flags of this JVM, such as --add-opens, which Hazelcast needs, and its compiler
        // and
        // collector flags. This JVM runs without C2 except in tests with the tags "faults" and "soak".
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> flag.matches("--.*|-XX:(TieredStopAtLevel=|.UseSerialGC).*"))
                .forEach(command::add);
        command.addAll(flags);
        command.add(main.getName());
        command.addAll(arguments);
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        return new JavaProcess(process, output);
    }

    public long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Sends SIGTERM. {@code Process.destroy} would also close standard input, at whose end some main classes exit. */
    void terminate() {
        if (!process.toHandle().destroy()) {
            throw new AssertionError("no signal to " + process);
        }
    }

    /** Waits without a time limit, and returns the exit code. The caller must have a time limit. */
    int awaitEnd() throws InterruptedException {
        return process.waitFor();
    }

    String output() {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Kills the process. */
    @Override
    public void close() {
        process.destroyForcibly();
        try {
            if (!process.waitFor(3, TimeUnit.MINUTES)) {
                throw new AssertionError("still alive: " + process);
            }
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }
}
