// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.client;

import com.hazelcast.client.HazelcastClientNotActiveException;
import com.hazelcast.client.impl.clientside.HazelcastClientInstanceImpl;
import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.spi.impl.ClientInvocation;
import com.hazelcast.client.properties.ClientProperty;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import com.hazelcast.partition.strategy.StringPartitioningStrategy;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.internal.sequencer.Coordinator;
import com.noctarius.snowcast.internal.sequencer.LeaseKeeper;
import com.noctarius.snowcast.internal.table.AttachRequest;
import com.noctarius.snowcast.internal.table.DetachRequest;
import com.noctarius.snowcast.internal.table.ExtendReply;
import com.noctarius.snowcast.internal.table.ExtendRequest;
import com.noctarius.snowcast.internal.table.Grant;
import com.noctarius.snowcast.internal.table.GrantObserver;
import com.noctarius.snowcast.internal.wire.Calls;
import com.noctarius.snowcast.internal.wire.ClientReply;
import com.noctarius.snowcast.internal.wire.ClientRequest;
import com.noctarius.snowcast.internal.wire.Wire;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a client's sequencers ask of the cluster, by messages of the client protocol.
 *
 * <p>Hazelcast sends a message again when the member it went to is gone. That is the same request, with the same
 * number, and has one effect.
 */
final class ClientCoordinator implements Coordinator {
    /** For empty answers. */
    static final Wire.Reader<Object> NOTHING = in -> {
        throw new HazelcastSerializationException("an answer that is to be empty is not");
    };

    private final HazelcastClientInstanceImpl client;
    private final ClientMessages messages;
    private final PresentCluster cluster;
    private final ClusterListener listener;
    private final long timeoutMillis;

    ClientCoordinator(
            HazelcastClientInstanceImpl client,
            ClientMessages messages,
            PresentCluster cluster,
            ClusterListener listener) {
        this.client = client;
        this.messages = messages;
        this.cluster = cluster;
        this.listener = listener;
        this.timeoutMillis =
                client.getProperties().getPositiveMillisOrDefault(ClientProperty.INVOCATION_TIMEOUT_SECONDS);
    }

    @Override
    public @Nullable Grant attach(AttachRequest request) {
        String subject = subject(request.name());
        requireRunning(subject);
        // Before there is a grant: so no destruction of its incarnation is missed.
        listener.register();
        return call(subject, request.name(), ClientRequest.ATTACH, request, Wire::writeAttachRequest, Wire::readGrant);
    }

    @Override
    public void destroy(String name, long incarnation) {
        requireRunning(subject(name));
        Wire.Writer<String> writer = (out, value) -> {
            out.writeString(value);
            out.writeLong(incarnation);
        };
        call(subject(name), name, ClientRequest.DESTROY, name, writer, NOTHING);
    }

    @Override
    public CompletionStage<List<ExtendReply>> extend(int partitionId, List<ExtendRequest> requests) {
        // Grants come with the cluster's ID.
        UUID clusterId = Objects.requireNonNull(cluster.id());
        Wire.Writer<List<ExtendRequest>> writer = (out, value) -> {
            Wire.writeUuid(out, clusterId);
            Wire.writeList(out, value, Wire::writeExtendRequest);
        };
        return this.<List<ExtendRequest>, List<ExtendReply>>send(
                        ClientRequest.EXTEND,
                        partitionId,
                        LeaseKeeper.MAX_REPLY_AGE_MILLIS,
                        List.copyOf(requests),
                        writer,
                        in -> Wire.readList(in, Wire::readExtendReply))
                // Else one that a member never answers would hold up those that follow.
                .orTimeout(LeaseKeeper.MAX_REPLY_AGE_MILLIS, TimeUnit.MILLISECONDS)
                .thenApply(reply -> Objects.requireNonNull(reply.value()));
    }

    @Override
    public void detach(Collection<DetachRequest> requests) {
        detachWithin(requests, timeoutMillis);
    }

    /** Waits at most the given time, and at most as long as for any other call. */
    void detachWithin(Collection<DetachRequest> requests, long atMostMillis) {
        long waitMillis = Math.min(atMostMillis, timeoutMillis);
        Map<Integer, List<DetachRequest>> byPartition =
                requests.stream().collect(Collectors.groupingBy(request -> partitionOf(request.name())));
        Calls.awaitAll(
                waitMillis,
                byPartition.entrySet().stream()
                        .map(partition -> detach(partition.getKey(), partition.getValue(), waitMillis))
                        .toList());
    }

    private CompletableFuture<?> detach(int partitionId, List<DetachRequest> requests, long waitMillis) {
        return send(
                ClientRequest.DETACH,
                partitionId,
                waitMillis,
                requests,
                (out, value) -> Wire.writeList(out, value, Wire::writeDetachRequest),
                NOTHING);
    }

    @Override
    public int partitionOf(String name) {
        return client.getClientPartitionService().getPartitionId(StringPartitioningStrategy.getPartitionKey(name));
    }

    @Override
    public GrantObserver observer() {
        return GrantObserver.in(userContext());
    }

    Map<String, Object> userContext() {
        return client.getUserContext();
    }

    /** Detaching is possible a moment longer. */
    void requireRunning(String subject) {
        if (!client.getLifecycleService().isRunning()) {
            throw new SnowcastStateException(subject + ": the HazelcastInstance was shut down");
        }
    }

    private static String subject(String name) {
        return "sequencer " + name;
    }

    /** Asks about a name, and waits for the answer. */
    <Q, A> @Nullable A call(
            String subject, String name, ClientRequest kind, Q request, Wire.Writer<Q> writer, Wire.Reader<A> reader) {
        ClientReply<A> reply = Calls.outcome(
                subject, timeoutMillis, () -> send(kind, partitionOf(name), timeoutMillis, request, writer, reader));
        return reply.value();
    }

    private <Q, A> CompletableFuture<ClientReply<A>> send(
            ClientRequest kind,
            int partitionId,
            long tryMillis,
            Q request,
            Wire.Writer<Q> writer,
            Wire.Reader<A> reader) {
        ClientMessage message = messages.request(kind, request, writer);
        ClientInvocation invocation = ClientInvocations.toPartition(client, message, partitionId);
        invocation.setInvocationTimeoutMillis(tryMillis);
        return invocation
                .invoke()
                .handleAsync(
                        (response, failure) -> {
                            if (failure != null) {
                                throw new CompletionException(asOnMember(failure));
                            }
                            ClientReply<A> reply = messages.reply(response, reader);
                            cluster.answered(reply.clusterId());
                            return reply;
                        },
                        Runnable::run);
    }

    private static Throwable asOnMember(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof HazelcastClientNotActiveException
                ? new HazelcastInstanceNotActiveException(cause.getMessage())
                : cause;
    }
}
