// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.holder;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.store.Block;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BlockCursorTest {
    private static BlockCursor cursor(Block block) {
        return BlockCursor.empty().followedBy(block);
    }

    @Test
    void hasNoLimitAtFirst() {
        assertThat(cursor(Block.of(1, 10)).limit()).isEqualTo(10);
    }

    @ParameterizedTest
    @CsvSource({"0, 0, 0", "9, 9, 0", "10, 10, 0", "13, 10, 3", "15, 10, 5", "1000, 10, 5", "-1, 0, 0"})
    void aLimitCountsOverAllBlocks(long number, long ofFirst, long ofSecond) {
        BlockCursor first = cursor(Block.of(1, 10));
        BlockCursor second = first.followedBy(Block.of(101, 105));
        first.limitTo(number);
        second.limitTo(number);

        assertThat(first.limit()).isEqualTo(ofFirst);
        assertThat(second.limit()).isEqualTo(ofSecond);
        assertThat(second.end()).isEqualTo(15);
    }

    @Test
    void givesTheIntegersOfAStripedBlock() {
        BlockCursor cursor = cursor(new Block(7, 3, 5));

        assertThat(LongStream.generate(() -> cursor.at(cursor.take(1))).limit(3))
                .containsExactly(7L, 12L, 17L);
        assertThat(cursor.take(1)).isGreaterThanOrEqualTo(cursor.count);
    }

    @Test
    void reachesTheHighestLong() {
        BlockCursor cursor = cursor(Block.of(Long.MAX_VALUE - 1, Long.MAX_VALUE));

        assertThat(cursor.at(cursor.take(1))).isEqualTo(Long.MAX_VALUE - 1);
        assertThat(cursor.at(cursor.take(1))).isEqualTo(Long.MAX_VALUE);
        assertThat(cursor.remaining()).isZero();
    }

    /** Of a store that gives all integers at once. */
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

    @Test
    void anEmptyCursorHasNothing() {
        BlockCursor cursor = BlockCursor.empty();

        assertThat(cursor.take(1)).isGreaterThanOrEqualTo(cursor.count);
        assertThat(cursor.limit()).isZero();
        assertThat(cursor.remaining()).isZero();
        assertThat(cursor.takeRest()).isNull();
    }
}
