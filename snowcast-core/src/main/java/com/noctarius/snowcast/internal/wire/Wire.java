// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.wire;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import com.noctarius.snowcast.PossibleDuplicates;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.internal.replica.Lifecycle;
import com.noctarius.snowcast.internal.table.AttachRequest;
import com.noctarius.snowcast.internal.table.Definition;
import com.noctarius.snowcast.internal.table.DetachRequest;
import com.noctarius.snowcast.internal.table.ExtendReply;
import com.noctarius.snowcast.internal.table.ExtendRequest;
import com.noctarius.snowcast.internal.table.Grant;
import com.noctarius.snowcast.internal.table.NodeState;
import com.noctarius.snowcast.internal.table.Overlap;
import com.noctarius.snowcast.internal.table.OwnerHistory;
import com.noctarius.snowcast.internal.table.TableSnapshot;
import com.noctarius.snowcast.internal.table.Token;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How the values of the protocol are written. Whatever is sent begins with a version: a member of another version fails
 * at it and never half-reads.
 */
public final class Wire {
    private static final byte VERSION = 1;

    private Wire() {}

    /** Writes a value. */
    public interface Writer<T> {
        void write(ObjectDataOutput out, T value) throws IOException;
    }

    /** Reads a value. */
    public interface Reader<T> {
        T read(ObjectDataInput in) throws IOException;
    }

    public static void writeVersion(ObjectDataOutput out) throws IOException {
        out.writeByte(VERSION);
    }

    public static void readVersion(ObjectDataInput in) throws IOException {
        byte version = in.readByte();
        if (version != VERSION) {
            throw new HazelcastSerializationException(
                    "this version of snowcast reads version " + VERSION + " of its wire format, not " + version);
        }
    }

    public static String readString(ObjectDataInput in) throws IOException {
        String text = in.readString();
        if (text == null) {
            throw new HazelcastSerializationException("a name is missing");
        }
        return text;
    }

    public static <T> void writeList(ObjectDataOutput out, List<T> values, Writer<T> writer) throws IOException {
        out.writeInt(values.size());
        for (T value : values) {
            writer.write(out, value);
        }
    }

