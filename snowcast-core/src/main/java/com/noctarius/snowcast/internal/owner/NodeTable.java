// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencerAlreadyRegisteredException;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.internal.owner.Grant.Token;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Who holds which node ID of one sequencer, for which stretch of ID time; of all incarnations of a name. A database has
 * it in rows, a cluster in a {@link ReplicatedTable} for each member.
 *
 * <p>The invariant: two grants of one node ID never share a millisecond. A node ID is granted only while no other
 * holder can extend it, and the new grant begins where the last one ended. As long as the table has its data, no clock
 * decides this: clocks only decide when a grant that is not extended counts as free. After a loss, cluster time decides
 * where new grants begin; after a split, those of both sides may overlap.
 *
 * <p>Deterministic: cluster time and randomness are arguments. A method does all that it says, or throws and leaves the
 * table as it was. Not thread-safe.
 */
public final class NodeTable {
    /**
     * How long a creation waits for holders of the destroyed sequencer. Longer than Hazelcast waits by default for a
     * backup that is not acknowledged (5 s): until then a holder may not know of its grant.
     */
    private static final long MAX_SETTLING_MILLIS = 10_000;

    Lifecycle lifecycle;

    /** See {@link TableHeader#tableId}. */
    long tableId;

    /** See {@link TableHeader#recoveredMillis}. */
    long recoveredMillis;

    /** See {@link TableHeader#highestOfDestroyed}. */
    long highestOfDestroyed;

    /** See {@link TableHeader#usedUpTo}. */
    long usedUpTo;

    final NodeStates entries = new NodeStates();

    /** Known to the owner that destroyed it only: a hint. */
    private long settlesUntilMillis;

    /** Makes the table of a name that was never used. */
    public NodeTable(String name, long tableId) {
        this.lifecycle = Lifecycle.unused(name);
        this.tableId = tableId;
    }

    /** Makes a table of what is known of it. */
    public static NodeTable of(TableHeader header, List<NodeState> entries) {
        NodeTable table = new NodeTable(header.lifecycle().name(), header.tableId());
        table.take(header);
        entries.forEach(table.entries::put);
        return table;
    }

    /** Returns the header. It has neither the node IDs nor the moment up to which a creation waits for detachments. */
    public TableHeader header() {
        return new TableHeader(lifecycle, tableId, recoveredMillis, highestOfDestroyed, usedUpTo);
    }

    void take(TableHeader header) {
        lifecycle = header.lifecycle();
        tableId = header.tableId();
        recoveredMillis = header.recoveredMillis();
        highestOfDestroyed = header.highestOfDestroyed();
        usedUpTo = header.usedUpTo();
    }

    /** Returns the node IDs that were granted, in their order, until the next change. */
    public List<NodeState> entries() {
        return entries.values();
    }

    // --- attach

    /**
     * Grants a node ID; creates the sequencer if there is none. The change is about the name, so that each replica
     * knows every definition.
     *
     * <p>The answer is empty if the incarnation that the holder asks for was destroyed, or if this request was answered
     * before in one that was destroyed. While holders of a destroyed sequencer may still give their node IDs back, the
     * owner does not answer. It then counts as given back what this holder was granted in the destroyed incarnation.
     * Replicas do not learn that, and take more IDs as issued than were, which is safe.
     *
     * @throws SnowcastException why it must not, or cannot
     */
    public Decision<Optional<Grant>> attach(AttachRequest request, OwnerContext owner, TableRules rules) {
        lifecycle.requirePossible(request.incarnation(), owner.latestIncarnation());
        NodeState known = entries.of(request.holder());
        Set<Integer> touched = new HashSet<>();
        if (known != null) {
            touched.add(known.logicalNodeId());
        }
        if (lifecycle.isDestroyed(request.incarnation())) {
            return Decision.ofName(Optional.empty(), touched);
        }
        long nowMillis = owner.nowMillis();
        checkDefinition(request);
        checkRecovered(request, nowMillis);
        boolean creates = definition() == null;
        if (known != null && known.requestNumber() >= request.requestNumber()) {
            if (creates) {
                // What was answered in an incarnation that was destroyed is void.
                return Decision.ofName(Optional.empty(), touched);
            }
            requireLatest(known, request);
            return Decision.ofName(Optional.of(grant(known, rules.leaseFor(request.leaseMillis()))), touched);
        }
        if (creates && request.incarnation() == 0 && settle(known, request, nowMillis)) {
            return Decision.notYet(request.definition().called(request.name()) + " is being destroyed");
        }
        // A holder has one grant at a time, so it has sealed this one; its detach was lost, or the grant itself.
        NodeState former = known != null && known.attached() ? known : null;
        AttachDecision.Choice choice = chooseWithout(former, request, nowMillis, rules);
        if (former != null) {
            release(former, request.lastMillis());
        }
        if (creates) {
            beginIncarnation(request.definition(), request.incarnation(), nowMillis);
            usedUpTo = choice.unusedFloor();
            entries.clear();
        }
        Grant grant = give(choice, request, rules);
        touched.add(grant.logicalNodeId());
        return Decision.ofName(Optional.of(grant), touched);
    }

