// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static com.noctarius.snowcast.tests.TestCluster.EPOCH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.spi.impl.SpiDataSerializerHook;
import com.hazelcast.test.PacketFiltersUtil;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.internal.cluster.Tables;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that a destruction ends all instances of a sequencer, and that the next sequencer of the name issues greater
 * IDs.
 */
@Tag("integration")
class DestroySequencerClusterTest {
    @AutoClose
    private static final MockCluster THREE = MockCluster.of(3);

    enum Destroyer {
        OWNER,
        BACKUP,
        NEITHER
    }

    @ParameterizedTest
    @EnumSource
    void everyInstanceIsDestroyedWhenTheCallReturnsWithThreeMembers(Destroyer destroyer) {
        destroys(THREE, destroyer);
    }

    private static void destroys(MockCluster cluster, Destroyer destroyer) {
        String name = TestCluster.newName();
        int index = cluster.members()
                .indexOf(
                        switch (destroyer) {
                            case OWNER -> cluster.owner(name);
                            case BACKUP -> cluster.backup(name);
                            case NEITHER -> cluster.third(name);
                        });
        for (int round = 0; round < 5; round++) {
            List<SnowcastSequencer> instances = cluster.createOnAll(name);

            cluster.snowcast(index).destroySequencer(instances.get(index));

            assertThat(instances).allMatch(each -> each.getSequencerState() == SnowcastSequenceState.Destroyed);
            assertThat(instances)
                    .allSatisfy(each -> assertThatThrownBy(each::next).isInstanceOf(SnowcastStateException.class));
        }
        assertThat(cluster.createOnAll(name).stream().map(DestroySequencerClusterTest::nodeOf))
                .doesNotHaveDuplicates();
    }

    private static int nodeOf(SnowcastSequencer sequencer) {
        try {
            return sequencer.logicalNodeId(sequencer.next());
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    static Stream<SequencerConfig.Builder> successors() {
        String name = TestCluster.newName();
        return Stream.of(
                SequencerConfig.builder(name + "-same").epoch(EPOCH),
                SequencerConfig.builder(name + "-nodes").epoch(EPOCH).maxLogicalNodeCount(128),
                SequencerConfig.builder(name + "-backups").epoch(EPOCH).backupCount(0),
                SequencerConfig.builder(name + "-epoch")
                        .epoch(SnowcastEpoch.byTimestamp(EPOCH.getEpochOffset() - 86_400_000)));
    }

    @ParameterizedTest
    @MethodSource("successors")
    void theNextSequencerOfThatNameIsAboveAllFormerIds(SequencerConfig.Builder next) throws Exception {
        SequencerConfig config = next.build();
        List<SnowcastSequencer> old = THREE.createOnAll(config.name());
        Load load =
                Load.tolerating(SnowcastStateException.class, EPOCH).on(old, 1).awaitMore(20_000);

        THREE.snowcast(1).destroySequencer(old.get(1));
        SnowcastSequencer successor = THREE.snowcast(2).createSequencer(config);
        long first = successor.next();

        List<long[]> former = load.stopAndCheck();
        assertThat(former)
                .allSatisfy(ids -> assertThat(Long.compareUnsigned(ids[ids.length - 1], first))
                        .isNegative());
    }

    /**
     * Two members attach, but Hazelcast delays both answers, because the backup receives no changes. The sequencer is
     * destroyed during this delay, before either member has received its grant.
     */
    @Test
    void grantsThatGotLostDoNotKeepTheNameFromBeingUsedAgain() throws Exception {
        try (MockCluster cluster = MockCluster.of(3)) {
            String name = cluster.nameOwnedBy(cluster.member(0));
            SnowcastSequencer first = TestCluster.create(cluster.member(0), name);
            PacketFiltersUtil.dropOperationsFrom(
                    cluster.member(0), SpiDataSerializerHook.F_ID, List.of(SpiDataSerializerHook.BACKUP));
            Threads creators = Threads.start(
                    2,
                    index -> TestCluster.create(cluster.member(index + 1), name).next());
            Await.until("grants on their way", () -> Tables.attached(cluster.member(0), name) == 3);
            PacketFiltersUtil.resetPacketFiltersFrom(cluster.member(0));

            cluster.snowcast(0).destroySequencer(first);

            TestCluster.create(cluster.member(0), name).next();
            creators.join();
        }
    }
}
