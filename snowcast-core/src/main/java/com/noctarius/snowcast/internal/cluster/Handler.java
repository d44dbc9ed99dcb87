// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.noctarius.snowcast.internal.owner.PartitionContainer;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.ToIntBiFunction;

/**
 * What the owner of a partition does for one kind of request, and under which conditions. Handling is idempotent: a
 * request that comes again gets the same answer and the same backups.
 *
 * @param action carries out a request, and notes each change
 * @param backups how many live backups must receive it
 * @param exemptions which conditions do not hold for it
 */
record Handler<Q, A>(
        BiFunction<Q, ReplicatedChanges, A> action,
        ToIntBiFunction<Q, PartitionContainer> backups,
        Set<Exemption> exemptions) {
    enum Exemption {
        /** It does not have to wait until it is known what was granted before the cluster was started. */
        NEEDS_NO_BEGINNING,
        /** It is carried out by any owner: also without backups, and by one that leaves or is not confirmed. */
        SKIPS_CHECKS_OF_OWNER,
        /** It changes nothing, and leaves nothing behind. */
        READS_ONLY,
        /** It neither grants anything nor ends an incarnation: also a member does it that may have been removed. */
        GRANTS_NOTHING,
        /** It also runs in a cluster that is PASSIVE: no name or node ID is taken or ended by it. */
        RUNS_WHILE_PASSIVE
    }
}
