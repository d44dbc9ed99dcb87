// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks.scale;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.DataSerializableFactory;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import com.hazelcast.spi.impl.operationservice.Operation;
import com.hazelcast.spi.impl.operationservice.PartitionAwareOperation;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Another operation that brings a copy of a partition, and how long it takes to be written, read and run. */
final class TimedReplication extends Operation implements PartitionAwareOperation, IdentifiedDataSerializable {
    static final int FACTORY_ID = 7_002;
    static final DataSerializableFactory FACTORY = classId -> new TimedReplication(null);

    private @Nullable Operation timed;
    private Span reading = Span.NONE;

    TimedReplication(@Nullable Operation timed) {
        this.timed = timed;
    }

    /** Counted with the reading: the partition's thread does both in one piece. */
    @Override
    public void run() throws Exception {
        Span beginning = Span.now();
        Objects.requireNonNull(timed)
                .setNodeEngine(getNodeEngine())
                .setPartitionId(getPartitionId())
                .setReplicaIndex(getReplicaIndex())
                .run();
        Piece.TAKING.add(reading.plus(Span.since(beginning)));
    }

    @Override
    protected void writeInternal(ObjectDataOutput out) throws IOException {
        super.writeInternal(out);
        Span beginning = Span.now();
        out.writeObject(timed);
        Piece.WRITING.add(Span.since(beginning));
    }

    @Override
    protected void readInternal(ObjectDataInput in) throws IOException {
        super.readInternal(in);
        Span beginning = Span.now();
        timed = in.readObject();
        reading = Span.since(beginning);
    }

    @Override
    public int getFactoryId() {
        return FACTORY_ID;
    }

    @Override
    public int getClassId() {
        return 0;
    }
}
