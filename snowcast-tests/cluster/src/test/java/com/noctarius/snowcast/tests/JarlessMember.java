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

/** A member in a separate process that has Hazelcast but not snowcast on its class path. */
final class JarlessMember {
    private JarlessMember() {}

    /**
     * Starts a member that joins {@code peer}, the only member of a cluster. Returns when the cluster has two members.
     *
     * @param directory an empty directory for the class path and the output
     */
    static JavaProcess join(TcpCluster cluster, HazelcastInstance peer, Path directory) throws IOException {
        JavaProcess member = start(cluster.name(), TcpCluster.freePort(), TcpCluster.portOf(peer), directory);
        try {
            Await.until("a second member", () -> peer.getCluster().getMembers().size() == 2 || !member.isAlive());
            if (!member.isAlive()) {
                throw new AssertionError("it ended: " + member.output());
            }
            return member;
        } catch (RuntimeException | Error e) {
            member.close();
            throw e;
        }
    }

    /** Starts a member. If {@code peerPort} is the member's own {@code port}, the member starts a new cluster. */
    static JavaProcess start(String clusterName, int port, int peerPort, Path directory) throws IOException {
        String resource = JarlessMain.class.getName().replace('.', '/') + ".class";
        Path mainClass = directory.resolve(resource);
        Files.createDirectories(Objects.requireNonNull(mainClass.getParent()));
        try (InputStream in = JarlessMain.class.getClassLoader().getResourceAsStream(resource)) {
            Files.copy(Objects.requireNonNull(in), mainClass);
        }
        return JavaProcess.start(
                directory,
                directory + File.pathSeparator + hazelcastJar(),
                JarlessMain.class,
                clusterName,
                Integer.toString(port),
                Integer.toString(peerPort),
                Integer.toString(TestCluster.PARTITIONS));
    }

    static Path hazelcastJar() {
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
}
