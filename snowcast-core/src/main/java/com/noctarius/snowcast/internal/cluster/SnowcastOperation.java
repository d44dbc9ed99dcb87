// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import com.hazelcast.spi.impl.operationservice.Operation;
import com.noctarius.snowcast.internal.wire.WireInput;
import com.noctarius.snowcast.internal.wire.WireVersion;
import java.io.IOException;

/** What one member sends another: behind Hazelcast's own part comes the version of the form, then the content. */
abstract class SnowcastOperation extends Operation implements IdentifiedDataSerializable {
    private int wireVersion;

    /** Makes an operation that is about to be read, or whose content all versions write alike. */
    SnowcastOperation() {
        this(WireVersion.OLDEST);
    }

    SnowcastOperation(int wireVersion) {
        this.wireVersion = wireVersion;
    }

    /** Returns the version in which it is or was written. */
    final int wireVersion() {
        return wireVersion;
    }

    final PartitionOwner owner() {
        return getService();
    }

    @Override
    public final String getServiceName() {
        return PartitionOwner.SERVICE_NAME;
    }

    @Override
    public final int getFactoryId() {
        return ClassIds.FACTORY;
    }

    @Override
    protected final void writeInternal(ObjectDataOutput out) throws IOException {
        super.writeInternal(out);
        out.writeByte(wireVersion);
        write(out);
    }

    @Override
    protected final void readInternal(ObjectDataInput in) throws IOException {
        super.readInternal(in);
        wireVersion = WireInput.read(in, getClass().getSimpleName(), input -> {
            read(input);
            return input.version();
        });
    }

    abstract void write(ObjectDataOutput out) throws IOException;

    abstract void read(WireInput in) throws IOException;
}
