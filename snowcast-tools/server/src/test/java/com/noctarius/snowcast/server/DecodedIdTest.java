// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.ids.SnowflakeId;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class DecodedIdTest {
    private final SnowcastSequencer orders = SnowcastSystem.standaloneSequencer(
            SequencerConfig.builder("DecodedIdTest")
                    .epoch(SnowcastEpoch.byInstant(Instant.parse("2024-01-01T00:00:00Z")))
                    .layout(SnowcastLayout.parse("41/3/20"))
                    .build(),
            5);

    @Test
    void aReadableIdMayHaveTheLengthOfAUuid() {
        SnowflakeId id = SnowflakeId.of(orders.layout().compose(91_000_000_000L, 5, 123_456), orders);
        assertThat(id.toString()).hasSameSizeAs(id.toUuid().toString());
        assertThat(DecodedId.parse(id.toString(), orders)).isEqualTo(id);
        assertThat(DecodedId.parse(id.toUuid().toString(), orders)).isEqualTo(id);
    }
}
