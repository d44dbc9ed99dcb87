// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The JVM of nodes, and its flags. Cassandra 5 runs on no later Java than 17, because it needs a security manager. */
final class NodeJava {
    private static final String HOME = "cassandra.java.home";

    /** Flags for measurements. They must follow {@link #flags}, because the JVM uses the last value of a flag. */
    static final List<String> FLAGS_OF_A_SERVER =
            List.of("-XX:TieredStopAtLevel=4", "-XX:ReservedCodeCacheSize=240m", "-Xms1g", "-Xmx1g");

    private NodeJava() {}

    static Path executable() {
        if (Runtime.version().feature() == 17) {
            return javaOf(Path.of(System.getProperty("java.home")));
        }
        return Stream.of(System.getProperty(HOME), System.getenv("JAVA_HOME_17_X64"), System.getenv("JAVA17_HOME"))
                .flatMap(Stream::ofNullable)
                .map(Path::of)
                .findFirst()
                .or(NodeJava::installed)
                .map(NodeJava::javaOf)
                .orElseThrow(() -> new IllegalStateException("Cassandra needs Java 17, and this is " + Runtime.version()
                        + ": say where Java 17 is with -D" + HOME + "=…"));
    }

    private static Path javaOf(Path home) {
        return home.resolve("bin").resolve("java");
    }

    private static Optional<Path> installed() {
        Path homes = Path.of("/usr/lib/jvm");
        if (!Files.isDirectory(homes)) {
            return Optional.empty();
        }
        try (Stream<Path> all = Files.list(homes)) {
            return all.filter(home -> home.getFileName().toString().matches(".*\\b17\\b.*"))
                    .filter(home -> Files.isExecutable(javaOf(home)))
                    .sorted()
                    .findFirst();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<String> flags() {
        Stream<String> exports = Stream.of(
                        "java.base/jdk.internal.misc",
                        "java.base/java.lang.ref",
                        "java.management.rmi/com.sun.jmx.remote.internal.rmi",
                        "java.rmi/sun.rmi.registry",
                        "java.rmi/sun.rmi.server",
                        "java.sql/java.sql",
                        "jdk.unsupported/sun.misc",
                        "jdk.attach/sun.tools.attach")
                .map(name -> "--add-exports=" + name + "=ALL-UNNAMED");
        Stream<String> opens = Stream.of(
                        "java.base/java.lang",
                        "java.base/java.lang.module",
                        "java.base/java.lang.reflect",
                        "java.base/java.io",
                        "java.base/java.util",
                        "java.base/sun.nio.ch",
                        "java.base/jdk.internal.loader",
                        "java.base/jdk.internal.ref",
                        "java.base/jdk.internal.reflect",
                        "java.base/jdk.internal.math",
                        "java.base/jdk.internal.module",
                        "java.base/jdk.internal.util.jar",
                        "jdk.management/com.sun.management.internal")
                .map(name -> "--add-opens=" + name + "=ALL-UNNAMED");
        Stream<String> others = Stream.of(
                "-Djdk.attach.allowAttachSelf=true",
                "-Dio.netty.tryReflectionSetAccessible=true",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                // A start loads thousands of classes, and would take a tenth of its time to verify them.
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:-BytecodeVerificationRemote",
                "-Xshare:auto",
                "-Xss512k",
                "-Xms192m",
                "-Xmx192m",
                // 64 MB are not enough for the first hint. A hint is the copy of a write for a node that is down.
                "-XX:MaxDirectMemorySize=192m",
                "-XX:MaxMetaspaceSize=128m",
                "-XX:ReservedCodeCacheSize=48m",
                "-XX:+ExitOnOutOfMemoryError",
                "-Djava.net.preferIPv4Stack=true",
                "-Dlogback.configurationFile=cassandra-logback.xml",
                "-Dcassandra.clock=com.noctarius.snowcast.cassandra.node.NodeClock",
                "-Dcassandra-foreground=yes",
                "-Dcassandra.skip_wait_for_gossip_to_settle=0",
                // With 0, every node that is not a seed node would exit.
                "-Dcassandra.ring_delay_ms=10000",
                "-Dcassandra.superuser_setup_delay_ms=0",
                "-Dcassandra.shutdown_announce_in_ms=0");
        return Stream.of(exports, opens, others).flatMap(flags -> flags).toList();
    }
}
