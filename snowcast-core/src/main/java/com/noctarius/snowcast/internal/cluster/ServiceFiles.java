// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.config.InvalidConfigurationException;
import com.hazelcast.core.HazelcastInstance;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks the service files with which Hazelcast finds snowcast and Hazelcast's own services. If the build of a fat jar
 * has not merged these files, some entries are missing, and the member may never join other members, or not answer
 * them.
 */
final class ServiceFiles {
    /** The classes of snowcast that the files must name. */
    private static final Map<String, String> PROVIDERS = new TreeMap<>(Map.of(
            "com.hazelcast.DataSerializerHook", "SnowcastDataSerializerHook",
            "com.hazelcast.client.impl.protocol.MessageTaskFactoryProvider", "SnowcastMessageTaskFactoryProvider",
            "com.hazelcast.spi.impl.servicemanager.ServiceDescriptorProvider", "SnowcastServiceProvider"));

    private ServiceFiles() {}

    /** Throws if a file lacks an entry. */
    static void requireComplete() {
        String incomplete = incomplete(ServiceFiles.class.getClassLoader());
        if (incomplete != null) {
            throw new InvalidConfigurationException(incomplete);
        }
    }

    /** Returns a message about the first file that lacks an entry, with the remedy; null if all are complete. */
    static @Nullable String incomplete(ClassLoader loader) {
        // The package prefix of Hazelcast, also if a build has relocated Hazelcast.
        String hazelcast = HazelcastInstance.class.getPackageName().replaceFirst("core$", "");
        for (Map.Entry<String, String> each : PROVIDERS.entrySet()) {
            String provider = ServiceFiles.class.getPackageName() + "." + each.getValue();
            String file = "META-INF/services/" + each.getKey();
            List<URL> files = resources(loader, file);
            List<String> named = files.stream().flatMap(ServiceFiles::lines).toList();
            if (!named.contains(provider)) {
                return refusal(file, provider, "snowcast", files);
            }
            if (named.stream().noneMatch(name -> name.startsWith(hazelcast))) {
                return refusal(file, "any class of Hazelcast", "Hazelcast's own services", files);
            }
        }
        return null;
    }

    private static String refusal(String file, String missing, String whatIsNotFound, List<URL> files) {
        return file + " does not name " + missing + ", so Hazelcast does not find " + whatIsNotFound
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

    private static Stream<String> lines(URL file) {
        try (InputStream in = file.openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().map(String::strip);
        } catch (IOException e) {
            return Stream.of(e.toString()); // The unreadable file counts as a file that names no class.
        }
    }
}
