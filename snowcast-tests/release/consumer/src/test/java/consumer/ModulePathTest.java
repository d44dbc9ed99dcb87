// SPDX-License-Identifier: Apache-2.0
package consumer;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.core.HazelcastInstance;
import java.io.File;
import java.lang.module.ModuleFinder;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs a program on the module path with the flags of the guide, and tests that no warning about modules is printed.
 * The program requires every library of snowcast. Hazelcast is on the module path, too; all other dependencies are on
 * the class path.
 */
class ModulePathTest {
    private static final String PROGRAM = """
            package consumer.app;

            import com.hazelcast.config.Config;
            import com.hazelcast.core.Hazelcast;
            import com.hazelcast.core.HazelcastInstance;
            import com.noctarius.snowcast.SnowcastEpoch;
            import com.noctarius.snowcast.SnowcastSequenceUtils;
            import com.noctarius.snowcast.SnowcastSystem;
            import com.noctarius.snowcast.ids.SnowflakeId;
                        import java.time.Instant;
            import java.util.List;

            public class Main {
                public static void main(String[] arguments) throws Exception {
                    Config config = new Config();
                    config.getNetworkConfig().getJoin().getAutoDetectionConfig().setEnabled(false);
                    config.getNetworkConfig().getJoin().getMulticastConfig().setEnabled(false);
                    HazelcastInstance member = Hazelcast.newHazelcastInstance(config);
                    SnowcastEpoch epoch = SnowcastEpoch.byInstant(Instant.parse("2024-01-01T00:00:00Z"));
                    long id = SnowcastSystem.snowcast(member).createSequencer("orders", epoch).next();
                    System.out.println(SnowcastSystem.class.getModule().getName() + " gave " + id);
                    System.out.println(SnowflakeId.toBase62(id) + SnowcastSequenceUtils.timestampValue(id));
                    System.out.println(SnowcastSystem.clusterStatus(member).sequencers().get(0).name() + " in the status");
                    member.shutdown();
                    for (String type : List.of(
                            "cassandra.CassandraBlockStore",
                            "hibernate.SnowcastSettings",
                            "jackson.JsonSnowcastId",
                            "jdbc.JdbcBlockStore",
                            "mybatis.SnowcastIdentifierGenerator",
                            "spring.SnowcastAutoConfiguration",
                            "test.TestSequencer",
                            "tests.store.BlockLedger")) {
                        Class<?> loaded = Class.forName("com.noctarius.snowcast." + type);
                        System.out.println(type + " of " + loaded.getModule().getName());
                    }
                }
            }
            """;

    @Test
    void aModuleThatRequiresEveryLibraryTakesIds(@TempDir Path directory) throws Exception {
        Path program = directory.resolve("consumer/app/Main.java");
        Files.createDirectories(program.getParent());
        Files.writeString(program, PROGRAM);
        List<Path> libraries = jars(path -> path.toString().contains("snowcast"));
        String requires = ModuleFinder.of(libraries.toArray(Path[]::new)).findAll().stream()
                .map(library -> "    requires " + library.descriptor().name() + ";\n")
                .collect(Collectors.joining());
        Path module = Files.writeString(
                directory.resolve("module-info.java"),
                "module consumer.app {\n    requires com.hazelcast.core;\n" + requires + "}\n");
        String modulePath = text(libraries) + File.pathSeparator + jar(HazelcastInstance.class);
        Path classes = directory.resolve("classes");
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .run(
                                null,
                                null,
                                null,
                                "-d",
                                classes.toString(),
                                "-p",
                                modulePath,
                                module.toString(),
                                program.toString()))
                .isZero();

        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(flags());
        command.addAll(List.of(
                "-Dhazelcast.phone.home.enabled=false",
                "-cp",
                text(jars(path -> !modulePath.contains(path.toString()))),
                "-p",
                classes + File.pathSeparator + modulePath,
                "-m",
                "consumer.app/consumer.app.Main"));
        Path output = directory.resolve("output.txt");
        int exit = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start()
                .waitFor();
        assertThat(exit).as(Files.readString(output)).isZero();
        assertThat(Files.readString(output))
                .contains("com.noctarius.snowcast gave ", "orders in the status")
                .contains("spring.SnowcastAutoConfiguration of com.noctarius.snowcast.spring")
                .contains("tests.store.BlockLedger of com.noctarius.snowcast.tests")
                .doesNotContain("Unknown module")
                .doesNotContain("Hazelcast is starting in a Java modular environment");
    }

    /** Returns the flags that the guide has for the module path. */
    private static List<String> flags() throws Exception {
        Matcher block = Pattern.compile("module path.*?```\n(--add-modules.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(Path.of(System.getProperty("guide"))));
        assertThat(block.find()).isTrue();
        return Arrays.asList(block.group(1).strip().split("\\s+"));
    }

    /** Returns the jars of this project's class path that satisfy a condition. */
    private static List<Path> jars(Predicate<Path> isWanted) {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .filter(path -> path.toString().endsWith(".jar"))
                .filter(isWanted)
                .toList();
    }

    private static String text(List<Path> jars) {
        return jars.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }

    private static Path jar(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }
}
