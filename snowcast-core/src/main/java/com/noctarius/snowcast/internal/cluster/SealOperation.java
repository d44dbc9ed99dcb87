// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import com.hazelcast.spi.impl.AllowedDuringPassiveState;
import com.hazelcast.spi.impl.operationservice.Operation;
import com.noctarius.snowcast.internal.wire.Wire;
import java.io.IOException;

/** Makes a member's instance of a destroyed sequencer Destroyed, which gives its grant back by itself. */
final class SealOperation extends Operation implements IdentifiedDataSerializable, AllowedDuringPassiveState {
    private String name = "";
    private long incarnation;

    SealOperation() {}

    SealOperation(String name, long incarnation) {
        this.name = name;
        this.incarnation = incarnation;
    }

    @Override
    public void run() {
        SnowcastService service = getService();
        service.seal(name, incarnation);
    }

    @Override
    public String getServiceName() {
        return SnowcastService.NAME;
    }

    @Override
    public int getFactoryId() {
        return SnowcastDataSerializerHook.FACTORY_ID;
    }

    @Override
    public int getClassId() {
        return SnowcastDataSerializerHook.SEAL;
    }

    @Override
    protected void writeInternal(ObjectDataOutput out) throws IOException {
        super.writeInternal(out);
        Wire.writeVersion(out);
        out.writeString(name);
        out.writeLong(incarnation);
    }

    @Override
    protected void readInternal(ObjectDataInput in) throws IOException {
        super.readInternal(in);
        Wire.readVersion(in);
        name = Wire.readString(in);
        incarnation = in.readLong();
    }
}
