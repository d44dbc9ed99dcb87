// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastSystem;
import java.util.function.Consumer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Each process of the contract is a further member, or a client, of a cluster with two members that stay. */
@ParameterizedClass
@EnumSource(Side.class)
@Tag("integration")
class ClusterContractTest implements SnowcastContract {
    @AutoClose
    private static final MockCluster CLUSTER = MockCluster.of(2);

    private final Side side;

    ClusterContractTest(Side side) {
        this.side = side;
    }

    /** A member or client in the role of a process, and the action that ends it. */
    private record Instance(HazelcastInstance hazelcast, Consumer<HazelcastInstance> end) implements Running {
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
        return side == Side.MEMBER
                ? new Instance(CLUSTER.addMember(), CLUSTER::leave)
                : new Instance(CLUSTER.addClient(), HazelcastInstance::shutdown);
    }
}
