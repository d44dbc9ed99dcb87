// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.client.impl.spi.ClientListenerService;
import com.hazelcast.client.impl.spi.EventHandler;
import com.hazelcast.client.impl.spi.impl.ListenerMessageCodec;
import com.hazelcast.internal.serialization.impl.DefaultSerializationServiceBuilder;
import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.internal.base.Gate;
import com.noctarius.snowcast.internal.base.Waiting;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ClusterListenerTest {
    private final Gate gate = new Gate();
    private final AtomicInteger registrations = new AtomicInteger();
    private final ClusterListener listener = new ClusterListener(
            new SlowService(),
            new ClientMessages(new DefaultSerializationServiceBuilder().build(), () -> {}),
            event -> {},
            (level, message, cause) -> {});

    /** Answers a registration only when the test lets it. */
    private final class SlowService implements ClientListenerService {
        @Override
        @SuppressWarnings("rawtypes") // The interface has the raw type.
        public UUID registerListener(ListenerMessageCodec codec, EventHandler handler) {
            registrations.incrementAndGet();
            gate.pass();
            return new UUID(0, 1);
        }

        @Override
        public boolean deregisterListener(UUID registrationId) {
            return true;
        }
    }

    private Waiting<Boolean> register(String subject) {
        return Waiting.start(() -> {
            listener.register(subject);
            return true;
        });
    }

    @Test
    void anInterruptEndsTheWaitForARegistrationOfAnotherThread() throws Exception {
        Waiting<Boolean> first = register("sequencer orders");
        gate.awaitThread();
        Waiting<Boolean> second = register("sequencer bills");
        second.awaitWaiting();
        second.thread().interrupt();

        assertThatThrownBy(second::get)
                .isExactlyInstanceOf(SnowcastUnavailableException.class)
                .hasMessage("sequencer bills: the thread was interrupted before another thread had registered for the"
                        + " events of the cluster");
        gate.open();
        first.get();
        listener.register("sequencer bills");
        assertThat(registrations).hasValue(1);
    }
}
