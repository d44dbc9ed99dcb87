// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import com.noctarius.snowcast.PossibleDuplicates;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastNodeIdsExceededException;
import com.noctarius.snowcast.SnowcastSequencerAlreadyRegisteredException;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.SnowcastUnavailableException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Executes operations of node tables and their copies, and counts which rare states they reach. */
public final class TableWatch {
    private final Reached<TableState> reached;

    public TableWatch(Reached<TableState> reached) {
        this.reached = reached;
    }

    private void addIf(boolean isReached, TableState state) {
        reached.addIf(isReached, state);
    }

    // --- attach

    public Decision<Optional<Grant>> attach(NodeTable table, AttachRequest request, long nowMillis, TableRules rules) {
        Before before = Before.of(table);
        NodeState known = table.lastOf(request.holder());
        NodeState former = known != null
                        && known.leased()
                        && known.isRequestKnown()
                        && known.requestNumber() < request.requestNumber()
                ? known
                : null;
        Decision<Optional<Grant>> decision;
        try {
            decision = table.attach(request, nowMillis, rules);
        } catch (SnowcastException e) {
            refused(e, before, nowMillis, former);
            throw e;
        }
        Grant grant = decision.answered() == null ? null : decision.answer().orElse(null);
        if (decision.answered() == null) {
            reached.add(TableState.SETTLING);
            NodeState after = table.lastOf(request.holder());
            addIf(known != null && !known.equals(after), TableState.RELEASED_BEFORE_CREATION);
        } else if (grant == null) {
            boolean isOver = table.lifecycle.isDestroyed(request.incarnation());
            reached.add(isOver ? TableState.ATTACH_TO_DESTROYED_LIFE : TableState.ANSWERED_IN_DESTROYED_LIFE);
        } else if (known != null && known.hasToken(grant.token())) {
            reached.add(TableState.ANSWERED_AGAIN);
        } else {
            granted(table, before, request, grant, nowMillis, former);
        }
        return decision;
    }

    private void refused(SnowcastException why, Before before, long nowMillis, @Nullable NodeState former) {
        if (why instanceof SnowcastSequencerAlreadyRegisteredException) {
            reached.add(TableState.ATTACH_WITH_OTHER_DEFINITION);
        } else if (nowMillis < before.waitEndMillisIfKnown) {
            reached.add(TableState.ATTACH_WHILE_RECOVERING);
        } else if (why instanceof SnowcastStateException) {
            reached.add(TableState.LATE_REQUEST);
        } else {
            addIf(former != null, TableState.FORMER_GRANT_KEPT);
            boolean isFloor = why instanceof SnowcastUnavailableException;
            addIf(isFloor, TableState.FLOOR_AHEAD_OF_CLOCKS);
            addIf(why instanceof SnowcastNodeIdsExceededException, TableState.ALL_IN_USE);
            String message = Objects.toString(why.getMessage());
            addIf(message.contains("ahead of cluster time"), TableState.ATTACH_AHEAD_OF_CLUSTER);
            addIf(message.contains("behind cluster time"), TableState.ATTACH_BEHIND_CLUSTER);
        }
    }

    private void granted(
            NodeTable table,
            Before before,
            AttachRequest request,
            Grant grant,
            long nowMillis,
            @Nullable NodeState former) {
        addIf(former != null, TableState.FORMER_GRANT_RELEASED);
        addIf(former != null && before.isDestroyed, TableState.FORMER_GRANT_OF_DESTROYED_LIFE);
        addIf(before.isDestroyed, TableState.LIFE_AFTER_DESTROYED);
        addIf(before.last == null && request.incarnation() != 0, TableState.LOST_LIFE_GOES_ON);
        NodeState node = before.isDestroyed ? null : before.node(grant.logicalNodeId());
        if (node != null && !node.holder().equals(request.holder())) {
            reached.add(node.leased() ? TableState.ENDED_LEASE_GRANTED : TableState.GIVEN_BACK_GRANTED);
        }
        Definition definition = request.definition();
        boolean isFromRecovery = table.waitEndMillis != 0 && grant.floor() == table.floorAfterWait(definition);
        addIf(isFromRecovery && node == null, TableState.GRANTED_FROM_RECOVERY_TIME);
        addIf(isFromRecovery && node != null && grant.floor() > node.nextFloor(), TableState.FLOOR_OF_TABLE_ABOVE_NODE);
        long latest = Math.max(nowMillis, request.holderNowMillis()) - definition.epochOffset();
        addIf(request.lastIdTime() >= Math.max(latest, grant.floor()), TableState.NEXT_ID_AHEAD_OF_CLOCKS);
    }

