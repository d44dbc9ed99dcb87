// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.client;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Which cluster answers. A client can come to another one: by failover, or because all members were replaced while it
 * was away. What the former cluster granted means nothing there, and others may hold the same node IDs.
 */
final class PresentCluster {
    private final AtomicReference<@Nullable UUID> id = new AtomicReference<>();
    private final Runnable changed;

    /**
     * Knows of no cluster yet.
     *
     * @param changed called whenever an answer comes from another cluster than the one before; must not block
     */
    PresentCluster(Runnable changed) {
        this.changed = changed;
    }

    /** To be called with the ID in each answer, before the answer is used. */
    void answered(@Nullable UUID clusterId) {
        UUID before = id.getAndSet(clusterId);
        if (before != null && !before.equals(clusterId)) {
            changed.run();
        }
    }

    /** Returns the ID of the cluster that answered last; null before the first answer. */
    @Nullable
    UUID id() {
        return id.get();
    }
}
