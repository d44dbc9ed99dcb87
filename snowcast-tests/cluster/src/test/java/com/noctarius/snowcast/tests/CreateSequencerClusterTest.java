// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static com.noctarius.snowcast.tests.TestCluster.EPOCH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastMaxLogicalNodeIdOutOfBoundsException;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSequencerAlreadyRegisteredException;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.tests.FormerCall.Shows;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass
@EnumSource(Side.class)
@Tag("integration")
class CreateSequencerClusterTest {
    @AutoClose
    private static final MockCluster CLUSTER = MockCluster.of(2);

    private static final Map<Side, Snowcast> BY_SIDE = new EnumMap<>(Side.class);

    private final Snowcast here;
    private final Snowcast there = CLUSTER.snowcast(1);
    private final String name = TestCluster.newName();

    CreateSequencerClusterTest(Side side) {
        here = BY_SIDE.computeIfAbsent(side, first -> SnowcastSystem.snowcast(first.in(CLUSTER)));
    }

    @Test
    @Shows(FormerCall.CREATE)
    void aNewSequencerIsAttachedAndKnowsItsNameAndLayout() throws Exception {
        SnowcastSequencer sequencer = here.createSequencer(name, EPOCH, 1_000);

        assertThat(sequencer.getSequencerState()).isEqualTo(SnowcastSequenceState.Attached);
        assertThat(sequencer.getSequencerName()).isEqualTo(name);
        assertThat(sequencer.layout()).isEqualTo(new SnowcastLayout(41, 10, 13));
        long id = sequencer.next();
        assertThat(sequencer.timestampValue(id))
                .isBetween(EPOCH.getEpochTimestamp() - 5_000, EPOCH.getEpochTimestamp());
    }

    @Test
    @Shows({FormerCall.CREATE, FormerCall.CREATE_SAME, FormerCall.CREATE_DETACHED, FormerCall.LAYOUT_EQUAL})
    void theSameDefinitionGivesTheSameInstance() {
        SnowcastSequencer sequencer = here.createSequencer(name, EPOCH);

        assertThat(here.createSequencer(name, SnowcastEpoch.byTimestamp(EPOCH.getEpochOffset())))
                .isSameAs(sequencer);
        assertThat(here.createSequencer(name, EPOCH, 8_192)).isSameAs(sequencer);
        // The layout is the same.
        assertThat(here.createSequencer(name, EPOCH, 4_097)).isSameAs(sequencer);
        assertThat(there.createSequencer(name, EPOCH, 4_097).getSequencerState())
                .isEqualTo(SnowcastSequenceState.Attached);

        sequencer.detachLogicalNode();
        assertThat(here.createSequencer(name, EPOCH)).isSameAs(sequencer);
        assertThat(sequencer.getSequencerState()).isEqualTo(SnowcastSequenceState.Detached);
    }

    static Stream<SequencerConfig.Builder> otherDefinitions() {
        String name = TestCluster.newName();
        return Stream.of(
                SequencerConfig.builder(name + "-epoch").epoch(SnowcastEpoch.byTimestamp(EPOCH.getEpochOffset() + 1)),
                SequencerConfig.builder(name + "-node count").epoch(EPOCH).maxLogicalNodeCount(128),
                SequencerConfig.builder(name + "-layout").epoch(EPOCH).layout(SnowcastLayout.POSITIVE),
                SequencerConfig.builder(name + "-backup count").epoch(EPOCH).backupCount(0));
    }

    @ParameterizedTest
    @MethodSource("otherDefinitions")
    @Shows(FormerCall.CREATE_OTHER)
    void anotherDefinitionIsRefusedOnEveryMemberAndHarmsNothing(SequencerConfig.Builder other) throws Exception {
        SequencerConfig conflicting = other.build();
        SnowcastSequencer existing = here.createSequencer(conflicting.name(), EPOCH);
        long before = existing.next();

        for (Snowcast snowcast : new Snowcast[] {here, there, there}) {
            assertThatThrownBy(() -> snowcast.createSequencer(conflicting))
                    .isExactlyInstanceOf(SnowcastSequencerAlreadyRegisteredException.class)
                    .hasMessageContaining(conflicting.name());
        }

        assertThat(existing.next()).isGreaterThan(before);
        assertThat(existing.detachLogicalNode().attachLogicalNode().getSequencerState())
                .isEqualTo(SnowcastSequenceState.Attached);
        // A failed creation leaves nothing behind: after the wrong definition failed, the right one works.
        assertThat(there.createSequencer(conflicting.name(), EPOCH).getSequencerState())
                .isEqualTo(SnowcastSequenceState.Attached);
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, 0, 127, 8_193, Integer.MAX_VALUE})
    @Shows(FormerCall.CREATE_NODES)
    void aNodeCountOutOfBoundsIsRefused(int count) {
        assertThatThrownBy(() -> here.createSequencer(name, EPOCH, count))
                .isExactlyInstanceOf(SnowcastMaxLogicalNodeIdOutOfBoundsException.class)
                .hasMessage("maxLogicalNodeCount must be 128 to 8192: " + count);
    }

    /** D15: a failed creation registered its definition for good. */
    @Test
    @Shows(FormerCall.EPOCH_AHEAD)
    void anEpochInTheFutureIsRefusedAndDoesNotPoisonTheName() throws Exception {
        SnowcastEpoch future = SnowcastEpoch.byTimestamp(System.currentTimeMillis() + 3_600_000);

        assertThatThrownBy(() -> here.createSequencer(name, future))
                .isExactlyInstanceOf(SnowcastUnavailableException.class)
                .hasMessageContaining("no ID can be made before its epoch");

        here.createSequencer(name, EPOCH).next();
        there.createSequencer(name, EPOCH).next();
    }

    @Test
    @Shows(FormerCall.EPOCH_IN_SECONDS)
    void anEpochInSecondsIsRefusedUnlessItIsAnInstant() {
        long seconds = 1_704_067_200;

        assertThatThrownBy(() -> here.createSequencer(name, SnowcastEpoch.byTimestamp(seconds)))
                .isExactlyInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("epoch is given as the number 1704067200");

        SnowcastEpoch instant = SnowcastEpoch.byInstant(Instant.ofEpochMilli(seconds));
        assertThat(here.createSequencer(name, instant).epoch()).isEqualTo(instant);
    }
}
