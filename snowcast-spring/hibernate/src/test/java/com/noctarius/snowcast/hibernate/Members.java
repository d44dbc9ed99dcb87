// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.store.BlockStore;
import java.time.Instant;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Starts Hazelcast members for tests, and makes sequencers and integer sequences without a member. */
public final class Members {
    public static final SnowcastEpoch EPOCH = SnowcastEpoch.byInstant(Instant.parse("2024-01-01T00:00:00Z"));

    private Members() {}

    public static HazelcastInstance alone() {
        return Hazelcast.newHazelcastInstance(config());
    }

    public static SnowcastSequencer standalone(String name, SnowcastLayout layout, int logicalNodeId) {
        return SnowcastSystem.standaloneSequencer(
                SequencerConfig.builder(name).epoch(EPOCH).layout(layout).build(), logicalNodeId);
    }

    public static IntegerSequence integers(String name, BlockStore store) {
        return SnowcastSystem.standaloneIntegerSequence(IntegerSequenceConfig.builder(name)
                .lastValue(Long.MAX_VALUE)
                .store(store)
                .build());
    }

    /** Returns the next ID, in a lambda that cannot throw an {@link InterruptedException}. */
    public static long next(SnowcastSequencer sequencer) {
        try {
            return sequencer.next();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /**
     * Returns what a call throws if the thread is interrupted while the call waits for an ID. The sequencer of the call
     * must have one ID per millisecond, so that the second call in a millisecond has to wait.
     */
    public static Throwable interrupted(ThrowingCallable call) {
        Throwable thrown = null;
        while (thrown == null) {
            Thread.currentThread().interrupt();
            thrown = catchThrowable(call);
        }
        assertThat(Thread.interrupted()).as("the interrupt is kept").isTrue();
        return thrown;
    }

    public static Config config() {
        Config config = new Config().setClusterName("alone-" + UUID.randomUUID());
        config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface("127.0.0.1");
        JoinConfig join = config.getNetworkConfig().getJoin();
        join.getAutoDetectionConfig().setEnabled(false);
        join.getMulticastConfig().setEnabled(false);
        return config;
    }
}
