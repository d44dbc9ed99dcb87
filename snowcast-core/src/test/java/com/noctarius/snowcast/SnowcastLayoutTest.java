// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SnowcastLayoutTest {
    @Test
    void partsComeBackFromAnIdOfEveryLayout() {
        Random random = new Random(4);
        int layouts = 0;
        for (int timestampBits = 1; timestampBits <= 42; timestampBits++) {
            for (int nodeBits = 1; nodeBits <= 16; nodeBits++) {
                int maxCounterBits = Math.min(22, Math.min(64 - timestampBits - nodeBits, 62 - timestampBits));
                for (int counterBits = 0; counterBits <= maxCounterBits; counterBits++) {
                    SnowcastLayout layout = new SnowcastLayout(timestampBits, nodeBits, counterBits);
                    assertRoundTrip(layout, layout.maxTimestamp(), 0, layout.idsPerMillisecond() - 1);
                    assertRoundTrip(layout, 0, layout.logicalNodeCount() - 1, 0);
                    assertRoundTrip(
                            layout,
                            random.nextLong() & layout.maxTimestamp(),
                            random.nextInt(layout.logicalNodeCount()),
                            random.nextInt(layout.idsPerMillisecond()));
                    layouts++;
                }
            }
        }
        assertThat(layouts).isGreaterThan(10_000);
    }

    private static void assertRoundTrip(SnowcastLayout layout, long timestamp, int node, int counter) {
        long id = layout.compose(timestamp, node, counter);
        if (layout.timestampValue(id) != timestamp
                || layout.logicalNodeId(id) != node
                || layout.counterValue(id) != counter) {
            assertThat(id)
                    .as("%s of %d, %d, %d", layout, timestamp, node, counter)
                    .isNull();
        }
    }

    @Test
    void timeEndsBehindTheLastMillisecondAndIdsOf64BitsTurnNegativeInTheMiddle() {
        SnowcastEpoch epoch = SnowcastEpoch.byTimestamp(1_000);
        for (SnowcastLayout layout : List.of(
                SnowcastLayout.DEFAULT,
                SnowcastLayout.POSITIVE,
                new SnowcastLayout(30, 13, 10),
                new SnowcastLayout(42, 2, 20))) {
            assertThat(layout.endOfTime(epoch).toEpochMilli() - 1_000).isEqualTo(layout.maxTimestamp() + 1);
            assertThat(layout.turnsNegative(epoch).isPresent())
                    .isEqualTo(layout.compose(layout.maxTimestamp(), 0, 0) < 0);
            layout.turnsNegative(epoch).ifPresent(at -> {
                long idTime = at.toEpochMilli() - 1_000;
                assertThat(layout.compose(idTime, 0, 0)).isNegative();
                assertThat(layout.compose(idTime - 1, 0, 0)).isPositive();
            });
        }
        assertThat(SnowcastLayout.DEFAULT.endOfTime(SnowcastEpoch.byTimestamp(Long.MAX_VALUE)))
                .isAfter(Instant.ofEpochMilli(Long.MAX_VALUE));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 13, 10, timestampBits must be 1 to 42: 0",
        "43, 13, 8, timestampBits must be 1 to 42: 43",
        "41, 0, 10, logicalNodeBits must be 1 to 16: 0",
        "41, 17, 6, logicalNodeBits must be 1 to 16: 17",
        "41, 13, -1, counterBits must be 0 to 22: -1",
        "20, 13, 23, counterBits must be 0 to 22: 23",
        "42, 13, 10, timestampBits + logicalNodeBits + counterBits must be <= 64: 65",
        "41, 1, 22, timestampBits + counterBits must be <= 62: 63"
    })
    void refusesWidthsThatDoNotFit(int timestampBits, int nodeBits, int counterBits, String message) {
        assertThatThrownBy(() -> new SnowcastLayout(timestampBits, nodeBits, counterBits))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @ParameterizedTest
    @CsvSource({"128, 7, 16", "129, 8, 15", "200, 8, 15", "256, 8, 15", "8191, 13, 10", "8192, 13, 10"})
    void logicalNodeCountIsRoundedUpToAPowerOfTwo(int count, int nodeBits, int counterBits) {
        assertThat(SnowcastLayout.forMaxLogicalNodeCount(count))
                .isEqualTo(new SnowcastLayout(41, nodeBits, counterBits));
    }

    @ParameterizedTest
    @CsvSource({"127", "0", "-1", "8193"})
    void refusesLogicalNodeCountsOutOfRange(int count) {
        assertThatThrownBy(() -> SnowcastLayout.forMaxLogicalNodeCount(count))
                .isInstanceOf(SnowcastMaxLogicalNodeIdOutOfBoundsException.class)
                .hasMessage("maxLogicalNodeCount must be 128 to 8192: " + count);
    }

    @Test
    void aTextNamesALayoutOrItsBits() {
        assertThat(SnowcastLayout.parse("default")).isEqualTo(SnowcastLayout.DEFAULT);
        assertThat(SnowcastLayout.parse("Positive")).isEqualTo(SnowcastLayout.POSITIVE);
        assertThat(SnowcastLayout.parse("JAVASCRIPT")).isEqualTo(SnowcastLayout.JAVASCRIPT);
        SnowcastLayout layout = new SnowcastLayout(40, 5, 3);
        assertThat(SnowcastLayout.parse(layout.toString())).isEqualTo(layout);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                wide      | layout must be default, positive, javascript, or bits such as 41/13/10: wide
                41/13     | layout must be default, positive, javascript, or bits such as 41/13/10: 41/13
                41/13/10/ | layout must be default, positive, javascript, or bits such as 41/13/10: 41/13/10/
                43/10/10  | timestampBits must be 1 to 42: 43
                """)
    void refusesATextThatNamesNoLayout(String text, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SnowcastLayout.parse(text))
                .withMessage(message);
    }

    @Test
    void defaultFillsAllBitsAndTheOthersStayPositive() {
        assertThat(highestId(SnowcastLayout.DEFAULT)).isEqualTo(-1);
        assertThat(highestId(SnowcastLayout.POSITIVE)).isEqualTo(Long.MAX_VALUE);
        assertThat(highestId(SnowcastLayout.JAVASCRIPT)).isEqualTo((1L << 53) - 1);
    }

    private static long highestId(SnowcastLayout layout) {
        return layout.compose(layout.maxTimestamp(), layout.logicalNodeCount() - 1, layout.idsPerMillisecond() - 1);
    }
}
