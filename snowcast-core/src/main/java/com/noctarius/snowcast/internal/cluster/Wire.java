// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.internal.util.UUIDSerializationUtil;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import com.noctarius.snowcast.PossibleDuplicates;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.internal.floor.FloorMark;
import com.noctarius.snowcast.internal.table.AttachRequest;
import com.noctarius.snowcast.internal.table.Definition;
import com.noctarius.snowcast.internal.table.DetachRequest;
import com.noctarius.snowcast.internal.table.ExtendReply;
import com.noctarius.snowcast.internal.table.ExtendRequest;
import com.noctarius.snowcast.internal.table.Grant;
import com.noctarius.snowcast.internal.table.NodeState;
import com.noctarius.snowcast.internal.table.Overlap;
import com.noctarius.snowcast.internal.table.TableSnapshot;
import com.noctarius.snowcast.internal.table.Token;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How the values of the protocol are written. Whatever is sent begins with a version: a member of another version fails
 * at it and never half-reads.
 */
final class Wire {
    private static final byte VERSION = 1;

    private Wire() {}

    /** Writes a value. */
    interface Writer<T> {
        void write(ObjectDataOutput out, T value) throws IOException;
    }

    /** Reads a value. */
    interface Reader<T> {
        T read(ObjectDataInput in) throws IOException;
    }

    static void writeVersion(ObjectDataOutput out) throws IOException {
        out.writeByte(VERSION);
    }

    static void readVersion(ObjectDataInput in) throws IOException {
        byte version = in.readByte();
        if (version != VERSION) {
            throw new HazelcastSerializationException(
                    "this version of snowcast reads version " + VERSION + " of its wire format, not " + version);
        }
    }

    static String readString(ObjectDataInput in) throws IOException {
        String text = in.readString();
        if (text == null) {
            throw new HazelcastSerializationException("a name is missing");
        }
        return text;
    }

    static <T> void writeList(ObjectDataOutput out, List<T> values, Writer<T> writer) throws IOException {
        out.writeInt(values.size());
        for (T value : values) {
            writer.write(out, value);
        }
    }

