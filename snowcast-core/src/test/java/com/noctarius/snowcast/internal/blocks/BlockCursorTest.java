// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.store.Block;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BlockCursorTest {
    private static BlockCursor cursor(Block block) {
        return BlockCursor.of(block, 0.5);
    }

    @Test
    void reachesTheHighestLong() {
        BlockCursor cursor = cursor(Block.of(Long.MAX_VALUE - 1, Long.MAX_VALUE));

        assertThat(cursor.at(cursor.take(1))).isEqualTo(Long.MAX_VALUE - 1);
        assertThat(cursor.at(cursor.take(1))).isEqualTo(Long.MAX_VALUE);
        assertThat(cursor.remaining()).isZero();
    }

    /** A store may put all integers into one block. The position after the block's last integer must not overflow. */
    @Test
    void thereAreNoneAfterTheRestOfTheLargestBlock() {
        BlockCursor cursor = cursor(Block.of(1, Long.MAX_VALUE));
        assertThat(cursor.at(cursor.take(1))).isOne();
        assertThat(cursor.takeRest()).isNotNull().extracting(Block::first).isEqualTo(2L);
        for (int i = 0; i < 10; i++) {
            assertThat(cursor.take(Integer.MAX_VALUE)).isGreaterThanOrEqualTo(cursor.count);
            assertThat(cursor.takeRest()).isNull();
        }
        assertThat(cursor.remaining()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"10, 0.5, 4", "11, 0.5, 5", "1, 0.5, 0", "1000, 0.0001, 0", "1000, 1, 999"})
    void theNextBlockIsPrefetchedWhenTheShareIsTaken(long count, double threshold, long position) {
        BlockCursor cursor = BlockCursor.of(new Block(1, count, 1), threshold);
        assertThat(cursor.prefetchAt).isEqualTo(position);
        cursor.take(position);
        assertThat(cursor.leftAfterPrefetchAt()).isEqualTo(count - 1 - position);
        cursor.take(1);
        assertThat(cursor.leftAfterPrefetchAt()).isEqualTo(-1);
    }

    @Test
    void anEmptyBlockHasNoPosition() {
        assertThat(BlockCursor.empty().leftAfterPrefetchAt()).isEqualTo(-1);
    }

    @Test
    void countsOnlyWhatThereIs() {
        BlockCursor cursor = cursor(new Block(1, 3, 1));
        cursor.take(2);
        cursor.take(2);
        cursor.take(2);

        assertThat(cursor.remaining()).isZero();
        assertThat(cursor.takeRest()).isNull();
    }

    @Test
    void theRestIsTakenOnce() {
        BlockCursor cursor = cursor(new Block(1, 10, 1));
        cursor.take(3);

        assertThat(cursor.takeRest()).isEqualTo(Block.of(4, 10));
        assertThat(cursor.takeRest()).isNull();
        assertThat(cursor.take(1)).isGreaterThanOrEqualTo(cursor.count);
    }
}
