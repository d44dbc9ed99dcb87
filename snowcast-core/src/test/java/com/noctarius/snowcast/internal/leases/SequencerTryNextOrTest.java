// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.CounterStart;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.internal.base.ManualClock;
import org.junit.jupiter.api.Test;

class SequencerTryNextOrTest {
    private static final long EPOCH_MILLIS = 1_700_000_000_000L;

    private final ManualClock clock = ManualClock.blocking(EPOCH_MILLIS);

    private SnowcastSequencer sequencer() {
        SequencerConfig config = SequencerConfig.builder("orders")
                .epoch(SnowcastEpoch.byTimestamp(EPOCH_MILLIS))
                .layout(SnowcastLayout.JAVASCRIPT)
                .counterStart(CounterStart.ZERO)
                .build();
        return FixedNode.sequencer(config, 0, clock, FixedNode.LOG);
    }

    @Test
    void returnsWhatItIsGivenWhenTheCountersOfTheMillisecondAreUsedUp() {
        SnowcastSequencer sequencer = sequencer();
        long before = 0;
        for (long id = sequencer.tryNextOr(-7); id != -7; id = sequencer.tryNextOr(-7)) {
            assertThat(id).isGreaterThan(before);
            before = id;
        }
        assertThat(sequencer.timestampValue(before)).isZero();
        assertThat(sequencer.counterValue(before)).isEqualTo(sequencer.layout().idsPerMillisecond() - 1);
        assertThat(sequencer.tryNext()).isEmpty();
        clock.advanceMillis(1);
        assertThat(sequencer.tryNextOr(-7)).isEqualTo(sequencer.tryNext().orElseThrow() - 1);
    }

    /** At the epoch, the ID with node ID 0 and counter 0 would be 0, which is not an ID. */
    @Test
    void zeroIsNoIdWhateverTheClockSays() {
        assertThat(sequencer().tryNextOr(0)).isEqualTo(1);
        assertThat(sequencer().tryNext()).hasValue(1);
    }
}
