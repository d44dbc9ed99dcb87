// SPDX-License-Identifier: Apache-2.0
package consumer;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.Snowcast;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program on the module path starts with the flags of the guide, and Hazelcast has nothing to warn of. */
class ModulePathTest {
    private static final String MODULE = """
            module consumer.app {
                requires com.noctarius.snowcast;
                requires com.hazelcast.core;
            }
            """;
    private static final String PROGRAM = """
            package consumer.app;

            import com.hazelcast.config.Config;
            import com.hazelcast.core.Hazelcast;
            import com.hazelcast.core.HazelcastInstance;
            import com.noctarius.snowcast.SnowcastEpoch;
            import com.noctarius.snowcast.SnowcastSystem;
            import java.time.Instant;

            public class Main {
                public static void main(String[] arguments) throws Exception {
                    Config config = new Config();
                    config.getNetworkConfig().getJoin().getAutoDetectionConfig().setEnabled(false);
                    config.getNetworkConfig().getJoin().getMulticastConfig().setEnabled(false);
                    HazelcastInstance member = Hazelcast.newHazelcastInstance(config);
                    SnowcastEpoch epoch = SnowcastEpoch.byInstant(Instant.parse("2024-01-01T00:00:00Z"));
                    long id = SnowcastSystem.snowcast(member).createSequencer("orders", epoch).next();
                    System.out.println(SnowcastSystem.class.getModule().getName() + " gave " + id);
                    member.shutdown();
                }
            }
            """;

    @Test
    void aModuleTakesIds(@TempDir Path directory) throws Exception {
        Path program = directory.resolve("consumer/app/Main.java");
        Files.createDirectories(program.getParent());
        Files.writeString(program, PROGRAM);
        Path module = Files.writeString(directory.resolve("module-info.java"), MODULE);
        String jars = jar(Snowcast.class) + File.pathSeparator + jar(HazelcastInstance.class);
        Path classes = directory.resolve("classes");
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .run(null, null, null, "-d", classes.toString(), "-p", jars, module.toString(), program.toString()))
                .isZero();

        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(flags());
        command.addAll(List.of(
                "-Dhazelcast.phone.home.enabled=false",
                "-p",
                classes + File.pathSeparator + jars,
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
                .contains("com.noctarius.snowcast gave ")
                .doesNotContain("Unknown module")
                .doesNotContain("Hazelcast is starting in a Java modular environment");
    }

    /** Those that the guide has for the module path. */
    private static List<String> flags() throws Exception {
        Matcher block = Pattern.compile("module path.*?```\n(--add-modules.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(Path.of(System.getProperty("guide"))));
        assertThat(block.find()).isTrue();
        return Arrays.asList(block.group(1).strip().split("\\s+"));
    }

    private static Path jar(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }
}
