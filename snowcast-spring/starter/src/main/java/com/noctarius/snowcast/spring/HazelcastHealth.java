// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.hazelcast.cluster.Endpoint;
import com.hazelcast.cluster.Member;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * The health of a {@code HazelcastInstance}: whether it is running and, if it is a client, is connected to a member.
 * This class replaces Boot's indicator, which executes a transaction. If a client has no connection, the transaction
 * would block a thread of the web server until the invocation time-out, two minutes by default. Therefore this class
 * never calls the cluster.
 *
 * @param status the code of Boot's status; {@code UP} if the instance is healthy
 * @param details the name and UUID of the instance, the name of the cluster, the number of members and, for a member,
 *     its join configuration; or the reason why the instance is not healthy
 */
record HazelcastHealth(String status, Map<String, Object> details) {
    private static final String REASON = "reason";

    /** Returns the names of all {@code HazelcastInstance} beans, also of parent contexts. Creates no bean. */
    static List<String> namesOf(ConfigurableListableBeanFactory beanFactory) {
        return List.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(
                beanFactory, HazelcastInstance.class, false, false));
    }

    /** Returns the health of the bean with this name. Does not create a lazy bean. */
    static HazelcastHealth of(ConfigurableListableBeanFactory beanFactory, String name) {
        HazelcastInstance hazelcast =
                MadeBeans.of(beanFactory, HazelcastInstance.class).get(name);
        return hazelcast == null ? new HazelcastHealth("UNKNOWN", Map.of(REASON, "it was not started")) : of(hazelcast);
    }

    static HazelcastHealth of(HazelcastInstance hazelcast) {
        try {
            Endpoint endpoint = hazelcast.getLocalEndpoint();
            if (!hazelcast.getLifecycleService().isRunning()) {
                return down("it was shut down");
            }
            // A client's address is the local end of one of its connections, and null if the client has no connection.
            if (!(endpoint instanceof Member) && endpoint.getSocketAddress() == null) {
                return down("the client is not connected to any member of its cluster");
            }
            Map<String, Object> details = new LinkedHashMap<>();
            details.put("name", hazelcast.getName());
            details.put("uuid", endpoint.getUuid().toString());
            details.put("members", hazelcast.getCluster().getMembers().size());
            details.put("clusterName", hazelcast.getConfig().getClusterName());
            if (endpoint instanceof Member) {
                details.put("join", MemberJoin.describe(hazelcast.getConfig()));
            }
            return new HazelcastHealth("UP", details);
        } catch (HazelcastInstanceNotActiveException e) {
            return down("it was shut down");
        }
    }

    private static HazelcastHealth down(String reason) {
        return new HazelcastHealth("DOWN", Map.of(REASON, reason));
    }
}
