// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.noctarius.snowcast.internal.owner.PartitionContainer;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.ToIntBiFunction;

/**
 * The owner's handler for one type of request, and its conditions. Handling is idempotent: a retried request gets the
 * same answer and the same backups.
 *
 * @param action executes a request, and notes each change
 * @param backups how many live backups must receive it
 * @param exemptions the conditions that do not apply to it
 */
record Handler<Q, A>(
        BiFunction<Q, ReplicatedChanges, A> action,
        ToIntBiFunction<Q, PartitionContainer> backups,
        Set<Exemption> exemptions) {
    enum Exemption {
        /** It does not wait until the grants from before the start of the cluster are known. */
        NEEDS_NO_BEGINNING,
        /** Hazelcast's split-brain protection does not apply to it. */
        NEEDS_NO_QUORUM,
        /**
         * Any owner executes it, even without backups, and even if it leaves or is not confirmed. Hazelcast's
         * split-brain protection can still refuse it.
         */
        SKIPS_CHECKS_OF_OWNER,
        /** It changes nothing and makes no container; only data that must no longer be used is given up. */
        READS_ONLY,
        /**
         * It gives no holder a grant and destroys no living sequencer of this cluster, so a member that may have been
         * removed executes it, too.
         */
        GRANTS_NOTHING,
        /**
         * It also runs in a PASSIVE cluster, because it creates or destroys no sequencer, and grants no free node ID.
         */
        RUNS_WHILE_PASSIVE
    }
}
