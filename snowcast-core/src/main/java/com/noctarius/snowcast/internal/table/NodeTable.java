// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.table;

import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastIllegalStateException;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastNodeIdsExceededException;
import com.noctarius.snowcast.SnowcastSequencerAlreadyRegisteredException;
import com.noctarius.snowcast.SnowcastStateException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Who holds which logical node ID of one sequencer, for which stretch of ID time. Lives with the owner of the
 * sequencer's partition and, as a copy, with its backups.
 *
 * <p>The invariant: two grants of one node ID never share a millisecond. A node ID is granted only while nobody else
 * can extend it, and the new grant begins where the last one ended. Neither depends on a clock; clocks only decide when
 * a grant that nobody extends counts as free.
 *
 * <p>Deterministic: time and randomness are arguments. Each method either does all that it says, or throws and leaves
 * the table as it was. Not thread-safe: used on the partition's thread.
 */
public final class NodeTable {
    private final String name;

    private @Nullable Definition definition;
    private long incarnation;
    private long destroyedUpTo;
    private long highestId;

    private long tableEpoch;
    private long tokenSequence;
    private long recoveringUntilMillis;
    private long floor;
    private boolean complete = true;

    /** Node IDs that were granted; the others are free above the table's floor. */
    private final Map<Integer, NodeState> nodes = new HashMap<>();

    private final Map<UUID, Integer> nodeByHolder = new HashMap<>();

    /**
     * Makes an empty table for a name that was never created.
     *
     * @param tableEpoch random
     */
    public NodeTable(String name, long tableEpoch) {
        this.name = name;
        this.tableEpoch = tableEpoch;
    }

    /**
     * Grants a node ID; creates the sequencer if there is none.
     *
     * @param nowMillis cluster time
     * @return the grant; or null if the holder's incarnation was destroyed
     * @throws SnowcastSequencerAlreadyRegisteredException if there is one with another definition
     * @throws SnowcastNodeIdsExceededException if no node ID is free
     * @throws SnowcastIllegalStateException if a clock or a loss of data forbids it
     * @throws SnowcastStateException if a later request of the holder was answered before
     * @throws SnowcastException if the epoch lies in the future
     */
    public @Nullable Grant attach(AttachRequest request, long nowMillis, TableRules rules) {
        if (isGone(request.incarnation())) {
            return null;
        }
        boolean creates = definition() == null;
        if (!creates && !request.definition().equals(definition)) {
            throw new SnowcastSequencerAlreadyRegisteredException("sequencer " + name
                    + " is registered with another definition: " + definition + ", not " + request.definition());
        }
        if (nowMillis < recoveringUntilMillis) {
            throw new SnowcastIllegalStateException("sequencer " + name
                    + ": its partition lost its data; nobody can be attached before "
                    + Instant.ofEpochMilli(recoveringUntilMillis));
        }
        NodeState known = stateOf(request.holder());
        if (!creates && known != null) {
            if (known.requestNumber() == request.requestNumber() && known.attached()) {
                return grant(known, leaseOf(request.leaseMillis(), rules));
            }
            if (known.requestNumber() >= request.requestNumber()) {
                throw new SnowcastStateException("sequencer " + name + ": request " + request.requestNumber()
                        + " of this holder came after request " + known.requestNumber());
            }
        }
        return new Attaching(request, nowMillis, rules, creates).grant();
    }

    private boolean isGone(long holderIncarnation) {
        return holderIncarnation != 0 && holderIncarnation <= destroyedUpTo;
    }

    /** Where grants of node IDs that were never granted may begin. */
    private long unusedFloor(long epochOffset) {
        return recoveringUntilMillis == 0 ? floor : Math.max(floor, recoveringUntilMillis - epochOffset);
    }

    private @Nullable NodeState stateOf(UUID holder) {
        Integer node = nodeByHolder.get(holder);
        NodeState state = node == null ? null : nodes.get(node);
        return state != null && state.holder().equals(holder) ? state : null;
    }

    private Grant grant(NodeState state, long leaseMillis) {
        return new Grant(
                incarnation, state.logicalNodeId(), state.token(), state.floor(), state.ceiling(), leaseMillis);
    }

    private static long leaseOf(long requestedMillis, TableRules rules) {
        return requestedMillis == 0 ? rules.leaseMillis() : Math.min(requestedMillis, rules.leaseMillis());
    }

