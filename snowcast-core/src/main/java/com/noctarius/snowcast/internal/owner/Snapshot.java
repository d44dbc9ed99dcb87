// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import java.util.List;

/**
 * An immutable copy of a {@link ReplicatedTable}, or of its changes, to be sent to other replicas.
 *
 * @param header the data of the table without its entries; its change number orders the snapshots of an owner
 * @param mergedMillis when the table was last merged, in cluster time; 0 if it never was
 * @param partedMillis a lower bound for when the sides of that merge had parted
 * @param entries the entries that the kind includes
 */
public record Snapshot(Kind kind, TableHeader header, long mergedMillis, long partedMillis, List<NodeState> entries) {

    /** How much of a replica a snapshot contains. */
    public enum Kind {
        FULL,
        /** The entries that one request may have changed. */
        CHANGE,
        /** No entries, for replicas beyond the backup count; or the entries of a copy that is not complete. */
        INCOMPLETE
    }

    public Snapshot {
        entries = List.copyOf(entries);
    }

    /** Makes the snapshot of a table that has lost all its data, the definition included. */
    static Snapshot afterLoss(String name, long waitEndMillis) {
        TableHeader header = new TableHeader(Lifecycle.unused(name), 0, waitEndMillis, 0, 0);
        return new Snapshot(Kind.FULL, header, 0, 0, List.of());
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

    Snapshot with(Kind newKind, List<NodeState> newEntries) {
        return new Snapshot(newKind, header, mergedMillis, partedMillis, newEntries);
    }

    /** Returns the part of this snapshot that a replica gets: no entries if the replica is beyond the backup count. */
    public Snapshot forReplica(int replicaIndex) {
        return lifecycle().isBeyondBackups(replicaIndex) ? with(Kind.INCOMPLETE, List.of()) : this;
    }
}