    public void forgetDestroyed(NodeTable table, long nowMillis) {
        int before = table.entries.size();
        table.forgetDestroyed(nowMillis);
        addIf(table.entries.size() < before, TableState.DESTROYED_LIFE_FORGOTTEN);
    }

    // --- renew, detach, destroy

    public Decision<RenewReply> renew(NodeTable table, RenewRequest request, long nowMillis, TableRules rules) {
        Before before = Before.of(table);
        boolean isDestroyed = table.lifecycle.isDestroyed(request.incarnation());
        NodeState node = before.node(request.logicalNodeId());
        Decision<RenewReply> decision = table.renew(request, nowMillis, rules);
        RenewReply reply = decision.answer();
        switch (reply.outcome()) {
            case DESTROYED -> {
                boolean isOther = !request.definition().equals(before.last);
                addIf(isDestroyed, TableState.RENEWAL_OF_DESTROYED_LIFE);
                addIf(!isDestroyed && isOther, TableState.RENEWAL_WITH_OTHER_DEFINITION);
                addIf(!isDestroyed && !isOther, TableState.RENEWAL_WITHOUT_LIFE);
            }
            case REFUSED -> refused(before, node, request, nowMillis);
            case RENEWED -> {
                addIf(node == null, TableState.TAKEN_OVER_AFTER_LOSS);
                addIf(before.last == null, TableState.TAKEN_OVER_WITH_LIFE);
                addIf(node != null && reply.ceiling() == node.ceiling(), TableState.RENEWAL_OF_NOTHING);
                long ahead = request.holderNow() - request.definition().idTime(nowMillis);
                addIf(ahead < 0, TableState.RENEWAL_BEHIND_CLUSTER);
                addIf(ahead > rules.maxSkewMillis(), TableState.RENEWAL_AHEAD_OF_CLUSTER);
            }
        }
        return decision;
    }

    private void refused(Before before, @Nullable NodeState node, RenewRequest request, long nowMillis) {
        if (node == null) {
            addIf(nowMillis < before.waitEndMillisIfKnown, TableState.RENEWAL_NOT_OF_LOST_TABLE);
        } else if (node.token().equals(request.token())) {
            reached.add(TableState.RENEWAL_AFTER_DETACH);
        } else {
            boolean isOthers = !node.holder().equals(request.token().holder());
            reached.add(isOthers ? TableState.RENEWAL_OF_OTHERS_NODE : TableState.RENEWAL_OF_FORMER_GRANT);
        }
    }

    public Decision<Boolean> detach(NodeTable table, DetachRequest request) {
        long highestId = table.highestOfDestroyed;
        Decision<Boolean> decision = table.detach(request);
        addIf(!decision.answer(), TableState.DETACH_OF_FORMER_GRANT);
        addIf(Long.compareUnsigned(table.highestOfDestroyed, highestId) < 0, TableState.HIGHEST_ID_SINKS);
        return decision;
    }

    public Decision<Boolean> destroy(NodeTable table, long incarnation, long nowMillis) {
        boolean isDestroyed = table.isDestroyed();
        Decision<Boolean> decision = table.destroy(incarnation, nowMillis);
        boolean done = Boolean.TRUE.equals(decision.answered());
        addIf(done && table.definition() != null, TableState.DESTROY_OF_OTHER_LIFE);
        addIf(done && isDestroyed, TableState.DESTROYED_AGAIN);
        return decision;
    }

    // --- copies

    public void join(ReplicatedTable replica, Snapshot snapshot, @Nullable UUID sender, boolean isOwner) {
        NodeTable copy = replica.table();
        Before before = Before.of(copy);
        try {
            replica.join(snapshot, sender, isOwner);
        } catch (IllegalStateException e) {
            addIf(snapshot.header().tableId() != before.tableId, TableState.CHANGE_OF_OTHER_EPOCH);
            throw e;
        }
        addIf(copy.lifecycle.changeNumber() < before.changeNumber, TableState.COPY_REPLACED_BY_LOWER);
        addIf(copy.tableId != before.tableId, TableState.COPY_OF_NEW_EPOCH);
        boolean isUndone = before.isDestroyed && copy.lifecycle.isAlive();
        addIf(isUndone && copy.lifecycle.incarnation() == before.incarnation, TableState.DESTRUCTION_UNDONE);
    }

