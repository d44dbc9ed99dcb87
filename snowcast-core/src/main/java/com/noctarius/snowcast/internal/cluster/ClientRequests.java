// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.internal.nio.BufferObjectDataOutput;
import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import com.hazelcast.spi.impl.NodeEngine;
import com.noctarius.snowcast.internal.table.DetachRequest;
import com.noctarius.snowcast.internal.table.ExtendReply;
import com.noctarius.snowcast.internal.table.ExtendRequest;
import com.noctarius.snowcast.internal.wire.ClientReply;
import com.noctarius.snowcast.internal.wire.ClientRequest;
import com.noctarius.snowcast.internal.wire.CounterWire;
import com.noctarius.snowcast.internal.wire.Destroyed;
import com.noctarius.snowcast.internal.wire.Found;
import com.noctarius.snowcast.internal.wire.Wire;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Answers what clients ask, by the operations that members use. Whatever member a request reaches sends it on to the
 * partition's owner by its own table, and answers when the backups have acknowledged: so nothing depends on which
 * members a client sees, or whether acknowledgements reach it.
 */
final class ClientRequests {
    private final NodeEngine nodeEngine;
    private final MemberCoordinator coordinator;
    private final MemberCounters counters;
    private final Executor destructions;

    /**
     * Prepares for requests.
     *
     * @param destructions runs destructions, which block; everything else does not
     */
    ClientRequests(
            NodeEngine nodeEngine, MemberCoordinator coordinator, MemberCounters counters, Executor destructions) {
        this.nodeEngine = nodeEngine;
        this.coordinator = coordinator;
        this.counters = counters;
        this.destructions = destructions;
    }

    /** Carries out a request and returns the answer, both as they are sent. */
    CompletableFuture<byte[]> answer(ClientRequest request, byte[] payload) {
        try {
            ObjectDataInput in = serialization().createObjectDataInput(payload);
            Wire.readVersion(in);
            return switch (request) {
                case ATTACH ->
                    coordinator
                            .attachAsync(Wire.readAttachRequest(in))
                            .thenApply(reply -> encode(reply.value(), Wire::writeGrant));
                case DETACH -> detach(Wire.readList(in, Wire::readDetachRequest));
                case EXTEND -> extend(Wire.readUuid(in), Wire.readList(in, Wire::readExtendRequest));
                case DESTROY -> destroy(in, coordinator::destroy);
                case RESERVE ->
                    counters.reserveAsync(CounterWire.readReserveRequest(in))
                            .thenApply(reply -> encode(reply.value(), CounterWire::writeReservation));
                case GIVE_BACK ->
                    counters.giveBackAsync(CounterWire.readGiveBackRequest(in))
                            .thenApply(version -> encode(version, (out, value) -> out.writeLong(value)));
                case DESTROY_COUNTER -> destroy(in, counters::destroy);
                case LISTEN -> throw new IllegalArgumentException("has a task of its own: " + request);
            };
        } catch (IOException e) {
            throw new HazelcastSerializationException("a client's request cannot be read: " + request, e);
        }
    }

    // Which partition a sequencer is in is decided here, whatever the client took it for.

    private CompletableFuture<byte[]> detach(List<DetachRequest> requests) {
        Map<Integer, List<DetachRequest>> byPartition =
                requests.stream().collect(Collectors.groupingBy(request -> coordinator.partitionOf(request.name())));
        return allOf(byPartition.entrySet().stream()
                        .map(partition -> coordinator.detachAsync(partition.getKey(), partition.getValue())))
                .thenApply(done -> empty());
    }

    private CompletableFuture<byte[]> extend(UUID clusterId, List<ExtendRequest> requests) {
        if (!clusterId.equals(clusterId())) {
            // Never left to the table: one that lost its data would take the grants over, which are not this cluster's.
            return CompletableFuture.completedFuture(encodeReplies(
                    requests.stream().map(request -> ExtendReply.REFUSED).toList()));
        }
        Map<Integer, List<ExtendRequest>> byPartition =
                requests.stream().collect(Collectors.groupingBy(request -> coordinator.partitionOf(request.name())));
        Map<ExtendRequest, ExtendReply> replies = new ConcurrentHashMap<>();
        return allOf(byPartition.entrySet().stream()
                        .map(partition -> extend(partition.getKey(), partition.getValue(), replies)))
                .thenApply(done -> encodeReplies(requests.stream()
                        .map(request -> Objects.requireNonNull(replies.get(request)))
                        .toList()));
    }

    private CompletableFuture<Void> extend(
            int partitionId, List<ExtendRequest> requests, Map<ExtendRequest, ExtendReply> replies) {
        return coordinator
                .extend(partitionId, requests)
                .thenAccept(ofPartition -> {
                    for (int i = 0; i < requests.size(); i++) {
                        replies.put(requests.get(i), ofPartition.get(i));
                    }
                })
                .toCompletableFuture();
    }

    private static CompletableFuture<Void> allOf(Stream<CompletableFuture<Void>> parts) {
        return CompletableFuture.allOf(parts.toArray(CompletableFuture<?>[]::new));
    }

    /** Destroys an incarnation of a name; blocks. */
    private interface Destruction {
        void of(String name, long incarnation);
    }

    private CompletableFuture<byte[]> destroy(ObjectDataInput in, Destruction destruction) throws IOException {
        String name = Wire.readString(in);
        long incarnation = in.readLong();
        return CompletableFuture.runAsync(() -> destruction.of(name, incarnation), destructions)
                .thenApply(nothing -> empty());
    }

    private byte[] encodeReplies(List<ExtendReply> replies) {
        return encode(replies, (out, value) -> Wire.writeList(out, value, Wire::writeExtendReply));
    }

    private byte[] empty() {
        return encode(null, (out, value) -> {});
    }

    /** Writes the answer to a request to listen. */
    byte[] encodeRegistration(UUID registrationId) {
        return encode(registrationId, Wire::writeUuid);
    }

    /** Writes the event that tells of a destruction. */
    byte[] encodeDestroyed(Destroyed destroyed) {
        return encode(out -> {
            Wire.writeVersion(out);
            Wire.writeDestroyedEvent(out, destroyed);
        });
    }

    /** Writes the event that tells of possible duplicates. */
    byte[] encodeFound(Found found) {
        return encode(out -> {
            Wire.writeVersion(out);
            Wire.writeFoundEvent(out, found);
        });
    }

    private <T> byte[] encode(@Nullable T value, Wire.Writer<T> writer) {
        return encode(out -> Wire.writeReply(out, new ClientReply<>(clusterId(), value), writer));
    }

    /** What is written. */
    private interface Content {
        void write(BufferObjectDataOutput out) throws IOException;
    }

    private byte[] encode(Content content) {
        try (BufferObjectDataOutput out = serialization().createObjectDataOutput()) {
            content.write(out);
            return out.toByteArray();
        } catch (IOException e) {
            throw new HazelcastSerializationException("an answer to a client cannot be written", e);
        }
    }

    private UUID clusterId() {
        return nodeEngine.getClusterService().getClusterId();
    }

    private InternalSerializationService serialization() {
        return (InternalSerializationService) nodeEngine.getSerializationService();
    }
}
