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
    /** Acquires a grant; blocks. Returns null if the sequencer's incarnation was destroyed. */
    @Nullable
    Grant attach(AttachRequest request);

    /** Releases node IDs; blocks. */
    void detach(Collection<DetachRequest> requests);

    /** Returns a batch number, such as the name's partition: renewals with the same number may share a batch. */
    default int partitionOf(String name) {
        return 0;
    }

    /** Returns a random ID for a new holder. */
    default UUID newHolder() {
        return UUID.randomUUID();
    }

    /** Returns the observer of the grants that arrive. */
    default GrantObserver observer() {
        return GrantObserver.NONE;
    }
}
