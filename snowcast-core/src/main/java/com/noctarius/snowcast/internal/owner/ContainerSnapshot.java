// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import java.util.List;

/**
 * An immutable copy of what a member has of a partition, or of some of it.
 *
 * @param state what is known of the names that are not in it
 * @param nameCount how many names the member has
 */
public record ContainerSnapshot(ContainerState state, int nameCount, List<Snapshot> tables) {

    /**
     * What the owner of a partition on the losing side of a split had.
     *
     * @param apartSinceMillis see {@link ReplicatedTable#merge}
     */
    public record Losing(long apartSinceMillis, ContainerSnapshot container) {}

    public ContainerSnapshot {
        tables = List.copyOf(tables);
    }

    /** Whether its member may lack names that were in use, at a moment in cluster time. */
    public boolean isRecovering(long millis) {
        return state.recoveredMillis() > millis;
    }

    /** Returns what a replica is to have of it. */
    public ContainerSnapshot forReplica(int replicaIndex) {
        var some = tables.stream().map(table -> table.forReplica(replicaIndex));
        return new ContainerSnapshot(state, nameCount, some.toList());
    }

    /**
     * What a member knows of the names that its container of a partition does not have. A container of a new cluster is
     * {@link #COMPLETE}, or cold if it may be a cluster that was started again as a whole. A copy begins cold and joins
     * the owner's state. No container becomes complete later: the moment passes by itself.
     *
     * @param recoveredMillis when the leases of their holders end, in cluster time; no sequencer that is new here
     *     grants anything before it, nor below it in ID time. 0 if they were never used; the highest number if the
     *     container is cold
     * @param lostSinceMillis when data was lost, in cluster time; a later loss is another one. 0 if none was lost since
     *     the start of the whole cluster
     */
    public record ContainerState(long recoveredMillis, long lostSinceMillis) {
        /** They were never used. */
        public static final ContainerState COMPLETE = new ContainerState(0, 0);

        /** It is not known yet what the cluster granted before it was started: nothing is granted. */
        public static final ContainerState COLD = new ContainerState(Long.MAX_VALUE, 0);

        boolean isCold() {
            return recoveredMillis == Long.MAX_VALUE;
        }

        /** Returns until when a container that is not cold waits; else 0. */
        long recoveredMillisIfKnown() {
            return isCold() ? 0 : recoveredMillis;
        }

        /** Returns the state of a copy that is sent another one: that of the longer wait, and any rather than cold. */
        ContainerState joined(ContainerState other) {
            if (isCold() || other.isCold()) {
                return isCold() ? other : this;
            }
            return new ContainerState(
                    Math.max(recoveredMillis, other.recoveredMillis), Math.max(lostSinceMillis, other.lostSinceMillis));
        }
    }
}
