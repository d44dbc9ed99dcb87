// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import com.noctarius.snowcast.internal.leases.Coordinator.GrantObserver;
import com.noctarius.snowcast.internal.owner.AttachRequest;
import com.noctarius.snowcast.internal.owner.DetachRequest;
import com.noctarius.snowcast.internal.owner.Grant;
import java.util.Collection;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Grants node IDs to holders: a cluster, a database, or the configuration of a standalone sequencer. Thread-safe. */
interface GrantSource {
    /** Asks for a grant; blocks. Returns null if the sequencer's incarnation was destroyed. */
    @Nullable
    Grant attach(AttachRequest request);

    /** Gives node IDs back; blocks. */
    void detach(Collection<DetachRequest> requests);

    /** Returns a number that sequencers share whose extensions may go in one batch, such as the name's partition. */
    default int partitionOf(String name) {
        return 0;
    }

    /** Draws the ID of a new holder. */
    default UUID newHolder() {
        return UUID.randomUUID();
    }

    /** Returns who is told of the grants that arrive. */
    default GrantObserver observer() {
        return GrantObserver.NONE;
    }
}
