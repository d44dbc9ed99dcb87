// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.SnowcastSystem;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests a member with a shaded jar in which one service file was not merged, and therefore lacks snowcast's entry. */
@Tag("integration")
class ShadedMemberTest {
    private static final String SERVICES = "META-INF/services/";

    @TempDir
    private Path directory = Path.of("");

    @ParameterizedTest
    @CsvSource({
        "com.hazelcast.DataSerializerHook, com.noctarius.snowcast.internal.cluster.SnowcastDataSerializerHook",
        "com.hazelcast.client.impl.protocol.MessageTaskFactoryProvider,"
                + " com.noctarius.snowcast.internal.cluster.SnowcastMessageTaskFactoryProvider",
        "com.hazelcast.spi.impl.servicemanager.ServiceDescriptorProvider,"
                + " com.noctarius.snowcast.internal.cluster.SnowcastServiceProvider"
    })
    void aMemberThatLostOneServiceFileDoesNotStartAndNamesIt(String service, String missing) throws Exception {
        assertThat(outputOf(merged(service))).contains(SERVICES + service + " does not name " + missing);
    }

    private String outputOf(Path jar) throws Exception {
        int port = TcpCluster.freePort();
        String resource = JarlessMain.class.getName().replace('.', '/') + ".class";
        Path mainClass = directory.resolve(resource);
        Files.createDirectories(Objects.requireNonNull(mainClass.getParent()));
        try (InputStream in = JarlessMain.class.getClassLoader().getResourceAsStream(resource)) {
            Files.copy(Objects.requireNonNull(in), mainClass);
        }
        try (JavaProcess member = JavaProcess.start(
                directory,
                directory + File.pathSeparator + jar,
                JarlessMain.class,
                TcpCluster.newClusterName(),
                Integer.toString(port),
                Integer.toString(port),
                Integer.toString(TestCluster.PARTITIONS))) {
            Await.until("its end", () -> !member.isAlive() || member.output().contains(" does not name "));
            return member.output();
        }
    }

    /** Merges the jars and their service files, but keeps only Hazelcast's file of the service {@code notMerged}. */
    private Path merged(String notMerged) throws IOException, URISyntaxException {
        Map<String, byte[]> entries = new TreeMap<>();
        for (Path part : List.of(JarlessMember.hazelcastJar(), location(SnowcastSystem.class))) {
            try (FileSystem jar = Files.isDirectory(part) ? null : FileSystems.newFileSystem(part);
                    Stream<Path> files = Files.walk(jar == null ? part : jar.getPath("/"))) {
                Path root = jar == null ? part : jar.getPath("/");
                files.filter(Files::isRegularFile).forEach(file -> {
                    String name = root.relativize(file).toString().replace(File.separatorChar, '/');
                    boolean isMerged = name.startsWith(SERVICES) && !name.endsWith(notMerged);
                    entries.merge(name, bytes(file), (first, second) -> isMerged ? join(first, second) : first);
                });
            }
        }
        Path jar = directory.resolve("shaded.jar");
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream shaded = new JarOutputStream(out)) {
            for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                shaded.putNextEntry(new JarEntry(entry.getKey()));
                shaded.write(entry.getValue());
            }
        }
        return jar;
    }

    private static Path location(Class<?> type) throws URISyntaxException {
        URI uri = type.getProtectionDomain().getCodeSource().getLocation().toURI();
        return Path.of(uri);
    }

    private static byte[] bytes(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] join(byte[] first, byte[] second) {
        return (new String(first, StandardCharsets.UTF_8) + "\n" + new String(second, StandardCharsets.UTF_8))
                .getBytes(StandardCharsets.UTF_8);
    }
}
