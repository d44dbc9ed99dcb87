// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.client.test.TestHazelcastFactory;
import com.hazelcast.config.Config;
import com.hazelcast.core.HazelcastInstance;
import java.util.Map;

/** A cluster without sockets: members call each other directly. */
final class MockCluster extends TestCluster {
    private final TestHazelcastFactory factory = new TestHazelcastFactory();

    private MockCluster(Map<String, String> properties) {
        super(properties);
    }

    static MockCluster of(int size) {
        return of(size, Map.of());
    }

    static MockCluster of(int size, Map<String, String> properties) {
        MockCluster cluster = new MockCluster(properties);
        for (int i = 0; i < size; i++) {
            cluster.addMember();
        }
        cluster.awaitSafe();
        return cluster;
    }

    @Override
    HazelcastInstance newMember(Config config) {
        return factory.newHazelcastInstance(config);
    }

    @Override
    HazelcastInstance newClient(ClientConfig config) {
        return factory.newHazelcastClient(config);
    }

    @Override
    public void close() {
        factory.terminateAll();
    }
}
