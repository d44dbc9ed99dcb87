// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.SnowcastIllegalStateException;
import com.noctarius.snowcast.internal.counter.BlockCounter;
import com.noctarius.snowcast.internal.counter.CounterDefinition;
import com.noctarius.snowcast.internal.counter.ReserveRequest;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What an owner has that became one without data, and what it gives its replicas. */
class LostContainerTest {
    private static final long NOW = 1_700_000_000_000L;

    @Test
    void noIntegerSequenceBeginsInALostPartition() {
        PartitionContainer owner = PartitionContainer.lost(NOW, NOW + 1_000);
        PartitionContainer replica = PartitionContainer.cold();
        replica.join(owner.snapshotFor(1));

        requireRefusal(owner);
        requireRefusal(replica);
    }

    private static void requireRefusal(PartitionContainer container) {
        BlockCounter counter = container.counters().counter("orders");
        ReserveRequest request =
                ReserveRequest.toOpen("orders", new CounterDefinition(1, 100, 1, false), UUID.randomUUID(), -1, null);
        assertThatThrownBy(() -> counter.reserve(request, NOW + 2_000))
                .isExactlyInstanceOf(SnowcastIllegalStateException.class)
                .hasMessageContaining("were lost at " + Instant.ofEpochMilli(NOW));
    }
}
