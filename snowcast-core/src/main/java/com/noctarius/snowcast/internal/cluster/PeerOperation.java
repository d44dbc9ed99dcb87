// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.spi.impl.AllowedDuringPassiveState;
import com.noctarius.snowcast.internal.wire.RequestType;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Asks another member for its vote, settings, high-water mark and clocks: {@link RequestType#PEER}. */
final class PeerOperation extends SnowcastOperation<Optional<UUID>> implements AllowedDuringPassiveState {
    private @Nullable Object response;

    PeerOperation(Optional<UUID> formerUuid) {
        super(ClassIds.PEER, RequestType.PEER.request(), formerUuid);
    }

    @Override
    public void run() {
        response = new Reply(RequestType.PEER, services().answer(content()));
    }

    @Override
    public @Nullable Object getResponse() {
        return response;
    }
}
