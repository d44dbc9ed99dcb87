// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.instance.EndpointQualifier;
import com.hazelcast.internal.nio.Packet;
import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.HeapData;
import com.hazelcast.internal.server.ServerConnection;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import com.hazelcast.test.Accessors;
import com.noctarius.snowcast.internal.owner.ContainerSnapshot;
import com.noctarius.snowcast.internal.owner.Grant;
import com.noctarius.snowcast.internal.wire.ClusterEvent;
import com.noctarius.snowcast.internal.wire.Form;
import com.noctarius.snowcast.internal.wire.ReplicaForms;
import com.noctarius.snowcast.internal.wire.RequestType;
import com.noctarius.snowcast.internal.wire.WireInput;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;

/**
 * Creates messages from one member to another. In most messages, randomly changes snowcast's part, the bytes after
 * Hazelcast's header. Also changes the class ID in the header of some messages. A member executes each message that it
 * can read, because it trusts other members. The test therefore first deserializes a message itself, and sends only
 * unreadable messages to the other member.
 */
final class FuzzedOperations {
    /** The position of the class ID: after the partition hash, the type, a flag and the factory ID. */
    private static final int CLASS_ID_POSITION = 13;

    private static final int UNKNOWN_TYPES_ONE_IN = 20;
    private static final List<RequestType<?, ?>> OF_MEMBERS =
            List.of(RequestType.MERGE, RequestType.MAKE_CONTAINER, RequestType.ATTACH, RequestType.RENEW);

    private final HazelcastInstance from;
    private final HazelcastInstance to;
    private final InternalSerializationService serialization;
    private final FuzzSamples samples;
    private final Random random;
    private final int partitionCount;
    private int readable;
    private int unreadable;

    /** An operation or an answer, with snowcast's part of its serialized form. */
    private record Sample(Object operation, WrittenMessage content) {}

    FuzzedOperations(HazelcastInstance from, HazelcastInstance to, FuzzSamples samples, Random random) {
        this.from = from;
        this.to = to;
        this.serialization = Accessors.getSerializationService(to);
        this.samples = samples;
        this.random = random;
        this.partitionCount = to.getPartitionService().getPartitions().size();
    }

    private <T> Sample sample(Object operation, Form<T> form, T content) {
        return new Sample(operation, WrittenMessage.of(serialization, out -> {
            out.writeByte(WireInput.VERSION);
            form.write(out, content);
        }));
    }

    private <T> Sample ofCall(Object operation, RequestType<?, ?> call, Form<T> form, T content) {
        return new Sample(operation, WrittenMessage.of(serialization, out -> {
            out.writeByte(WireInput.VERSION);
            RequestType.FORM.write(out, call);
            form.write(out, content);
        }));
    }

    private <Q> Sample request(RequestType<Q, ?> call) {
        Q request = samples.request(call);
        return ofCall(new RequestOperation(call, request), call, call.request(), request);
    }

    private Sample next() {
        switch (random.nextInt(6)) {
            case 0 -> {
                ContainerSnapshot changes = samples.container();
                return sample(new ChangeBackupOperation(changes), ReplicaForms.CONTAINER, changes);
            }
            case 1 -> {
                ContainerSnapshot all = samples.container();
                return sample(new ReplicationOperation(all), ReplicaForms.CONTAINER, all);
            }
            case 2 -> {
                Optional<UUID> question = samples.question();
                return sample(new PeerOperation(question), RequestType.PEER.request(), question);
            }
            case 3 -> {
                ClusterEvent event = samples.event();
                return sample(new EventOperation(event), ClusterEvent.FORM, event);
            }
            case 4 -> {
                Optional<Grant> grant = Optional.of(samples.grant());
                return ofCall(
                        new Reply(RequestType.ATTACH, grant), RequestType.ATTACH, RequestType.ATTACH.answer(), grant);
            }
            default -> {
                return request(OF_MEMBERS.get(random.nextInt(OF_MEMBERS.size())));
            }
        }
    }

    /** Changes a message and deserializes it as its receiver would. If it is unreadable, sends it to the receiver. */
    void send() {
        Sample sample = next();
        byte[] whole = serialization.toBytes(sample.operation);
        int ours = whole.length - sample.content.bytes().length;
        if (!Arrays.equals(whole, ours, whole.length, sample.content.bytes(), 0, sample.content.bytes().length)) {
            throw new AssertionError("written otherwise: " + sample.operation);
        }
        Mutation mutation = Mutation.any(random);
        byte[] content = mutation.applyTo(sample.content, random);
        byte[] bytes = Arrays.copyOf(whole, ours + content.length);
        System.arraycopy(content, 0, bytes, ours, content.length);
        boolean hasUnknownType = random.nextInt(UNKNOWN_TYPES_ONE_IN) == 0;
        if (hasUnknownType) {
            ByteBuffer.wrap(bytes).putInt(CLASS_ID_POSITION, random.nextBoolean() ? random.nextInt() : 0);
        }
        try {
            Object read = serialization.toObject(new HeapData(bytes));
            if (hasUnknownType || mutation.isAlwaysRefused()) {
                throw new AssertionError("read as " + read + ": " + mutation + " " + sample.operation);
            }
            readable++;
        } catch (HazelcastSerializationException e) {
            requireClear(e, hasUnknownType ? "no class of snowcast has ID " : " cannot be read, at byte ");
            unreadable++;
            sendPacket(bytes);
        }
    }

    private static void requireClear(HazelcastSerializationException refusal, String words) {
        if (!String.valueOf(refusal.getMessage()).contains(words)) {
            throw new AssertionError("refused otherwise than by \"" + words + "\"", refusal);
        }
    }

    private void sendPacket(byte[] bytes) {
        ServerConnection connection = Accessors.getNode(from)
                .getServer()
                .getConnectionManager(EndpointQualifier.MEMBER)
                .get(to.getCluster().getLocalMember().getAddress());
        Packet packet = new Packet(bytes, random.nextInt(partitionCount)).setPacketType(Packet.Type.OPERATION);
        Objects.requireNonNull(connection).write(packet);
    }

    @Override
    public String toString() {
        return readable + " that could be read and " + unreadable + " that could not";
    }
}
