// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** A member in a JVM of its own, whose class path has Hazelcast and not snowcast. */
final class JarlessMember implements AutoCloseable {
    private final Process process;

    private JarlessMember(Process process) {
        this.process = process;
    }

    /**
     * Starts a member next to one of a cluster; returns when they see each other.
     *
     * @param directory an empty one, for its class path and its output
     */
    static JarlessMember join(TcpCluster cluster, HazelcastInstance peer, Path directory) throws IOException {
        String resource = JarlessMain.class.getName().replace('.', '/') + ".class";
        Path mainClass = directory.resolve(resource);
        Files.createDirectories(Objects.requireNonNull(mainClass.getParent()));
        try (InputStream in = JarlessMain.class.getClassLoader().getResourceAsStream(resource)) {
            Files.copy(Objects.requireNonNull(in), mainClass);
        }
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        directory + File.pathSeparator + hazelcastJar(),
                        "-Dhazelcast.logging.type=none",
                        "-Dhazelcast.phone.home.enabled=false",
                        JarlessMain.class.getName(),
                        cluster.name(),
                        Integer.toString(TcpCluster.freePort()),
                        Integer.toString(TcpCluster.portOf(peer)),
                        Integer.toString(TestCluster.PARTITIONS))
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("output.txt").toFile())
                .start();
        JarlessMember member = new JarlessMember(process);
        try {
            Await.until("a second member", () -> peer.getCluster().getMembers().size() == 2 || !process.isAlive());
            if (!process.isAlive()) {
                throw new AssertionError("it ended: " + Files.readString(directory.resolve("output.txt")));
            }
            return member;
        } catch (IOException | RuntimeException | Error e) {
            member.close();
            throw e;
        }
    }

    private static Path hazelcastJar() {
        try {
            return Path.of(Hazelcast.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                throw new AssertionError("still alive: " + process);
            }
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }
}
