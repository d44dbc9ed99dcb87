// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.wire;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.noctarius.snowcast.PossibleDuplicateIntegers;
import com.noctarius.snowcast.internal.counter.CounterDefinition;
import com.noctarius.snowcast.internal.counter.CounterSnapshot;
import com.noctarius.snowcast.internal.counter.CounterTable;
import com.noctarius.snowcast.internal.counter.CounterValue;
import com.noctarius.snowcast.internal.counter.DestroyedValues;
import com.noctarius.snowcast.internal.counter.GiveBackRequest;
import com.noctarius.snowcast.internal.counter.RememberedReply;
import com.noctarius.snowcast.internal.counter.Reservation;
import com.noctarius.snowcast.internal.counter.ReserveRequest;
import com.noctarius.snowcast.store.Block;
import java.io.IOException;

/** How the values of integer sequences are written; see {@link Wire}. */
public final class CounterWire {
    private CounterWire() {}

    private static void writeBlock(ObjectDataOutput out, Block block) throws IOException {
        out.writeLong(block.first());
        out.writeLong(block.count());
        out.writeLong(block.step());
    }

    private static Block readBlock(ObjectDataInput in) throws IOException {
        return new Block(in.readLong(), in.readLong(), in.readLong());
    }

    private static void writeDefinition(ObjectDataOutput out, CounterDefinition definition) throws IOException {
        out.writeLong(definition.firstValue());
        out.writeLong(definition.lastValue());
        out.writeByte(definition.backupCount());
        out.writeBoolean(definition.hasParent());
    }

    private static CounterDefinition readDefinition(ObjectDataInput in) throws IOException {
        return new CounterDefinition(in.readLong(), in.readLong(), in.readByte(), in.readBoolean());
    }

    public static void writeReserveRequest(ObjectDataOutput out, ReserveRequest request) throws IOException {
        out.writeString(request.name());
        writeDefinition(out, request.definition());
        out.writeLong(request.incarnation());
        Wire.writeUuid(out, request.holder());
        out.writeLong(request.requestNumber());
        out.writeLong(request.size());
        out.writeLong(request.highestGiven());
        out.writeLong(request.knownInstalls());
        Wire.writeNullable(out, request.range(), CounterWire::writeBlock);
        Wire.writeNullable(out, request.afterLoss(), (o, afterLoss) -> {
            o.writeLong(afterLoss.firstValue());
            o.writeLong(afterLoss.lostBeforeMillis());
        });
    }

    public static ReserveRequest readReserveRequest(ObjectDataInput in) throws IOException {
        return new ReserveRequest(
                Wire.readString(in),
                readDefinition(in),
                in.readLong(),
                Wire.readUuid(in),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                Wire.readNullable(in, CounterWire::readBlock),
                Wire.readNullable(in, i -> new ReserveRequest.AfterLoss(i.readLong(), i.readLong())));
    }

    public static void writeReservation(ObjectDataOutput out, Reservation reservation) throws IOException {
        out.writeLong(reservation.incarnation());
        Wire.writeNullable(out, reservation.block(), CounterWire::writeBlock);
        out.writeLong(reservation.version());
        out.writeLong(reservation.installs());
        out.writeBoolean(reservation.rangeWanted());
    }

    public static Reservation readReservation(ObjectDataInput in) throws IOException {
        return new Reservation(
                in.readLong(),
                Wire.readNullable(in, CounterWire::readBlock),
                in.readLong(),
                in.readLong(),
                in.readBoolean());
    }

    public static void writeGiveBackRequest(ObjectDataOutput out, GiveBackRequest request) throws IOException {
        out.writeString(request.name());
        out.writeLong(request.incarnation());
        writeBlock(out, request.rest());
        out.writeLong(request.version());
    }

    public static GiveBackRequest readGiveBackRequest(ObjectDataInput in) throws IOException {
        return new GiveBackRequest(Wire.readString(in), in.readLong(), readBlock(in), in.readLong());
    }

    public static void writePossibleDuplicates(ObjectDataOutput out, PossibleDuplicateIntegers found)
            throws IOException {
        out.writeString(found.sequenceName());
        out.writeLong(found.first());
        out.writeLong(found.last());
    }

    public static PossibleDuplicateIntegers readPossibleDuplicates(ObjectDataInput in) throws IOException {
        return new PossibleDuplicateIntegers(Wire.readString(in), in.readLong(), in.readLong());
    }

    public static void writeTable(ObjectDataOutput out, CounterTable.Snapshot table) throws IOException {
        out.writeInt(table.count());
        out.writeLong(table.lostSinceMillis());
        Wire.writeList(out, table.counters(), CounterWire::writeSnapshot);
    }

    public static CounterTable.Snapshot readTable(ObjectDataInput in) throws IOException {
        return new CounterTable.Snapshot(in.readInt(), in.readLong(), Wire.readList(in, CounterWire::readSnapshot));
    }

    public static void writeSnapshot(ObjectDataOutput out, CounterSnapshot snapshot) throws IOException {
        Wire.writeLifecycle(out, snapshot.lifecycle(), CounterWire::writeDefinition);
        out.writeLong(snapshot.destroyed().highestWithoutParent());
        out.writeLong(snapshot.destroyed().highestWithParent());
        out.writeLong(snapshot.lostSinceMillis());
        out.writeLong(snapshot.repliesForgottenUpTo());
        Wire.writeNullable(out, snapshot.value(), CounterWire::writeValue);
        Wire.writeList(out, snapshot.replies(), CounterWire::writeReply);
    }

    public static CounterSnapshot readSnapshot(ObjectDataInput in) throws IOException {
        return new CounterSnapshot(
                Wire.readLifecycle(in, CounterWire::readDefinition),
                new DestroyedValues(in.readLong(), in.readLong()),
                in.readLong(),
                in.readLong(),
                Wire.readNullable(in, CounterWire::readValue),
                Wire.readList(in, CounterWire::readReply));
    }

    private static void writeValue(ObjectDataOutput out, CounterValue value) throws IOException {
        Wire.writeList(out, value.open(), CounterWire::writeBlock);
        Wire.writeList(out, value.takeovers(), (o, takeover) -> {
            o.writeLong(takeover.epoch());
            Wire.writeList(o, takeover.open(), CounterWire::writeBlock);
            o.writeLong(takeover.installs());
        });
        out.writeLong(value.highest());
        out.writeLong(value.installs());
        Wire.writeList(out, value.installed(), CounterWire::writeBlock);
    }

    private static CounterValue readValue(ObjectDataInput in) throws IOException {
        return new CounterValue(
                Wire.readList(in, CounterWire::readBlock),
                Wire.readList(
                        in,
                        i -> new CounterValue.Takeover(
                                i.readLong(), Wire.readList(i, CounterWire::readBlock), i.readLong())),
                in.readLong(),
                in.readLong(),
                Wire.readList(in, CounterWire::readBlock));
    }

    private static void writeReply(ObjectDataOutput out, RememberedReply reply) throws IOException {
        Wire.writeUuid(out, reply.holder());
        out.writeLong(reply.requestNumber());
        writeBlock(out, reply.block());
        out.writeLong(reply.version());
    }

    private static RememberedReply readReply(ObjectDataInput in) throws IOException {
        return new RememberedReply(Wire.readUuid(in), in.readLong(), readBlock(in), in.readLong());
    }
}
