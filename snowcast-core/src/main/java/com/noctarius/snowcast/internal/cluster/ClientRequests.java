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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Handles the requests of clients like the requests of the member itself: forwards each to the owner of its partition,
 * so that correctness does not depend on which members a client can reach. Thread-safe.
 */
final class ClientRequests {
    /** A member retries a client's request briefly, so that the client gets the reason before its own time-out. */
    private static final long TRY_MILLIS = 1_000;

    private final NodeEngine nodeEngine;
    private final MemberTransport transport;
    private final Readings readings;
    /** For each connection to a listening client, what receives encoded events. */
    final Map<Object, Consumer<byte[]>> listeners = new ConcurrentHashMap<>();

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
            // An owner that has lost its data could restore a grant of another cluster (not of a split's other side,
            // which has the same cluster ID).
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

    /** Sends an event to the listening clients that are connected to this member. Does not block. */
    void send(ClusterEvent event) {
        listeners.values().forEach(listener -> listener.accept(encode(ClusterEvent.FORM, event)));
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
     * next one, which needs little memory and includes everything that happened before them. Thread-safe.
     */
    static final class Readings {
        /** May block: a reading waits for the owners of partitions. */
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
