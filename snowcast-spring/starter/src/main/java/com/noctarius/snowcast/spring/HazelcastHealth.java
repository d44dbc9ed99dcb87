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
 * Whether a {@code HazelcastInstance} runs and, if it is a client, is connected to a member. Unlike the indicator of
 * Boot that this takes the place of, which executes a transaction, it makes no call to the cluster: a client that has
 * no connection answers a call only after its invocation time-out, two minutes by default, and the threads of the
 * server would wait for that.
 *
 * @param status the code of Boot's status: {@code UP} if it is so
 * @param details those of Boot's indicator, how many members the cluster has, and of a member how it searches for them;
 *     or the reason
 */
record HazelcastHealth(String status, Map<String, Object> details) {
    private static final String REASON = "reason";

    /** Returns the names of the beans, also those of parent contexts, and makes none. */
    static List<String> namesOf(ConfigurableListableBeanFactory beanFactory) {
        return List.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(
                beanFactory, HazelcastInstance.class, false, false));
    }

    /** Of the bean of that name. One that is lazy and that nothing uses is not started to be asked. */
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
            // The address of a client is the near end of one of its connections.
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
