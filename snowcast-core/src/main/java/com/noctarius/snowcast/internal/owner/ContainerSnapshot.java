// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import java.util.List;

/**
 * An immutable copy of a member's container of a partition, or of a part of it.
 *
 * @param state what the member knows of the names that are not in the container
 * @param nameCount how many names the member has
 */
public record ContainerSnapshot(ContainerState state, int nameCount, List<Snapshot> tables) {

    /**
     * The container of a partition owner on the losing side of a split.
     *
     * @param apartSinceMillis see {@link ReplicatedTable#merge}
     */
    public record Losing(long apartSinceMillis, ContainerSnapshot container) {}

    public ContainerSnapshot {
        tables = List.copyOf(tables);
    }

    /** Returns whether, at the given cluster time, its member may still lack names that were in use. */
    public boolean isRecovering(long millis) {
        return state.recoveredMillis() > millis;
    }

    /** Returns the part of it that a replica gets. */
    public ContainerSnapshot forReplica(int replicaIndex) {
        var some = tables.stream().map(table -> table.forReplica(replicaIndex));
        return new ContainerSnapshot(state, nameCount, some.toList());
    }

    /**
     * What a member knows of the names that its container of a partition does not have. In a new cluster the container
     * is {@link #COMPLETE}, or cold if the cluster may be one that had a full restart. A copy begins cold and joins the
     * owner's state. A container that waits never becomes complete: the wait just ends.
     *
     * @param recoveredMillis when the leases of their holders end, in cluster time. Before it, a sequencer that is new
     *     here grants nothing, and no grant begins below it in ID time. 0 if the names were never used; the highest
     *     number if the container is cold
     * @param lostSinceMillis when data was lost, in cluster time; a later time means another loss. 0 if none was lost
     *     since the start of the whole cluster
     */
    public record ContainerState(long recoveredMillis, long lostSinceMillis) {
        /** The missing names were never used. */
        public static final ContainerState COMPLETE = new ContainerState(0, 0);

        /** Nothing is granted yet, because it is unknown what the cluster granted before it was started. */
        public static final ContainerState COLD = new ContainerState(Long.MAX_VALUE, 0);

        boolean isCold() {
            return recoveredMillis == Long.MAX_VALUE;
        }

        /** Returns until when a container that is not cold waits; 0 if it is cold. */
        long recoveredMillisIfKnown() {
            return isCold() ? 0 : recoveredMillis;
        }

        /**
         * Returns the state of a copy that receives another one: the one with the longer wait, but cold only if both
         * are.
         */
        ContainerState joined(ContainerState other) {
            if (isCold() || other.isCold()) {
                return isCold() ? other : this;
            }
            return new ContainerState(
                    Math.max(recoveredMillis, other.recoveredMillis), Math.max(lostSinceMillis, other.lostSinceMillis));
        }
    }
}