    /** The checks and the choice of one attach request; {@link #grant} changes the table when all have passed. */
    private final class Attaching {
        private final AttachRequest request;
        private final TableRules rules;
        private final boolean creates;
        private final SnowcastLayout layout;
        private final long holderNow;
        private final long clusterNow;
        private final long nowMillis;

        Attaching(AttachRequest request, long nowMillis, TableRules rules, boolean creates) {
            this.request = request;
            this.rules = rules;
            this.creates = creates;
            this.layout = request.definition().layout();
            this.nowMillis = nowMillis;
            this.holderNow = idTime(request.holderNowMillis());
            this.clusterNow = idTime(nowMillis);
        }

        private long idTime(long millis) {
            long offset = request.definition().epochOffset();
            long idTime = millis - offset;
            // An offset far in the past overflows; treated as time beyond the layout, which it is.
            return offset < 0 && idTime < millis ? Long.MAX_VALUE : idTime;
        }

        Grant grant() {
            checkClocks();
            if (request.leaseMillis() > rules.leaseMillis()) {
                throw new IllegalArgumentException("lease must be <= the cluster's snowcast.lease.millis="
                        + rules.leaseMillis() + ": " + request.leaseMillis());
            }
            if (nodeCount() <= 0) {
                throw new SnowcastIllegalStateException(
                        "sequencer " + name + ": none of the " + layout.logicalNodeCount()
                                + " logical node IDs is in snowcast.node.id.range=" + rules.firstNodeId() + "-"
                                + rules.lastNodeId());
            }
            long unusedFloor =
                    Math.max(unusedFloor(request.definition().epochOffset()), creates ? floorOfNewIncarnation() : 0);
            int node = creates ? firstUnused(Map.of()) : firstUnused(nodes);
            NodeState before = null;
            if (node < 0) {
                before = longestFree();
                node = before.logicalNodeId();
            }
            long grantFloor = before == null ? unusedFloor : before.nextFloor();
            checkFloor(grantFloor);
            if (creates) {
                create(unusedFloor);
            }
            long ceiling = Math.max(grantFloor, Math.min(holderNow, clusterNow + rules.maxSkewMillis()))
                    + leaseOf(request.leaseMillis(), rules);
            NodeState state = new NodeState(
                    node,
                    before == null ? 1 : before.version() + 1,
                    new Token(tableEpoch, ++tokenSequence),
                    request.holder(),
                    request.requestNumber(),
                    grantFloor,
                    Math.min(ceiling, layout.maxTimestamp() + 1),
                    true);
            put(state);
            return NodeTable.this.grant(state, leaseOf(request.leaseMillis(), rules));
        }

        private void create(long unusedFloor) {
            definition = request.definition();
            // A holder that outlived the table brings its incarnation back. Else never one that was in use before: time
            // keeps them apart from those of a table that was lost as a whole.
            incarnation = request.incarnation() != 0 ? request.incarnation() : Math.max(incarnation + 1, nowMillis);
            floor = unusedFloor;
            complete = true;
            nodes.clear();
            nodeByHolder.clear();
        }

        private void checkClocks() {
            if (holderNow < 0 || clusterNow < 0) {
                throw new SnowcastException("sequencer " + name + ": epoch must not lie in the future (" + clocks()
                        + "): " + Instant.ofEpochMilli(request.definition().epochOffset()));
            }
            if (holderNow > layout.maxTimestamp()) {
                throw new SnowcastIllegalStateException("sequencer " + name + ": the time of " + layout
                        + " is used up; its last millisecond since the epoch is " + layout.maxTimestamp() + ": "
                        + holderNow);
            }
            if (holderNow - clusterNow > rules.maxSkewMillis()) {
                throw new SnowcastIllegalStateException("sequencer " + name + ": clock must be at most "
                        + rules.maxSkewMillis() + " ms ahead of cluster time (" + clocks() + "): "
                        + (holderNow - clusterNow) + " ms");
            }
        }