    private Grant give(AttachDecision.Choice choice, AttachRequest request, TableRules rules) {
        Token token = newToken(request.holder());
        NodeState state = new NodeState(
                choice.logicalNodeId(),
                token.sequence(),
                token,
                request.requestNumber(),
                choice.floor(),
                choice.ceiling(),
                true);
        entries.put(state);
        return grant(state, rules.leaseFor(request.leaseMillis()));
    }

    private void checkDefinition(AttachRequest request) {
        Definition present = definition();
        if (present != null && !request.definition().equals(present)) {
            throw new SnowcastSequencerAlreadyRegisteredException(
                    present.called(lifecycle.name()) + present.differenceTo(request.definition()));
        }
    }

    private void checkRecovered(AttachRequest request, long nowMillis) {
        if (nowMillis < recoveredMillis) {
            throw new SnowcastUnavailableException(
                    request.definition().called(request.name())
                            + ": it is not known what was granted before its partition or database lost its data or the cluster was started;"
                            + " no holder can be attached before " + Instant.ofEpochMilli(recoveredMillis),
                    null);
        }
    }

    private void requireLatest(NodeState known, AttachRequest request) {
        if (known.requestNumber() != request.requestNumber() || !known.attached()) {
            throw new SnowcastStateException(request.definition().called(request.name()) + ": request "
                    + request.requestNumber() + " of this holder came after request " + known.requestNumber());
        }
    }

    /** Chooses as if a holder's former grant had been given back; leaves the table as it is. */
    private AttachDecision.Choice chooseWithout(
            @Nullable NodeState former, AttachRequest request, long nowMillis, TableRules rules) {
        if (former == null) {
            return choose(request, false, nowMillis, rules);
        }
        entries.put(released(former, request.lastMillis(), former.version()));
        try {
            return choose(request, true, nowMillis, rules);
        } finally {
            entries.put(former);
        }
    }

    private AttachDecision.Choice choose(AttachRequest request, boolean hasReleased, long nowMillis, TableRules rules) {
        if (definition() != null) {
            return new AttachDecision(request, nowMillis, rules, entries)
                    .choose(unusedFloor(request.definition()), OptionalLong.empty());
        }
        // The floor of a destroyed incarnation counts from its own epoch.
        OptionalLong highestBefore = lifecycle.destroyedUpTo() == 0
                ? OptionalLong.empty()
                : OptionalLong.of(hasReleased ? highestPossibleId() : highestOfDestroyed);
        return new AttachDecision(request, nowMillis, rules, new NodeStates())
                .choose(recoveryFloor(request.definition()), highestBefore);
    }

    private void beginIncarnation(Definition definition, long incarnation, long nowMillis) {
        if (lifecycle.definition() == null) {
            lifecycle = lifecycle.takenOver(tableId, nowMillis);
        }
        lifecycle = lifecycle.created(definition, incarnation, nowMillis);
    }

    private Grant grant(NodeState state, long leaseMillis) {
        long incarnation = lifecycle.incarnation();
        return new Grant(
                incarnation, state.logicalNodeId(), state.token(), state.floor(), state.ceiling(), leaseMillis);
    }

    // --- extend and detach

    /**
     * Raises the ceiling of a grant to the lease above the holder's time; above cluster time if that is later, so that
     * no node ID counts as free whose holder extends it. Never refused for a clock: an owner with a bad one stops no
     * holder.
     */
    public Decision<ExtendReply> extend(ExtendRequest request, OwnerContext owner, TableRules rules) {
        long nowMillis = owner.nowMillis();
        if (isOfAnotherIncarnation(request, nowMillis)) {
            return Decision.unchanged(ExtendReply.DESTROYED);
        }
        NodeState held = stateHeldBy(request);
        NodeState state = held == null ? lostStateOf(request, nowMillis, rules) : held;
        if (state == null) {
            return Decision.unchanged(ExtendReply.REFUSED);
        }
        boolean isUnknown = definition() == null;
        if (held == null) {
            beginIncarnation(request.definition(), request.incarnation(), nowMillis);
        }
        long clusterNow = request.definition().idTime(nowMillis);
        long ceiling = rules.ceiling(request.holderNow(), clusterNow, request.leaseMillis());
        ceiling = Math.max(state.ceiling(), Math.min(ceiling, rules.maxCeiling(request.definition())));
        entries.put(state.extended(nextChange(), ceiling));
        ExtendReply reply = new ExtendReply(ExtendReply.Outcome.EXTENDED, ceiling);
        return new Decision<>(reply, Set.of(request.logicalNodeId()), isUnknown);
    }

