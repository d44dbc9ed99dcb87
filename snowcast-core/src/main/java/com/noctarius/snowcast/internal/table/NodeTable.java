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
import java.util.Objects;
import java.util.OptionalInt;
import java.util.OptionalLong;
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
    /** How far the change numbers of two owners lie apart, for each millisecond between their beginnings. */
    private static final long CHANGES_PER_MILLISECOND = 1L << 20;

    /**
     * How long a creation waits for the holders of the destroyed sequencer of its name. Longer than Hazelcast, unless it is
     * configured, waits for a backup that is not acknowledged (5 s): until then a holder may not know of its grant.
     */
    private static final long MAX_SETTLING_MILLIS = 10_000;

    private final String name;

    private @Nullable Definition definition;
    private long incarnation;
    private long destroyedUpTo;
    private long highestId;

    /** Known to the owner that destroyed it only: a hint. */
    private long settlesUntilMillis;

    private long tableEpoch;
    private long recoveringUntilMillis;
    private long floor;

    /**
     * The number of the last change, in the one order of all changes of this table. An owner that did not get the table
     * from the one before it starts far above: what only other replicas heard from that one is older than all it does.
     */
    private long changeNumber;

    private OwnerHistory owners;

    /** The change up to which this copy was sent all node IDs. */
    private long allSentUpTo;

    /** The last change up to which node IDs were kept from this copy; it lacks some while this is the higher one. */
    private long keptBackUpTo;

    /** Node IDs that were granted; the others are free above the table's floor. */
    private final NodeStates nodes = new NodeStates();

    private final Map<UUID, Integer> nodeByHolder = new HashMap<>(2); // most tables stay small

    /**
     * Makes an empty table for a name that was never created.
     *
     * @param tableEpoch random
     */
    public NodeTable(String name, long tableEpoch) {
        this.name = name;
        this.tableEpoch = tableEpoch;
        this.owners = OwnerHistory.beginning(tableEpoch);
    }

    /**
     * Grants a node ID; creates the sequencer if there is none.
     *
     * @param nowMillis cluster time
     * @return the grant; or null if the holder's incarnation, or the one that answered this request before, was destroyed
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
                    + ": it is not known what was granted before its partition lost its data or the cluster was started;"
                    + " nobody can be attached before " + Instant.ofEpochMilli(recoveringUntilMillis));
        }
        NodeState known = stateOf(request.holder());
        if (known != null && known.requestNumber() >= request.requestNumber()) {
            if (creates) {
                return null; // It was answered in the life that was destroyed.
            }
            if (known.requestNumber() == request.requestNumber() && known.attached()) {
                // Given anew: who took over on the other side of a split may have missed the first time alone.
                give(known, known.since(), known.ceiling());
                return grant(known, rules.leaseFor(request.leaseMillis()));
            }
            throw new SnowcastStateException("sequencer " + name + ": request " + request.requestNumber()
                    + " of this holder came after request " + known.requestNumber());
        }
        // A holder has one grant at a time, so it has sealed this one; its detach was lost, or the grant itself.
        NodeState released = known != null && known.attached() ? released(known, request.lastMillis()) : null;
        NodeStates present = nodes;
        if (released != null) {
            present = nodes.copy();
            present.put(released.logicalNodeId(), released);
        }
        // The floor of a destroyed life counts from its own epoch.
        AttachDecision.Choice choice = new AttachDecision(
                        request, nowMillis, rules, creates ? new NodeStates() : present)
                .choose(
                        creates ? recoveryFloor(request.definition()) : unusedFloor(request.definition()),
                        creates && destroyedUpTo != 0
                                ? OptionalLong.of(released == null ? highestId : highestPossibleId(present.values()))
                                : OptionalLong.empty());
        if (creates) {
            create(request, nowMillis, choice.unusedFloor());
        } else if (released != null) {
            put(released);
        }
        NodeState before = nodes.get(choice.logicalNodeId());
        NodeState state = new NodeState(
                choice.logicalNodeId(),
                ++changeNumber,
                new Token(tableEpoch, changeNumber),
                request.holder(),
                request.requestNumber(),
                sinceOf(before, choice.since()),
                choice.floor(),
                choice.ceiling(),
                true);
        put(state);
        owners = owners.gave(state.since());
        return grant(state, rules.leaseFor(request.leaseMillis()));
    }

    /** Returns where all that this owner has given of a node ID begins, when it now gives more of it from a time on. */
    private long sinceOf(@Nullable NodeState before, long from) {
        return before != null && before.version() > owners.upToFormer() ? Math.min(before.since(), from) : from;
    }

    /** Gives a holder more of its node ID. */
    private void give(NodeState before, long from, long ceiling) {
        NodeState state = before.extended(++changeNumber, sinceOf(before, from), ceiling);
        put(state);
        owners = owners.gave(state.since());
    }

    private void create(AttachRequest request, long nowMillis, long unusedFloor) {
        if (definition == null) {
            beginAt(nowMillis, tableEpoch);
        }
        definition = request.definition();
        // A holder that outlived the table brings its incarnation back. Else never one that was in use before: time
        // keeps them apart from those of a table that was lost as a whole.
        incarnation = request.incarnation() != 0 ? request.incarnation() : Math.max(incarnation + 1, nowMillis);
        floor = unusedFloor;
        nodes.clear();
        nodeByHolder.clear();
    }

    private boolean isGone(long holderIncarnation) {
        return holderIncarnation != 0 && holderIncarnation <= destroyedUpTo;
    }

    /** Where grants of node IDs that were never granted may begin. */
    private long unusedFloor(Definition ofPresentLife) {
        return Math.max(floor, recoveryFloor(ofPresentLife));
    }

    /** Below it, holders of before a loss of data may go on. */
    private long recoveryFloor(Definition ofLife) {
        return recoveringUntilMillis == 0 ? 0 : recoveringUntilMillis - ofLife.epochOffset();
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

    private void put(NodeState state) {
        NodeState before = nodes.put(state.logicalNodeId(), state);
        if (before != null && !before.holder().equals(state.holder())) {
            nodeByHolder.remove(before.holder(), state.logicalNodeId());
        }
        NodeState last = stateOf(state.holder());
        if (last == null || last.requestNumber() <= state.requestNumber()) {
            nodeByHolder.put(state.holder(), state.logicalNodeId());
        }
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
        } else if (isGone(request.incarnation())
                || !definition.equals(request.definition())
                || (definition() == null && nowMillis >= recoveringUntilMillis)) {
            return ExtendReply.DESTROYED;
        }
        long clusterNow = nowMillis - request.definition().epochOffset();
        NodeState state = nodes.get(request.logicalNodeId());
        // What the holder has not heard of, the other side of a split may not know either.
        long from = request.ceiling();
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
            if (definition == null) {
                beginAt(nowMillis, tableEpoch);
            }
            definition = request.definition();
            incarnation = Math.max(incarnation, request.incarnation());
            state = new NodeState(
                    request.logicalNodeId(), 0, request.token(), request.holder(), 0, 0, 0, request.ceiling(), true);
            from = 0; // Since when is not known any more.
        }
        long ceiling = Math.min(request.holderNow(), clusterNow + rules.maxSkewMillis())
                + rules.leaseFor(request.leaseMillis());
        ceiling = Math.min(ceiling, rules.maxCeiling(request.definition()));
        ceiling = Math.max(state.ceiling(), ceiling);
        give(state, Math.min(state.ceiling(), from), ceiling);
        return new ExtendReply(ExtendReply.Outcome.EXTENDED, ceiling);
    }

    /**
     * Frees a node ID above the last timestamp used; of a destroyed sequencer, lowers the highest ID. A token that is not
     * current changes nothing.
     *
     * @return whether the token is current
     */
    public boolean detach(DetachRequest request) {
        NodeState state = nodes.get(request.logicalNodeId());
        if (state == null || !state.attached() || !state.token().equals(request.token())) {
            return false;
        }
        put(released(state, request.lastMillis()));
        if (definition() == null) {
            highestId = highestPossibleId(nodes.values());
        }
        return true;
    }

    private NodeState released(NodeState state, long lastMillis) {
        long nextFloor = Math.min(lastMillis, state.ceiling() - 1) + 1;
        return state.released(++changeNumber, sinceOf(state, Long.MAX_VALUE), Math.max(state.floor(), nextFloor));
    }

    /** Returns the node ID that a holder was granted last; empty if it is another's by now. */
    public OptionalInt nodeOf(UUID holder) {
        NodeState state = stateOf(holder);
        return state == null ? OptionalInt.empty() : OptionalInt.of(state.logicalNodeId());
    }

    /**
     * Ends a life of the sequencer. From here on nobody is attached to it and nobody's grant is extended, and a holder
     * that has not given its grant back counts as having used all of it.
     *
     * @param nowMillis cluster time
     * @return whether it is destroyed, now or before; false if another life has begun or there was none
     */
    public boolean destroy(long ofIncarnation, long nowMillis) {
        if (definition == null || incarnation != ofIncarnation) {
            return false;
        }
        if (destroyedUpTo < incarnation) {
            changeNumber++;
            destroyedUpTo = incarnation;
            highestId = highestPossibleId(nodes.values());
            settlesUntilMillis = nowMillis + MAX_SETTLING_MILLIS;
        }
        return true;
    }

    /**
     * Frees what a holder was granted before a request, which says that it is sealed. Of a destroyed sequencer only: two
     * holders that create it again would wait for each other's grants.
     */
    public void releaseFormer(AttachRequest request) {
        NodeState former = stateOf(request.holder());
        if (definition != null
                && definition() == null
                && former != null
                && former.attached()
                && former.requestNumber() < request.requestNumber()) {
            put(released(former, request.lastMillis()));
            highestId = highestPossibleId(nodes.values());
        }
    }

    /**
     * Whether a destroyed sequencer had better not be created again yet: holders are about to give their grants back, and
     * until then IDs count as issued that were not. A request that the destroyed life has answered does not wait: its
     * holder could not give back what it was granted then.
     */
    public boolean isSettling(AttachRequest request, long nowMillis) {
        NodeState former = stateOf(request.holder());
        return definition != null
                && definition() == null
                && nowMillis < settlesUntilMillis
                && (former == null || former.requestNumber() < request.requestNumber())
                && nodes.values().stream().anyMatch(NodeState::attached);
    }

    /** Returns the highest raw ID that may have been issued, as far as holders have not given grants back. */
    private long highestPossibleId(Collection<NodeState> states) {
        Definition present = Objects.requireNonNull(definition);
        long end = Math.max(endOfGrants(present, states), 1);
        SnowcastLayout layout = present.layout();
        return layout.compose(end - 1, layout.logicalNodeCount() - 1, layout.idsPerMillisecond() - 1);
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
        beginAt(nowMillis, newEpoch);
    }

    /** As {@link #recover}, until a given cluster time. */
    public void recoverUntil(long newEpoch, long untilMillis) {
        tableEpoch = newEpoch;
        owners = OwnerHistory.beginning(newEpoch); // It has nothing in common with the other side of a split any more.
        recoveringUntilMillis = untilMillis;
        nodes.clear();
        nodeByHolder.clear();
    }

    /** Returns the moment that no grant reaches, in milliseconds since 1970. */
    public long usedUntilMillis() {
        Definition present = definition;
        if (present == null) {
            return 0;
        }
        return endOfGrants(present, nodes.values()) + present.epochOffset();
    }

    private long endOfGrants(Definition present, Collection<NodeState> states) {
        long end = unusedFloor(present);
        for (NodeState state : states) {
            end = Math.max(end, state.nextFloor());
        }
        return end;
    }

    /**
     * Unites this table with that of the losing side of a split network. Grants of both sides are kept apart from now
     * on. A node ID that both granted stays with this side's holder; all holders of the other side attach anew, unless
     * this side did not know the sequencer.
     *
     * @param losing the other side's full table
     * @param nowMillis cluster time
     * @return what both sides may have issued. An upper bound, unless a holder's clock was set back by more than the skew
     *     or the sequencer was created anew while the network was split.
     */
    public List<Overlap> merge(TableSnapshot losing, long nowMillis) {
        changeNumber++;
        recoveringUntilMillis = Math.max(recoveringUntilMillis, losing.recoveringUntilMillis());
        Definition other = losing.definition();
        if (other == null) {
            return List.of();
        }
        if (definition == null || (definition() == null && losing.incarnation() > destroyedUpTo)) {
            adopt(losing, nowMillis);
            return List.of();
        }
        NodeTable lost = of(losing);
        highestId = maxUnsigned(highestId, losing.highestId());
        if (definition() == null) {
            highestId = maxUnsigned(highestId, lost.highestPossibleId(lost.nodes.values()));
        }
        if (!other.equals(definition)) {
            return lost.overlapOfAll(owners);
        }
        floor = Math.max(floor, losing.floor());
        OwnerHistory before = owners;
        long knownToBoth = before.knownToBoth(losing.owners());
        List<Overlap> overlaps = new ArrayList<>();
        for (NodeState theirs : losing.nodes()) {
            if (theirs.version() <= knownToBoth) {
                continue; // Nothing of it was given there since the split.
            }
            NodeState mine = nodes.get(theirs.logicalNodeId());
            long since = losing.owners().lowestSince(theirs.since(), before);
            if (mine == null) {
                put(theirs.under(new Token(tableEpoch, ++changeNumber), changeNumber)
                        .sharedSince(since));
            } else {
                boolean isMineOutdated = mine.version() <= knownToBoth;
                if (!isMineOutdated) {
                    long from = before.sharedSince(mine.since(), losing.owners(), theirs.since());
                    addOverlap(mine, theirs, from, overlaps);
                }
                NodeState merged =
                        mine.isSameGrantAs(theirs) ? mergedGrant(mine, theirs, isMineOutdated) : merged(mine, theirs);
                put(merged.sharedSince(Math.min(mine.since(), since)));
            }
            // A third side may have issued the same.
            owners = owners.gave(since);
        }
        return overlaps;
    }

    private void adopt(TableSnapshot losing, long nowMillis) {
        long mine = tableEpoch;
        long until = recoveringUntilMillis;
        long highestBefore = highestId;
        replaceBy(losing);
        joinNodes(losing);
        tableEpoch = mine;
        recoveringUntilMillis = Math.max(until, recoveringUntilMillis);
        highestId = maxUnsigned(highestBefore, highestId);
        beginAt(nowMillis, tableEpoch);
    }

    /**
     * Adds what both sides may have issued of a node ID.
     *
     * @param from where it begins
     */
    private void addOverlap(NodeState mine, NodeState theirs, long from, List<Overlap> overlaps) {
        long to = Math.min(mine.nextFloor(), theirs.nextFloor());
        if (mine.isSameGrantAs(theirs)) {
            to = Math.min(
                    mine.floor(), theirs.floor()); // Below, sides that these were merged with may have granted it.
        } else if (mine.holder().equals(theirs.holder())) {
            // A holder seals each grant before the next: it shares IDs only with those before it.
            to = Math.min(to, Math.max(mine.floor(), theirs.floor()));
        }
        if (from < to) {
            long offset = Objects.requireNonNull(definition).epochOffset();
            overlaps.add(new Overlap(mine.logicalNodeId(), from + offset, to + offset));
        }
    }

    /** Returns what counts of two grants of a node ID: one, above all that the other side may have issued. */
    private NodeState merged(NodeState mine, NodeState theirs) {
        boolean isOneHolder = mine.holder().equals(theirs.holder());
        boolean isMine =
                isOneHolder ? mine.requestNumber() >= theirs.requestNumber() : mine.attached() || !theirs.attached();
        NodeState kept = isMine ? mine : theirs;
        NodeState other = isMine ? theirs : mine;
        boolean isSealed = isOneHolder && other.requestNumber() != 0 && other.requestNumber() < kept.requestNumber();
        long end = isSealed ? other.floor() : other.nextFloor();
        NodeState above = kept.above(++changeNumber, end);
        // Where its holder cannot extend it, it tells what it used and attaches anew, above what both sides issued.
        boolean isExtensible = isMine && mine.ceiling() >= end;
        return isExtensible ? above : above.under(new Token(tableEpoch, changeNumber), changeNumber);
    }

    /** A grant from before the split: its holder extended it, or gave it back, on one side or the other. */
    private NodeState mergedGrant(NodeState mine, NodeState theirs, boolean isMineOutdated) {
        long above = Math.max(mine.floor(), theirs.floor());
        if (mine.attached() && theirs.attached()) {
            return mine.extended(++changeNumber, mine.since(), Math.max(mine.ceiling(), theirs.ceiling()))
                    .above(changeNumber, above);
        }
        // The side that it was given back to may have known a lower ceiling, and believed no more than that.
        long nextFloor = isMineOutdated ? above : Math.max(mine.nextFloor(), theirs.nextFloor());
        return mine.released(++changeNumber, mine.since(), nextFloor);
    }

    /** Returns all that this side gave since it is on its own. */
    private List<Overlap> overlapOfAll(OwnerHistory other) {
        long since = Long.MAX_VALUE;
        long to = 0;
        for (NodeState state : nodes.values()) {
            since = Math.min(since, owners.lowestSince(state.since(), other));
            to = Math.max(to, state.nextFloor());
        }
        long offset = Objects.requireNonNull(definition).epochOffset();
        return since < to ? List.of(new Overlap(-1, since + offset, to + offset)) : List.of();
    }

    private static long maxUnsigned(long a, long b) {
        return Long.compareUnsigned(a, b) < 0 ? b : a;
    }

    /** Called when this copy became the owner's: starts over if it does not have all that the owner had. */
    public void promoted(int fromReplicaIndex, long newEpoch, long nowMillis, TableRules rules) {
        if (definition != null && (!isComplete() || fromReplicaIndex > definition.backupCount())) {
            recover(newEpoch, nowMillis, rules);
        } else {
            owners = owners.takenOver(newEpoch, changeNumber);
            beginAt(nowMillis, newEpoch);
        }
    }

    /** Also by chance: two owners that take over on two sides of a split at the same moment must not make the same tokens. */
    private void beginAt(long nowMillis, long epoch) {
        changeNumber = Math.max(changeNumber + CHANGES_PER_MILLISECOND, nowMillis * CHANGES_PER_MILLISECOND)
                + (epoch & (CHANGES_PER_MILLISECOND - 1));
        allSentUpTo = changeNumber;
    }

    private boolean isComplete() {
        return allSentUpTo >= keptBackUpTo;
    }

    /** Returns a copy for a replica: without node IDs if it is beyond the sequencer's backup count. */
    public TableSnapshot snapshotFor(int replicaIndex) {
        return snapshot(isComplete() ? TableSnapshot.Kind.FULL : TableSnapshot.Kind.DEFINITION, nodes.values())
                .forReplica(replicaIndex);
    }

    /** Returns a copy of what operations on some node IDs may have changed; full if there are no others. */
    public TableSnapshot change(Collection<Integer> logicalNodeIds) {
        List<NodeState> touched = new ArrayList<>();
        for (Integer node : logicalNodeIds) {
            NodeState state = nodes.get(node);
            if (state != null) {
                touched.add(state);
            }
        }
        boolean all = isComplete() && touched.size() == nodes.size();
        return snapshot(all ? TableSnapshot.Kind.FULL : TableSnapshot.Kind.CHANGE, touched);
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
                changeNumber,
                recoveringUntilMillis,
                floor,
                owners,
                List.copyOf(states));
    }

    /** Makes a copy of another replica's table. */
    public static NodeTable of(TableSnapshot snapshot) {
        NodeTable table = new NodeTable(snapshot.name(), snapshot.tableEpoch());
        table.replaceBy(snapshot);
        table.joinNodes(snapshot);
        return table;
    }

    /**
     * Joins what another replica knows. Copies only grow in knowledge, so the order in which snapshots arrive does not
     * matter: the life that was changed last; of that every node ID's newest state.
     *
     * @throws IllegalStateException if the snapshot is of another table epoch, and a mere change or not the newer one
     */
    public void join(TableSnapshot other) {
        if (other.definition() == null) {
            return;
        }
        boolean newer = other.changeNumber() > changeNumber;
        if (other.tableEpoch() != tableEpoch && (other.kind() == TableSnapshot.Kind.CHANGE || !newer)) {
            throw new IllegalStateException("sequencer " + name + ": change of table epoch " + other.tableEpoch()
                    + " for a copy of table epoch " + tableEpoch);
        }
        if (other.incarnation() != incarnation || other.tableEpoch() != tableEpoch) {
            if (!newer) {
                return;
            }
            replaceBy(other);
        } else if (newer) {
            replaceHeader(other);
        }
        joinNodes(other);
    }

    private void joinNodes(TableSnapshot other) {
        for (NodeState state : other.nodes()) {
            NodeState mine = nodes.get(state.logicalNodeId());
            if (mine == null || mine.version() < state.version()) {
                put(state);
            }
        }
        switch (other.kind()) {
            case FULL -> allSentUpTo = Math.max(allSentUpTo, other.changeNumber());
            case DEFINITION -> keptBackUpTo = Math.max(keptBackUpTo, other.changeNumber());
            case CHANGE -> {}
        }
    }

    /** Forgets all that this copy knows for another life, of which it knows no node ID yet. */
    private void replaceBy(TableSnapshot other) {
        replaceHeader(other);
        allSentUpTo = -1;
        keptBackUpTo = 0;
        nodes.clear();
        nodeByHolder.clear();
    }

    private void replaceHeader(TableSnapshot other) {
        definition = other.definition();
        incarnation = other.incarnation();
        destroyedUpTo = other.destroyedUpTo();
        highestId = other.highestId();
        tableEpoch = other.tableEpoch();
        changeNumber = other.changeNumber();
        recoveringUntilMillis = other.recoveringUntilMillis();
        floor = other.floor();
        owners = other.owners();
    }

    /**
     * Counts the node IDs that nobody else can be granted; those of a destroyed sequencer do not count.
     *
     * @param nowMillis cluster time
     */
    public NodeIdCounts nodeIdCounts(long nowMillis, TableRules rules) {
        Definition present = definition();
        int attached = 0;
        int cooling = 0;
        if (present != null) {
            long clusterNow = nowMillis - present.epochOffset();
            for (NodeState state : nodes.values()) {
                if (state.isHeld(clusterNow, rules.leaseMillis())) {
                    attached++;
                } else if (state.nextFloor() > clusterNow) {
                    cooling++;
                }
            }
        }
        return new NodeIdCounts(attached, cooling);
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
