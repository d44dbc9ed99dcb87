// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.codec.builtin.ByteArrayCodec;
import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.DefaultSerializationServiceBuilder;
import com.noctarius.snowcast.internal.wire.ClientEnvelope;
import com.noctarius.snowcast.internal.wire.ClusterEvent;
import com.noctarius.snowcast.internal.wire.ClusterEvent.Destroyed;
import com.noctarius.snowcast.internal.wire.Form;
import com.noctarius.snowcast.internal.wire.RequestType;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ClientMessagesTest {
    private static final UUID ONE = new UUID(0, 1);
    private static final UUID OTHER = new UUID(0, 2);
    private static final ClusterEvent EVENT = new Destroyed("orders", 5);

    private final InternalSerializationService serialization = new DefaultSerializationServiceBuilder().build();
    private final AtomicInteger changes = new AtomicInteger();
    private final ClientMessages messages = new ClientMessages(serialization, changes::incrementAndGet);

    private <T> ClientMessage from(UUID cluster, T content, Form<T> form) {
        ClientMessage message = ClientMessage.createForEncode();
        message.add(new ClientMessage.Frame(new byte[64], ClientMessage.UNFRAGMENTED_MESSAGE));
        ClientEnvelope<T> envelope = new ClientEnvelope<>(cluster, content);
        ByteArrayCodec.encode(message, envelope.write(serialization.createObjectDataOutput(), form));
        return message;
    }

    private void answeredBy(UUID cluster) {
        messages.answer(RequestType.LISTEN, from(cluster, new UUID(7, 7), RequestType.LISTEN.answer()));
    }

    @Test
    void anotherClusterThatAnswersIsNoted() {
        answeredBy(ONE);
        answeredBy(ONE);
        assertThat(changes).hasValue(0);
        answeredBy(OTHER);
        assertThat(changes).hasValue(1);
    }

    /** After the client has moved to another cluster, events of the former cluster may still arrive. */
    @Test
    void eventsCountOnlyIfTheyAreOfTheClusterThatAnsweredLast() {
        assertThat(messages.event(from(ONE, EVENT, ClusterEvent.FORM))).isEqualTo(EVENT);
        answeredBy(ONE);
        assertThat(messages.event(from(ONE, EVENT, ClusterEvent.FORM))).isEqualTo(EVENT);
        answeredBy(OTHER);
        assertThat(messages.event(from(ONE, EVENT, ClusterEvent.FORM))).isNull();
        assertThat(messages.event(from(OTHER, EVENT, ClusterEvent.FORM))).isEqualTo(EVENT);
    }
}