    /** Returns the grant that a request extends. */
    private @Nullable NodeState stateHeldBy(ExtendRequest request) {
        NodeState state = entries.get(request.logicalNodeId());
        return state != null && state.hasToken(request.token()) ? state : null;
    }

    /** Returns the grant of a table that was lost, if a request extends one and its node ID is not granted again. */
    private @Nullable NodeState lostStateOf(ExtendRequest request, long nowMillis, TableRules rules) {
        boolean isLost = entries.get(request.logicalNodeId()) == null
                && nowMillis < recoveredMillis
                && request.token().tableId() != tableId
                && rules.mayHaveGranted(request, nowMillis);
        return isLost ? NodeState.ofLostTable(request.logicalNodeId(), request.token(), request.ceiling()) : null;
    }

    private boolean isOfAnotherIncarnation(ExtendRequest request, long nowMillis) {
        Definition last = lifecycle.definition();
        return last != null
                && (lifecycle.isDestroyed(request.incarnation())
                        || !last.equals(request.definition())
                        || (!lifecycle.isAlive() && nowMillis >= recoveredMillis));
    }

    /** Frees a node ID above the last timestamp used, and returns whether the token is current: else does nothing. */
    public Decision<Boolean> detach(DetachRequest request) {
        NodeState state = entries.get(request.logicalNodeId());
        boolean isCurrent = state != null && state.hasToken(request.token());
        if (isCurrent) {
            release(Objects.requireNonNull(state), request.lastMillis());
        }
        return lifecycle.definition() == null
                ? Decision.unchanged(false)
                : Decision.ofNodes(isCurrent, Set.of(request.logicalNodeId()));
    }

    private void release(NodeState state, long lastMillis) {
        entries.put(released(state, lastMillis, nextChange()));
        if (isDestroyed()) {
            highestOfDestroyed = highestPossibleId();
        }
    }

    private NodeState released(NodeState state, long lastMillis, long version) {
        // Slots that were reserved ahead may lie above the ceiling; none of them became an ID.
        long nextFloor = Math.min(lastMillis, state.ceiling() - 1) + 1;
        return state.released(version, Math.max(state.floor(), nextFloor));
    }

    // --- destroy

    /**
     * Ends an incarnation, and returns whether it is destroyed, now or before: a holder that gives nothing back counts
     * as having used all. Not yet answered if the table lost its data, and a holder may still bring the incarnation
     * back.
     */
    public Decision<Boolean> destroy(long ofIncarnation, OwnerContext owner) {
        if (lifecycle.isDestroyed(ofIncarnation)) {
            return Decision.ofName(true, Set.of()); // Also if there is a later one by now.
        }
        if (lifecycle.definition() == null || lifecycle.incarnation() != ofIncarnation) {
            // While the table recovers, a holder whose extension is still to come could bring the sequencer back.
            boolean mayReturn = owner.nowMillis() < recoveredMillis;
            return mayReturn
                    ? Decision.notYet("sequencer " + lifecycle.name() + ": its partition lost its data a moment ago")
                    : Decision.unchanged(false);
        }
        lifecycle = lifecycle.destroyed(ofIncarnation);
        boolean isAboveFormer = isAboveFormer();
        highestOfDestroyed = maxUnsigned(highestOfDestroyed, highestPossibleId());
        if (!isAboveFormer) {
            entries.clear(); // A detach says nothing of what another incarnation issued.
        }
        settlesUntilMillis = owner.nowMillis() + MAX_SETTLING_MILLIS;
        return Decision.ofName(true, Set.of());
    }

    /** Forgets what is destroyed when it awaits no holder, since there may be very many; returns whether it is over. */
    public boolean forgetDestroyed(long nowMillis) {
        boolean isOver = isDestroyed() && !isAwaited(nowMillis, null);
        if (isOver) {
            entries.clear();
        }
        return isOver || lifecycle.isAlive();
    }

    /** Whether a holder, other than that of one node ID, is about to give its grant of the destroyed sequencer back. */
    private boolean isAwaited(long nowMillis, @Nullable NodeState except) {
        return nowMillis < settlesUntilMillis
                && entries.values().stream().anyMatch(state -> state.attached() && !state.equals(except));
    }

