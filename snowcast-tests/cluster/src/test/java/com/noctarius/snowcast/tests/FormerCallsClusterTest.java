// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static com.noctarius.snowcast.tests.TestCluster.EPOCH;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.config.Config;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests calls of the API of snowcast 1 and 2. {@link FormerUser}, written for those versions, must compile. */
@ParameterizedClass
@EnumSource(Side.class)
@Tag("integration")
class FormerCallsClusterTest {
    @AutoClose
    private static final MockCluster CLUSTER = MockCluster.of(2);

    private static final Map<Side, HazelcastInstance> BY_SIDE = new EnumMap<>(Side.class);

    private final HazelcastInstance instance;
    private final Snowcast snowcast;
    private final String name = TestCluster.newName();

    FormerCallsClusterTest(Side side) {
        instance = BY_SIDE.computeIfAbsent(side, first -> first.in(CLUSTER));
        snowcast = SnowcastSystem.snowcast(instance);
    }

    @ParameterizedTest
    @ValueSource(ints = {128, 256, 512, 1_024, 2_048, 4_096, 8_192})
    void timeNodeAndCounterAreWhereTheyWere(int nodes) throws Exception {
        int nodeBits = Integer.numberOfTrailingZeros(nodes);
        SnowcastSequencer sequencer = snowcast.createSequencer(name, EPOCH, nodes);

        long id = sequencer.next();
        assertThat(id)
                .isEqualTo(sequencer.timestampValue(id) << 23
                        | (long) sequencer.logicalNodeId(id) << (23 - nodeBits)
                        | sequencer.counterValue(id));
        assertThat(sequencer.logicalNodeId(id)).isBetween(0, nodes - 1);
        assertThat(sequencer.counterValue(id)).isBetween(0, (1 << (23 - nodeBits)) - 1);
        assertThat(EPOCH.getEpochOffset() + sequencer.timestampValue(id))
                .isCloseTo(System.currentTimeMillis(), Offset.offset(60_000L));
    }

    @Test
    void theStatesHaveTheirOrder() {
        assertThat(SnowcastSequenceState.values())
                .containsExactly(
                        SnowcastSequenceState.Detached,
                        SnowcastSequenceState.Attached,
                        SnowcastSequenceState.Destroyed);
        SnowcastSequencer sequencer = snowcast.createSequencer(name, EPOCH);
        assertThat(sequencer.getSequencerState()).isEqualTo(SnowcastSequenceState.Attached);
        assertThat(sequencer.detachLogicalNode().getSequencerState()).isEqualTo(SnowcastSequenceState.Detached);
        snowcast.destroySequencer(sequencer);
        assertThat(sequencer.getSequencerState()).isEqualTo(SnowcastSequenceState.Destroyed);
    }

    // --- the code of FormerUser, written for snowcast 1 and 2

    @Test
    void allWaysInLeadToTheSameSnowcast() {
        assertThat(FormerUser.allWaysIn(instance)).allMatch(way -> way == snowcast);
    }

    @Test
    void decoratorsGoOnToWork() throws InterruptedException {
        Snowcast counting = new FormerUser.CountingSnowcast(snowcast);
        SnowcastSequencer orders = counting.createSequencer(name, EPOCH);
        SnowcastSequencer bills = counting.createSequencer(name + "-bills", EPOCH, 128);

        requireDecoded(orders, 8_192);
        requireDecoded(bills, 128);
        assertThat(bills.getSequencerName()).isEqualTo(name + "-bills");
        counting.destroySequencer(bills);
        assertThat(FormerUser.describe(bills.getSequencerState())).isEqualTo("gone");
        assertThat(FormerUser.describe(orders.getSequencerState())).isEqualTo("busy");
        counting.destroySequencer(orders);
    }

    private static void requireDecoded(SnowcastSequencer sequencer, int maxLogicalNodeCount)
            throws InterruptedException {
        List<String> decoded = FormerUser.decoded(sequencer, maxLogicalNodeCount);
        assertThat(decoded).hasSize(2).doesNotHaveDuplicates().allSatisfy(each -> {
            String[] sides = each.split(" = ", -1);
            assertThat(sides[0]).isEqualTo(sides[1]);
        });
    }

    @Test
    void aDecoratorIsNotWhatWasCreated() throws InterruptedException {
        SnowcastSequencer orders = snowcast.createSequencer(name, EPOCH);
        SnowcastSequencer counting = new FormerUser.CountingSequencer(orders);

        assertThatThrownBy(() -> snowcast.destroySequencer(counting))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must have been created by the same Snowcast");
        orders.next();
    }

    /** The decorator overrides only methods of versions 1 and 2, but must count IDs of newer methods, too. */
    @Test
    void newMethodsOfASequencerCallItsDecorator() throws InterruptedException {
        FormerUser.CountingSequencer orders = new FormerUser.CountingSequencer(snowcast.createSequencer(name, EPOCH));

        assertThat(orders.name()).isEqualTo(name);
        assertThat(orders.next(3)).isSorted().doesNotHaveDuplicates().hasSize(3);
        long[] ids = new long[5];
        orders.next(ids, 1, 4);
        assertThat(ids[0] + ids[4]).isZero();
        assertThat(Arrays.copyOfRange(ids, 1, 4))
                .isSorted()
                .doesNotHaveDuplicates()
                .doesNotContain(0);
        assertThat(orders.count).isEqualTo(6);
        assertThatThrownBy(() -> orders.next(-1))
                .isExactlyInstanceOf(IllegalArgumentException.class)
                .hasMessage("count must be 0 to 16777216: -1");
        assertThatThrownBy(() -> orders.next(ids, 4, 6)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void whatADecoratorCannotKnowIsRefusedWithItsName() {
        Snowcast counting = new FormerUser.CountingSnowcast(snowcast);
        SnowcastSequencer orders = counting.createSequencer(name, EPOCH);
        SequencerConfig config = SequencerConfig.builder(name).epoch(EPOCH).build();
        IntegerSequenceConfig integers = IntegerSequenceConfig.builder(name).build();
        Map<String, ThrowingCallable> calls = Map.ofEntries(
                entry("layout()", orders::layout),
                entry("epoch()", orders::epoch),
                entry("stats()", orders::stats),
                entry("tryNext()", orders::tryNext),
                entry("nextAsync()", orders::nextAsync),
                entry("sequencers()", counting::sequencers),
                entry("integerSequences()", counting::integerSequences),
                entry("createSequencer(SequencerConfig)", () -> counting.createSequencer(config)),
                entry("addPossibleDuplicatesListener", () -> counting.addPossibleDuplicatesListener(found -> {})),
                entry(
                        "removePossibleDuplicatesListener",
                        () -> counting.removePossibleDuplicatesListener(UUID.randomUUID())),
                entry("createIntegerSequence", () -> counting.createIntegerSequence(integers)));

        assertThat(calls)
                .allSatisfy((method, call) -> assertThatThrownBy(call)
                        .isExactlyInstanceOf(UnsupportedOperationException.class)
                        .hasMessageMatching(".*FormerUser\\$Counting\\w+ does not implement " + Pattern.quote(method)));
    }

    @Test
    void theConfigurationStaysAsItIs() {
        Config own = new Config();
        String before = own.toString();

        assertThat(FormerUser.config(own)).isSameAs(own).hasToString(before);
    }
}
