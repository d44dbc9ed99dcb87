// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.spi.impl.AllowedDuringPassiveState;
import com.noctarius.snowcast.internal.wire.Call;
import com.noctarius.snowcast.internal.wire.WireInput;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Asks a member what it knows of the asking one and how it is set up. Always in the oldest version: the answer says what
 * else the member reads.
 */
final class PeerOperation extends SnowcastOperation implements AllowedDuringPassiveState {
    private long memberListVersion;
    private @Nullable Object response;

    PeerOperation() {}

    /** Makes a question of a member that has a list of members of that version. */
    PeerOperation(int memberListVersion) {
        this.memberListVersion = memberListVersion;
    }

    @Override
    public void run() {
        response = new Reply(
                wireVersion(), Call.PEER, owner().describeTo(getCallerUuid(), Math.toIntExact(memberListVersion)));
    }

    @Override
    public @Nullable Object getResponse() {
        return response;
    }

    @Override
    public int getClassId() {
        return ClassIds.PEER;
    }

    @Override
    void write(ObjectDataOutput out) throws IOException {
        Call.PEER.request().write(out, memberListVersion);
    }

    @Override
    void read(WireInput in) throws IOException {
        memberListVersion = in.value(Call.PEER.request());
    }
}