    /**
     * Returns whether the creation of a destroyed sequencer has to wait: holders are about to give grants back, whose
     * IDs count as issued until then. What the creating holder had itself is given back by its request, which has
     * sealed it: two holders that create the sequencer again would wait for each other. Not what was taken over after a
     * loss, as request 0: this may be a late copy of the request that was answered by it.
     */
    private boolean settle(@Nullable NodeState ownState, AttachRequest request, long nowMillis) {
        NodeState sealed = ownState != null && ownState.attached() && ownState.requestNumber() != 0 ? ownState : null;
        boolean isAwaited = isAwaited(nowMillis, sealed);
        if (isAwaited && sealed != null) {
            release(sealed, request.lastMillis());
        }
        return isAwaited;
    }

    // --- losses

    /**
     * Starts over after a loss of data: knows no node ID, grants none before the wait is over and none below that time
     * (a holder whose clock lags goes on below it), and takes over the grants of holders that ask for an extension.
     */
    public void recover(long newTableId, long nowMillis, long recoveryMillis) {
        recoverUntil(newTableId, nowMillis + recoveryMillis);
        lifecycle = lifecycle.takenOver(newTableId, nowMillis);
    }

    public void recoverUntil(long newTableId, long untilMillis) {
        tableId = newTableId;
        recoveredMillis = untilMillis;
        entries.clear();
    }

    // --- changes

    long nextChange() {
        lifecycle = lifecycle.changed();
        return lifecycle.changeNumber();
    }

    Token newToken(UUID holder) {
        return new Token(tableId, nextChange(), holder);
    }

    /** The changes of this table shall be newer than another one under its name. */
    public void countAbove(long change) {
        lifecycle = lifecycle.countingAbove(change);
    }

    // --- what it knows

    /** Returns the living definition; null if there is none. */
    public @Nullable Definition definition() {
        return lifecycle.living();
    }

    boolean isDestroyed() {
        return lifecycle.definition() != null && !lifecycle.isAlive();
    }

    /** Where grants of node IDs that were never granted may begin. */
    long unusedFloor(Definition ofPresent) {
        return Math.max(usedUpTo, recoveryFloor(ofPresent));
    }

    /** Below it, holders from before a loss of data may go on. */
    long recoveryFloor(Definition ofIncarnation) {
        return recoveredMillis == 0 ? 0 : recoveredMillis - ofIncarnation.epochOffset();
    }

    /**
     * Returns the moment that no grant reaches, in milliseconds since 1970.
     *
     * @param recoveryMillis how long after a moment all grants of before have ended
     */
    public long usedUntilMillis(long recoveryMillis) {
        Definition last = lifecycle.definition();
        if (last == null) {
            return 0;
        }
        long usedUntilMillis = end(last) + last.epochOffset();
        // The number of an incarnation is when it began, or higher. A holder of a former one, which may have had
        // another layout, goes on up to its ceiling if it has not heard of the destruction.
        return lifecycle.destroyedUpTo() == 0
                ? usedUntilMillis
                : Math.max(usedUntilMillis, lifecycle.incarnation() + recoveryMillis);
    }

    /** Returns the ID time that no grant of the last incarnation reaches. */
    long end(Definition last) {
        long destroyedEnd = isDestroyed() ? last.layout().timestampValue(highestOfDestroyed) + 1 : 0;
        return Math.max(endOfGrants(last), destroyedEnd);
    }

    private long endOfGrants(Definition last) {
        return entries.values().stream().mapToLong(NodeState::nextFloor).reduce(unusedFloor(last), Math::max);
    }

    static long maxUnsigned(long one, long other) {
        return Long.compareUnsigned(one, other) < 0 ? other : one;
    }

    /** Returns the highest raw ID that may have been issued, as far as holders have not given grants back. */
    long highestPossibleId() {
        Definition last = Objects.requireNonNull(lifecycle.definition());
        return highestIdBelow(endOfGrants(last), last.layout());
    }

    /**
     * Whether the incarnation began above all that former ones may have issued. Not so if a merge told of one with
     * another definition.
     */
    boolean isAboveFormer() {
        Definition last = Objects.requireNonNull(lifecycle.definition());
        return Long.compareUnsigned(highestOfDestroyed, highestIdBelow(unusedFloor(last), last.layout())) <= 0;
    }

    private static long highestIdBelow(long idTime, SnowcastLayout layout) {
        return layout.compose(Math.max(idTime, 1) - 1, layout.logicalNodeCount() - 1, layout.idsPerMillisecond() - 1);
    }

    /** Counts the node IDs that no other holder can be granted; those of a destroyed sequencer do not count. */
    public NodeIdCounts nodeIdCounts(long nowMillis, TableRules rules) {
        Definition present = definition();
        if (present == null) {
            return NodeIdCounts.NONE;
        }
        long clusterNow = nowMillis - present.epochOffset();
        return NodeIdCounts.of(
                entries.values(), state -> state.isHeld(clusterNow, rules), clusterNow, rules.nodeIdCount(present));
    }
}
