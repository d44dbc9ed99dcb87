// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSystem;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Measures the memory that a member keeps for a destroyed name, such as a name that each pod has for itself. */
@Tag("faults")
class NameMemoryClusterTest {
    private static final int FEW = 1_000;
    private static final int MANY = 20_000;
    private static final int KILOBYTE = 1_024;

    @Test
    void aDestroyedNameCostsAMemberLessThanAKilobyte() {
        // The member does not belong to a TestCluster, whose ledger would keep each grant in memory.
        HazelcastInstance member = Hazelcast.newHazelcastInstance(TcpCluster.onLoopback(
                TestCluster.config(Map.of()), TcpCluster.newClusterName(), FreePort.get(), List.of()));
        try {
            Snowcast snowcast = SnowcastSystem.snowcast(member);
            // Creates everything that exists once, such as threads and classes.
            useAndDestroy(snowcast, "warm-up-", FEW);
            long before = usedBytes();

            useAndDestroy(snowcast, "pod-", MANY);

            long each = (usedBytes() - before) / MANY;
            System.out.println("a destroyed name: " + each + " bytes");
            assertThat(each).isLessThan(KILOBYTE);
        } finally {
            member.getLifecycleService().terminate();
        }
    }

    private static void useAndDestroy(Snowcast snowcast, String prefix, int count) {
        for (int i = 0; i < count; i++) {
            snowcast.destroySequencer(snowcast.createSequencer(SequencerConfig.builder(prefix + i)
                    .epoch(TestCluster.EPOCH)
                    .layout(SnowcastLayout.DEFAULT)
                    .build()));
        }
    }

    /** Returns the lowest of several readings, because garbage raises some of them. */
    private static long usedBytes() {
        long lowest = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            System.gc();
            lowest = Math.min(
                    lowest,
                    Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
        }
        return lowest;
    }
}
