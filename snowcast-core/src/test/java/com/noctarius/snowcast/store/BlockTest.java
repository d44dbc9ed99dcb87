// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BlockTest {
    @ParameterizedTest
    @CsvSource({
        "-1, 1, 1",
        "0, 0, 1",
        "0, 1, 0",
        "9223372036854775807, 2, 1",
        "1, 9223372036854775807, 2",
        "2, 9223372036854775807, 1"
    })
    void integersBeyondALongAndNoIntegersAreRefused(long first, long count, long step) {
        assertThatThrownBy(() -> new Block(first, count, step))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(Long.toString(first))
                .hasMessageContaining(Long.toString(count))
                .hasMessageContaining(Long.toString(step));
    }

    @ParameterizedTest
    @CsvSource({"-1, 1", "2, 1", "0, 9223372036854775807"})
    void boundsThatAreNoBlockAreRefused(long first, long last) {
        assertThatThrownBy(() -> Block.of(first, last))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(first + ", " + last);
    }

    @Test
    void reachesTheHighestLong() {
        assertThat(new Block(1, Long.MAX_VALUE, 1).last()).isEqualTo(Long.MAX_VALUE);
        assertThat(new Block(Long.MAX_VALUE, 1, Long.MAX_VALUE).last()).isEqualTo(Long.MAX_VALUE);
        assertThat(Block.of(1, Long.MAX_VALUE)).isEqualTo(new Block(1, Long.MAX_VALUE, 1));
    }

    @Test
    void knowsItsIntegers() {
        Block striped = new Block(3, 4, 10);
        assertThat(striped.at(0)).isEqualTo(3);
        assertThat(striped.at(2)).isEqualTo(23);
        assertThat(striped.last()).isEqualTo(33);
        assertThat(striped.part(1, 3)).isEqualTo(new Block(13, 2, 10));
        assertThat(striped.part(0, 4)).isEqualTo(striped);
    }

    @ParameterizedTest
    @CsvSource({"-1, 2", "0, 5", "2, 2", "3, 1"})
    void aPartIsWithinTheBlockAndNotEmpty(long from, long to) {
        assertThatThrownBy(() -> new Block(3, 4, 10).part(from, to))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(from + " to " + to);
    }
}
