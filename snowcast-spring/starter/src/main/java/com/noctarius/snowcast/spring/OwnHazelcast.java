// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.client.config.ClientConfigRecognizer;
import com.hazelcast.client.config.XmlClientConfigBuilder;
import com.hazelcast.client.config.YamlClientConfigBuilder;
import com.hazelcast.config.Config;
import com.hazelcast.config.ConfigStream;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.internal.base.PatientStart;
import com.noctarius.snowcast.internal.base.Threads;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.Resource;
import org.springframework.core.io.ResourceLoader;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/** Starts a {@code HazelcastInstance} for an application that has no bean of this type. */
final class OwnHazelcast {
    /**
     * The Hazelcast property that selects a logging library. For a member, this class sets it to slf4j, as Boot does,
     * if SLF4J is present and the user has not set the property. By default, Hazelcast would use the JDK's logging,
     * which stops when the process begins to shut down.
     */
    static final String LOGGING_TYPE = "hazelcast.logging.type";

    static final String SET_LOCATION = "Set it to the location of Hazelcast's configuration, such as"
            + " classpath:hazelcast.yaml or file:/etc/shop/hazelcast.yaml";

    private static final Log LOG = LogFactory.getLog(OwnHazelcast.class);
    private static final String LEAST_MEMBERS = "hazelcast.initial.min.cluster.size";
    private static final String CLIENT_CONFIG = "hazelcast.client.config";
    private static final List<String> CLIENT_FILES =
            List.of("hazelcast-client.xml", "hazelcast-client.yaml", "hazelcast-client.yml");

    private OwnHazelcast() {}

    /**
     * Starts a member or a client, with the first configuration that exists: the ClientConfig bean, the Config bean,
     * the file at the location, or a configuration that Hazelcast finds itself. Without any, starts a member with
     * Hazelcast's default configuration.
     *
     * @param location the value of {@code spring.hazelcast.config}, which Boot 4 itself uses only if its Hazelcast
     *     module is present; null if the property is not set
     */
    static HazelcastInstance start(
            @Nullable Config config,
            @Nullable ClientConfig clientConfig,
            @Nullable String location,
            @Nullable Duration lease,
            MemberSettings settings,
            Surroundings surroundings,
            ResourceLoader resources) {
        if (clientConfig != null) {
            return client(clientConfig, "the ClientConfig bean");
        }
        if (config != null) {
            return member(config, lease, settings, surroundings, "the Config bean");
        }
        if (StringUtils.hasText(location)) {
            return startFrom(location, settings, surroundings, resources);
        }
        return hasClientConfiguration(resources)
                ? client(ClientConfig.load(), "the client configuration that Hazelcast finds")
                : member(
                        Config.load(),
                        lease,
                        settings,
                        surroundings,
                        "the configuration that Hazelcast finds, or its default");
    }

    /** Starts a member or a client, depending on the root element of the file, as Boot's auto-configuration does. */
    private static HazelcastInstance startFrom(
            String location, MemberSettings settings, Surroundings surroundings, ResourceLoader resources) {
        Resource file = resources.getResource(location);
        String source = PropertyNames.HAZELCAST_CONFIG + "=" + location;
        try {
            if (isOfClient(file)) {
                return client(clientConfig(file, location), source);
            }
            try (InputStream in = file.getInputStream()) {
                return member(Config.loadFromStream(in), null, settings, surroundings, source);
            }
        } catch (IOException e) {
            throw new InvalidPropertyException(
                    PropertyNames.HAZELCAST_CONFIG, "cannot be read: " + e.getMessage(), SET_LOCATION, e);
        }
    }

    private static boolean isOfClient(Resource file) throws IOException {
        try (InputStream in = file.getInputStream()) {
            return new ClientConfigRecognizer().isRecognized(new ConfigStream(in));
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e); // Hazelcast's recognizer throws no other checked exception.
        }
    }

    private static ClientConfig clientConfig(Resource file, String location) throws IOException {
        try (InputStream in = file.getInputStream()) {
            return location.endsWith(".xml")
                    ? new XmlClientConfigBuilder(in).build()
                    : new YamlClientConfigBuilder(in).build();
        }
    }

    /** Returns whether a system property or a file in a default location configures a Hazelcast client. */
    private static boolean hasClientConfiguration(ResourceLoader resources) {
        return StringUtils.hasText(System.getProperty(CLIENT_CONFIG))
                || CLIENT_FILES.stream()
                        .anyMatch(file -> resources.getResource("file:" + file).exists()
                                || resources.getResource("classpath:" + file).exists());
    }

    private static HazelcastInstance client(ClientConfig config, String source) {
        log("client", source);
        PatientStart.Wait wait = new PatientStart.Wait(
                "the Hazelcast client",
                "until it is connected to its cluster, or for its cluster-connect-timeout-millis",
                "no member has accepted it yet",
                LOG::warn);
        try {
            return HazelcastClient.newHazelcastClient(config);
        } finally {
            wait.close();
        }
    }

    private static HazelcastInstance member(
            Config config,
            @Nullable Duration lease,
            MemberSettings settings,
            Surroundings surroundings,
            String source) {
        MemberJoin.requireConfigured(config, surroundings);
        log("member", source);
        settings.applyTo(config);
        ClusterProperties.requireLease(PropertyNames.LEASE, lease);
        if (lease != null) {
            MemberSettings.setUnlessSet(config, ClusterSetting.LEASE.hazelcastName(), Long.toString(lease.toMillis()));
        }
        if (ClassUtils.isPresent("org.slf4j.Logger", null)) {
            MemberSettings.setUnlessSet(config, LOGGING_TYPE, "slf4j");
        }
        return started(config);
    }

    /**
     * Starts a member in a different thread, because Hazelcast may wait for other members indefinitely, and ignores
     * interrupts. This method stops waiting when Spring interrupts its thread, at the beginning of a shutdown.
     */
    private static HazelcastInstance started(Config config) {
        CompletableFuture<HazelcastInstance> start =
                CompletableFuture.supplyAsync(() -> Hazelcast.newHazelcastInstance(config), OwnHazelcast::startThread);
        PatientStart.Wait wait = waitOfMember(config);
        try {
            return start.get();
        } catch (InterruptedException e) {
            CompletableFuture<Void> unused = start.thenAccept(HazelcastInstance::shutdown);
            Thread.currentThread().interrupt();
            throw new SnowcastUnavailableException(
                    "the Hazelcast member: the start is given up, because the process ends", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) e.getCause();
        } finally {
            wait.close();
        }
    }

    /** Creates the object that logs what the start of a member is waiting for; this wait has no time limit. */
    private static PatientStart.Wait waitOfMember(Config config) {
        String own = config.getProperty(LEAST_MEMBERS);
        String least = own == null ? System.getProperty(LEAST_MEMBERS) : own;
        return new PatientStart.Wait(
                "the Hazelcast member",
                least == null
                        ? "until it has joined a cluster or formed one"
                        : "until the cluster has as many members as " + LEAST_MEMBERS + '=' + least + " says",
                "start the others, or end the process by SIGTERM",
                LOG::warn);
    }

    private static void startThread(Runnable task) {
        Thread thread = Threads.newThread("snowcast.start-of-member", task);
        // Hazelcast loads the classes of the application through the thread's context class loader.
        thread.setContextClassLoader(Thread.currentThread().getContextClassLoader());
        thread.start();
    }

    private static void log(String what, String source) {
        LOG.info("There is no HazelcastInstance bean: starting a " + what + " with " + source
                + "; it is shut down with the context. To use another one, define a bean of type HazelcastInstance");
    }
}
