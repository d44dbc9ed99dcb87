// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.hazelcast.core.HazelcastInstance;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag("integration")
class ClientContractTest implements SnowcastContract {
    @AutoClose
    private static MockCluster cluster;

    @BeforeAll
    static void startCluster() {
        cluster = MockCluster.of(2);
    }

    @Override
    public Running startProcess() {
        return new MemberContractTest.Instance(cluster.addClient(), HazelcastInstance::shutdown);
    }
}
