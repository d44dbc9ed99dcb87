// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.core.Hazelcast;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.jdbc.JdbcBlockStore;
import jakarta.annotation.PostConstruct;
import jakarta.servlet.ServletContextListener;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.catalina.startup.Tomcat;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests a web application that is redeployed and shuts down its Hazelcast instances each time. Tomcat looks for
 * remaining threads as soon as the application has ended, and must find no thread of snowcast. If the application
 * contains the jars, the class loaders of the former deployments must be collected. An application with Hazelcast alone
 * is the control.
 */
@Tag("integration")
class RedeployTest {
    private static final int DEPLOYMENTS = 3;
    private static final List<Class<?>> LIBRARIES =
            List.of(Hazelcast.class, SnowcastSystem.class, JdbcBlockStore.class, JdbcDataSource.class);

    @TempDir
    Path directory;

    @Test
    @Tag("faults")
    void hazelcastAloneIsCollected() {
        assertThat(redeployed(RedeployedHazelcast.class, true).lines())
                .contains("deployed: " + DEPLOYMENTS, "collected");
    }

    @Test
    void snowcastInTheApplicationLeavesNoThreadAndIsCollected() {
        String output = redeployed(RedeployedSnowcast.class, true);
        assertThat(output.lines()).contains("deployed: " + DEPLOYMENTS, "collected");
        assertThat(warningsOfSnowcast(output)).isEmpty();
    }

    /**
     * Tests a restart like those of Spring Boot's developer tools: the jars stay loaded, and the classes of the
     * application are replaced. Hazelcast itself then keeps the class loaders of former deployments, so only the
     * threads are checked.
     */
    @Test
    @Tag("faults")
    void snowcastBelowTheApplicationLeavesNoThread() {
        String output = redeployed(RedeployedSnowcast.class, false);
        assertThat(output.lines()).contains("deployed: " + DEPLOYMENTS);
        assertThat(warningsOfSnowcast(output)).isEmpty();
    }

    private static List<String> warningsOfSnowcast(String output) {
        return output.lines()
                .filter(line -> line.startsWith("warning:") && line.contains("snowcast"))
                .toList();
    }

    /** Starts a process that redeploys the application, and returns the output of that process. */
    private String redeployed(Class<?> listener, boolean hasLibraries) {
        List<Path> server =
                new ArrayList<>(List.of(placeOf(Tomcat.class), placeOf(PostConstruct.class), placeOf(Await.class)));
        try {
            fill(listener, hasLibraries ? LIBRARIES : List.of());
            if (!hasLibraries) {
                LIBRARIES.forEach(library -> server.add(placeOf(library)));
            }
            server.add(copied(directory.resolve("server"), RedeployMain.class));
            String classPath = server.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
            // Pass on the module flags of this JVM, which Hazelcast needs. Tomcat needs the flag for java.rmi.
            List<String> flags = new ArrayList<>(ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                    .filter(argument -> argument.startsWith("--"))
                    .toList());
            flags.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
            flags.add("-XX:SoftRefLRUPolicyMSPerMB=0"); // Soft references must not keep the class loaders.
            flags.add("--add-opens=java.rmi/sun.rmi.transport=ALL-UNNAMED");
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp", classPath));
            command.addAll(List.of("-Dhazelcast.logging.type=none", "-Dhazelcast.phone.home.enabled=false"));
            command.addAll(flags);
            command.addAll(List.of(
                    RedeployMain.class.getName(),
                    directory.toString(),
                    listener.getName(),
                    Integer.toString(DEPLOYMENTS)));
            Path output = directory.resolve("output.txt");
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            try {
                process.waitFor();
            } finally {
                process.destroyForcibly();
            }
            return Files.readString(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    /** Creates the directory of the application. */
    private void fill(Class<?> listener, List<Class<?>> libraries) throws IOException {
        Path classes = directory.resolve("WEB-INF/classes");
        for (Class<?> own = listener; ServletContextListener.class.isAssignableFrom(own); own = own.getSuperclass()) {
            copied(classes, own);
        }
        Path jars = Files.createDirectories(directory.resolve("WEB-INF/lib"));
        for (Class<?> library : libraries) {
            Path place = placeOf(library);
            Path jar = jars.resolve(library.getSimpleName() + ".jar");
            if (Files.isDirectory(place)) {
                ToolProvider tool = ToolProvider.findFirst("jar").orElseThrow();
                tool.run(System.out, System.err, "--create", "--file", jar.toString(), "-C", place.toString(), ".");
            } else {
                Files.copy(place, jar);
            }
        }
    }

    /** Copies a class and its nested classes, which are nowhere else on the class path of the server. */
    private static Path copied(Path classes, Class<?> copied) throws IOException {
        String name = copied.getName().replace('.', '/');
        Path source = Objects.requireNonNull(placeOf(copied).resolve(name).getParent());
        Path target = Files.createDirectories(
                Objects.requireNonNull(classes.resolve(name).getParent()));
        try (Stream<Path> files = Files.list(source)) {
            for (Path file : files.toList()) {
                String fileName = file.getFileName().toString();
                if (fileName.equals(copied.getSimpleName() + ".class")
                        || fileName.startsWith(copied.getSimpleName() + "$")) {
                    Files.copy(file, target.resolve(fileName));
                }
            }
        }
        return classes;
    }

    private static Path placeOf(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }
}
