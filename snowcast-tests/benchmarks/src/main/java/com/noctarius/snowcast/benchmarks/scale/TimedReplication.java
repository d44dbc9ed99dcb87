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

/** Wraps the operation that brings a copy of a partition, and measures how long it takes to write, read and run it. */
final class TimedReplication extends Operation implements PartitionAwareOperation, IdentifiedDataSerializable {
    static final int FACTORY_ID = 7_002;
    static final DataSerializableFactory FACTORY = classId -> new TimedReplication(null);

    private @Nullable Operation timed;
    private Span reading = Span.NONE;

    TimedReplication(@Nullable Operation timed) {
        this.timed = timed;
    }

    /** Counts the run together with the reading, because the partition thread does both in one piece. */
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
