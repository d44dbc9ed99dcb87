// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastSystem;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The contract, of members. */
@Tag("integration")
class MemberContractTest implements SnowcastContract {
    private static MockCluster cluster;

    @BeforeAll
    static void startCluster() {
        cluster = MockCluster.of(1);
    }

    @AfterAll
    static void stopCluster() {
        cluster.close();
    }

    /** A member or client as a process, and what ends it. */
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
        HazelcastInstance member = cluster.addMember();
        cluster.awaitSafe();
        return new Instance(member, MemberContractTest::leave);
    }

    /** Those that leave before others have their partitions would take some with them. */
    private static void leave(HazelcastInstance member) {
        cluster.leave(member);
        cluster.awaitSafe();
    }
}
