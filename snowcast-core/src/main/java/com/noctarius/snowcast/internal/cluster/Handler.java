// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.noctarius.snowcast.internal.owner.PartitionContainer;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.ToIntBiFunction;

/**
 * The owner's handler for one type of request, and the conditions under which it runs. Handlers are idempotent: it is
 * safe to execute a request again, and the backups then receive its changes again.
 *
 * @param action executes a request, and records its changes
 * @param backups how many live backups must receive the changes of a request
 * @param exemptions the conditions that do not apply to requests of this type
 */
record Handler<Q, A>(
        BiFunction<Q, ReplicatedChanges, A> action,
        ToIntBiFunction<Q, PartitionContainer> backups,
        Set<Exemption> exemptions) {
    enum Exemption {
        /**
         * The request runs even before {@link OtherMembers#beginning()} is known. Hazelcast's split-brain protection
         * does not apply to the request.
         */
        NEEDS_NEITHER_QUORUM_NOR_BEGINNING,
        /**
         * An owner executes the request even if backups are missing, if the owner is leaving the cluster, or if the
         * {@link com.noctarius.snowcast.internal.vote.Electorate} does not confirm the owner. Hazelcast's split-brain
         * protection can still refuse the request, unless {@link #NEEDS_NEITHER_QUORUM_NOR_BEGINNING} applies, too.
         */
        SKIPS_CHECKS_OF_OWNER,
        /**
         * The request changes nothing and makes no container. The check may still discard data that must not be used.
         */
        READS_ONLY,
        /**
         * The owner needs no confirmation by the {@code Electorate}. An owner that has been removed from the cluster
         * may then execute the request, too. It makes no grant, and destroys no existing sequencer of this cluster.
         */
        NEEDS_NO_VOTE,
        /**
         * The request runs in a PASSIVE cluster, too, because it grants no free node ID, and destroys no sequencer
         * except by a merge. The request creates a sequencer only if it is a merge, or a renewal that restores the
         * sequencer after a loss of data.
         */
        RUNS_WHILE_PASSIVE
    }
}
