// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.client;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.spi.ClientListenerService;
import com.hazelcast.client.impl.spi.EventHandler;
import com.hazelcast.client.impl.spi.impl.ListenerMessageCodec;
import com.noctarius.snowcast.internal.base.Log;
import com.noctarius.snowcast.internal.wire.ClusterEvent;
import com.noctarius.snowcast.internal.wire.RequestType;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Receives events about destructions and possible duplicates from the members that the client is connected to.
 * Hazelcast also registers it with each member that the client connects to later; the answer then says whether that is
 * another cluster.
 *
 * <p>An event may be lost or come twice; the next renewal brings the same information.
 */
final class ClusterListener implements ListenerMessageCodec, EventHandler<ClientMessage> {
    private final ClientListenerService listeners;
    private final ClientMessages messages;
    /** Must not block. */
    private final Consumer<ClusterEvent> events;

    private final Log log;

    /** Guarded by this object's monitor, as is the next one. */
    private boolean isRegistered;

    private boolean hasFailed;

    ClusterListener(ClientListenerService listeners, ClientMessages messages, Consumer<ClusterEvent> events, Log log) {
        this.listeners = listeners;
        this.messages = messages;
        this.events = events;
        this.log = log;
    }

    /** Registers, unless it is registered already; blocks. Logs a failure: sequencers work without events. */
    synchronized void register() {
        if (isRegistered) {
            return;
        }
        try {
            listeners.registerListener(this, this);
            isRegistered = true;
        } catch (RuntimeException e) {
            if (e.getCause() instanceof InterruptedException) {
                Thread.currentThread().interrupt(); // Hazelcast clears it; it must end the next wait.
            } else if (!hasFailed) {
                hasFailed = true;
                log.warning(
                        "The cluster cannot report destroyed sequencers; this client detects one when it renews"
                                + " its lease or reserves a block",
                        e);
            }
        }
    }

    /** Each member sends its own events, so a registration for all members is the same. */
    @Override
    public ClientMessage encodeAddRequest(boolean localOnly) {
        return messages.request(RequestType.LISTEN, localOnly);
    }

    @Override
    public UUID decodeAddResponse(ClientMessage message) {
        return messages.answer(RequestType.LISTEN, message);
    }

    /** Clients do not deregister; members remove a registration when the connection ends. */
    @Override
    public @Nullable ClientMessage encodeRemoveRequest(UUID registrationId) {
        return null;
    }

    @Override
    public boolean decodeRemoveResponse(ClientMessage message) {
        return true;
    }

    @Override
    public void handle(ClientMessage message) {
        if (message.getMessageType() == RequestType.LISTEN.eventType()) {
            ClusterEvent event = messages.event(message);
            if (event != null) {
                events.accept(event);
            }
        }
    }
}
