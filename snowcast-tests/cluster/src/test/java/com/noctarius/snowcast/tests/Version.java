// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.hazelcast.core.Hazelcast;
import com.noctarius.snowcast.SnowcastSystem;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/**
 * A version of snowcast that a process can run.
 *
 * @param classPath where its classes are; where two have the same class, the first counts
 */
record Version(String label, List<Path> classPath) {
    private static final Path CORE_SOURCES = Path.of("../../snowcast-core/src/main/java");

    static final Version PRESENT = new Version("present", List.of(locationOf(SnowcastSystem.class)));

    /** Compiles the present version with another version of the wire format, whose forms are those of today. */
    static Version withWireVersion(int version, Path directory) throws IOException {
        Path sources = Files.createDirectories(directory.resolve("sources"));
        Path classes = Files.createDirectories(directory.resolve("classes"));
        List<String> arguments = new ArrayList<>(List.of(
                "-d", classes.toString(), "-proc:none", "-nowarn", "-cp", System.getProperty("java.class.path")));
        // The number is a constant: javac has put it into each class that uses them.
        try (Stream<Path> files = Files.walk(CORE_SOURCES)) {
            for (Path file : files.filter(Version::usesWireVersion).toList()) {
                String changed =
                        Files.readString(file).replaceAll("int CURRENT = \\d+;", "int CURRENT = " + version + ";");
                Path copy = sources.resolve(file.getFileName());
                arguments.add(Files.writeString(copy, changed).toString());
            }
        }
        int failed = ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new));
        if (failed != 0) {
            throw new AssertionError("it does not compile: " + arguments);
        }
        List<Path> classPath = new ArrayList<>(List.of(classes));
        classPath.addAll(PRESENT.classPath);
        return new Version("wire-version-" + version, classPath);
    }

    private static boolean usesWireVersion(Path file) {
        try {
            return file.toString().endsWith(".java") && Files.readString(file).contains("WireVersion");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the class path of a process whose main class is {@link VersionMain}. */
    String withHazelcast() {
        return Stream.concat(classPath.stream(), Stream.of(locationOf(Hazelcast.class), locationOf(VersionMain.class)))
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static Path locationOf(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public String toString() {
        return label;
    }
}
