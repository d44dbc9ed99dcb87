// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.blocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.internal.base.ManualClock;
import com.noctarius.snowcast.internal.base.MetricSink;
import com.noctarius.snowcast.internal.base.ShownMetrics;
import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.store.MemoryBlockStore;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class IntegerSequenceMetricsTest {
    private static final int OF_ALL = 6;
    private static final int OF_EACH = 8;

    private final ManualClock clock = ManualClock.autoAdvancing(1_700_000_000_000L);
    private final IntegerSequences sequences = new IntegerSequences(IntegerSequences::storeOf, clock, (task, delay) -> {
        if (delay.isZero()) {
            task.run();
        }
    });

    private final MemoryBlockStore store = new MemoryBlockStore();

    private IntegerSequenceConfig.Builder config(String name) {
        return IntegerSequenceConfig.builder(name)
                .blockSize(10)
                .prefetchThreshold(1)
                .store(store);
    }

    private IntegerSequence create(String name) {
        return sequences.create(config(name).build());
    }

    private Map<String, String> shown() {
        ShownMetrics shown = new ShownMetrics();
        sequences.show(shown);
        return shown.all();
    }

    @Test
    void nothingWasDoneBeforeThereIsASequence() {
        assertThat(shown()).hasSize(OF_ALL).containsEntry("integerSequences", "0");
        assertThat(shown().values()).containsOnly("0", "0 ms");
    }

    @Test
    void eachSequenceIsShownAndAllTogether() throws InterruptedException {
        IntegerSequence orders = create("orders");
        orders.next(4);
        clock.advanceMillis(40);
        BlockStore broken = (sequence, size) -> {
            throw new BlockStoreException("broken");
        };
        IntegerSequence bills = sequences.create(
                config("bills").store(broken).maxWait(Duration.ofMillis(5)).build());
        assertThat(bills.stats().timeToEmpty()).isEqualTo(IntegerSequence.Stats.ENDLESS);
        assertThatThrownBy(bills::next).isExactlyInstanceOf(SnowcastException.class);

        assertThat(shown())
                .containsEntry("orders.integersIssued", "4")
                .containsEntry("orders.integersRemaining", "6")
                .containsEntry("orders.reservations", "1")
                .containsEntry("orders.blockSize", "10")
                .containsEntry("orders.reservationFailures", "0")
                .containsEntry("bills.integersIssued", "0")
                .containsEntry("bills.integersRemaining", "0")
                .containsEntry("bills.timeToEmpty", "0 ms")
                .containsEntry("bills.reservations", "0")
                .containsEntry("bills.reservationFailures", "1")
                .containsEntry("bills.blockWaits", "1")
                .containsEntry("bills.blockWaitTime", "5 ms")
                .containsEntry("integerSequences", "2")
                .containsEntry("integersIssued", "4")
                .containsEntry("reservations", "1")
                .containsEntry("reservationFailures", "1")
                .hasSize(OF_ALL + 2 * OF_EACH);
        assertThat(orders.stats().timeToEmpty().toMillis()).isBetween(60L, 70L);
        assertThat(shown().get("orders.timeToEmpty")).matches("6\\d ms");
    }

    @Test
    void whatAClosedSequenceDidStaysInTheTotals() throws InterruptedException {
        for (int life = 1; life <= 4; life++) {
            IntegerSequence orders = create("orders");
            orders.next(10);
            orders.close();

            assertThat(shown())
                    .hasSize(OF_ALL)
                    .containsEntry("integerSequences", "0")
                    .containsEntry("integersIssued", Integer.toString(10 * life));
        }
    }

    @Test
    void oneThatIsBeingCreatedIsCountedAndNotShown() {
        Map<?, ?>[] meanwhile = new Map<?, ?>[1];
        BlockStore asking = new BlockStore() {
            @Override
            public void prepare(String sequence, long firstValue) {
                meanwhile[0] = shown();
            }

            @Override
            public Block reserve(String sequence, long size) {
                return store.reserve(sequence, size);
            }
        };
        sequences.create(config("orders").store(asking).build());

        assertThat(meanwhile[0])
                .hasSize(OF_ALL)
                .isEqualTo(Map.of(
                        "integerSequences", "1",
                        "integersIssued", "0",
                        "reservations", "0",
                        "reservationFailures", "0",
                        "blockWaits", "0",
                        "blockWaitTime", "0 ms"));
        assertThat(shown()).hasSize(OF_ALL + OF_EACH);
    }

    @Test
    void veryManySequencesAreShownTogetherOnly() throws InterruptedException {
        for (int i = 0; i < MetricSink.MAX_NAMED; i++) {
            create("s" + i).next();
        }
        assertThat(shown())
                .containsKey("s0.integersIssued")
                .containsEntry("integersIssued", Integer.toString(MetricSink.MAX_NAMED));

        create("last").next();
        assertThat(shown())
                .hasSize(OF_ALL)
                .containsEntry("integerSequences", Integer.toString(MetricSink.MAX_NAMED + 1))
                .containsEntry("integersIssued", Integer.toString(MetricSink.MAX_NAMED + 1));
    }
}
