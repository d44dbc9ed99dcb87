// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.hazelcast.core.Hazelcast;
import com.noctarius.snowcast.SnowcastSystem;
import java.io.File;
import java.io.InputStream;
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

/** Tests members in a separate JVM with jars that snowcast does not support: another Hazelcast, or snowcast 2. */
@Tag("integration")
class StartsClusterTest {
    private static final String REFUSAL = "snowcast 3.0 runs with Hazelcast 5.4 to 5.7; this is ";
    private static final String CHECK = "snowcast.hazelcast.version.check";

    /** The first entry of the class path. */
    @TempDir
    private Path classes;

    @TempDir
    private Path sources;

    @BeforeEach
    void copyMain() throws Exception {
        String resource = StartMain.class.getName().replace('.', '/') + ".class";
        Path target = classes.resolve(resource);
        Files.createDirectories(Objects.requireNonNull(target.getParent()));
        try (InputStream in = StartMain.class.getClassLoader().getResourceAsStream(resource)) {
            Files.copy(Objects.requireNonNull(in), target);
        }
    }

    private static Path locationOf(Class<?> type) throws Exception {
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

    private String run(Path hazelcast, List<String> flags, String... properties) throws Exception {
        String classPath = Stream.of(classes, locationOf(SnowcastSystem.class), hazelcast)
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator));
        try (JavaProcess process = JavaProcess.start(
                sources.resolve("output.txt"), flags, classPath, StartMain.class, List.of(properties))) {
            Await.until("the end of the process", () -> !process.isAlive());
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
}
