// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static com.noctarius.snowcast.tests.TestCluster.EPOCH;
import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests members whose settings differ from the settings of older members, and the steps by which an operator can change
 * a lease.
 */
@Tag("integration")
class MemberSettingsClusterTest {
    private static final String LEASE = "snowcast.lease.millis";
    private static final String MAX_LEASE = "snowcast.max.lease.millis";

    @Test
    void theLeaseIsRaisedMemberByMember() throws Exception {
        change("60000", Map.of(LEASE, "60000", MAX_LEASE, "120000"), Map.of(LEASE, "120000"), Duration.ofMinutes(2));
    }

    @Test
    void theLeaseIsLoweredMemberByMember() throws Exception {
        change("60000", Map.of(LEASE, "30000", MAX_LEASE, "60000"), Map.of(LEASE, "30000"), Duration.ofSeconds(30));
    }

    /**
     * Replaces all members one after the other, first by members with {@code first}, then by members with
     * {@code second}, while a client generates IDs.
     */
    private static void change(String from, Map<String, String> first, Map<String, String> second, Duration lease)
            throws Exception {
        try (MockCluster cluster = MockCluster.of(2, Map.of(LEASE, from))) {
            HazelcastInstance client = cluster.addClient();
            Load load = Load.of(EPOCH).on(TestCluster.create(client, "orders"), 1);
            for (Map<String, String> properties : List.of(first, second)) {
                for (HazelcastInstance old : List.copyOf(cluster.members())) {
                    HazelcastInstance added = cluster.addMember(config -> properties.forEach(config::setProperty));
                    cluster.awaitSafe();
                    cluster.leave(old);
                    cluster.awaitSize();
                    cluster.awaitSafe();
                    load.awaitMore(500);
                    assertThat(added.getLifecycleService().isRunning()).isTrue();
                }
            }
            SnowcastSequencer attached =
                    SnowcastSystem.snowcast(cluster.member(0)).createSequencer("orders", EPOCH);
            assertThat(attached.stats().lease()).isEqualTo(lease);
            load.on(attached, 1).awaitMore(500).stopAndCheck();
        }
    }
}
