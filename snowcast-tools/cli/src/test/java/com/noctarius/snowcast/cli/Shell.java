// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs commands in bash, where {@code snowcast} is on the path and uses the classes of this build. */
final class Shell {
    private static final Path SCRIPTS = Path.of("src/main/scripts").toAbsolutePath();
    private static final String CLASSES = Path.of(Main.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .getPath())
            .toString();

    private Shell() {}

    /** The exit code and the output of a command, with standard error. */
    record Result(int exitCode, String output) {}

    static Result run(Path directory, Map<String, String> environment, String command)
            throws IOException, InterruptedException {
        Path output = Files.createTempFile(directory, "output", ".txt");
        Process process = builder(directory, environment, command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        process.getOutputStream().close();
        try {
            if (!process.waitFor(5, TimeUnit.MINUTES)) {
                throw new AssertionError("still running: " + command);
            }
            return new Result(process.exitValue(), Files.readString(output));
        } finally {
            process.destroyForcibly();
            Files.delete(output);
        }
    }

    static ProcessBuilder builder(Path directory, Map<String, String> environment, String command) {
        ProcessBuilder builder = new ProcessBuilder(List.of("bash", "-c", command)).directory(directory.toFile());
        Map<String, String> variables = builder.environment();
        variables.put("PATH", SCRIPTS + File.pathSeparator + variables.get("PATH"));
        variables.put("JAVA_HOME", System.getProperty("java.home"));
        variables.put("SNOWCAST_JAR", CLASSES);
        variables.put("SNOWCAST_CLASSPATH", System.getProperty("java.class.path"));
        variables.putAll(environment);
        return builder;
    }
}
