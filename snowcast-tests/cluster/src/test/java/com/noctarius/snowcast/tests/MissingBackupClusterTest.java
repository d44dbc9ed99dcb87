// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static com.noctarius.snowcast.tests.TestCluster.EPOCH;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.cluster.ClusterState;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.internal.cluster.ManyHolders;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests a partition whose backup has crashed. With {@code NO_MIGRATION}, no other member becomes the backup. */
@Tag("integration")
class MissingBackupClusterTest {
    @Test
    void nobodyIsAttachedUntilThereIsABackup() throws Exception {
        try (MockCluster cluster = MockCluster.of(3, Map.of("hazelcast.operation.call.timeout.millis", "5000"))) {
            String name = TestCluster.newName();
            HazelcastInstance owner = cluster.owner(name);
            TestCluster.create(owner, name);
            TestCluster.changeState(owner, ClusterState.NO_MIGRATION);
            cluster.crash(cluster.backup(name));
            cluster.awaitSize();
            assertThatThrownBy(() -> ManyHolders.snowcast(owner).createSequencer(name, EPOCH))
                    .isInstanceOf(SnowcastException.class)
                    .hasMessageContaining("has 0 of 1 backups at present");

            TestCluster.changeState(owner, ClusterState.ACTIVE);
            cluster.awaitSafe();
            ManyHolders.snowcast(owner).createSequencer(name, EPOCH).next();
        }
    }
}
