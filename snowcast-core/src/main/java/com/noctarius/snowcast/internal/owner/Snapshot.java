// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import java.util.List;

/**
 * An immutable copy of a {@link Replica}, or of what changed in it, as it travels to other replicas.
 *
 * @param lifecycle the incarnations of the name; its change number orders the snapshots of an owner
 * @param epoch distinguishes the replica from one that it replaced after a loss of data
 * @param unknownBeforeMillis of a sequencer, until when it waits or waited after a loss; of an integer sequence, when
 *     what was handed out became unknown; in cluster time, or 0
 * @param highestOfDestroyed the highest raw ID, unsigned, or integer of destroyed incarnations
 * @param usedUpTo of a sequencer, where grants of node IDs without an entry may begin, in ID time; of an integer
 *     sequence, the highest integer that was handed out
 * @param entries as much of them as the kind says
 */
public record Snapshot<D extends Lifecycle.BackedUp, E>(
        Kind kind,
        Lifecycle<D> lifecycle,
        long epoch,
        long unknownBeforeMillis,
        long highestOfDestroyed,
        long usedUpTo,
        OwnerHistory owners,
        List<E> entries) {

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
    Snapshot<D, E> with(Kind newKind, List<E> newEntries) {
        return new Snapshot<>(
                newKind, lifecycle, epoch, unknownBeforeMillis, highestOfDestroyed, usedUpTo, owners, newEntries);
    }

    /** Returns the same with other entries: see {@link NodeTable#stored}. */
    public Snapshot<D, E> withEntries(List<E> newEntries) {
        return with(kind, newEntries);
    }

    /** Returns what a replica is to have of it: no entries if it is beyond the backup count. */
    public Snapshot<D, E> forReplica(int replicaIndex) {
        return lifecycle.isBeyondBackups(replicaIndex) ? with(Kind.HEADER, List.of()) : this;
    }
}
