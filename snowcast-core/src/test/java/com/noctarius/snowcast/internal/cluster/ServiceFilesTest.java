// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the check that a shaded jar has all entries of its service files. A directory takes the place of the jar. */
class ServiceFilesTest {
    private static final String OURS = "com.noctarius.snowcast.";
    private static final String HOOK = "com.hazelcast.DataSerializerHook";
    private static final String TASKS = "com.hazelcast.client.impl.protocol.MessageTaskFactoryProvider";
    private static final String SERVICES = "com.hazelcast.spi.impl.servicemanager.ServiceDescriptorProvider";

    @TempDir
    private Path jar = Path.of("");

    @BeforeEach
    void merge() throws IOException {
        put(HOOK, "com.hazelcast.a.Hook", OURS + "internal.cluster.SnowcastDataSerializerHook");
        put(TASKS, "com.hazelcast.a.Tasks", OURS + "internal.cluster.SnowcastMessageTaskFactoryProvider");
        put(SERVICES, "com.hazelcast.a.Services", OURS + "internal.cluster.SnowcastServiceProvider");
    }

    private void put(String service, String... providers) throws IOException {
        Path file = jar.resolve("META-INF/services").resolve(service);
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        Files.write(file, List.of(providers));
        for (String provider : providers) {
            put(provider);
        }
    }

    private void put(String className) throws IOException {
        Path file = jar.resolve(className.replace('.', '/') + ".class");
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        Files.write(file, new byte[0]);
    }

    private URLClassLoader loader() throws IOException {
        return new URLClassLoader(new URL[] {jar.toUri().toURL()}, null);
    }

    @Test
    void mergedFilesAreComplete() throws IOException {
        try (URLClassLoader merged = loader()) {
            assertThat(ServiceFiles.incomplete(merged)).isNull();
        }
        assertThat(ServiceFiles.incomplete(ServiceFiles.class.getClassLoader())).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        HOOK + ", internal.cluster.SnowcastDataSerializerHook",
        TASKS + ", internal.cluster.SnowcastMessageTaskFactoryProvider",
        SERVICES + ", internal.cluster.SnowcastServiceProvider"
    })
    void aFileThatHasOnlyTheClassesOfAnotherJarIsNamed(String service, String provider) throws IOException {
        put(OURS + provider);
        put(service, service.equals(SERVICES) ? "com.hazelcast.a.Services" : "com.hazelcast.a.Other");
        try (URLClassLoader merged = loader()) {
            assertThat(ServiceFiles.incomplete(merged))
                    .startsWith("META-INF/services/" + service + " does not name " + OURS)
                    .contains("ServicesResourceTransformer")
                    .contains(jar.toString());
        }
    }

    @Test
    void aFileThatHasOnlyOurClassesHasLostThoseOfHazelcast() throws IOException {
        put(HOOK, OURS + "internal.cluster.SnowcastDataSerializerHook");
        try (URLClassLoader merged = loader()) {
            assertThat(ServiceFiles.incomplete(merged)).contains(HOOK + " does not name any class of Hazelcast");
        }
    }

    @Test
    void aMessageOfAClassThatSnowcastDoesNotHaveIsRefused() {
        assertThatThrownBy(
                        () -> new SnowcastDataSerializerHook().createFactory().create(0))
                .hasMessage("no class of snowcast has ID 0");
    }
}
