// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.hazelcast.core.Hazelcast;
import com.noctarius.snowcast.SnowcastSystem;
import java.io.File;
import java.io.InputStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests members in a separate JVM with jars that snowcast does not support: another Hazelcast, snowcast 2, or a shaded
 * jar that lacks an entry.
 */
@Tag("integration")
class StartsClusterTest {
    private static final String REFUSAL = "snowcast 3.0 runs with Hazelcast 5.4 to 5.7; this is ";
    private static final String UNNAMED = " does not name ";
    private static final String CHECK = "snowcast.hazelcast.version.check";

    /** The first entry of the class path. */
    @TempDir
    private Path classes;

    @TempDir
    private Path sources;

    @BeforeEach
    void copyMain() throws Exception {
        copy(StartMain.class, classes);
    }

    /** Copies a main class to a directory of a class path that has no other class of the tests. */
    static void copy(Class<?> main, Path directory) throws Exception {
        String resource = main.getName().replace('.', '/') + ".class";
        Path target = directory.resolve(resource);
        Files.createDirectories(Objects.requireNonNull(target.getParent()));
        try (InputStream in = main.getClassLoader().getResourceAsStream(resource)) {
            Files.copy(Objects.requireNonNull(in), target);
        }
    }

    static Path locationOf(Class<?> type) throws Exception {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    private void compile(String name, String source) throws Exception {
        Path file = sources.resolve(name + ".java");
        Files.writeString(file, source);
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .run(null, null, null, "-proc:none", "-d", classes.toString(), file.toString()))
                .isZero();
    }

    /** Makes Hazelcast report another version. */
    private void makeVersion(String version) throws Exception {
        compile("GeneratedBuildProperties", """
                package com.hazelcast.instance;

                public final class GeneratedBuildProperties {
                    public static final String VERSION = "%s";
                    public static final String BUILD = "20261122";
                    public static final String REVISION = "0";
                    public static final String COMMIT_ID = "0";
                    public static final String DISTRIBUTION = "Hazelcast";
                    public static final String SERIALIZATION_VERSION = "1";
                    public static final String LAST_LTS_VERSION = "5.5.0";
                    public static final String PREVIOUS_MINOR_VERSION = "5.7.0";
                }
                """.formatted(version));
    }

    private String run(Path hazelcast, List<String> flags) throws Exception {
        return run(locationOf(SnowcastSystem.class), hazelcast, flags);
    }

    private String run(Path snowcast, Path hazelcast, List<String> flags) throws Exception {
        String classPath = Stream.of(classes, snowcast, hazelcast)
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator));
        try (JavaProcess process =
                JavaProcess.start(sources.resolve("output.txt"), flags, classPath, StartMain.class, List.of())) {
            Await.until(
                    "the end of the process",
                    () -> !process.isAlive() || process.output().contains(UNNAMED));
            return process.output();
        }
    }

    @Test
    void anotherVersionOfHazelcastLivesOnWithoutSnowcast() throws Exception {
        makeVersion("6.0.0");
        String output =
                run(locationOf(Hazelcast.class), List.of("-Dhazelcast.logging.type=jdk", "-Xlog:class+load:stdout"));

        assertThat(output)
                .contains("SEVERE: " + REFUSAL + "6.0.0")
                .contains("snowcast: com.noctarius.snowcast.SnowcastException: " + REFUSAL + "6.0.0")
                .contains("client: com.noctarius.snowcast.SnowcastException: " + REFUSAL + "6.0.0")
                .contains("member: value");
        // No other class of these packages may be loaded, because it may need a class that another version of Hazelcast
        // does not have.
        Matcher loaded = Pattern.compile("snowcast\\.internal\\.(?:cluster|client|hazelcast|holder|wire)\\.(\\w+)")
                .matcher(output);
        assertThat(loaded.results().map(name -> name.group(1)).collect(Collectors.toSet()))
                .isSubsetOf(
                        "HazelcastVersion",
                        "ClassIds",
                        "SnowcastServiceProvider",
                        "ServiceFiles",
                        "SnowcastProperty",
                        "SnowcastMessageTaskFactoryProvider",
                        "SnowcastDataSerializerHook");
    }

    @Test
    void aSystemPropertyHasAnotherVersionTried() throws Exception {
        makeVersion("6.0.0");

        assertThat(run(locationOf(Hazelcast.class), List.of("-D" + CHECK + "=false")))
                .contains("snowcast: ID ")
                .contains("client: ID ");
    }

    /** Hazelcast 5.3.8 has other internal classes. The test is skipped if the local repository lacks its jar. */
    @Test
    void aFormerVersionOfHazelcastLivesOnWithoutSnowcast() throws Exception {
        Path former = locationOf(Hazelcast.class)
                .resolve("../../5.3.8/hazelcast-5.3.8.jar")
                .normalize();
        assumeThat(former).exists();

        assertThat(run(former, List.of()))
                .contains("snowcast: com.noctarius.snowcast.SnowcastException: " + REFUSAL + "5.3.8")
                .contains("member: value");
    }

    /** Like snowcast 2, registers a serializer hook. Hazelcast loads the hook, which needs classes of Hazelcast 3. */
    @Test
    void theFormerSnowcastBesideThisOneIsNamed() throws Exception {
        compile("SequencerDataSerializerHook", """
                package com.noctarius.snowcast.impl;

                import com.hazelcast.nio.serialization.DataSerializableFactory;

                public class SequencerDataSerializerHook
                        implements com.hazelcast.internal.serialization.DataSerializerHook {
                    public int getFactoryId() {
                        return 78412;
                    }

                    public DataSerializableFactory createFactory() {
                        throw new NoClassDefFoundError("com/hazelcast/util/ConstructorFunction");
                    }
                }
                """);
        Path services = Files.createDirectories(classes.resolve("META-INF/services"));
        Files.writeString(
                services.resolve("com.hazelcast.DataSerializerHook"),
                "com.noctarius.snowcast.impl.SequencerDataSerializerHook");

        assertThat(run(locationOf(Hazelcast.class), List.of()))
                .contains("must not be on the class path next to snowcast 3")
                .contains("file:" + classes + "/com/noctarius/snowcast/impl/")
                .doesNotContain("member: value");
    }

    /** As in a shaded jar in which one service file was not merged, Hazelcast's file of the service is left. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "com.hazelcast.DataSerializerHook",
                "com.hazelcast.spi.impl.servicemanager.ServiceDescriptorProvider"
            })
    void aMemberThatLostOneServiceFileDoesNotStartAndNamesIt(String service) throws Exception {
        Path copy = sources.resolve("snowcast");
        Path original = locationOf(SnowcastSystem.class);
        try (FileSystem jar = Files.isDirectory(original) ? null : FileSystems.newFileSystem(original);
                Stream<Path> files = Files.walk(jar == null ? original : jar.getPath("/"))) {
            Path root = jar == null ? original : jar.getPath("/");
            for (Path file : files.filter(each -> !each.endsWith(service)).toList()) {
                Files.copy(file, copy.resolve(root.relativize(file).toString()));
            }
        }

        assertThat(run(copy, locationOf(Hazelcast.class), List.of()))
                .contains("META-INF/services/" + service + UNNAMED + "com.noctarius.snowcast.internal.cluster.")
                .doesNotContain("member: value");
    }
}