        private void checkFloor(long grantFloor) {
            if (grantFloor > layout.maxTimestamp()) {
                throw new SnowcastIllegalStateException("sequencer " + name + ": the time of " + layout
                        + " is used up; its last millisecond since the epoch is " + layout.maxTimestamp()
                        + ", and IDs are to begin at " + grantFloor);
            }
            if (grantFloor - holderNow > rules.maxSkewMillis()) {
                throw new SnowcastIllegalStateException("sequencer " + name + ": clock must be at most "
                        + rules.maxSkewMillis() + " ms behind the time from which on IDs may be issued, "
                        + Instant.ofEpochMilli(grantFloor + request.definition().epochOffset()) + " (" + clocks()
                        + "): " + (grantFloor - holderNow) + " ms");
            }
        }

        private String clocks() {
            return "this clock " + Instant.ofEpochMilli(request.holderNowMillis()) + ", cluster time "
                    + Instant.ofEpochMilli(nowMillis);
        }

        private long floorOfNewIncarnation() {
            if (destroyedUpTo == 0) {
                return 0;
            }
            long first = layout.timestampValue(highestId) + 1;
            if (first - clusterNow > rules.leaseMillis()) {
                throw new SnowcastIllegalStateException("sequencer " + name
                        + ": the destroyed one of that name may have issued IDs up to "
                        + Long.toUnsignedString(highestId) + "; with this definition greater ones begin at "
                        + first + " ms since the epoch, more than the lease of " + rules.leaseMillis()
                        + " ms ahead of the present " + clusterNow);
            }
            return first;
        }

        private int nodeCount() {
            return Math.min(rules.lastNodeId(), layout.logicalNodeCount() - 1) - rules.firstNodeId() + 1;
        }

        /**
         * A node ID never used, or -1. The search starts at a hash of the holder, so that the two halves of a split
         * cluster seldom choose alike.
         */
        private int firstUnused(Map<Integer, NodeState> used) {
            int count = nodeCount();
            int start = Math.floorMod(request.holder().hashCode(), count);
            for (int i = 0; i < count && used.size() < layout.logicalNodeCount(); i++) {
                int node = rules.firstNodeId() + (start + i) % count;
                if (!used.containsKey(node)) {
                    return node;
                }
            }
            return -1;
        }

        /** The node ID that has been free longest. */
        private NodeState longestFree() {
            NodeState best = null;
            for (NodeState state : nodes.values()) {
                boolean mayBeGranted = state.logicalNodeId() >= rules.firstNodeId()
                        && state.logicalNodeId() <= rules.lastNodeId()
                        && isFree(state);
                if (mayBeGranted && (best == null || state.nextFloor() < best.nextFloor())) {
                    best = state;
                }
            }
            if (best == null) {
                throw exceeded();
            }
            return best;
        }

        /** Given back, or not extended in time; and the holder's clock may wait for it at most the skew. */
        private boolean isFree(NodeState state) {
            return (!state.attached() || state.ceiling() <= clusterNow)
                    && state.nextFloor() - holderNow <= rules.maxSkewMillis();
        }

        private SnowcastNodeIdsExceededException exceeded() {
            // A live holder extends when half of its lease is used; one that has less than a quarter left is gone.
            long overdue = clusterNow + rules.leaseMillis() / 4;
            long attached = nodes.values().stream()
                    .filter(state -> state.attached() && state.ceiling() > overdue)
                    .count();
            long nextFree = nodes.values().stream()
                    .mapToLong(NodeState::nextFloor)
                    .min()
                    .orElse(floor);
            return new SnowcastNodeIdsExceededException("sequencer " + name + ": all " + nodeCount()
                    + " logical node IDs are in use: " + attached + " attached, " + (nodes.size() - attached)
                    + " cooling; unless its holder extends it, the next is free at "
                    + Instant.ofEpochMilli(nextFree + request.definition().epochOffset()));
        }
    }

    private void put(NodeState state) {
        NodeState before = nodes.put(state.logicalNodeId(), state);
        if (before != null && !before.holder().equals(state.holder())) {
            nodeByHolder.remove(before.holder(), state.logicalNodeId());
        }
        nodeByHolder.put(state.holder(), state.logicalNodeId());
    }