    public static <T> List<T> readList(ObjectDataInput in, Reader<T> reader) throws IOException {
        int size = in.readInt();
        List<T> values = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            values.add(reader.read(in));
        }
        return values;
    }

    public static <T> void writeNullable(ObjectDataOutput out, @Nullable T value, Writer<T> writer) throws IOException {
        out.writeBoolean(value != null);
        if (value != null) {
            writer.write(out, value);
        }
    }

    public static <T> @Nullable T readNullable(ObjectDataInput in, Reader<T> reader) throws IOException {
        return in.readBoolean() ? reader.read(in) : null;
    }

    /** Writes the answer to a client's request, with the version before it. */
    public static <T> void writeReply(ObjectDataOutput out, ClientReply<T> reply, Writer<T> writer) throws IOException {
        writeVersion(out);
        writeUuid(out, reply.clusterId());
        writeNullable(out, reply.value(), writer);
    }

    /** Reads the answer to a client's request. */
    public static <T> ClientReply<T> readReply(ObjectDataInput in, Reader<T> reader) throws IOException {
        readVersion(in);
        return new ClientReply<>(readUuid(in), readNullable(in, reader));
    }

    public static void writeDefinition(ObjectDataOutput out, Definition definition) throws IOException {
        out.writeLong(definition.epochOffset());
        writeLayout(out, definition.layout());
        out.writeByte(definition.backupCount());
    }

    public static Definition readDefinition(ObjectDataInput in) throws IOException {
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

    public static void writeToken(ObjectDataOutput out, Token token) throws IOException {
        out.writeLong(token.tableEpoch());
        out.writeLong(token.sequence());
    }

    public static Token readToken(ObjectDataInput in) throws IOException {
        return new Token(in.readLong(), in.readLong());
    }

    public static void writeUuid(ObjectDataOutput out, UUID uuid) throws IOException {
        out.writeLong(uuid.getMostSignificantBits());
        out.writeLong(uuid.getLeastSignificantBits());
    }

    public static UUID readUuid(ObjectDataInput in) throws IOException {
        return new UUID(in.readLong(), in.readLong());
    }

    public static void writeGrant(ObjectDataOutput out, Grant grant) throws IOException {
        out.writeLong(grant.incarnation());
        out.writeInt(grant.logicalNodeId());
        writeToken(out, grant.token());
        out.writeLong(grant.floor());
        out.writeLong(grant.ceiling());
        out.writeLong(grant.leaseMillis());
    }

    public static Grant readGrant(ObjectDataInput in) throws IOException {
        return new Grant(in.readLong(), in.readInt(), readToken(in), in.readLong(), in.readLong(), in.readLong());
    }

    public static void writeAttachRequest(ObjectDataOutput out, AttachRequest request) throws IOException {
        out.writeString(request.name());
        writeDefinition(out, request.definition());
        out.writeLong(request.incarnation());
        writeUuid(out, request.holder());
        out.writeLong(request.requestNumber());
        out.writeLong(request.holderNowMillis());
        out.writeLong(request.leaseMillis());
        out.writeLong(request.lastMillis());
    }

    public static AttachRequest readAttachRequest(ObjectDataInput in) throws IOException {
        return new AttachRequest(
                readString(in),
                readDefinition(in),
                in.readLong(),
                readUuid(in),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readLong());
    }

    public static void writeExtendRequest(ObjectDataOutput out, ExtendRequest request) throws IOException {
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

    public static ExtendRequest readExtendRequest(ObjectDataInput in) throws IOException {
        return new ExtendRequest(
                readString(in),
                readDefinition(in),
                in.readLong(),
                in.readInt(),
                readToken(in),
                readUuid(in),
                in.readLong(),
                in.readLong(),
                in.readLong());
    }

    public static void writeExtendReply(ObjectDataOutput out, ExtendReply reply) throws IOException {
        out.writeString(reply.outcome().name());
        out.writeLong(reply.ceiling());
    }

    public static ExtendReply readExtendReply(ObjectDataInput in) throws IOException {
        return new ExtendReply(ExtendReply.Outcome.valueOf(readString(in)), in.readLong());
    }

    public static void writeDetachRequest(ObjectDataOutput out, DetachRequest request) throws IOException {
        out.writeString(request.name());
        out.writeInt(request.logicalNodeId());
        writeToken(out, request.token());
        out.writeLong(request.lastMillis());
    }

    public static DetachRequest readDetachRequest(ObjectDataInput in) throws IOException {
        return new DetachRequest(readString(in), in.readInt(), readToken(in), in.readLong());
    }

    public static void writeOverlap(ObjectDataOutput out, Overlap overlap) throws IOException {
        out.writeInt(overlap.logicalNodeId());
        out.writeLong(overlap.fromMillis());
        out.writeLong(overlap.toMillis());
    }

    public static Overlap readOverlap(ObjectDataInput in) throws IOException {
        return new Overlap(in.readInt(), in.readLong(), in.readLong());
    }

    public static void writeDestroyed(ObjectDataOutput out, Destroyed destroyed) throws IOException {
        out.writeBoolean(destroyed.isSequencer());
        out.writeString(destroyed.name());
        out.writeLong(destroyed.incarnation());
    }

    public static Destroyed readDestroyed(ObjectDataInput in) throws IOException {
        return new Destroyed(in.readBoolean(), readString(in), in.readLong());
    }

    public static void writeFound(ObjectDataOutput out, Found found) throws IOException {
        writeList(out, found.ids(), Wire::writePossibleDuplicates);
        writeList(out, found.integers(), CounterWire::writePossibleDuplicates);
    }

    public static Found readFound(ObjectDataInput in) throws IOException {
        return new Found(readList(in, Wire::readPossibleDuplicates), readList(in, CounterWire::readPossibleDuplicates));
    }

    /** Writes the event that a sequencer or an integer sequence was destroyed. */
    public static void writeDestroyedEvent(ObjectDataOutput out, Destroyed destroyed) throws IOException {
        out.writeBoolean(true);
        writeDestroyed(out, destroyed);
    }

    /** Writes the event that there may be duplicates. */
    public static void writeFoundEvent(ObjectDataOutput out, Found found) throws IOException {
        out.writeBoolean(false);
        writeFound(out, found);
    }

    /** Reads an event; returns what hands it over. */
    public static Runnable readEvent(ObjectDataInput in, Consumer<Destroyed> destroyed, Consumer<Found> found)
            throws IOException {
        if (in.readBoolean()) {
            Destroyed event = readDestroyed(in);
            return () -> destroyed.accept(event);
        }
        Found event = readFound(in);
        return () -> found.accept(event);
    }

    public static void writePossibleDuplicates(ObjectDataOutput out, PossibleDuplicates found) throws IOException {
        out.writeString(found.sequencerName());
        out.writeInt(found.logicalNodeId());
        out.writeLong(found.from().toEpochMilli());
        out.writeLong(found.to().toEpochMilli());
    }

    public static PossibleDuplicates readPossibleDuplicates(ObjectDataInput in) throws IOException {
        return new PossibleDuplicates(
                readString(in), in.readInt(), Instant.ofEpochMilli(in.readLong()), Instant.ofEpochMilli(in.readLong()));
    }

    public static void writeSnapshot(ObjectDataOutput out, TableSnapshot snapshot) throws IOException {
        out.writeString(snapshot.kind().name());
        writeLifecycle(out, snapshot.lifecycle(), Wire::writeDefinition);
        out.writeLong(snapshot.highestId());
        out.writeLong(snapshot.tableEpoch());
        out.writeLong(snapshot.recoveringUntilMillis());
        out.writeLong(snapshot.floor());
        writeList(out, snapshot.owners().owners(), Wire::writeOwner);
        writeList(out, snapshot.nodes(), Wire::writeNodeState);
    }

    public static TableSnapshot readSnapshot(ObjectDataInput in) throws IOException {
        return new TableSnapshot(
                TableSnapshot.Kind.valueOf(readString(in)),
                readLifecycle(in, Wire::readDefinition),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                new OwnerHistory(readList(in, Wire::readOwner)),
                readList(in, Wire::readNodeState));
    }

    static <D extends Lifecycle.BackedUp> void writeLifecycle(
            ObjectDataOutput out, Lifecycle<D> lifecycle, Writer<D> definition) throws IOException {
        out.writeString(lifecycle.name());
        writeNullable(out, lifecycle.definition(), definition);
        out.writeLong(lifecycle.incarnation());
        out.writeLong(lifecycle.destroyedUpTo());
        out.writeLong(lifecycle.changeNumber());
    }

    static <D extends Lifecycle.BackedUp> Lifecycle<D> readLifecycle(ObjectDataInput in, Reader<D> definition)
            throws IOException {
        return new Lifecycle<>(
                readString(in), readNullable(in, definition), in.readLong(), in.readLong(), in.readLong());
    }

    private static void writeOwner(ObjectDataOutput out, OwnerHistory.Owner owner) throws IOException {
        out.writeLong(owner.epoch());
        out.writeLong(owner.lowestIdTime());
        out.writeLong(owner.lastChange());
    }

    private static OwnerHistory.Owner readOwner(ObjectDataInput in) throws IOException {
        return new OwnerHistory.Owner(in.readLong(), in.readLong(), in.readLong());
    }

    private static void writeNodeState(ObjectDataOutput out, NodeState state) throws IOException {
        out.writeInt(state.logicalNodeId());
        out.writeLong(state.version());
        writeToken(out, state.token());
        writeUuid(out, state.holder());
        out.writeLong(state.requestNumber());
        out.writeLong(state.lowestIdTime());
        out.writeLong(state.floor());
        out.writeLong(state.ceiling());
        out.writeBoolean(state.attached());
    }

    private static NodeState readNodeState(ObjectDataInput in) throws IOException {
        return new NodeState(
                in.readInt(),
                in.readLong(),
                readToken(in),
                readUuid(in),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readBoolean());
    }
}
