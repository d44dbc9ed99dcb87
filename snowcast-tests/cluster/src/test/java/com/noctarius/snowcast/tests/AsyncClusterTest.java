// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.SnowcastSystem;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the shutdown of an instance while thousands of asynchronous calls wait. */
@ParameterizedClass
@EnumSource(Side.class)
@Tag("integration")
class AsyncClusterTest {
    private static final int CALLS = 4_000;

    private final Side side;

    @AutoClose
    private MockCluster cluster;

    private HazelcastInstance instance;
    private Snowcast snowcast;

    AsyncClusterTest(Side side) {
        this.side = side;
    }

    @BeforeEach
    void start() {
        cluster = MockCluster.of(2);
        instance = side.in(cluster);
        snowcast = SnowcastSystem.snowcast(instance);
    }

    /** Creates a sequencer that generates only two IDs per millisecond, so that calls wait. */
    private SnowcastSequencer slow() {
        return snowcast.createSequencer(SequencerConfig.builder("orders")
                .epoch(TestCluster.EPOCH)
                .layout(new SnowcastLayout(41, 7, 1))
                .build());
    }

    @Test
    void aShutdownEndsAllThatWait() {
        SnowcastSequencer slow = slow();
        // More calls than the sequencer can serve before the shutdown.
        CompletableFuture<Long> last = CompletableFuture.completedFuture(0L);
        for (int i = 0; i < 15 * CALLS; i++) {
            last = slow.nextAsync().toCompletableFuture();
        }
        instance.shutdown();

        CompletableFuture<Long> waiting = last;
        assertThatThrownBy(() -> waiting.get(3, TimeUnit.MINUTES))
                .hasCauseInstanceOf(SnowcastStateException.class)
                .hasMessageContaining("shut down");
        assertThatThrownBy(() -> slow.nextAsync().toCompletableFuture().get())
                .hasCauseInstanceOf(SnowcastStateException.class);
    }
}
