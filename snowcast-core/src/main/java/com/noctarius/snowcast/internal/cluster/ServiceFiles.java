// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.core.HazelcastInstance;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks the service files with which Hazelcast finds snowcast and Hazelcast's own services. If the build of a fat jar
 * has not merged these files, some entries are missing, and the member may never join other members, or not answer
 * them.
 */
final class ServiceFiles {
    private static final String DIRECTORY = "META-INF/services/";
    private static final String API = "com.noctarius.snowcast.";

    private static final List<Entry> ENTRIES = List.of(
            new Entry("com.hazelcast.DataSerializerHook", API + "internal.cluster.SnowcastDataSerializerHook"),
            new Entry(
                    "com.hazelcast.client.impl.protocol.MessageTaskFactoryProvider",
                    API + "internal.cluster.SnowcastMessageTaskFactoryProvider"),
            new Entry(
                    "com.hazelcast.spi.impl.servicemanager.ServiceDescriptorProvider",
                    API + "internal.cluster.SnowcastServiceProvider"));

    private ServiceFiles() {}

    /** A service file, and the class of snowcast that it must name. */
    private record Entry(String service, String provider) {
        String file() {
            return DIRECTORY + service;
        }
    }

    /** Returns a message about the first file that lacks an entry, with the remedy; null if all are complete. */
    static @Nullable String lost(ClassLoader loader) {
        // The package prefix of Hazelcast, also if a build has relocated Hazelcast.
        String hazelcast = HazelcastInstance.class.getPackageName().replaceFirst("core$", "");
        for (Entry entry : ENTRIES) {
            List<URL> files = resources(loader, entry.file());
            List<String> named = lines(files);
            if (!named.contains(entry.provider())) {
                return refusal(entry, entry.provider(), "snowcast", files);
            }
            if (named.stream().noneMatch(provider -> provider.startsWith(hazelcast))) {
                return refusal(entry, "any class of Hazelcast", "Hazelcast's own services", files);
            }
        }
        return null;
    }

    private static String refusal(Entry entry, String missing, String whatIsLost, List<URL> files) {
        return entry.file() + " does not name " + missing + ", so Hazelcast does not find " + whatIsLost
                + ". The jars were put into one without merging these files. Merge them: with the"
                + " ServicesResourceTransformer of maven-shade-plugin, or with mergeServiceFiles() of Gradle's Shadow"
                + " plugin. Found: " + files;
    }

    private static List<URL> resources(ClassLoader loader, String name) {
        try {
            return Collections.list(loader.getResources(name));
        } catch (IOException e) {
            return List.of();
        }
    }

    private static List<String> lines(List<URL> files) {
        List<String> lines = new ArrayList<>();
        for (URL file : files) {
            try (InputStream in = file.openStream()) {
                new String(in.readAllBytes(), StandardCharsets.UTF_8)
                        .lines()
                        .map(String::strip)
                        .forEach(lines::add);
            } catch (IOException e) {
                lines.add(e.toString()); // The unreadable file counts as a file that names no class.
            }
        }
        return lines;
    }
}
