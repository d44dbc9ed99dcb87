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
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests a partition whose backup has crashed. With {@code NO_MIGRATION}, no other member becomes the backup. */
@Tag("integration")
@SuppressWarnings("NullAway.Init") // Each test sets the fields first.
class MissingBackupClusterTest {
    /** The call time-out in tests whose calls wait for the backup. */
    private static final Duration SHORT_CALL_TIMEOUT = Duration.ofSeconds(5);
    /** The call time-out in the other tests. A call that does not wait takes less than this on any machine. */
    private static final Duration LONG_CALL_TIMEOUT = Duration.ofMinutes(1);

    @AutoClose
    private MockCluster cluster;

    private String name;
    private HazelcastInstance owner;
    private SnowcastSequencer attached;

    private void crashTheBackup(Duration callTimeout) {
        cluster = MockCluster.of(
                3, Map.of("hazelcast.operation.call.timeout.millis", Long.toString(callTimeout.toMillis())));
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
        crashTheBackup(SHORT_CALL_TIMEOUT);
        assertThatThrownBy(() -> ManyHolders.snowcast(owner).createSequencer(name, EPOCH))
                .isInstanceOf(SnowcastException.class)
                .hasMessageContaining("has 0 of 1 backups at present");

        allowMigrations();
        ManyHolders.snowcast(owner).createSequencer(name, EPOCH).next();
    }

    @Test
    void whoIsAttachedGoesOnAndCanDetach() throws Exception {
        crashTheBackup(LONG_CALL_TIMEOUT);
        attached.next();

        long start = System.nanoTime();
        attached.detachLogicalNode();

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(LONG_CALL_TIMEOUT);
        assertThat(attached.getSequencerState()).isEqualTo(SnowcastSequenceState.Detached);
    }

    @Test
    void aDestructionThatFailedCanBeRepeated() throws Exception {
        crashTheBackup(SHORT_CALL_TIMEOUT);
        assertThatThrownBy(() -> SnowcastSystem.snowcast(owner).destroySequencer(attached))
                .isInstanceOf(SnowcastException.class);
        assertThat(attached.getSequencerState()).isEqualTo(SnowcastSequenceState.Destroyed);

        allowMigrations();
        SnowcastSystem.snowcast(owner).destroySequencer(attached);
        TestCluster.create(owner, name).next();
    }
}
