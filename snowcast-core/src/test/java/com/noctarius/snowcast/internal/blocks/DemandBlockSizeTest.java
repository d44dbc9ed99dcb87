// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.IntegerSequenceConfig;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DemandBlockSizeTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final Demand adaptive = new Demand(IntegerSequenceConfig.builder("sizes")
            .adaptiveBlockSize(10, 1_000, Duration.ofSeconds(10))
            .build());

    @Test
    void aFixedSizeStaysWhateverTheRate() {
        Demand fixed =
                new Demand(IntegerSequenceConfig.builder("sizes").blockSize(50).build());
        fixed.adaptSize(50, 1);
        assertThat(fixed.blockSize()).isEqualTo(50);
    }

    @Test
    void beginsWithTheLeast() {
        assertThat(adaptive.blockSize()).isEqualTo(10);
    }

    @Test
    void growsTwofoldAtMostUntilABlockLastsAsLongAsItShall() {
        // 5 integers per second for 10 seconds need a block of 50.
        assertThat(sizeAfter(5, SECOND)).isEqualTo(20);
        assertThat(sizeAfter(10, 2 * SECOND)).isEqualTo(40);
        assertThat(sizeAfter(20, 4 * SECOND)).isEqualTo(50);
        assertThat(sizeAfter(25, 5 * SECOND)).isEqualTo(50);
    }

    @Test
    void shrinksByHalfAtMost() {
        for (int i = 0; i < 4; i++) {
            adaptive.adaptSize(100, 1);
        }
        assertThat(adaptive.blockSize()).isEqualTo(160);
        assertThat(sizeAfter(1, 100 * SECOND)).isEqualTo(80);
        assertThat(sizeAfter(1, 100 * SECOND)).isEqualTo(40);
    }

    @Test
    void staysWithinItsBounds() {
        for (int i = 0; i < 20; i++) {
            adaptive.adaptSize(1_000, 0);
        }
        assertThat(adaptive.blockSize()).isEqualTo(1_000);
        for (int i = 0; i < 20; i++) {
            adaptive.adaptSize(1, Long.MAX_VALUE);
        }
        assertThat(adaptive.blockSize()).isEqualTo(10);
    }

    @Test
    void nothingUsedSaysNothing() {
        adaptive.adaptSize(0, SECOND);
        assertThat(adaptive.blockSize()).isEqualTo(10);
    }

    private long sizeAfter(long taken, long nanos) {
        adaptive.adaptSize(taken, nanos);
        return adaptive.blockSize();
    }
}
