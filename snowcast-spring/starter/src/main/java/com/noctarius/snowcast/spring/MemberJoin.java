// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.hazelcast.cluster.Member;
import com.hazelcast.config.AdvancedNetworkConfig;
import com.hazelcast.config.Config;
import com.hazelcast.config.DiscoveryConfig;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.core.HazelcastInstance;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Checks how a member finds the other members of its cluster. Without a configured join, Hazelcast uses its
 * auto-detection. Auto-detection may miss the other members, so that two processes issue the same IDs; or it may find
 * the cluster of a different application.
 */
final class MemberJoin {
    private static final Log LOG = LogFactory.getLog(MemberJoin.class);

    private static final String REMEDY = "Configure network.join and cluster-name in hazelcast.yaml or in the Config"
            + " bean, or connect as a client (hazelcast-client.yaml)";

    private MemberJoin() {}

    /** Returns a description of the configured join, for the health details. */
    static String describe(Config config) {
        JoinConfig join = of(config);
        if (join.isAutoDetectionEnabled()) {
            return "auto-detection, since none is configured";
        }
        Map<String, Boolean> kinds = new LinkedHashMap<>();
        kinds.put("multicast", join.getMulticastConfig().isEnabled());
        kinds.put("tcp-ip", join.getTcpIpConfig().isEnabled());
        kinds.put("kubernetes", join.getKubernetesConfig().isEnabled());
        kinds.put("aws", join.getAwsConfig().isEnabled());
        kinds.put("gcp", join.getGcpConfig().isEnabled());
        kinds.put("azure", join.getAzureConfig().isEnabled());
        kinds.put("eureka", join.getEurekaConfig().isEnabled());
        List<String> enabled = new ArrayList<>();
        kinds.forEach((kind, isEnabled) -> {
            if (isEnabled) {
                enabled.add(kind);
            }
        });
        DiscoveryConfig discovery = join.getDiscoveryConfig();
        if (discovery != null && discovery.isEnabled()) {
            enabled.add("discovery strategies");
        }
        return enabled.isEmpty() ? "none: it is alone, or the first" : String.join(", ", enabled);
    }

    /** Throws if the process runs in a container and its member would use auto-detection. */
    static void requireConfigured(Config config, Surroundings surroundings) {
        if (surroundings.container() != null && of(config).isAutoDetectionEnabled()) {
            throw new RefusedStartException(
                    "The Hazelcast member of this application is not started. It runs in " + surroundings.container()
                            + ", and nothing says how it finds the other members. It could stay alone and issue the"
                            + " IDs of another process, or join the cluster of another application",
                    REMEDY + ". For node IDs from the application's database, set " + PropertyNames.STORE
                            + "=jdbc. For a single process, or for tests, set"
                            + " hazelcast.network.join.auto-detection.enabled: false in hazelcast.yaml, or "
                            + PropertyNames.STANDALONE_NODE + "=0",
                    null);
        }
    }

    /** Logs a warning, with the members of the cluster, if this member uses auto-detection. */
    static void warnUnlessConfigured(HazelcastInstance hazelcast) {
        if (MemberSettings.isClient(hazelcast) || !of(hazelcast.getConfig()).isAutoDetectionEnabled()) {
            return;
        }
        List<Member> members = List.copyOf(hazelcast.getCluster().getMembers());
        LOG.warn("No join is configured: the member " + hazelcast.getName() + " searched for others by itself, and the"
                + " cluster " + hazelcast.getConfig().getClusterName() + " has " + members.size() + " ("
                + members.stream().map(member -> member.getAddress().toString()).collect(Collectors.joining(", "))
                + "). If another process of this application is not among them, both can issue the same IDs. "
                + REMEDY + ", before it is used in production");
    }

    private static JoinConfig of(Config config) {
        AdvancedNetworkConfig advanced = config.getAdvancedNetworkConfig();
        return advanced.isEnabled()
                ? advanced.getJoin()
                : config.getNetworkConfig().getJoin();
    }
}