    public void promoting(ReplicatedTable replica, int fromReplicaIndex, long nowMillis) {
        NodeTable copy = replica.table();
        boolean isDefined = copy.lifecycle.definition() != null;
        addIf(isDefined && !replica.isComplete(), TableState.PROMOTED_INCOMPLETE);
        boolean isBeyond = replica.isComplete() && copy.lifecycle.isBeyondBackups(fromReplicaIndex);
        addIf(isBeyond, TableState.PROMOTED_BEYOND_BACKUPS);
        addIf(isDefined && copy.lifecycle.changeNumber() >> 20 > nowMillis, TableState.PROMOTED_BEHIND_CHANGES);
    }

    // --- merge

    public List<PossibleDuplicates> merge(
            NodeTable table, Snapshot losing, long apartSinceMillis, Supplier<List<PossibleDuplicates>> merge) {
        Before before = Before.of(table);
        boolean isAlive = table.lifecycle.isAlive();
        Definition theirs = losing.lifecycle().definition();
        boolean isOfBoth = isAlive && losing.lifecycle().isAlive() && Objects.equals(theirs, table.definition());
        boolean isNewer = losing.lifecycle().incarnation() > table.lifecycle.destroyedUpTo();
        List<PossibleDuplicates> overlaps = merge.get();
        addIf(theirs == null, TableState.MERGED_UNKNOWN_THERE);
        addIf(theirs != null && !isAlive && isNewer, TableState.MERGED_ADOPTED);
        addIf(theirs != null && !isAlive && !isNewer, TableState.MERGED_DESTROYED_HERE);
        boolean isAllUsed = isAlive && theirs != null && !losing.lifecycle().isAlive();
        addIf(isAllUsed && table.entries.size() > before.nodes.size(), TableState.MERGED_DESTROYED_THERE);
        if (isOfBoth) {
            addIf(table.waitEndMillis > apartSinceMillis, TableState.MERGED_AFTER_LOSS);
            for (NodeState state : losing.entries()) {
                int node = state.logicalNodeId();
                merged(before.node(node), state, Objects.requireNonNull(table.entries.get(node)));
            }
        }
        return overlaps;
    }

    private void merged(@Nullable NodeState mine, NodeState theirs, NodeState after) {
        if (mine == null) {
            reached.add(TableState.MERGED_THEIRS_ONLY);
        } else if (after.equals(mine)) {
            reached.add(TableState.MERGED_UNCHANGED);
        } else if (mine.isSameGrantAs(theirs)) {
            boolean isHeld = mine.leased() && theirs.leased();
            reached.add(isHeld ? TableState.MERGED_ONE_GRANT : TableState.MERGED_ONE_GRANT_GIVEN_BACK);
        } else {
            boolean isMine = after.holder().equals(mine.holder()) && after.requestNumber() == mine.requestNumber();
            if (mine.holder().equals(theirs.holder())) {
                addIf(!mine.isRequestKnown() || !theirs.isRequestKnown(), TableState.MERGED_ONE_HOLDER_TAKEN_OVER);
                reached.add(
                        isMine ? TableState.MERGED_ONE_HOLDER_MINE_NEWER : TableState.MERGED_ONE_HOLDER_THEIRS_NEWER);
            } else {
                reached.add(isMine ? TableState.MERGED_TWO_HOLDERS_MINE : TableState.MERGED_TWO_HOLDERS_THEIRS);
            }
        }
    }

    private record Before(
            @Nullable Definition last,
            boolean isDestroyed,
            long incarnation,
            long changeNumber,
            long tableId,
            long waitEndMillisIfKnown,
            List<NodeState> nodes) {
        static Before of(NodeTable table) {
            return new Before(
                    table.lifecycle.definition(),
                    table.isDestroyed(),
                    table.lifecycle.incarnation(),
                    table.lifecycle.changeNumber(),
                    table.tableId,
                    table.waitEndMillis,
                    List.copyOf(table.entries.values()));
        }

        @Nullable
        NodeState node(int logicalNodeId) {
            return nodes.stream()
                    .filter(state -> state.logicalNodeId() == logicalNodeId)
                    .findFirst()
                    .orElse(null);
        }
    }
}
