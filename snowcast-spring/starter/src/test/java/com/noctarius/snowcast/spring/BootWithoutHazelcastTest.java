// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.SnowcastSequencer;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.ClassUtils;

/** Tests an application with node IDs from its database and without Hazelcast, as in {@code docs/spring.md}. */
@Tag("integration")
class BootWithoutHazelcastTest {
    @TempDir
    private Path directory;

    /**
     * The application, which runs in a process without Hazelcast on its class path, with a database, and then with a
     * cluster.
     */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {
        @Bean
        DataSource database() {
            JdbcDataSource database = new JdbcDataSource();
            database.setURL("jdbc:h2:mem:shop;DB_CLOSE_DELAY=-1");
            return database;
        }

        public static void main(String[] arguments) throws InterruptedException {
            System.out.println("Hazelcast " + ClassUtils.isPresent("com.hazelcast.core.HazelcastInstance", null));
            SpringApplication application = new SpringApplication(Application.class);
            application.setWebApplicationType(WebApplicationType.NONE);
            application.setDefaultProperties(Map.of(
                    "spring.data.jdbc.repositories.enabled", "false",
                    "spring.data.jpa.repositories.enabled", "false",
                    "spring.data.r2dbc.repositories.enabled", "false",
                    "spring.data.mongodb.repositories.type", "none",
                    "snowcast.store", "jdbc",
                    "snowcast.jdbc.create-tables", "true",
                    "snowcast.sequencers.orders.epoch", "2024-01-01T00:00:00Z"));
            try (ConfigurableApplicationContext context = application.run(arguments)) {
                long id = context.getBean(SnowcastSequencer.class).next();
                System.out.println(
                        "issued " + (id != 0) + ", health " + context.containsBean("snowcastHealthIndicator"));
            }
            application.run(Stream.concat(Stream.of(arguments), Stream.of("--snowcast.store=hazelcast"))
                    .toArray(String[]::new));
        }
    }

    @Test
    void aDatabaseNeedsNoClassOfHazelcastAndTheAnalysisOfAClusterNamesTheArtifact() throws Exception {
        String classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !Path.of(entry).getFileName().toString().startsWith("hazelcast-"))
                .collect(Collectors.joining(File.pathSeparator));
        Path output = directory.resolve("output.txt");
        new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-XX:+UnlockDiagnosticVMOptions",
                        "-XX:-BytecodeVerificationRemote",
                        "-cp",
                        classPath,
                        Application.class.getName(),
                        "--" + Boot.NO_DATABASES,
                        // The configuration of the other tests turns this logger off.
                        "--logging.level.org.springframework.boot.diagnostics=error")
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start()
                .waitFor();
        assertThat(Files.readString(output))
                .contains("Hazelcast false", "issued true, health true", "Add the dependency com.hazelcast:hazelcast")
                .doesNotContain("NoClassDefFoundError");
        assertThat(Files.readString(output).split("issued", 2)[0]).doesNotContain("ClassNotFoundException");
    }
}
