// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.spi.impl.AllowedDuringPassiveState;
import com.noctarius.snowcast.internal.wire.Peer;
import com.noctarius.snowcast.internal.wire.RequestType;
import com.noctarius.snowcast.internal.wire.WireVersion;
import org.jspecify.annotations.Nullable;

/** Asks a member what it knows and how it is set up. Always in the oldest version: the answer says what else it reads. */
final class PeerOperation extends SnowcastOperation<Peer.Question> implements AllowedDuringPassiveState {
    private @Nullable Object response;

    PeerOperation(Peer.@Nullable Question question) {
        super(ClassIds.PEER, RequestType.PEER.request(), WireVersion.OLDEST, question);
    }

    @Override
    public void run() {
        response = new Reply(
                wireVersion(), RequestType.PEER, services().otherMembers().answer(content()));
    }

    @Override
    public @Nullable Object getResponse() {
        return response;
    }
}
