// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static com.noctarius.snowcast.tests.TestCluster.EPOCH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.cluster.ClusterState;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.internal.cluster.ManyHolders;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests a partition whose backup has crashed. With {@code NO_MIGRATION}, no other member becomes the backup. */
@Tag("integration")
class MissingBackupClusterTest {
    @AutoClose
    private MockCluster cluster;

    private String name;
    private HazelcastInstance owner;
    private SnowcastSequencer attached;

    @BeforeEach
    void crashTheBackup() {
        cluster = MockCluster.of(3, Map.of("hazelcast.operation.call.timeout.millis", "5000"));
        name = TestCluster.newName();
        owner = cluster.owner(name);
        attached = TestCluster.create(owner, name);
        TestCluster.changeState(owner, ClusterState.NO_MIGRATION);
        cluster.crash(cluster.backup(name));
        Await.until("two members", () -> owner.getCluster().getMembers().size() == 2);
    }

    private void allowMigrations() {
        TestCluster.changeState(owner, ClusterState.ACTIVE);
        cluster.awaitSafe();
    }

    @Test
    void nobodyIsAttachedUntilThereIsABackup() throws Exception {
        assertThatThrownBy(() -> ManyHolders.snowcast(owner).createSequencer(name, EPOCH))
                .isInstanceOf(SnowcastException.class)
                .hasMessageContaining("has 0 of 1 backups at present");

        allowMigrations();
        ManyHolders.snowcast(owner).createSequencer(name, EPOCH).next();
    }

    @Test
    void aDestructionThatFailedCanBeRepeated() throws Exception {
        assertThatThrownBy(() -> SnowcastSystem.snowcast(owner).destroySequencer(attached))
                .isInstanceOf(SnowcastException.class);
        assertThat(attached.getSequencerState()).isEqualTo(SnowcastSequenceState.Destroyed);

        allowMigrations();
        SnowcastSystem.snowcast(owner).destroySequencer(attached);
        TestCluster.create(owner, name).next();
    }
}
