// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An immutable copy of a {@link IntegerPool}, or of as much of it as a replica is to have.
 *
 * @param highestOfOthers the highest integer of destroyed lives and of other sides of a split; -1 if there is none
 * @param value what was handed out; null for a replica beyond the backup count
 * @param replies some or all of the remembered replies
 */
public record PoolSnapshot(
        Lifecycle<PoolDefinition> lifecycle,
        long highestOfOthers,
        long lostSinceMillis,
        long repliesForgottenUpTo,
        @Nullable PoolValue value,
        List<RememberedReply> replies) {

    public int backupCount() {
        return lifecycle.backupCount();
    }

    public String name() {
        return lifecycle.name();
    }

    /** Returns what a replica is to have of it. */
    public PoolSnapshot forReplica(int replicaIndex) {
        return lifecycle.isBeyondBackups(replicaIndex)
                ? new PoolSnapshot(lifecycle, highestOfOthers, lostSinceMillis, repliesForgottenUpTo, null, List.of())
                : this;
    }
}
