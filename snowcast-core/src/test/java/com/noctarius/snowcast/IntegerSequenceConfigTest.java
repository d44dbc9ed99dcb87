// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStore;
import java.time.Duration;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.NullAndEmptySource;

class IntegerSequenceConfigTest {
    private static final BlockStore STORE = (sequence, size) -> Block.of(1, size);

    private static IntegerSequenceConfig.Builder builder() {
        return IntegerSequenceConfig.builder("products");
    }

    @Test
    void hasTheDefaultsThatAreDocumented() {
        IntegerSequenceConfig config = builder().build();
        assertThat(config.name()).isEqualTo("products");
        assertThat(config.firstValue()).isEqualTo(1);
        assertThat(config.lastValue()).isEqualTo(Integer.MAX_VALUE);
        assertThat(config.minBlockSize()).isEqualTo(1_000);
        assertThat(config.maxBlockSize()).isEqualTo(1_000);
        assertThat(config.blockDuration()).isZero();
        assertThat(config.prefetchThreshold()).isEqualTo(0.5);
        assertThat(config.maxWait()).isEqualTo(Duration.ofSeconds(10));
        assertThat(config.store()).isNull();
    }

    @Test
    void keepsWhatIsGiven() {
        IntegerSequenceConfig config = builder()
                .firstValue(5_000_001)
                .lastValue(Long.MAX_VALUE)
                .adaptiveBlockSize(10, 100_000, Duration.ofMinutes(1))
                .prefetchThreshold(0.8)
                .maxWait(Duration.ofMillis(300))
                .store(STORE)
                .build();
        assertThat(config.firstValue()).isEqualTo(5_000_001);
        assertThat(config.lastValue()).isEqualTo(Long.MAX_VALUE);
        assertThat(config.minBlockSize()).isEqualTo(10);
        assertThat(config.maxBlockSize()).isEqualTo(100_000);
        assertThat(config.blockDuration()).isEqualTo(Duration.ofMinutes(1));
        assertThat(config.prefetchThreshold()).isEqualTo(0.8);
        assertThat(config.maxWait()).isEqualTo(Duration.ofMillis(300));
        assertThat(config.store()).isSameAs(STORE);
        assertThat(config.toString())
                .contains("products", "5000001", "minBlockSize=10, maxBlockSize=100000", "PT1M", "0.8");
    }

    @Test
    void aFixedSizeReplacesAnAdaptiveOne() {
        IntegerSequenceConfig config = builder()
                .adaptiveBlockSize(10, 100, Duration.ofMinutes(1))
                .blockSize(7)
                .build();
        assertThat(config.minBlockSize()).isEqualTo(7);
        assertThat(config.maxBlockSize()).isEqualTo(7);
        assertThat(config.blockDuration()).isZero();
    }

    static Stream<Arguments> refused() {
        return Stream.of(
                refused(config -> config.firstValue(-1), "products: firstValue must be 0 to 9223372036854775807: -1"),
                refused(config -> config.lastValue(-5), "products: lastValue must be 0 to 9223372036854775807: -5"),
                refused(
                        config -> config.firstValue(10).lastValue(9),
                        "products: lastValue must be at least firstValue, 10: 9"),
                refused(config -> config.blockSize(0), "products: minBlockSize must be 1 to 16777216: 0"),
                refused(config -> config.blockSize(16_777_217), "minBlockSize must be 1 to 16777216: 16777217"),
                refused(config -> config.blockSize(Long.MAX_VALUE), "1 to 16777216: 9223372036854775807"),
                refused(
                        config -> config.adaptiveBlockSize(0, 5, Duration.ofDays(1)),
                        "minBlockSize must be 1 to 16777216: 0"),
                refused(
                        config -> config.adaptiveBlockSize(9, 8, Duration.ofDays(1)),
                        "maxBlockSize must be 9 to 16777216: 8"),
                refused(
                        config -> config.adaptiveBlockSize(1, Long.MAX_VALUE, Duration.ofDays(1)),
                        "maxBlockSize must be 1 to 16777216: 9223372036854775807"),
                refused(
                        config -> config.adaptiveBlockSize(1, 8, Duration.ZERO),
                        "blockDuration of an adaptive block size must be above zero: PT0S"),
                refused(config -> config.adaptiveBlockSize(1, 8, Duration.ofDays(366)), "PT8784H"),
                refused(
                        config -> config.prefetchThreshold(0),
                        "products: prefetchThreshold must be above 0 and at most 1: 0.0"),
                refused(config -> config.prefetchThreshold(1.1), "at most 1: 1.1"),
                refused(config -> config.prefetchThreshold(Double.NaN), "NaN"),
                refused(config -> config.maxWait(Duration.ofMillis(-1)), "PT-0.001S"),
                refused(config -> config.maxWait(Duration.ofDays(366)), "PT8784H"));
    }

    private static Arguments refused(UnaryOperator<IntegerSequenceConfig.Builder> change, String message) {
        return Arguments.of(change, message);
    }

    @ParameterizedTest
    @MethodSource("refused")
    void valuesOutOfRangeAreRefused(UnaryOperator<IntegerSequenceConfig.Builder> change, String message) {
        assertThatThrownBy(() -> change.apply(builder()).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @NullAndEmptySource
    void aNameIsWanted(String name) {
        assertThatThrownBy(() -> IntegerSequenceConfig.builder(name))
                .isInstanceOfAny(NullPointerException.class, IllegalArgumentException.class)
                .hasMessageContaining("name");
    }
}
