// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.integers;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.store.Block;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PositionRunsTest {
    private final PositionRuns runs = new PositionRuns();
    private final BlockCursor cursor = BlockCursor.of(new Block(100, 1_000_000, 1), 1);

    @Test
    void aThreadGetsItsRunInOrder() {
        assertThat(runs.take()).isEqualTo(PositionRuns.NONE);
        assertThat(runs.put(cursor, 0, 4)).isEqualTo(100);
        assertThat(LongStream.range(0, 4).map(i -> runs.take()).toArray())
                .containsExactly(101, 102, 103, PositionRuns.NONE);
    }

    @Test
    void aRunThatFindsItsStripeTakenIsNotLost() {
        runs.put(cursor, 0, 4);
        assertThat(runs.put(cursor, 4, 8)).isEqualTo(104);
        assertThat(runs.remaining()).isEqualTo(6);

        assertThat(LongStream.range(0, 7).map(i -> runs.takeAny()).toArray())
                .containsExactlyInAnyOrder(101, 102, 103, 105, 106, 107, PositionRuns.NONE);
        assertThat(runs.remaining()).isZero();
    }

    @Test
    void aSpareRunIsUsedBeforeAnotherIsTaken() {
        runs.put(cursor, 0, 4);
        runs.put(cursor, 4, 8);
        assertThat(LongStream.range(0, 7).map(i -> runs.take()).toArray())
                .containsExactly(101, 102, 103, 105, 106, 107, PositionRuns.NONE);
    }

    @Test
    void whatAnotherThreadHasLeftIsForAll() throws Exception {
        Thread other = new Thread(() -> runs.put(cursor, 0, 2));
        other.start();
        other.join();
        assertThat(runs.takeAny()).isEqualTo(101);
        assertThat(runs.takeAny()).isEqualTo(PositionRuns.NONE);
    }

    @Test
    void smallBlocksAreNotSpreadOverTheStripes() {
        assertThat(runs.lengthFor(BlockCursor.of(new Block(1, 1, 1), 1))).isEqualTo(1);
        assertThat(runs.lengthFor(BlockCursor.empty())).isEqualTo(1);
        assertThat(runs.lengthFor(cursor)).isEqualTo(64);
    }
}
