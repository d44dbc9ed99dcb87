// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import java.util.List;

/**
 * An immutable copy of a table, or of what changed in it, as it travels to other replicas.
 *
 * @param lifecycle the lives of the sequencer's name; its change number orders the snapshots of a table
 * @param highestId the highest raw ID that may have been issued in lives that were destroyed, unsigned
 * @param recoveringUntilMillis until when a table that lost its data waits or waited, in cluster time; or 0
 * @param floor where grants of node IDs that the table does not know may begin, in ID time
 * @param nodes the node IDs, as much as the kind says
 */
public record TableSnapshot(
        Kind kind,
        Lifecycle<Definition> lifecycle,
        long highestId,
        long tableEpoch,
        long recoveringUntilMillis,
        long floor,
        OwnerHistory owners,
        List<NodeState> nodes) {

    public enum Kind {
        FULL,
        /** What one operation touched. */
        CHANGE,
        /** No node IDs: for replicas beyond the sequencer's backup count. */
        DEFINITION
    }

    public TableSnapshot {
        nodes = List.copyOf(nodes);
    }

    public int backupCount() {
        return lifecycle.backupCount();
    }

    public String name() {
        return lifecycle.name();
    }

    /** As a status shows it: each node ID is attached only if its holder is alive, as far as the owner can tell. */
    public TableSnapshot judged(long nowMillis, TableRules rules) {
        Definition definition = lifecycle.living();
        if (definition == null) {
            return this;
        }
        long clusterNow = definition.idTime(nowMillis);
        List<NodeState> judged =
                nodes.stream().map(state -> state.judged(clusterNow, rules)).toList();
        return new TableSnapshot(kind, lifecycle, highestId, tableEpoch, recoveringUntilMillis, floor, owners, judged);
    }

    /** Without node IDs if the replica is beyond the sequencer's backup count. */
    public TableSnapshot forReplica(int replicaIndex) {
        if (!lifecycle.isBeyondBackups(replicaIndex)) {
            return this;
        }
        return new TableSnapshot(
                Kind.DEFINITION, lifecycle, highestId, tableEpoch, recoveringUntilMillis, floor, owners, List.of());
    }
}
