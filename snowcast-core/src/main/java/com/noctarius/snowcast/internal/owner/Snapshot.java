// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import java.util.List;

/**
 * An immutable copy of a {@link ReplicatedTable}, or of what changed in it, as it travels to other replicas.
 *
 * @param header its change number orders the snapshots of an owner
 * @param mergedMillis when it was merged last, in cluster time; 0 if it never was
 * @param partedMillis when the sides had parted that were merged then, or not long before
 * @param entries as much of them as the kind says
 */
public record Snapshot(Kind kind, TableHeader header, long mergedMillis, long partedMillis, List<NodeState> entries) {

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

    public String name() {
        return header.name();
    }

    public Lifecycle lifecycle() {
        return header.lifecycle();
    }

    public int backupCount() {
        return lifecycle().backupCount();
    }

    /** Returns the same with other entries. */
    Snapshot with(Kind newKind, List<NodeState> newEntries) {
        return new Snapshot(newKind, header, mergedMillis, partedMillis, newEntries);
    }

    /** Returns what a replica is to have of it: no entries if it is beyond the backup count. */
    public Snapshot forReplica(int replicaIndex) {
        return lifecycle().isBeyondBackups(replicaIndex) ? with(Kind.HEADER, List.of()) : this;
    }
}
