// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import com.hazelcast.spi.impl.operationservice.Operation;
import com.noctarius.snowcast.internal.wire.Wire;
import java.io.IOException;

/** What one member asks or tells another: behind Hazelcast's own part comes the version of what follows. */
abstract class SnowcastOperation extends Operation implements IdentifiedDataSerializable {
    @Override
    public final String getServiceName() {
        return SnowcastService.NAME;
    }

    @Override
    public final int getFactoryId() {
        return SnowcastDataSerializerHook.FACTORY_ID;
    }

    @Override
    protected final void writeInternal(ObjectDataOutput out) throws IOException {
        super.writeInternal(out);
        Wire.writeVersion(out);
        write(out);
    }

    @Override
    protected final void readInternal(ObjectDataInput in) throws IOException {
        super.readInternal(in);
        Wire.readVersion(in);
        read(in);
    }

    abstract void write(ObjectDataOutput out) throws IOException;

    abstract void read(ObjectDataInput in) throws IOException;
}
