// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.spi.impl.NodeEngine;
import com.noctarius.snowcast.internal.base.Threads;
import com.noctarius.snowcast.internal.owner.RenewReply;
import com.noctarius.snowcast.internal.wire.ClientEnvelope;
import com.noctarius.snowcast.internal.wire.ClusterEvent;
import com.noctarius.snowcast.internal.wire.Form;
import com.noctarius.snowcast.internal.wire.RequestType;
import com.noctarius.snowcast.internal.wire.WireInput;
import com.noctarius.snowcast.status.ClusterStatus;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Handles the requests of clients like the requests of the member itself. The member that receives a request for a name
 * finds the partition's owner in its own partition table, forwards the request to the owner, and answers after the
 * backups have acknowledged the change. Correctness therefore does not depend on which members a client can reach.
 * Thread-safe.
 */
final class ClientRequests {
    /**
     * How many milliseconds a member retries a client's request: few, so that the client usually receives the reason of
     * a failure before its own time-out.
     */
    private static final long TRY_MILLIS = 1_000;

    private final NodeEngine nodeEngine;
    private final MemberTransport transport;
    private final Readings readings;
    /** One listener for each connection. */
    final Map<Object, Listener> listeners = new ConcurrentHashMap<>();

    record Listener(UUID registrationId, Consumer<byte[]> events) {}

    ClientRequests(NodeEngine nodeEngine, MemberTransport transport, Supplier<ClusterStatus> status) {
        this.nodeEngine = nodeEngine;
        this.transport = transport;
        this.readings = new Readings(() -> encode(RequestType.CLUSTER_STATUS.answer(), status.get()));
    }

    /** Executes a request and returns the encoded answer; does not block. */
    <Q, A> CompletableFuture<byte[]> answer(RequestType<Q, A> type, ClientEnvelope<Q> request) {
        if (request.content() instanceof List<?> batch
                && type.equals(RequestType.RENEW)
                && !nodeEngine.getClusterService().getClusterId().equals(request.clusterId())) {
            // The owner must not receive this renewal, because an owner that has lost its data could restore a grant of
            // another cluster.
            List<RenewReply> refused = Collections.nCopies(batch.size(), RenewReply.REFUSED);
            return CompletableFuture.completedFuture(encode(RequestType.RENEW.answer(), refused));
        }
        if (type.equals(RequestType.CLUSTER_STATUS)) {
            return readings.next();
        }
        return transport.send(type, request.content(), TRY_MILLIS).thenApply(value -> encode(type.answer(), value));
    }

    <Q> ClientEnvelope<Q> read(RequestType<Q, ?> type, byte[] payload) {
        return WireInput.read(
                serialization().createObjectDataInput(payload),
                "a client's " + type,
                ClientEnvelope.reader(type.request()));
    }

    /** Adds a connection's listener for encoded events, unless the connection has one; returns the listener's ID. */
    UUID listen(Object connection, Consumer<byte[]> events) {
        return listeners.computeIfAbsent(connection, unknown -> new Listener(UUID.randomUUID(), events)).registrationId;
    }

    boolean forget(Object connection) {
        return listeners.remove(connection) != null;
    }

    /** Sends an event to the listening clients that are connected to this member. Does not block. */
    void send(ClusterEvent event) {
        for (Listener listener : listeners.values()) {
            listener.events.accept(encode(ClusterEvent.FORM, event));
        }
    }

    <T> byte[] encode(Form<T> form, T value) {
        return new ClientEnvelope<>(nodeEngine.getClusterService().getClusterId(), value)
                .write(serialization().createObjectDataOutput(), form);
    }

    private InternalSerializationService serialization() {
        return (InternalSerializationService) nodeEngine.getSerializationService();
    }

    /**
     * Reads the cluster's status for clients, one reading at a time. Requests that arrive during a reading share the
     * next one, so that many requests need little memory. A reading that answers a request starts after the request
     * arrived, so that it includes everything that happened before. Thread-safe.
     */
    static final class Readings {
        /** A thread that may block, because a reading waits for the owners of partitions. */
        private static final Executor THREAD = Threads.single("snowcast.status");

        private final Supplier<byte[]> read;
        private final Executor thread;
        /** The reading that has not started yet; null if there is none. Guarded by the monitor. */
        private @Nullable CompletableFuture<byte[]> waiting;

        Readings(Supplier<byte[]> read) {
            this(read, THREAD);
        }

        /** {@code thread} runs one task at a time. */
        Readings(Supplier<byte[]> read, Executor thread) {
            this.read = read;
            this.thread = thread;
        }

        /** Returns a reading that has not started yet. Does not block. */
        synchronized CompletableFuture<byte[]> next() {
            CompletableFuture<byte[]> reading = waiting;
            if (reading == null) {
                reading = CompletableFuture.supplyAsync(this::readNow, thread);
                waiting = reading;
            }
            return reading;
        }

        private byte[] readNow() {
            synchronized (this) {
                waiting = null; // Requests that arrive from now on get the next reading.
            }
            return read.get();
        }
    }
}
