// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.table;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An immutable copy of a table, or of what changed in it, as it travels to other replicas.
 *
 * @param kind how much of the table it holds
 * @param name the sequencer
 * @param definition the definition; null for a name that was never created
 * @param incarnation which life of the name
 * @param destroyedUpTo the last life that was destroyed, or 0
 * @param highestId the highest raw ID that may have been issued in lives that were destroyed, unsigned
 * @param tableEpoch the epoch of new tokens
 * @param changeNumber the number of the last change, of which tokens are made; orders the snapshots of a table
 * @param recoveringUntilMillis until when a table that lost its data waits or waited, in cluster time; or 0
 * @param floor where grants of node IDs that the table does not know may begin, in ID time
 * @param owners the last owners: for a merge
 * @param nodes the node IDs, as much as the kind says
 */
public record TableSnapshot(
        Kind kind,
        String name,
        @Nullable Definition definition,
        long incarnation,
        long destroyedUpTo,
        long highestId,
        long tableEpoch,
        long changeNumber,
        long recoveringUntilMillis,
        long floor,
        OwnerHistory owners,
        List<NodeState> nodes) {

    /** How much of the table a snapshot holds. */
    public enum Kind {
        /** Everything. */
        FULL,
        /** What one operation touched. */
        CHANGE,
        /** No node IDs: for replicas beyond the sequencer's backup count. */
        DEFINITION
    }

    /** Copies the list. */
    public TableSnapshot {
        nodes = List.copyOf(nodes);
    }

    /** Returns what a replica is to have of this: no node IDs if it is beyond the sequencer's backup count. */
    public TableSnapshot forReplica(int replicaIndex) {
        if (definition == null || replicaIndex <= definition.backupCount()) {
            return this;
        }
        return new TableSnapshot(
                Kind.DEFINITION,
                name,
                definition,
                incarnation,
                destroyedUpTo,
                highestId,
                tableEpoch,
                changeNumber,
                recoveringUntilMillis,
                floor,
                owners,
                List.of());
    }
}
