// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.holder;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.store.Block;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BlockCursorTest {
    @ParameterizedTest
    @CsvSource({"10, 0.5, 4", "10, 0.51, 5", "10, 1, 9", "10, 0.001, 0", "1, 0.5, 0", "1, 1, 0", "3, 0.5, 1"})
    void theMarkIsThePositionThatUsesTheShare(long count, double share, long mark) {
        BlockCursor cursor = BlockCursor.of(new Block(1, count, 1), share);

        assertThat(cursor.mark).isEqualTo(mark);
        assertThat(LongStream.range(0, 3 * count).filter(from -> cursor.isMarkIn(from, 1)))
                .containsExactly((Long) mark);
    }

    @Test
    void aBatchHasTheMarkIfOneOfItsPositionsIsIt() {
        BlockCursor cursor = BlockCursor.of(new Block(1, 10, 1), 0.5);

        assertThat(cursor.isMarkIn(0, 4)).isFalse();
        assertThat(cursor.isMarkIn(0, 5)).isTrue();
        assertThat(cursor.isMarkIn(4, 1)).isTrue();
        assertThat(cursor.isMarkIn(5, 100)).isFalse();
        assertThat(cursor.isMarkIn(2, Integer.MAX_VALUE)).isTrue();
    }

    @Test
    void givesTheIntegersOfAStripedBlock() {
        BlockCursor cursor = BlockCursor.of(new Block(7, 3, 5), 1);

        assertThat(LongStream.generate(() -> cursor.at(cursor.take(1))).limit(3))
                .containsExactly(7L, 12L, 17L);
        assertThat(cursor.take(1)).isGreaterThanOrEqualTo(cursor.count);
    }

    @Test
    void reachesTheHighestLong() {
        BlockCursor cursor = BlockCursor.of(Block.of(Long.MAX_VALUE - 1, Long.MAX_VALUE), 0.5);

        assertThat(cursor.at(cursor.take(1))).isEqualTo(Long.MAX_VALUE - 1);
        assertThat(cursor.at(cursor.take(1))).isEqualTo(Long.MAX_VALUE);
        assertThat(cursor.remaining()).isZero();
    }

    /** Of a store that gives all integers at once. */
    @Test
    void thereAreNoneAfterTheRestOfTheLargestBlock() {
        BlockCursor cursor = BlockCursor.of(Block.of(1, Long.MAX_VALUE), 0.5);
        assertThat(cursor.at(cursor.take(1))).isOne();
        assertThat(cursor.takeRest()).isNotNull().extracting(Block::first).isEqualTo(2L);
        for (int i = 0; i < 10; i++) {
            assertThat(cursor.take(Integer.MAX_VALUE)).isGreaterThanOrEqualTo(cursor.count);
            assertThat(cursor.takeRest()).isNull();
        }
        assertThat(cursor.remaining()).isZero();
    }

    @Test
    void countsOnlyWhatThereIs() {
        BlockCursor cursor = BlockCursor.of(new Block(1, 3, 1), 1);
        cursor.take(2);
        cursor.take(2);
        cursor.take(2);

        assertThat(cursor.takenCount()).isEqualTo(3);
        assertThat(cursor.remaining()).isZero();
        assertThat(cursor.takeRest()).isNull();
    }

    @Test
    void theRestIsTakenOnce() {
        BlockCursor cursor = BlockCursor.of(new Block(1, 10, 1), 1);
        cursor.take(3);

        assertThat(cursor.takeRest()).isEqualTo(Block.of(4, 10));
        assertThat(cursor.takeRest()).isNull();
        assertThat(cursor.take(1)).isGreaterThanOrEqualTo(cursor.count);
    }

    @Test
    void anEmptyCursorHasNothing() {
        BlockCursor cursor = BlockCursor.empty();

        assertThat(cursor.take(1)).isGreaterThanOrEqualTo(cursor.count);
        assertThat(cursor.isMarkIn(0, 1)).isFalse();
        assertThat(cursor.remaining()).isZero();
        assertThat(cursor.takeRest()).isNull();
    }
}
