// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastSystem;
import java.util.function.Consumer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;

@Tag("integration")
class MemberContractTest implements SnowcastContract {
    /** Two members that stay. Each process of the contract is another member. */
    @AutoClose
    private final MockCluster cluster = MockCluster.of(2);

    /** A member or client in the role of a process, and the action that ends it. */
    record Instance(HazelcastInstance hazelcast, Consumer<HazelcastInstance> end) implements Running {
        @Override
        public Snowcast snowcast() {
            return SnowcastSystem.snowcast(hazelcast);
        }

        @Override
        public void close() {
            end.accept(hazelcast);
        }
    }

    @Override
    public Running startProcess() {
        return new Instance(cluster.addMember(), cluster::leave);
    }
}
