// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.noctarius.snowcast.internal.owner.PartitionContainer;
import com.noctarius.snowcast.internal.wire.ClusterEvent;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the owner of a partition does for one kind of request, and under which conditions. Handling is idempotent: a request
 * that comes again gets the same answer and the same backups.
 *
 * @param action carries out a request, and notes each change
 * @param backups how many live backups must receive it
 * @param exemptions which conditions do not hold for it
 * @param announcement what all members are sent before the caller gets the answer; null if it concerns the caller only
 */
record Handler<Q, A>(
        Action<Q, A> action,
        Backups<Q> backups,
        Set<Exemption> exemptions,
        @Nullable Announcement<Q, A> announcement) {
    boolean has(Exemption exemption) {
        return exemptions.contains(exemption);
    }

    interface Action<Q, A> {
        A handle(Q request, ReplicatedChanges changes);
    }

    interface Backups<Q> {
        int required(Q request, PartitionContainer container);
    }

    interface Announcement<Q, A> {
        /** Returns the event of an answer; null if it has none. */
        @Nullable
        ClusterEvent event(Q request, A answer);
    }

    enum Exemption {
        /** It does not have to wait until it is known what was granted before the cluster was started. */
        NEEDS_NO_BEGINNING,
        /** The change may be lost: it is made also while backups are missing. */
        NEEDS_NO_BACKUPS,
        /** It changes nothing, and leaves nothing behind. */
        READS_ONLY,
        /** It neither hands anything out nor ends an incarnation: also a member does it that may have been removed. */
        GRANTS_NOTHING,
        /** It also runs in a cluster that is PASSIVE: no name, node ID or integer is taken or ended by it. */
        RUNS_WHILE_PASSIVE
    }
}
