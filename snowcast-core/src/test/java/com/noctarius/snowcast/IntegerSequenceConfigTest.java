// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class IntegerSequenceConfigTest {
    private static IntegerSequenceConfig.Builder builder() {
        return IntegerSequenceConfig.builder("products");
    }

    @Test
    void hasTheDefaultsThatAreDocumented() {
        assertThat(builder().build())
                .isEqualTo(new IntegerSequenceConfig(
                        "products",
                        1,
                        Integer.MAX_VALUE,
                        1_000,
                        1_000,
                        Duration.ZERO,
                        0.5,
                        Duration.ofSeconds(10),
                        null));
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
}
