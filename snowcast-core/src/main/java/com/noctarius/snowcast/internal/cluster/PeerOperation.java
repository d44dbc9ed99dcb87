// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.spi.impl.AllowedDuringPassiveState;
import com.noctarius.snowcast.internal.wire.Call;
import com.noctarius.snowcast.internal.wire.WireVersion;
import org.jspecify.annotations.Nullable;

/**
 * Asks a member what it knows of the asking one and how it is set up. Always in the oldest version: the answer says what
 * else the member reads.
 */
final class PeerOperation extends SnowcastOperation<Long> implements AllowedDuringPassiveState {
    private @Nullable Object response;

    /** Makes a question of a member that has a list of members of that version. */
    PeerOperation(int memberListVersion) {
        super(ClassIds.PEER, Call.PEER.request(), WireVersion.OLDEST, (long) memberListVersion);
    }

    @Override
    public void run() {
        int memberListVersion = Math.toIntExact(content());
        response = new Reply(wireVersion(), Call.PEER, owner().peers().describeTo(getCallerUuid(), memberListVersion));
    }

    @Override
    public @Nullable Object getResponse() {
        return response;
    }
}
