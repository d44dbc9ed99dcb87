// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import com.noctarius.snowcast.internal.leases.Coordinator.GrantObserver;
import com.noctarius.snowcast.internal.owner.AttachRequest;
import com.noctarius.snowcast.internal.owner.DetachRequest;
import com.noctarius.snowcast.internal.owner.Grant;
import java.util.Collection;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The place from which holders request node IDs: a cluster, a database, or the configuration of a standalone sequencer.
 * Thread-safe.
 */
interface GrantSource {
    /**
     * Requests a grant for a holder; blocks. Returns null if the requested incarnation was destroyed. Also returns null
     * for a repeated request whose first answer was a grant in an incarnation that was destroyed afterwards.
     */
    @Nullable
    Grant attach(AttachRequest request);

    /** Releases node IDs; blocks. */
    void detach(Collection<DetachRequest> requests);

    /** Returns a number for a name, such as its partition. Renewals of names with the same number may share a batch. */
    default int partitionOf(String name) {
        return 0;
    }

    /** Returns an ID for a new holder; the second half of the ID is random. */
    default UUID newHolder() {
        return UUID.randomUUID();
    }

    default GrantObserver observer() {
        return GrantObserver.NONE;
    }
}
