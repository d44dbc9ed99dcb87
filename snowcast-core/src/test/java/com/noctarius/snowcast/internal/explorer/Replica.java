// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.explorer;

import com.noctarius.snowcast.PossibleDuplicates;
import com.noctarius.snowcast.internal.owner.Copies;
import com.noctarius.snowcast.internal.owner.Lifecycle;
import com.noctarius.snowcast.internal.owner.NodeState;
import com.noctarius.snowcast.internal.owner.ReplicatedTable;
import com.noctarius.snowcast.internal.owner.Snapshot;
import com.noctarius.snowcast.internal.owner.TableRules;
import com.noctarius.snowcast.internal.owner.TableWatch;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A member's copy of the table. Its methods handle the copy like {@code PartitionContainer} and
 * {@code SnowcastService}.
 *
 * @param role whether the member acts as the owner or as a backup, or is gone
 * @param clockOffset how far the cluster's clock on that member is ahead of the true time
 * @param recoveringUntil until when a new table grants nothing, because of a loss; 0 if it grants at once
 * @param table the table; null before the first attach
 */
record Replica(
        Role role,
        int clockOffset,
        long recoveringUntil,
        @Nullable FrozenTable table) {
    enum Role {
        OWNER,
        BACKUP,
        GONE
    }

    static final Replica GONE = new Replica(Role.GONE, 0, 0, null);

    static Replica empty(Role role) {
        return new Replica(role, 0, 0, null);
    }

    boolean isOwner() {
        return role == Role.OWNER;
    }

    long clusterMillis(long now) {
        return now + clockOffset;
    }

    Replica withClock(int offset) {
        return new Replica(role, offset, recoveringUntil, table);
    }

    Replica with(FrozenTable changed) {
        return new Replica(role, clockOffset, recoveringUntil, changed);
    }

    /** Returns the table; returns a new table if there is none. */
    ReplicatedTable thawed(long newTableId) {
        if (table != null) {
            return table.thaw();
        }
        ReplicatedTable fresh = new ReplicatedTable(Holder.NAME, newTableId);
        if (recoveringUntil != 0) {
            fresh.table().startWait(newTableId, recoveringUntil);
        }
        return fresh;
    }

    /** Makes this backup the owner, in place of an owner that was removed or is on the other side of a split. */
    Replica promoted(long newTableId, long now, TableRules rules, TableWatch watch) {
        FrozenTable mine = table;
        if (mine != null) {
            ReplicatedTable thawed = mine.thaw();
            watch.promoting(thawed, 1, clusterMillis(now));
            thawed.becomeOwner(1, newTableId, clusterMillis(now), clusterMillis(now) + rules.lossWaitMillis());
            mine = FrozenTable.of(thawed);
        }
        return new Replica(Role.OWNER, clockOffset, recoveringUntil, mine);
    }

    /**
     * The result of a merge of two sides.
     *
     * @param report the IDs that may have been issued twice
     */
    record Merged(Replica replica, List<PossibleDuplicates> report) {}

    /** Merges the state of the losing side, from which this side has been separated since {@code apartSince}. */
    Merged merge(Replica losing, long apartSince, long newTableId, long now, Mutation mutation, TableWatch watch) {
        if (losing.table == null || mutation == Mutation.MERGE_SKIPPED) {
            return new Merged(this, List.of());
        }
        ReplicatedTable thawed = thawed(newTableId);
        Snapshot lost = losing.table.thaw().snapshotFor(0);
        List<PossibleDuplicates> report =
                watch.merge(thawed.table(), lost, apartSince, () -> thawed.merge(lost, apartSince, clusterMillis(now)));
        return new Merged(with(bent(FrozenTable.of(thawed), mutation)), report);
    }

    /** Returns the result of a merge; two mutations restore the tokens or the node IDs from before the merge. */
    private FrozenTable bent(FrozenTable merged, Mutation mutation) {
        Map<Integer, NodeState> before = table == null ? Map.of() : table.nodes();
        return switch (mutation) {
            case MERGED_TOKEN_KEPT ->
                merged.withNodes(nodes -> nodes.replaceAll((node, state) -> {
                    NodeState mine = before.get(node);
                    return mine == null ? state : withToken(state, mine);
                }));
            case MERGED_FLOOR_FORGOTTEN ->
                merged.withNodes(nodes -> {
                    nodes.clear();
                    nodes.putAll(before);
                });
            default -> merged;
        };
    }

    private static NodeState withToken(NodeState state, NodeState of) {
        return new NodeState(
                state.logicalNodeId(),
                state.version(),
                of.token(),
                state.requestNumber(),
                state.floor(),
                state.ceiling(),
                state.leased());
    }

    /** Returns whether this copy has received later changes than another one. */
    boolean isAheadOf(Replica other) {
        return table != null && changeNumber() > other.changeNumber();
    }

    private long changeNumber() {
        return table == null ? -1 : table.lifecycle().changeNumber();
    }

    /** Returns this copy with the change number of another copy, for a mutation. */
    Replica countingOnFrom(Replica copy) {
        if (table == null || copy.table == null) {
            return this;
        }
        Lifecycle mine = table.lifecycle();
        long change = copy.table.lifecycle().changeNumber();
        return with(table.with(
                "lifecycle",
                new Lifecycle(mine.name(), mine.definition(), mine.incarnation(), mine.destroyedUpTo(), change)));
    }

    /**
     * Returns this copy without the data that a change affects, so that the copy accepts the change, for a mutation.
     */
    Replica knowingNothingNewer(Snapshot change) {
        if (table == null) {
            return this;
        }
        Lifecycle mine = table.lifecycle();
        return with(table.withNodes(nodes -> change.entries().forEach(node -> nodes.remove(node.logicalNodeId())))
                .with(
                        "lifecycle",
                        new Lifecycle(mine.name(), mine.definition(), mine.incarnation(), mine.destroyedUpTo(), -1)));
    }

    /** Makes this member the owner of an empty table, because all data was lost. */
    Replica lost(long now, TableRules rules) {
        return new Replica(Role.OWNER, clockOffset, clusterMillis(now) + rules.lossWaitMillis(), null);
    }

    Replica copyForBackup(TableWatch watch) {
        Replica empty = new Replica(Role.BACKUP, clockOffset, recoveringUntil, null);
        return table == null
                ? empty
                : empty.joined(recoveringUntil, List.of(table.thaw().snapshotFor(1)), watch);
    }

    /**
     * Applies snapshots of the owner to this copy.
     *
     * @throws IllegalStateException if the table rejects one of them
     */
    Replica joined(long ownerRecoveringUntil, List<Snapshot> snapshots, TableWatch watch) {
        FrozenTable mine = table;
        for (Snapshot snapshot : snapshots) {
            ReplicatedTable thawed;
            if (mine == null) {
                thawed = Copies.of(snapshot);
            } else {
                thawed = mine.thaw();
                watch.join(thawed, snapshot, null, true);
            }
            mine = FrozenTable.of(thawed);
        }
        return new Replica(role, clockOffset, Math.max(recoveringUntil, ownerRecoveringUntil), mine);
    }

    void describe(Fingerprint to) {
        to.name(role);
        to.number(clockOffset);
        to.number(recoveringUntil);
        to.flag(table != null);
        if (table != null) {
            table.describe(to);
        }
    }
}
