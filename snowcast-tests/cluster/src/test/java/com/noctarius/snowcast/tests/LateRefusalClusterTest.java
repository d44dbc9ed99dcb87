// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static com.noctarius.snowcast.tests.TestCluster.EPOCH;
import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.cluster.ClusterState;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.spi.exception.RetryableHazelcastException;
import com.noctarius.snowcast.internal.cluster.HeldAnswer;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests that an owner refuses to answer if it has lost its backup or the quorum after it executed the operation, or is
 * leaving its cluster. Without this refusal, the holder could get a grant that no other member has received.
 */
@Tag("integration")
class LateRefusalClusterTest {
    @AutoClose
    private final MockCluster cluster = MockCluster.of(0, Map.of());

    private String name = "";
    private HazelcastInstance owner;

    @BeforeEach
    void start() {
        for (int i = 0; i < 3; i++) {
            cluster.addMember(config -> SplitNetwork.protect(config, 3));
        }
        cluster.awaitSafe();
        name = TestCluster.newName();
        owner = cluster.owner(name);
    }

    private void crashAndAwait(HazelcastInstance member) {
        cluster.crash(member);
        Await.until("two members", () -> owner.getCluster().getMembers().size() == 2);
    }

    @Test
    void anAnswerIsGivenIfNothingHasChanged() {
        assertThat(HeldAnswer.of(owner, name, EPOCH).refusal()).isEmpty();
    }

    @Test
    void anAnswerIsRefusedIfTheBackupIsGone() {
        HeldAnswer held = HeldAnswer.of(owner, name, EPOCH);
        // In this state, no other member becomes the backup.
        TestCluster.changeState(owner, ClusterState.NO_MIGRATION);
        crashAndAwait(cluster.backup(name));

        assertThat(held.refusal().orElseThrow())
                .isExactlyInstanceOf(RetryableHazelcastException.class)
                .hasMessageContaining("has 0 of 1 backups at present");
    }

    @Test
    void anAnswerIsRefusedIfTheQuorumIsGone() {
        HeldAnswer held = HeldAnswer.of(owner, name, EPOCH);
        crashAndAwait(cluster.members().stream()
                .filter(member -> member != owner && member != cluster.backup(name))
                .findAny()
                .orElseThrow());

        assertThat(held.refusal().orElseThrow()).hasMessageContaining("quorum");
    }

    @Test
    void anAnswerIsRefusedIfTheOwnerLeavesForTheOtherSideOfASplit() {
        HeldAnswer held = HeldAnswer.of(owner, name, EPOCH);
        held.leave();

        assertThat(held.refusal().orElseThrow())
                .isExactlyInstanceOf(RetryableHazelcastException.class)
                .hasMessage("this member leaves its cluster");
    }
}
