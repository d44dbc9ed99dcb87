// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Starts a JVM that measures one subject of a part, with the flags of this JVM. */
final class Fork {
    private static final long MINUTES = 10;

    private final Part part;
    private final Effort effort;

    Fork(Part part, Effort effort) {
        this.part = part;
        this.effort = effort;
    }

    List<Result> run(String subject) throws IOException, InterruptedException {
        Path file = Files.createTempFile("benchmark", ".json");
        try {
            List<String> command = new ArrayList<>(List.of(java()));
            command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
            command.addAll(List.of("-cp", System.getProperty("java.class.path"), Fork.class.getName()));
            command.addAll(List.of(part.title(), subject, Double.toString(effort.factor()), file.toString()));
            end(new ProcessBuilder(command).inheritIO().start());
            return Results.read(file);
        } finally {
            Files.delete(file);
        }
    }

    private void end(Process process) throws InterruptedException {
        try {
            if (!process.waitFor(MINUTES, TimeUnit.MINUTES) || process.exitValue() != 0) {
                throw new IllegalStateException(part.title() + " failed");
            }
        } finally {
            process.destroyForcibly();
        }
    }

    /** Returns the major version of the JDK that runs the part. */
    int jdk() throws IOException {
        Process process = new ProcessBuilder(java(), "-XshowSettings:properties", "-version")
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return output.lines()
                .map(String::trim)
                .filter(line -> line.startsWith("java.specification.version = "))
                .map(line -> Integer.parseInt(line.substring(line.indexOf('=') + 2)))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(java() + " does not tell its version"));
    }

    /** Returns the java command. Virtual threads may need a newer JDK than that of the build. */
    private String java() {
        Path own = Path.of(System.getProperty("java.home"), "bin", "java");
        String other = System.getProperty("virtual.java", "");
        return part == Part.VIRTUAL && !other.isEmpty() ? other : own.toString();
    }

    /** Measures in this JVM, with the arguments that {@link #run} passes. */
    public static void main(String[] args) throws Exception {
        Part part = Part.byTitle(args[0]);
        List<Result> results = new ArrayList<>(part.measure(args[1], new Effort(Double.parseDouble(args[2]))));
        results.add(Machine.result(part));
        Results.write(Path.of(args[3]), results);
        // Do not wait for threads that are still running.
        System.exit(0);
    }
}
