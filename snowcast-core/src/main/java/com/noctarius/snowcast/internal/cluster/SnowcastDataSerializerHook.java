// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.internal.serialization.DataSerializerHook;
import com.hazelcast.internal.serialization.impl.FactoryIdHelper;
import com.hazelcast.nio.serialization.DataSerializableFactory;
import com.noctarius.snowcast.PossibleDuplicateIntegers;
import com.noctarius.snowcast.internal.counter.Reservation;
import com.noctarius.snowcast.internal.table.ExtendReply;
import com.noctarius.snowcast.internal.table.Grant;
import com.noctarius.snowcast.internal.table.Overlap;
import com.noctarius.snowcast.internal.wire.CounterWire;
import com.noctarius.snowcast.internal.wire.Wire;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes Hazelcast know the operations and answers. Found by its service file. */
public final class SnowcastDataSerializerHook implements DataSerializerHook {
    /** Another library may have chosen the same number: {@code -Dsnowcast.serialization.factory.id} moves ours. */
    static final int FACTORY_ID = FactoryIdHelper.getFactoryId("snowcast.serialization.factory.id", 0x534E4F57);

    static final int ATTACH = 1;
    static final int EXTEND = 2;
    static final int DETACH = 3;
    static final int DESTROY = 4;
    static final int SEAL = 5;
    static final int MAKE_CONTAINER = 6;
    static final int BACKUP = 7;
    static final int REPLICATION = 8;
    static final int PEER = 9;
    static final int MERGE = 10;
    static final int POSSIBLE_DUPLICATES = 11;
    static final int RESERVE = 12;
    static final int GIVE_BACK = 13;
    static final int DESTROY_COUNTER = 14;
    static final int MERGE_COUNTERS = 15;
    private static final int GRANT = 20;
    private static final int EXTEND_REPLIES = 21;
    private static final int PEER_REPLY = 22;
    private static final int OVERLAPS = 23;
    private static final int RESERVATION = 24;
    private static final int INTEGERS = 25;

    /** Called by Hazelcast. */
    public SnowcastDataSerializerHook() {}

    static Reply<Grant> reply(@Nullable Grant grant) {
        return new Reply<>(GRANT, Wire::writeGrant, Wire::readGrant, grant);
    }

    static Reply<List<ExtendReply>> reply(@Nullable List<ExtendReply> replies) {
        return new Reply<>(
                EXTEND_REPLIES,
                (out, value) -> Wire.writeList(out, value, Wire::writeExtendReply),
                in -> Wire.readList(in, Wire::readExtendReply),
                replies);
    }

    static Reply<Peer> reply(@Nullable Peer peer) {
        return new Reply<>(PEER_REPLY, Peer::write, Peer::read, peer);
    }

    static Reply<List<List<Overlap>>> overlapReply(@Nullable List<List<Overlap>> overlaps) {
        return new Reply<>(
                OVERLAPS,
                (out, value) -> Wire.writeList(out, value, (o, each) -> Wire.writeList(o, each, Wire::writeOverlap)),
                in -> Wire.readList(in, i -> Wire.readList(i, Wire::readOverlap)),
                overlaps);
    }

    static Reply<Reservation> reply(@Nullable Reservation reservation) {
        return new Reply<>(RESERVATION, CounterWire::writeReservation, CounterWire::readReservation, reservation);
    }

    static Reply<List<PossibleDuplicateIntegers>> integersReply(@Nullable List<PossibleDuplicateIntegers> found) {
        return new Reply<>(
                INTEGERS,
                (out, value) -> Wire.writeList(out, value, CounterWire::writePossibleDuplicates),
                in -> Wire.readList(in, CounterWire::readPossibleDuplicates),
                found);
    }

    @Override
    public int getFactoryId() {
        return FACTORY_ID;
    }

    @Override
    public DataSerializableFactory createFactory() {
        return classId -> switch (classId) {
            case ATTACH -> new AttachOperation();
            case EXTEND -> new ExtendOperation();
            case DETACH -> new DetachOperation();
            case DESTROY -> new DestroyOperation();
            case SEAL -> new SealOperation();
            case MAKE_CONTAINER -> new MakeContainerOperation();
            case BACKUP -> new TableBackupOperation();
            case REPLICATION -> new ReplicationOperation();
            case GRANT -> reply((Grant) null);
            case PEER -> new PeerOperation();
            case MERGE -> new MergeOperation();
            case POSSIBLE_DUPLICATES -> new PossibleDuplicatesOperation();
            case RESERVE -> new ReserveOperation();
            case GIVE_BACK -> new GiveBackOperation();
            case DESTROY_COUNTER -> new DestroyCounterOperation();
            case MERGE_COUNTERS -> new MergeCountersOperation();
            case RESERVATION -> reply((Reservation) null);
            case INTEGERS -> integersReply(null);
            case PEER_REPLY -> reply((Peer) null);
            case OVERLAPS -> overlapReply(null);
            case EXTEND_REPLIES -> reply((List<ExtendReply>) null);
            default -> throw new IllegalArgumentException("no class of snowcast has ID " + classId);
        };
    }
}
