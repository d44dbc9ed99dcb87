// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.IntegerSequenceExhaustedException;
import com.noctarius.snowcast.SnowcastStateException;
import org.junit.jupiter.api.Test;

class TestIntegerSequenceTest {
    private final TestIntegerSequence products = TestIntegerSequence.named("products");

    @Test
    void itCountsFromOne() throws InterruptedException {
        assertThat(products.next()).isEqualTo(1);
        assertThat(products.nextInt()).isEqualTo(2);
        assertThat(products.tryNext()).hasValue(3);
        assertThat(products.next(2)).containsExactly(4, 5);
        assertThat(products.stats().issuedCount()).isEqualTo(5);
        assertThat(products.remaining()).isEqualTo(Integer.MAX_VALUE - 5);
    }

    @Test
    void aResetBeginsAnew() {
        products.next();
        products.close();
        products.reset();
        assertThat(products.next()).isEqualTo(1);
    }

    @Test
    void aConfigurationGivesTheBounds() {
        TestIntegerSequence two = TestIntegerSequence.of(IntegerSequenceConfig.builder("two")
                .firstValue(10)
                .lastValue(11)
                .build());
        long[] integers = {-1, -1, -1};
        assertThatThrownBy(() -> two.next(integers, 0, 3))
                .isInstanceOf(IntegerSequenceExhaustedException.class)
                .hasMessage("integer sequence two: the last value, 11, was handed out");
        assertThat(integers).containsExactly(10, 11, -1);
        assertThat(two.remaining()).isZero();
        assertThat(two.stats().isExhausted()).isTrue();
        assertThat(two.nextAsync().toCompletableFuture()).isCompletedExceptionally();
    }

    @Test
    void asyncCallsCompleteAtOnce() {
        assertThat(products.nextAsync().toCompletableFuture()).isCompletedWithValue(1L);
        assertThat(products.stats().isExhausted()).isFalse();
    }

    @Test
    void aClosedOneGivesNoIntegers() {
        products.prefetch();
        products.close();
        assertThat(products.isClosed()).isTrue();
        assertThat(products.remaining()).isZero();
        assertThatThrownBy(products::next)
                .isInstanceOf(SnowcastStateException.class)
                .hasMessage("integer sequence products was closed");
        assertThatThrownBy(products::prefetch).isInstanceOf(SnowcastStateException.class);
    }
}
