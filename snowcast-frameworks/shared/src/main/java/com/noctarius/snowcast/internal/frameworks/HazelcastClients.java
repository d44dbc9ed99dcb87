// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.frameworks;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.client.config.XmlClientConfigBuilder;
import com.hazelcast.client.config.YamlClientConfigBuilder;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.internal.base.PatientStart;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Starts Hazelcast clients. Only this class refers to Hazelcast, which an application need not have. */
final class HazelcastClients {
    private static final System.Logger LOGGER = System.getLogger(HazelcastClients.class.getName());

    private HazelcastClients() {}

    static OpenedSnowcast open(String file) {
        HazelcastInstance client = connect(read(file));
        try {
            return new OpenedSnowcast(SnowcastSystem.snowcast(client), client::shutdown);
        } catch (RuntimeException | Error e) {
            client.shutdown();
            throw e;
        }
    }

    private static HazelcastInstance connect(ClientConfig config) {
        PatientStart.Wait wait = new PatientStart.Wait(
                "the Hazelcast client",
                "until it is connected to its cluster, or for its cluster-connect-timeout-millis",
                "no member has accepted it yet",
                line -> LOGGER.log(System.Logger.Level.WARNING, line));
        try {
            return HazelcastClient.newHazelcastClient(config);
        } finally {
            wait.close();
        }
    }

    private static ClientConfig read(String file) {
        try (InputStream stream = open(Path.of(file))) {
            return file.endsWith(".xml")
                    ? new XmlClientConfigBuilder(stream).build()
                    : new YamlClientConfigBuilder(stream).build();
        } catch (IOException e) {
            throw new IllegalArgumentException(Settings.HAZELCAST_CONFIG + " is wrong: " + e.getMessage(), e);
        }
    }

    /** Opens a file, or, if it does not exist, a resource of the class path. */
    private static InputStream open(Path file) throws IOException {
        if (Files.exists(file)) {
            return Files.newInputStream(file);
        }
        InputStream stream = Thread.currentThread().getContextClassLoader().getResourceAsStream(file.toString());
        if (stream == null) {
            throw new FileNotFoundException("there is no file or resource " + file);
        }
        return stream;
    }
}
