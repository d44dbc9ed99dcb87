// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import com.hazelcast.spi.impl.AllowedDuringPassiveState;
import com.hazelcast.spi.impl.operationservice.Operation;
import com.noctarius.snowcast.internal.wire.Wire;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Makes a member's instance of a destroyed sequencer Destroyed, and returns what it used of its grant. */
final class SealOperation extends Operation implements IdentifiedDataSerializable, AllowedDuringPassiveState {
    private String name = "";
    private long incarnation;
    private @Nullable Object response;

    SealOperation() {}

    SealOperation(String name, long incarnation) {
        this.name = name;
        this.incarnation = incarnation;
    }

    @Override
    public void run() {
        SnowcastService service = getService();
        response = SnowcastDataSerializerHook.sealReply(service.seal(name, incarnation));
    }

    @Override
    public @Nullable Object getResponse() {
        return response;
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
