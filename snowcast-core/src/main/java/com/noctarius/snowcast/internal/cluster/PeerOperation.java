// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.spi.impl.AllowedDuringPassiveState;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Asks a member what it knows of the asking one and how it is set up. */
final class PeerOperation extends SnowcastOperation implements AllowedDuringPassiveState {
    private int memberListVersion;
    private @Nullable Object response;

    PeerOperation() {}

    /** Makes a question of a member that has a list of members of that version. */
    PeerOperation(int memberListVersion) {
        this.memberListVersion = memberListVersion;
    }

    @Override
    public void run() {
        SnowcastService service = getService();
        response = SnowcastDataSerializerHook.reply(service.peers().describeTo(getCallerUuid(), memberListVersion));
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
    void write(ObjectDataOutput out) throws IOException {
        out.writeInt(memberListVersion);
    }

    @Override
    void read(ObjectDataInput in) throws IOException {
        memberListVersion = in.readInt();
    }
}
