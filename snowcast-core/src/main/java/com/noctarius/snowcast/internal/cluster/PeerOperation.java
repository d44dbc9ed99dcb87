// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.spi.impl.AllowedDuringPassiveState;
import org.jspecify.annotations.Nullable;

/** Asks a member what it knows of the asking one and how it is set up. */
final class PeerOperation extends SnowcastOperation implements AllowedDuringPassiveState {
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
    public int getClassId() {
        return SnowcastDataSerializerHook.PEER;
    }

    @Override
    void write(ObjectDataOutput out) {}

    @Override
    void read(ObjectDataInput in) {}
}
