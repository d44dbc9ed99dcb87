// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SnowcastSequenceUtilsTest {
    /** The first millisecond whose IDs have bit 63 set. */
    private static final long BIT_63 = 1L << 40;

    @Test
    void decodesIdsOfTheDefaultLayoutAndOfOtherNodeCounts() {
        long id = SnowcastLayout.DEFAULT.compose(BIT_63 + 5, 8_000, 1_000);
        assertThat(id).isNegative();
        assertThat(SnowcastSequenceUtils.timestampValue(id)).isEqualTo(BIT_63 + 5);
        assertThat(SnowcastSequenceUtils.logicalNodeId(id)).isEqualTo(8_000);
        assertThat(SnowcastSequenceUtils.counterValue(id)).isEqualTo(1_000);

        long other = SnowcastLayout.forMaxLogicalNodeCount(256).compose(5, 255, 32_000);
        assertThat(SnowcastSequenceUtils.timestampValue(other)).isEqualTo(5);
        assertThat(SnowcastSequenceUtils.logicalNodeId(other, 200)).isEqualTo(255);
        assertThat(SnowcastSequenceUtils.counterValue(other, 200)).isEqualTo(32_000);
        assertThat(SnowcastSequenceUtils.compareSequence(other, other + 1, 200)).isNegative();
    }

    static List<Comparator<Long>> sequenceComparators() {
        return List.of(
                SnowcastSequenceUtils::compareSequence,
                (first, second) -> SnowcastSequenceUtils.compareSequence(first, second, 8_192),
                SnowcastSequenceUtils.snowcastSequenceComparator(8_192),
                new SnowcastSequenceComparator(SnowcastLayout.DEFAULT));
    }

    @ParameterizedTest
    @MethodSource("sequenceComparators")
    void sequenceOrderIsTimestampThenCounterAndIgnoresTheNode(Comparator<Long> comparator) {
        assertThat(List.of(
                        compared(comparator, 6, 1, 0),
                        compared(comparator, 5, 1, 4),
                        compared(comparator, 5, 1, 2),
                        compared(comparator, 5, 1, 3),
                        compared(comparator, BIT_63, 1, 0)))
                .containsExactly(-1, -1, 1, 0, -1);
    }

    /** Returns how an ID of millisecond 5, node 9 and counter 3 compares with another one. */
    private static int compared(Comparator<Long> comparator, long millis, int node, int counter) {
        return Integer.signum(comparator.compare(
                SnowcastLayout.DEFAULT.compose(5, 9, 3), SnowcastLayout.DEFAULT.compose(millis, node, counter)));
    }

    static List<Comparator<Long>> timestampComparators() {
        return List.of(
                SnowcastSequenceUtils::compareTimestamp,
                SnowcastSequenceUtils.snowcastTimestampComparator(),
                SnowcastTimestampComparator.INSTANCE);
    }

    @ParameterizedTest
    @MethodSource("timestampComparators")
    void timestampOrderIgnoresNodeAndCounterAndIsUnsigned(Comparator<Long> comparator) {
        assertThat(List.of(
                        compared(comparator, 5, 1, 4),
                        compared(comparator, 4, 10, 4),
                        compared(comparator, BIT_63, 0, 0)))
                .containsExactly(0, 1, -1);
    }

    @Test
    void sequenceComparatorOfASequencerGoesByItsLayout() {
        SnowcastLayout layout = SnowcastLayout.JAVASCRIPT;
        Comparator<Long> comparator =
                SnowcastSequenceUtils.snowcastSequenceComparator(SnowcastSystem.standaloneSequencer(
                        SequencerConfig.builder("ids")
                                .epoch(SnowcastEpoch.byTimestamp(0))
                                .layout(layout)
                                .build(),
                        1));

        assertThat(comparator.compare(layout.compose(5, 9, 3), layout.compose(5, 1, 4)))
                .isNegative();
    }
}
