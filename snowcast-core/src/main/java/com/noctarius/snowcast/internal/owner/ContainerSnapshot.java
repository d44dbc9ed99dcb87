// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import java.util.List;

/**
 * An immutable copy of a {@link PartitionContainer}, or of some of its tables, to be sent to other members.
 *
 * @param state what is known about the names that have no table in the container, and when it last lost data
 * @param nameCount how many tables the copied container has, even if the snapshot has only some of them
 */
public record ContainerSnapshot(ContainerState state, int nameCount, List<Snapshot> tables) {

    /**
     * An owner's container on the losing side of a split. {@link ReplicatedTable#merge} explains
     * {@code apartSinceMillis}.
     */
    public record Losing(long apartSinceMillis, ContainerSnapshot container) {}

    public ContainerSnapshot {
        tables = List.copyOf(tables);
    }

    /** Returns whether, at the given cluster time, the container still waits for leases to expire. */
    public boolean isWaiting(long millis) {
        return state.waitEndMillis() > millis;
    }

    /** Returns whether the winning side of a split needs this container of the losing side. */
    public boolean isNeededForMerge() {
        return !tables.isEmpty() || state.lossWaitEndMillis() != 0;
    }

    /** Returns the part of this snapshot that the replica with the given index gets. */
    public ContainerSnapshot forReplica(int replicaIndex) {
        var some = tables.stream().map(table -> table.forReplica(replicaIndex));
        return new ContainerSnapshot(state, nameCount, some.toList());
    }

    /**
     * What is known about the names that have no table in a partition's container, and when this container last lost
     * data. Either the names were never used ({@link #COMPLETE}), or they may have been used before a loss of data or a
     * full restart, or nothing is known about them ({@link #COLD}). A new cluster's container begins complete, or
     * begins cold if the settings require a wait or high-water marks after a full restart. A copy begins cold, and
     * takes over the owner's state.
     *
     * @param waitEndMillis the cluster time by which all leases of these names have expired. A sequencer without a
     *     table grants nothing before this time, and its grants begin at this time or later. 0 if the names were never
     *     used; {@link Long#MAX_VALUE} if the container is cold
     * @param lostSinceMillis the cluster time at which the container last lost data, even if it has tables; a later
     *     time means a further loss. 0 if no data was lost since the start of the whole cluster
     */
    public record ContainerState(long waitEndMillis, long lostSinceMillis) {
        /** Names without a table were never used. */
        public static final ContainerState COMPLETE = new ContainerState(0, 0);

        /** The member makes no grants yet, because it does not know which grants were made before. */
        public static final ContainerState COLD = new ContainerState(Long.MAX_VALUE, 0);

        boolean isCold() {
            return waitEndMillis == Long.MAX_VALUE;
        }

        /** Returns {@link #waitEndMillis}; 0 if the container is cold, because the end is not known yet. */
        long waitEndMillisIfKnown() {
            return isCold() ? 0 : waitEndMillis;
        }

        /**
         * Returns the end of the wait after a loss of data; 0 if no data was lost, or the end is not known yet. The
         * wait after a start of the whole cluster does not count.
         */
        long lossWaitEndMillis() {
            return lostSinceMillis == 0 ? 0 : waitEndMillisIfKnown();
        }

        /** Joins a state that this copy has received: the later times count; a cold state does not count. */
        ContainerState joined(ContainerState other) {
            if (isCold() || other.isCold()) {
                return isCold() ? other : this;
            }
            return new ContainerState(
                    Math.max(waitEndMillis, other.waitEndMillis), Math.max(lostSinceMillis, other.lostSinceMillis));
        }
    }
}