    /**
     * Raises the ceiling of a grant. Never refused for a clock: an owner with a bad one stops nobody.
     *
     * @param nowMillis cluster time
     */
    public ExtendReply extend(ExtendRequest request, long nowMillis, TableRules rules) {
        if (definition == null) {
            if (nowMillis >= recoveringUntilMillis) {
                return ExtendReply.REFUSED;
            }
        } else if (isGone(request.incarnation()) || !definition.equals(request.definition())) {
            return ExtendReply.DESTROYED;
        }
        long clusterNow = nowMillis - request.definition().epochOffset();
        NodeState state = nodes.get(request.logicalNodeId());
        if (state == null || !state.attached() || !state.token().equals(request.token())) {
            // After a loss of data: a grant of the old table is taken over while the table waits for such, and only if
            // its holder cannot have been followed by another.
            boolean mayBeTakenOver = request.token().tableEpoch() != tableEpoch
                    && nowMillis < recoveringUntilMillis
                    && state == null
                    && request.ceiling() > clusterNow + rules.maxSkewMillis();
            if (!mayBeTakenOver) {
                return ExtendReply.REFUSED;
            }
            definition = request.definition();
            incarnation = Math.max(incarnation, request.incarnation());
            state = new NodeState(
                    request.logicalNodeId(), 1, request.token(), new UUID(0, 0), 0, 0, request.ceiling(), true);
        }
        long ceiling = Math.min(request.holderNow(), clusterNow + rules.maxSkewMillis())
                + leaseOf(request.leaseMillis(), rules);
        long endOfTime = request.definition().layout().maxTimestamp() + 1;
        state = state.extended(Math.max(state.ceiling(), Math.min(ceiling, endOfTime)));
        put(state);
        return new ExtendReply(ExtendReply.Outcome.EXTENDED, state.ceiling());
    }

    /** Frees a node ID above the last timestamp used. A token that is not current changes nothing. */
    public void detach(DetachRequest request) {
        NodeState state = nodes.get(request.logicalNodeId());
        if (definition() == null || state == null || !state.attached()) {
            return;
        }
        if (state.token().equals(request.token())) {
            put(state.released(Math.max(state.floor(), Math.min(request.lastMillis() + 1, state.ceiling()))));
        }
    }

    /**
     * Ends a life of the sequencer. From here on nobody is attached to it and nobody's grant is extended, and the
     * highest ID counts as if every holder had used all that it was granted, until {@link #settle} knows better.
     *
     * @return what was destroyed, again if it was before; null if another life has begun or there was none
     */
    public @Nullable Destruction destroy(long ofIncarnation) {
        if (definition == null || incarnation != ofIncarnation) {
            return null;
        }
        Destruction destruction = new Destruction(
                incarnation,
                definition.layout(),
                unusedFloor(definition.epochOffset()),
                nodes.values().stream()
                        .map(state -> new DestroyedNode(state.token(), state.nextFloor() - 1))
                        .toList());
        if (destroyedUpTo < incarnation) {
            destroyedUpTo = incarnation;
            highestId = destruction.highestId(Map.of());
        }
        return destruction;
    }

    /**
     * Lowers the highest ID of a destroyed sequencer to what its sealed holders reported.
     *
     * @param reportedHighestId from {@link Destruction#highestId}
     */
    public void settle(long ofIncarnation, long reportedHighestId) {
        if (definition != null && destroyedUpTo == ofIncarnation && incarnation == ofIncarnation) {
            if (Long.compareUnsigned(reportedHighestId, highestId) < 0) {
                highestId = reportedHighestId;
            }
            nodes.clear();
            nodeByHolder.clear();
        }
    }

    /**
     * Starts over after a loss of data: knows no node ID, grants none before the wait is over and none below that time
     * (a holder whose clock lags goes on below it), and takes over the grants of holders that ask for an extension.
     *
     * @param newEpoch random
     * @param nowMillis cluster time
     */
    public void recover(long newEpoch, long nowMillis, TableRules rules) {
        recoverUntil(newEpoch, nowMillis + rules.recoveryMillis());
    }

    /** As {@link #recover}, until a given cluster time. */
    public void recoverUntil(long newEpoch, long untilMillis) {
        tableEpoch = newEpoch;
        recoveringUntilMillis = untilMillis;
        complete = true;
        nodes.clear();
        nodeByHolder.clear();
    }

    /** Called when this copy became the owner's: starts over if it does not have all that the owner had. */
    public void promoted(int fromReplicaIndex, long newEpoch, long nowMillis, TableRules rules) {
        if (definition != null && (!complete || fromReplicaIndex > definition.backupCount())) {
            recover(newEpoch, nowMillis, rules);
        }
    }

