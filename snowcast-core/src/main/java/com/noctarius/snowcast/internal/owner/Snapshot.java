// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import java.util.List;

/**
 * An immutable copy of a {@link Replica}, or of what changed in it, as it travels to other replicas.
 *
 * @param lifecycle the incarnations of the name; its change number orders the snapshots of an owner
 * @param epoch distinguishes the replica from one that it replaced after a loss of data
 * @param unknownBeforeMillis until when it waits or waited after a loss, in cluster time; or 0
 * @param highestOfDestroyed the highest raw ID of destroyed incarnations, unsigned
 * @param usedUpTo where grants of node IDs without an entry may begin, in ID time
 * @param mergedMillis when it was merged last, in cluster time; 0 if it never was
 * @param partedMillis when the sides had parted that were merged then, or not long before
 * @param entries as much of them as the kind says
 */
public record Snapshot(
        Kind kind,
        Lifecycle lifecycle,
        long epoch,
        long unknownBeforeMillis,
        long highestOfDestroyed,
        long usedUpTo,
        long mergedMillis,
        long partedMillis,
        List<NodeState> entries) {

    /** How much of a replica a snapshot has. */
    public enum Kind {
        FULL,
        /** The entries that one operation touched. */
        CHANGE,
        /** No entries: for replicas beyond the backup count. */
        HEADER
    }

    public Snapshot {
        entries = List.copyOf(entries);
    }

    public int backupCount() {
        return lifecycle.backupCount();
    }

    public String name() {
        return lifecycle.name();
    }

    /** Returns the same with other entries. */
    Snapshot with(Kind newKind, List<NodeState> newEntries) {
        return new Snapshot(
                newKind,
                lifecycle,
                epoch,
                unknownBeforeMillis,
                highestOfDestroyed,
                usedUpTo,
                mergedMillis,
                partedMillis,
                newEntries);
    }

    /** Returns the same with other entries: see {@link NodeTable#stored}. */
    public Snapshot withEntries(List<NodeState> newEntries) {
        return with(kind, newEntries);
    }

    /** Returns what a replica is to have of it: no entries if it is beyond the backup count. */
    public Snapshot forReplica(int replicaIndex) {
        return lifecycle.isBeyondBackups(replicaIndex) ? with(Kind.HEADER, List.of()) : this;
    }
}
