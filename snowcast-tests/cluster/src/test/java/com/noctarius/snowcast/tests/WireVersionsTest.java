// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.SnowcastSequencer;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the exceptions that members and clients with a later wire format get in a cluster of this version. */
@Tag("faults")
class WireVersionsTest {
    private static final Path CORE_SOURCES = Path.of("../../snowcast-core/src/main/java");
    private static final String READS = "this version of snowcast reads version 1 of its wire format, not 2";

    /** Enough names that each of two members owns the partitions of some of them. */
    private static final List<String> NAMES =
            IntStream.range(0, 12).mapToObj(i -> "sequencer-" + i).toList();

    @TempDir
    private static Path later = Path.of("");

    @TempDir
    private Path directory = Path.of("");

    @AutoClose
    private final TcpCluster cluster = TcpCluster.of(1, LaterMain.PROPERTIES);

    /**
     * Compiles the present sources that use the version number of the wire format, with a higher number but the same
     * format.
     */
    @BeforeAll
    static void compile() throws IOException {
        List<String> arguments = new ArrayList<>(
                List.of("-d", later.toString(), "-proc:none", "-nowarn", "-cp", System.getProperty("java.class.path")));
        // javac copies the version, a constant, into each class that uses it, so all of these are compiled again.
        try (Stream<Path> files = Files.walk(CORE_SOURCES)) {
            for (Path file : files.filter(WireVersionsTest::usesTheVersion).toList()) {
                String changed = Files.readString(file).replaceAll("int VERSION = \\d+;", "int VERSION = 2;");
                arguments.add(Files.writeString(later.resolve(file.getFileName()), changed)
                        .toString());
            }
        }
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)))
                .isZero();
    }

    private static boolean usesTheVersion(Path file) {
        try {
            return file.endsWith("WireInput.java")
                    || (file.toString().endsWith(".java")
                            && Files.readString(file).contains("WireInput.VERSION"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs {@link LaterMain} with the later version. Returns its output. */
    private String runLater(String portOrClient, String... names) throws Exception {
        List<String> arguments = new ArrayList<>(
                List.of(cluster.name(), portOrClient, Integer.toString(TcpCluster.portOf(cluster.member(0)))));
        arguments.addAll(List.of(names));
        // The JVM takes each class from the first class path entry that has it.
        String classPath = later + File.pathSeparator + System.getProperty("java.class.path");
        try (JavaProcess process =
                JavaProcess.start(directory.resolve("output.txt"), List.of(), classPath, LaterMain.class, arguments)) {
            process.awaitEnd();
            return process.output();
        }
    }

    @Test
    void aClientOfALaterVersionIsToldWhatTheMembersRead() throws Exception {
        assertThat(runLater(LaterMain.CLIENT, "orders")).contains(READS);
    }

    /**
     * A member of a later version cannot read this version's messages, so it cannot be a backup. While it is the only
     * other member, leases are therefore not renewed. After it has left, the sequencers continue.
     */
    @Test
    void aMemberOfALaterVersionIsToldSo() throws Exception {
        List<SnowcastSequencer> today = NAMES.stream()
                .map(name -> TestCluster.create(cluster.member(0), name))
                .toList();

        String output = runLater(Integer.toString(FreePort.get()), NAMES.get(0), "new");

        for (String name : List.of(NAMES.get(0), "new")) {
            assertThat(output)
                    .containsPattern(name + ": com.noctarius.snowcast.SnowcastException: sequencer " + name
                            + ": a data member of the cluster cannot read the request.*" + READS);
        }
        for (SnowcastSequencer sequencer : today) {
            sequencer.next();
        }
    }
}
