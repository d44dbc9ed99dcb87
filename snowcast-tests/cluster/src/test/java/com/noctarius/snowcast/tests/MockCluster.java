// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.client.test.TestHazelcastFactory;
import com.hazelcast.cluster.Address;
import com.hazelcast.config.Config;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.test.TestHazelcastInstanceFactory;
import java.lang.reflect.Field;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

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

    /**
     * Makes the network forget the addresses of former members. A member that searches for the other side of a split
     * tries all addresses in turn, and waits 5 seconds for each address without a member.
     */
    void forgetTheGone() {
        Set<Address> present = members().stream()
                .map(member -> member.getCluster().getLocalMember().getAddress())
                .collect(Collectors.toSet());
        try {
            Field known = TestHazelcastInstanceFactory.class.getDeclaredField("addressMap");
            known.setAccessible(true);
            ((Map<?, ?>) known.get(factory)).values().retainAll(present);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("another version of Hazelcast's tests keeps them elsewhere", e);
        }
    }

    @Override
    void terminate() {
        factory.terminateAll();
    }
}