    static <T> List<T> readList(ObjectDataInput in, Reader<T> reader) throws IOException {
        int size = in.readInt();
        List<T> values = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            values.add(reader.read(in));
        }
        return values;
    }

    static <T> void writeNullable(ObjectDataOutput out, @Nullable T value, Writer<T> writer) throws IOException {
        out.writeBoolean(value != null);
        if (value != null) {
            writer.write(out, value);
        }
    }

    static <T> @Nullable T readNullable(ObjectDataInput in, Reader<T> reader) throws IOException {
        return in.readBoolean() ? reader.read(in) : null;
    }

    static void writeDefinition(ObjectDataOutput out, Definition definition) throws IOException {
        out.writeLong(definition.epochOffset());
        writeLayout(out, definition.layout());
        out.writeByte(definition.backupCount());
    }

    static Definition readDefinition(ObjectDataInput in) throws IOException {
        long epochOffset = in.readLong();
        return new Definition(epochOffset, readLayout(in), in.readByte());
    }

    private static void writeLayout(ObjectDataOutput out, SnowcastLayout layout) throws IOException {
        out.writeByte(layout.timestampBits());
        out.writeByte(layout.logicalNodeBits());
        out.writeByte(layout.counterBits());
    }

    private static SnowcastLayout readLayout(ObjectDataInput in) throws IOException {
        return new SnowcastLayout(in.readByte(), in.readByte(), in.readByte());
    }

    static void writeToken(ObjectDataOutput out, Token token) throws IOException {
        out.writeLong(token.tableEpoch());
        out.writeLong(token.sequence());
    }

    static Token readToken(ObjectDataInput in) throws IOException {
        return new Token(in.readLong(), in.readLong());
    }

    static void writeUuid(ObjectDataOutput out, UUID uuid) throws IOException {
        UUIDSerializationUtil.writeUUID(out, uuid);
    }

    static void writeGrant(ObjectDataOutput out, Grant grant) throws IOException {
        out.writeLong(grant.incarnation());
        out.writeInt(grant.logicalNodeId());
        writeToken(out, grant.token());
        out.writeLong(grant.floor());
        out.writeLong(grant.ceiling());
        out.writeLong(grant.leaseMillis());
    }

    static Grant readGrant(ObjectDataInput in) throws IOException {
        return new Grant(in.readLong(), in.readInt(), readToken(in), in.readLong(), in.readLong(), in.readLong());
    }

    static void writeAttachRequest(ObjectDataOutput out, AttachRequest request) throws IOException {
        out.writeString(request.name());
        writeDefinition(out, request.definition());
        out.writeLong(request.incarnation());
        writeUuid(out, request.holder());
        out.writeLong(request.requestNumber());
        out.writeLong(request.holderNowMillis());
        out.writeLong(request.leaseMillis());
        out.writeLong(request.lastMillis());
    }

    static AttachRequest readAttachRequest(ObjectDataInput in) throws IOException {
        return new AttachRequest(
                readString(in),
                readDefinition(in),
                in.readLong(),
                UUIDSerializationUtil.readUUID(in),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readLong());
    }

    static void writeExtendRequest(ObjectDataOutput out, ExtendRequest request) throws IOException {
        out.writeString(request.name());
        writeDefinition(out, request.definition());
        out.writeLong(request.incarnation());
        out.writeInt(request.logicalNodeId());
        writeToken(out, request.token());
        writeUuid(out, request.holder());
        out.writeLong(request.ceiling());
        out.writeLong(request.holderNow());
        out.writeLong(request.leaseMillis());
    }

    static ExtendRequest readExtendRequest(ObjectDataInput in) throws IOException {
        return new ExtendRequest(
                readString(in),
                readDefinition(in),
                in.readLong(),
                in.readInt(),
                readToken(in),
                UUIDSerializationUtil.readUUID(in),
                in.readLong(),
                in.readLong(),
                in.readLong());
    }

    static void writeExtendReply(ObjectDataOutput out, ExtendReply reply) throws IOException {
        out.writeString(reply.outcome().name());
        out.writeLong(reply.ceiling());
    }

    static ExtendReply readExtendReply(ObjectDataInput in) throws IOException {
        return new ExtendReply(ExtendReply.Outcome.valueOf(readString(in)), in.readLong());
    }

    static void writeDetachRequest(ObjectDataOutput out, DetachRequest request) throws IOException {
        out.writeString(request.name());
        out.writeInt(request.logicalNodeId());
        writeToken(out, request.token());
        out.writeLong(request.lastMillis());
    }

    static DetachRequest readDetachRequest(ObjectDataInput in) throws IOException {
        return new DetachRequest(readString(in), in.readInt(), readToken(in), in.readLong());
    }

    static void writePeer(ObjectDataOutput out, Peer peer) throws IOException {
        out.writeBoolean(peer.listsCaller());
        out.writeInt(peer.firstNodeId());
        out.writeInt(peer.lastNodeId());
        out.writeLong(peer.former().untilMillis());
        out.writeLong(peer.former().writtenMillis());
        out.writeBoolean(peer.former().closed());
    }

    static Peer readPeer(ObjectDataInput in) throws IOException {
        return new Peer(
                in.readBoolean(),
                in.readInt(),
                in.readInt(),
                new FloorMark(in.readLong(), in.readLong(), in.readBoolean()));
    }

    static void writeOverlap(ObjectDataOutput out, Overlap overlap) throws IOException {
        out.writeInt(overlap.logicalNodeId());
        out.writeLong(overlap.fromMillis());
        out.writeLong(overlap.toMillis());
    }

    static Overlap readOverlap(ObjectDataInput in) throws IOException {
        return new Overlap(in.readInt(), in.readLong(), in.readLong());
    }

    static void writePossibleDuplicates(ObjectDataOutput out, PossibleDuplicates found) throws IOException {
        out.writeString(found.sequencerName());
        out.writeInt(found.logicalNodeId());
        out.writeLong(found.from().toEpochMilli());
        out.writeLong(found.to().toEpochMilli());
    }

    static PossibleDuplicates readPossibleDuplicates(ObjectDataInput in) throws IOException {
        return new PossibleDuplicates(
                readString(in), in.readInt(), Instant.ofEpochMilli(in.readLong()), Instant.ofEpochMilli(in.readLong()));
    }

    static void writeSnapshot(ObjectDataOutput out, TableSnapshot snapshot) throws IOException {
        out.writeString(snapshot.kind().name());
        out.writeString(snapshot.name());
        writeNullable(out, snapshot.definition(), Wire::writeDefinition);
        out.writeLong(snapshot.incarnation());
        out.writeLong(snapshot.destroyedUpTo());
        out.writeLong(snapshot.highestId());
        out.writeLong(snapshot.tableEpoch());
        out.writeLong(snapshot.changeNumber());
        out.writeLong(snapshot.recoveringUntilMillis());
        out.writeLong(snapshot.floor());
        writeList(out, snapshot.nodes(), Wire::writeNodeState);
    }

    static TableSnapshot readSnapshot(ObjectDataInput in) throws IOException {
        return new TableSnapshot(
                TableSnapshot.Kind.valueOf(readString(in)),
                readString(in),
                readNullable(in, Wire::readDefinition),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                readList(in, Wire::readNodeState));
    }

    private static void writeNodeState(ObjectDataOutput out, NodeState state) throws IOException {
        out.writeInt(state.logicalNodeId());
        out.writeLong(state.version());
        writeToken(out, state.token());
        writeUuid(out, state.holder());
        out.writeLong(state.requestNumber());
        out.writeLong(state.floor());
        out.writeLong(state.ceiling());
        out.writeBoolean(state.attached());
    }

    private static NodeState readNodeState(ObjectDataInput in) throws IOException {
        return new NodeState(
                in.readInt(),
                in.readLong(),
                readToken(in),
                UUIDSerializationUtil.readUUID(in),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readBoolean());
    }
}
