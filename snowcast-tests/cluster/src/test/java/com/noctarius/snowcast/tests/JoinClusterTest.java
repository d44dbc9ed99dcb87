// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.hazelcast.core.HazelcastInstance;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests members that join together. If several members ask to join within a few seconds, Hazelcast admits all of them
 * in one step.
 */
@Tag("integration")
class JoinClusterTest {
    private static final Map<String, String> PROPERTIES = Map.of("hazelcast.wait.seconds.before.join", "3");

    /**
     * The new members are the majority of the cluster. They have just joined, so their votes do not count towards a
     * majority yet (see {@code Electorate}).
     */
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
