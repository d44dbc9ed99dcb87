// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.config.Config;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import java.time.Duration;
import java.util.List;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.ResourceLoader;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/** Starts the {@code HazelcastInstance} of an application that has none. */
final class OwnHazelcast {
    /**
     * Boot sets it, too. By default Hazelcast logs to the JDK's logging, which goes silent when a process begins to
     * end.
     */
    static final String LOGGING_TYPE = "hazelcast.logging.type";

    private static final Log LOG = LogFactory.getLog(OwnHazelcast.class);
    private static final String CLIENT_CONFIG = "hazelcast.client.config";
    private static final List<String> CLIENT_FILES =
            List.of("hazelcast-client.xml", "hazelcast-client.yaml", "hazelcast-client.yml");

    private OwnHazelcast() {}

    static HazelcastInstance start(
            @Nullable Config config,
            @Nullable ClientConfig clientConfig,
            @Nullable Duration lease,
            MemberSettings settings,
            ResourceLoader resources) {
        if (clientConfig != null) {
            return client(clientConfig, "the ClientConfig bean");
        }
        if (config != null) {
            return member(config, lease, settings, "the Config bean");
        }
        return hasClientConfiguration(resources)
                ? client(ClientConfig.load(), "the client configuration that Hazelcast finds")
                : member(Config.load(), lease, settings, "the configuration that Hazelcast finds, or its default");
    }

    /** Where Hazelcast looks for the configuration of a client, before it takes its default. */
    private static boolean hasClientConfiguration(ResourceLoader resources) {
        return StringUtils.hasText(System.getProperty(CLIENT_CONFIG))
                || CLIENT_FILES.stream()
                        .anyMatch(file -> resources.getResource("file:" + file).exists()
                                || resources.getResource("classpath:" + file).exists());
    }

    private static HazelcastInstance client(ClientConfig config, String source) {
        log("client", source);
        return HazelcastClient.newHazelcastClient(config);
    }

    private static HazelcastInstance member(
            Config config, @Nullable Duration lease, MemberSettings settings, String source) {
        log("member", source);
        settings.applyTo(config);
        if (lease != null) {
            MemberSettings.setUnlessSet(config, ClusterSetting.LEASE.hazelcastName(), Long.toString(lease.toMillis()));
        }
        if (ClassUtils.isPresent("org.slf4j.Logger", null)) {
            MemberSettings.setUnlessSet(config, LOGGING_TYPE, "slf4j");
        }
        return Hazelcast.newHazelcastInstance(config);
    }

    private static void log(String what, String source) {
        LOG.info("There is no HazelcastInstance bean: starting a " + what + " with " + source
                + "; it is shut down with the context. To use another one, define a bean of type HazelcastInstance");
    }
}
