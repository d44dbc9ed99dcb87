// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.generator;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.internal.generator.Attachment.CounterStarts;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CounterStartsTest {
    private static final long ALL_BITS = -1;

    /** The first two numbers of SplitMix64 for the seed 0, as in the reference implementation and in the JDK. */
    @Test
    void hashIsTheFinalizerOfSplitMix64() {
        long gamma = 0x9e3779b97f4a7c15L;
        assertThat(new CounterStarts(ALL_BITS, gamma).at(0, 0)).isEqualTo(0xe220a8397b1dcdafL);
        assertThat(new CounterStarts(ALL_BITS, gamma).at(gamma, 0)).isEqualTo(0x6e789e6aa1b965f4L);
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 1", "1, 2, 0", "63, 1, 63", "63, 2, 31", "1023, 16, 1023", "1023, 17, 511"})
    void afterABusyMillisecondAllStartsLieInTheLowerHalf(long mask, long recentCount, long maxStart) {
        CounterStarts starts = new CounterStarts(mask, 42);
        assertThat(LongStream.range(0, 100_000)
                        .map(millis -> starts.at(millis, recentCount))
                        .max())
                .hasValue(maxStart);
    }
}
