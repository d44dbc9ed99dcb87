// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastLayout;
import java.util.List;
import org.junit.jupiter.api.Test;

class IdCheckTest {
    private static final SnowcastLayout LAYOUT = SnowcastLayout.DEFAULT;
    private static final SnowcastEpoch EPOCH = SnowcastEpoch.byTimestamp(0);

    @Test
    void acceptsDistinctIdsOfSeveralThreads() {
        assertThatCode(() -> IdCheck.requireUnique(LAYOUT, List.of(ids(1, 3, 5), ids(2, 4), ids())))
                .doesNotThrowAnyException();
    }

    @Test
    void findsADuplicateAcrossThreads() {
        assertThatThrownBy(() -> IdCheck.requireUnique(LAYOUT, List.of(ids(1, 3, 5), ids(2, 3))))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("1 duplicates among 5 IDs, the first is 3 (time 0, node 0, counter 3)");
    }

    @Test
    void findsADuplicateWithinAThread() {
        assertThatThrownBy(() -> IdCheck.requireUnique(LAYOUT, List.of(ids(-1, 3, -1))))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void acceptsAnIncreaseAcrossNodesAndTheSignBit() {
        long beforeFlip = LAYOUT.compose((1L << 40) - 1, 9, 1_023);
        long afterFlip = LAYOUT.compose(1L << 40, 2, 0);
        long laterOnALowerNode = LAYOUT.compose((1L << 40) + 1, 1, 0);

        assertThatCode(() -> IdCheck.requireOrdered(LAYOUT, ids(beforeFlip, afterFlip, laterOnALowerNode)))
                .doesNotThrowAnyException();
    }

    /** The counter is higher, but the ID as a number is not. */
    @Test
    void findsTheNextSlotOnALowerNode() {
        assertThatThrownBy(() -> IdCheck.requireOrdered(LAYOUT, ids(LAYOUT.compose(7, 2, 5), LAYOUT.compose(7, 1, 6))))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void findsAStepBack() {
        assertThatThrownBy(() -> IdCheck.requireOrdered(LAYOUT, ids(1, 2, 1)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("ID 2 is not above its predecessor");
    }

    @Test
    void findsARepeatedSlotOnAnotherNode() {
        assertThatThrownBy(() -> IdCheck.requireOrdered(LAYOUT, ids(LAYOUT.compose(7, 1, 5), LAYOUT.compose(7, 2, 5))))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void findsATimeThatHasNotComeYet() {
        long id = LAYOUT.compose(100_000, 1, 1);

        assertThatCode(() -> IdCheck.requireTimeBetween(LAYOUT, EPOCH, 99_999, 100_001, ids(id)))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> IdCheck.requireTimeBetween(LAYOUT, EPOCH, 10_000, 20_000, ids(id)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("time is not between");
    }

    private static long[] ids(long... ids) {
        return ids;
    }
}
