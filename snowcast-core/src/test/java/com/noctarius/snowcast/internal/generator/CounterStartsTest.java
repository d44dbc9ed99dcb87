// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.generator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CounterStartsTest {
    private static final long ALL_BITS = -1;

    /** The first two numbers of SplitMix64 for the seed 0, as in the reference implementation and the JDK. */
    @Test
    void hashIsTheFinalizerOfSplitMix64() {
        long gamma = 0x9e3779b97f4a7c15L;
        assertThat(new CounterStarts(ALL_BITS, gamma).at(0)).isEqualTo(0xe220a8397b1dcdafL);
        assertThat(new CounterStarts(ALL_BITS, gamma).at(gamma)).isEqualTo(0x6e789e6aa1b965f4L);
    }

    @Test
    void startIsBelowTheMaskAndZeroWithoutOne() {
        for (long millis = 0; millis < 1_000; millis++) {
            assertThat(new CounterStarts(7, 42).at(millis)).isBetween(0L, 7L);
            assertThat(new CounterStarts(0, 42).at(millis)).isZero();
        }
    }
}
