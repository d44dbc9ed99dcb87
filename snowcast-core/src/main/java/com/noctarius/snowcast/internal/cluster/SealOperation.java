// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.spi.impl.AllowedDuringPassiveState;
import com.noctarius.snowcast.internal.wire.Wire;
import java.io.IOException;

/** Makes a member's instance of a destroyed sequencer Destroyed, which gives its grant back by itself. */
final class SealOperation extends SnowcastOperation implements AllowedDuringPassiveState {
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
    public int getClassId() {
        return SnowcastDataSerializerHook.SEAL;
    }

    @Override
    void write(ObjectDataOutput out) throws IOException {
        out.writeString(name);
        out.writeLong(incarnation);
    }

    @Override
    void read(ObjectDataInput in) throws IOException {
        name = Wire.readString(in);
        incarnation = in.readLong();
    }
}
