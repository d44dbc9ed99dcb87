// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.internal.nio.BufferObjectDataOutput;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.DefaultSerializationServiceBuilder;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import com.noctarius.snowcast.PossibleDuplicateIntegers;
import com.noctarius.snowcast.PossibleDuplicates;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.internal.wire.WireVersion;
import com.noctarius.snowcast.status.ClusterStatus;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class StatusAnswerTest {
    private static final Instant NOW = Instant.parse("2026-11-21T06:45:46.821Z");
    private static final ClusterStatus STATUS = new ClusterStatus(
            NOW,
            List.of(
                    new ClusterStatus.Sequencer(
                            "orders",
                            SnowcastEpoch.byInstant(Instant.parse("2024-01-01T00:00:00Z")),
                            SnowcastLayout.DEFAULT,
                            6,
                            -1L,
                            8_192,
                            List.of(
                                    new ClusterStatus.Node(0, true, "member 10.0.0.5:5701", NOW),
                                    new ClusterStatus.Node(8_191, false, "unknown", NOW.plusMillis(1))),
                            7_000,
                            8,
                            16),
                    new ClusterStatus.Sequencer(
                            "bills",
                            SnowcastEpoch.byTimestamp(-1),
                            SnowcastLayout.JAVASCRIPT,
                            0,
                            null,
                            0,
                            List.of(),
                            0,
                            0,
                            0)),
            List.of(
                    new ClusterStatus.Integers("products", 1, Long.MAX_VALUE, 1, false, -1, 5, null),
                    new ClusterStatus.Integers("lost", 0, 7, 2, true, 6, 1, NOW)),
            List.of(new PossibleDuplicates("orders", -1, NOW, NOW.plusSeconds(1))),
            List.of(new PossibleDuplicateIntegers("products", 1, 1_000)));

    private final InternalSerializationService serialization = new DefaultSerializationServiceBuilder().build();

    @Test
    void whatIsWrittenIsReadAsItWas() {
        PageRequest next = PageRequest.firstToSend(100).after(7, "sorders", 8_191, 2);
        for (StatusPage page : List.of(new StatusPage(STATUS, next), new StatusPage(STATUS, null))) {
            Data data = serialization.toData(new StatusAnswer(page));
            StatusAnswer read = serialization.toObject(data);

            assertThat(read.page()).isEqualTo(page);
        }
        assertThat(serialization.<Object>toObject(serialization.toData(new StatusTask(next))))
                .isInstanceOf(StatusTask.class);
    }

    @Test
    void anotherVersionIsRefused() throws IOException {
        BufferObjectDataOutput out = serialization.createObjectDataOutput();
        new StatusAnswer(new StatusPage(STATUS, null)).writeData(out);
        byte[] bytes = out.toByteArray();
        bytes[0] = WireVersion.NEWEST + 1;

        assertThatThrownBy(() -> new StatusAnswer().readData(serialization.createObjectDataInput(bytes)))
                .isInstanceOf(HazelcastSerializationException.class)
                .hasMessageStartingWith("a status cannot be read");
    }
}