    /** Returns a copy for a replica: without node IDs if it is beyond the sequencer's backup count. */
    public TableSnapshot snapshotFor(int replicaIndex) {
        return definition != null && replicaIndex > definition.backupCount()
                ? snapshot(TableSnapshot.Kind.DEFINITION, List.of())
                : snapshot(complete ? TableSnapshot.Kind.FULL : TableSnapshot.Kind.DEFINITION, nodes.values());
    }

    /** Returns a copy of what operations on some node IDs may have changed. */
    public TableSnapshot change(Collection<Integer> logicalNodeIds) {
        List<NodeState> touched = new ArrayList<>();
        for (Integer node : logicalNodeIds) {
            NodeState state = nodes.get(node);
            if (state != null) {
                touched.add(state);
            }
        }
        return snapshot(TableSnapshot.Kind.CHANGE, touched);
    }

    private TableSnapshot snapshot(TableSnapshot.Kind kind, Collection<NodeState> states) {
        return new TableSnapshot(
                kind,
                name,
                definition,
                incarnation,
                destroyedUpTo,
                highestId,
                tableEpoch,
                tokenSequence,
                recoveringUntilMillis,
                floor,
                List.copyOf(states));
    }

    /** Makes a copy of another replica's table. */
    public static NodeTable of(TableSnapshot snapshot) {
        NodeTable table = new NodeTable(snapshot.name(), snapshot.tableEpoch());
        table.complete = snapshot.kind() != TableSnapshot.Kind.DEFINITION;
        table.replaceHeader(snapshot);
        snapshot.nodes().forEach(table::put);
        return table;
    }

    /**
     * Joins what another replica knows. Copies only grow in knowledge, so the order in which snapshots arrive does not
     * matter: the later incarnation; of that every node ID's newer state.
     *
     * @throws IllegalStateException if the snapshot is a change of a table that this is no copy of
     */
    public void join(TableSnapshot other) {
        if (other.incarnation() < incarnation) {
            return;
        }
        boolean sameLife = other.incarnation() == incarnation && other.tableEpoch() == tableEpoch;
        if (!sameLife) {
            boolean begins = other.incarnation() > incarnation && other.tableEpoch() == tableEpoch;
            if (other.kind() == TableSnapshot.Kind.CHANGE && !begins) {
                throw new IllegalStateException("sequencer " + name + ": change of table epoch " + other.tableEpoch()
                        + " for a copy of table epoch " + tableEpoch);
            }
            nodes.clear();
            nodeByHolder.clear();
            complete = other.kind() != TableSnapshot.Kind.DEFINITION;
            replaceHeader(other);
        } else {
            joinHeader(other);
        }
        for (NodeState state : other.nodes()) {
            NodeState mine = nodes.get(state.logicalNodeId());
            put(mine == null ? state : mine.join(state));
        }
        complete |= other.kind() == TableSnapshot.Kind.FULL;
    }

    private void replaceHeader(TableSnapshot other) {
        definition = other.definition();
        incarnation = other.incarnation();
        destroyedUpTo = other.destroyedUpTo();
        highestId = other.highestId();
        tableEpoch = other.tableEpoch();
        tokenSequence = other.tokenSequence();
        recoveringUntilMillis = other.recoveringUntilMillis();
        floor = other.floor();
    }

    private void joinHeader(TableSnapshot other) {
        if (other.destroyedUpTo() == destroyedUpTo) {
            highestId = Long.compareUnsigned(other.highestId(), highestId) < 0 ? other.highestId() : highestId;
        } else if (other.destroyedUpTo() > destroyedUpTo) {
            highestId = other.highestId();
            destroyedUpTo = other.destroyedUpTo();
        }
        definition = definition == null ? other.definition() : definition;
        tokenSequence = Math.max(tokenSequence, other.tokenSequence());
        recoveringUntilMillis = Math.max(recoveringUntilMillis, other.recoveringUntilMillis());
        floor = Math.max(floor, other.floor());
    }

    /** Returns the definition; null if the sequencer does not exist. */
    public @Nullable Definition definition() {
        return incarnation > destroyedUpTo ? definition : null;
    }

    /** Returns the number of synchronous backups, also of a destroyed sequencer. */
    public int backupCount() {
        return definition == null ? 0 : definition.backupCount();
    }
}
