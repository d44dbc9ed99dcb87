// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static com.noctarius.snowcast.tests.TestCluster.EPOCH;
import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("integration")
class SaturationClusterTest {
    private static final int THREADS = 4;
    private static final int IDS_PER_THREAD = 500_000;

    /** D1: the counter ran one too far and into the node. D2: under contention next() gave up. */
    @Test
    void threadsAtTheLimitGetEveryCounterOnceAndNeverFail() {
        try (MockCluster cluster = MockCluster.of(2)) {
            List<SnowcastSequencer> sequencers = cluster.createOnAll("orders");
            List<long[]> ids = new ArrayList<>();
            for (int i = 0; i < 2 * THREADS; i++) {
                ids.add(new long[IDS_PER_THREAD]);
            }
            long start = System.currentTimeMillis();

            Threads.run(ids.size(), index -> {
                SnowcastSequencer sequencer = sequencers.get(index % 2);
                long[] mine = ids.get(index);
                for (int i = 0; i < mine.length; i++) {
                    mine[i] = sequencer.next();
                }
            });

            long end = System.currentTimeMillis();
            SnowcastLayout layout = SnowcastLayout.DEFAULT;
            BitSet counters = new BitSet();
            BitSet nodes = new BitSet();
            for (long[] mine : ids) {
                IdCheck.requireOrdered(layout, mine);
                IdCheck.requireTimeBetween(layout, EPOCH, start, end, mine);
                for (long id : mine) {
                    counters.set(layout.counterValue(id));
                    nodes.set(layout.logicalNodeId(id));
                }
            }
            IdCheck.requireUnique(layout, ids);
            assertThat(counters.cardinality()).isEqualTo(1_024);
            assertThat(nodes.cardinality()).isEqualTo(2);
        }
    }
}
