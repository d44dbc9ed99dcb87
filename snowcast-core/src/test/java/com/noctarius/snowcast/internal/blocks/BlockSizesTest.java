// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.IntegerSequenceConfig;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class BlockSizesTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final BlockSizes adaptive = new BlockSizes(IntegerSequenceConfig.builder("sizes")
            .adaptiveBlockSize(10, 1_000, Duration.ofSeconds(10))
            .build());

    @Test
    void aFixedSizeStaysWhateverTheRate() {
        BlockSizes fixed = new BlockSizes(
                IntegerSequenceConfig.builder("sizes").blockSize(50).build());
        fixed.adapt(50, 1);
        assertThat(fixed.size()).isEqualTo(50);
    }

    @Test
    void beginsWithTheLeast() {
        assertThat(adaptive.size()).isEqualTo(10);
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
            adaptive.adapt(100, 1);
        }
        assertThat(adaptive.size()).isEqualTo(160);
        assertThat(sizeAfter(1, 100 * SECOND)).isEqualTo(80);
        assertThat(sizeAfter(1, 100 * SECOND)).isEqualTo(40);
    }

    @Test
    void staysWithinItsBounds() {
        for (int i = 0; i < 20; i++) {
            adaptive.adapt(1_000, 0);
        }
        assertThat(adaptive.size()).isEqualTo(1_000);
        for (int i = 0; i < 20; i++) {
            adaptive.adapt(1, Long.MAX_VALUE);
        }
        assertThat(adaptive.size()).isEqualTo(10);
    }

    @Test
    void nothingUsedSaysNothing() {
        adaptive.adapt(0, SECOND);
        assertThat(adaptive.size()).isEqualTo(10);
    }

    private long sizeAfter(long taken, long nanos) {
        adaptive.adapt(taken, nanos);
        return adaptive.size();
    }
}
