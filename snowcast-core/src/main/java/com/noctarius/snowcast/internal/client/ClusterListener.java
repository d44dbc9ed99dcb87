// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.client;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.spi.ClientListenerService;
import com.hazelcast.client.impl.spi.EventHandler;
import com.hazelcast.client.impl.spi.impl.ListenerMessageCodec;
import com.noctarius.snowcast.internal.base.Log;
import com.noctarius.snowcast.internal.base.Threads;
import com.noctarius.snowcast.internal.wire.ClusterEvent;
import com.noctarius.snowcast.internal.wire.RequestType;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Receives the {@link ClusterEvent}s of the members to which the client is connected. Hazelcast also registers this
 * listener with each member to which the client connects later, whose answer shows whether it belongs to another
 * cluster. An event may arrive twice, or not at all: the next renewal then reports a destruction.
 */
final class ClusterListener implements ListenerMessageCodec, EventHandler<ClientMessage> {
    private final ClientListenerService listeners;
    private final ClientMessages messages;
    /** Receives the events; must not block. */
    private final Consumer<ClusterEvent> events;

    private final Log log;

    /** Held during the registration; guards the other fields. */
    private final ReentrantLock lock = new ReentrantLock();

    private boolean isRegistered;
    private boolean hasFailed;

    ClusterListener(ClientListenerService listeners, ClientMessages messages, Consumer<ClusterEvent> events, Log log) {
        this.listeners = listeners;
        this.messages = messages;
        this.events = events;
        this.log = log;
    }

    /**
     * Registers this listener if necessary; blocks. Does not throw if this fails, because sequencers work without
     * events. Throws if the thread is interrupted while another thread registers this listener.
     *
     * @param subject the subject of the caller's request, for that exception
     */
    void register(String subject) {
        Threads.acquire(lock, subject, "another thread had registered for the events of the cluster");
        try {
            if (!isRegistered) {
                listeners.registerListener(this, this);
                isRegistered = true;
            }
        } catch (RuntimeException e) {
            if (e.getCause() instanceof InterruptedException) {
                Thread.currentThread().interrupt(); // Hazelcast cleared the flag. Restore it to end the next wait.
            } else if (!hasFailed) {
                hasFailed = true;
                log.warning(
                        "The cluster cannot report destroyed sequencers; this client detects one when it renews its lease",
                        e);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Members ignore {@code localOnly}: each member sends all events to the clients that are registered with it. */
    @Override
    public ClientMessage encodeAddRequest(boolean localOnly) {
        return messages.request(RequestType.LISTEN, localOnly);
    }

    @Override
    public UUID decodeAddResponse(ClientMessage message) {
        return messages.answer(RequestType.LISTEN, message);
    }

    /** Clients do not deregister, because members remove a registration when its connection ends. */
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
