// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.store.MemoryBlockStore;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that a member's or client's shutdown closes its integer sequences and returns the unused integers. */
@ParameterizedClass
@EnumSource(Side.class)
@Tag("integration")
class IntegerSequenceClusterTest {
    private final Side side;
    private final MemoryBlockStore store = new MemoryBlockStore();

    @AutoClose
    private MockCluster cluster;

    private HazelcastInstance instance;
    private Snowcast snowcast;

    IntegerSequenceClusterTest(Side side) {
        this.side = side;
    }

    @BeforeEach
    void start() {
        cluster = MockCluster.of(1);
        instance = side.in(cluster);
        snowcast = SnowcastSystem.snowcast(instance);
    }

    private IntegerSequenceConfig.Builder config() {
        return IntegerSequenceConfig.builder("numbers")
                .blockSize(10)
                .prefetchThreshold(1)
                .store(store);
    }

    @Test
    void aShutdownClosesASequenceAndGivesBackWhatIsLeft() throws Exception {
        HazelcastInstance staying = cluster.addMember();
        cluster.awaitSafe();
        IntegerSequence numbers = snowcast.createIntegerSequence(config().build());
        assertThat(numbers.next()).isEqualTo(1);
        instance.shutdown();

        assertThat(numbers.isClosed()).isTrue();
        assertThatThrownBy(numbers::next)
                .isExactlyInstanceOf(SnowcastStateException.class)
                .hasMessageContaining("shut down");
        assertThat(SnowcastSystem.snowcast(staying)
                        .createIntegerSequence(config().build())
                        .next())
                .isEqualTo(2);
    }
}
