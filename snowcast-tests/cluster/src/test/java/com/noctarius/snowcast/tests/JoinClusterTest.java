// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.hazelcast.core.HazelcastInstance;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests members that join together. Hazelcast admits at once all members that ask to join within a few seconds. */
@Tag("integration")
class JoinClusterTest {
    private static final Map<String, String> PROPERTIES = Map.of("hazelcast.wait.seconds.before.join", "3");

    /** The new members are the majority of the cluster, but cannot vote yet. */
    @Test
    void aMajorityJoinsAtOnce() throws Exception {
        try (MockCluster cluster = MockCluster.of(1, PROPERTIES)) {
            cluster.addMembersAtOnce(5);
            cluster.awaitSafe();
            for (HazelcastInstance owner : cluster.members()) {
                TestCluster.create(cluster.member(0), cluster.nameOwnedBy(owner))
                        .next();
            }
        }
    }
}
