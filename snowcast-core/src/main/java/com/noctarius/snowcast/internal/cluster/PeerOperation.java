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

/** Asks a member what it knows of the asking one and how it is set up. */
final class PeerOperation extends Operation implements IdentifiedDataSerializable, AllowedDuringPassiveState {
    private @Nullable Object response;

    @Override
    public void run() {
        SnowcastService service = getService();
        response = SnowcastDataSerializerHook.reply(service.peers().describeTo(getCallerUuid()));
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
        return SnowcastDataSerializerHook.PEER;
    }

    @Override
    protected void writeInternal(ObjectDataOutput out) throws IOException {
        super.writeInternal(out);
        Wire.writeVersion(out);
    }

    @Override
    protected void readInternal(ObjectDataInput in) throws IOException {
        super.readInternal(in);
        Wire.readVersion(in);
    }
}
