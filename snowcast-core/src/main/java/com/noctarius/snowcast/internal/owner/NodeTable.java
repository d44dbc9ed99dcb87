// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencerAlreadyRegisteredException;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.internal.owner.Grant.Token;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The lease table of one sequencer: which holder has which node ID for which period of ID time, for all incarnations of
 * a name. A database stores the table in rows. In a cluster, the owner of the partition and each backup have a
 * {@link ReplicatedTable}.
 *
 * <p>The invariant: two grants of one node ID never share a millisecond. A node ID can be granted again when its last
 * grant was released, or has expired by cluster time. The new grant begins at or above the end of the last grant. It
 * has a new token, so that the former holder can no longer renew its lease. As long as the table has its data, the
 * invariant does not depend on any clock: clocks only decide when a grant that is not renewed expires. After a loss of
 * data, cluster time decides where new grants begin; after a split, the grants of both sides may overlap.
 *
 * <p>Deterministic: cluster time and randomness are arguments. A method either succeeds completely, or throws and
 * leaves the table unchanged; but an {@link #attach} without an answer may have released the sender's own grant. Not
 * thread-safe.
 */
public final class NodeTable {
    /**
     * The longest time that creating a destroyed sequencer again waits for former holders to release their grants. It
     * exceeds Hazelcast's default wait for a backup's acknowledgement (5 s), because a holder may receive its grant
     * that late.
     */
    private static final long MAX_SETTLING_MILLIS = 10_000;

    // The parts of the TableHeader, which explains them.
    Lifecycle lifecycle;
    long tableId;
    long waitEndMillis;
    long highestOfDestroyed;
    long usedUpTo;

    /** The entries by node ID. A member may have very many tables with few entries, so a map must be small. */
    final NavigableMap<Integer, NodeState> entries = new TreeMap<>();

    /**
     * The cluster time until which the holders of a destroyed sequencer may still release their grants. Not replicated:
     * only the owner that destroyed the sequencer has it.
     */
    private long settlesUntilMillis;

    /** Makes the table of a name that was never used. */
    public NodeTable(String name, long tableId) {
        this.lifecycle = Lifecycle.unused(name);
        this.tableId = tableId;
    }

    public static NodeTable of(TableHeader header, List<NodeState> entries) {
        NodeTable table = new NodeTable(header.lifecycle().name(), header.tableId());
        table.take(header);
        entries.forEach(table::put);
        return table;
    }

    /** Returns all data except the entries and {@link #settlesUntilMillis}. */
    public TableHeader header() {
        return new TableHeader(lifecycle, tableId, waitEndMillis, highestOfDestroyed, usedUpTo);
    }

    void take(TableHeader header) {
        lifecycle = header.lifecycle();
        tableId = header.tableId();
        waitEndMillis = header.waitEndMillis();
        highestOfDestroyed = header.highestOfDestroyed();
        usedUpTo = header.usedUpTo();
    }

    /** Returns the entries in the order of their node IDs. */
    public List<NodeState> entries() {
        return List.copyOf(entries.values());
    }

    /** Puts an entry, in place of the present one of its node ID. */
    void put(NodeState state) {
        entries.put(state.logicalNodeId(), state);
    }

    /** Returns the entry of a holder's latest request; null if the table has no entry of the holder. */
    @Nullable
    NodeState lastOf(UUID holder) {
        return entries.values().stream()
                .filter(state -> state.holder().equals(holder))
                .max(Comparator.comparingLong(NodeState::requestNumber))
                .orElse(null);
    }

    // --- attach

    /**
     * Decides an attach request in the table: grants a node ID, and creates the sequencer if it does not exist. Every
     * replica receives the change, so that every replica has the definitions of all sequencers.
     *
     * <p>The answer is empty if the requested incarnation was destroyed, or if this request was answered in an
     * incarnation that has been destroyed since. If the request would create a destroyed sequencer again while other
     * holders may still release their node IDs, there is no answer yet, and the sender has to retry; but the table
     * already releases this holder's own grant. The replicas do not receive this release: for them the grant still
     * lasts up to its ceiling, which only delays the next grant of the node ID.
     *
     * @throws SnowcastException if the table must not or cannot grant a node ID; the message says why
     * @throws IllegalArgumentException if the lease is out of range
     */
    public Decision<Optional<Grant>> attach(AttachRequest request, long nowMillis, TableRules rules) {
        long incarnation = lifecycle.ifPossible(request.incarnation(), nowMillis + rules.maxSkewMillis());
        NodeState known = lastOf(request.holder());
        Set<Integer> touched = new HashSet<>();
        if (known != null) {
            touched.add(known.logicalNodeId());
        }
        boolean isImpossible = incarnation != request.incarnation();
        if (lifecycle.isDestroyed(incarnation) || (isImpossible && isDestroyed())) {
            return Decision.forAllReplicas(Optional.empty(), touched);
        }
        checkDefinition(request);
        checkWaitIsOver(request, nowMillis);
        boolean creates = definition() == null;
        if (known != null && known.requestNumber() >= request.requestNumber()) {
            if (creates) {
                // The answer to this request was a grant in a destroyed incarnation, which is void.
                return Decision.forAllReplicas(Optional.empty(), touched);
            }
            requireLatest(known, request);
            return Decision.forAllReplicas(Optional.of(grant(known, rules.leaseFor(request.leaseMillis()))), touched);
        }
        // A holder has one grant at a time, so it no longer uses the known grant. It sent no detach request because
        // this request replaces it, or its detach request or the answer with that grant did not arrive. The exception
        // is a grant that a renewal has restored after a loss of data, so that the number of the request that got it is
        // not known. This request may be a late copy of that request, and the holder may still use the grant.
        NodeState former = known != null && known.leased() && known.isRequestKnown() ? known : null;
        if (creates && incarnation == 0 && isAwaited(nowMillis, former)) {
            // Holders of the destroyed sequencer are about to release their grants, and all IDs of a grant count as
            // issued until then. This request has to wait for the other holders, but already releases its own holder's
            // grant: otherwise two holders that create the sequencer again would wait for each other.
            if (former != null) {
                release(former, request.lastIdTime());
            }
            return Decision.notYet(request.definition().called(request.name()) + " is being destroyed");
        }
        AttachDecision.Choice choice = chooseWithout(former, request, nowMillis, rules);
        if (former != null) {
            release(former, request.lastIdTime());
        }
        if (creates) {
            beginOrRestore(request.definition(), incarnation, nowMillis);
            usedUpTo = choice.floorOfUnusedNodes();
            entries.clear();
        }
        Grant grant = give(choice, request, rules);
        touched.add(grant.logicalNodeId());
        return Decision.forAllReplicas(Optional.of(grant), touched);
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
        put(state);
        return grant(state, rules.leaseFor(request.leaseMillis()));
    }

    private void checkDefinition(AttachRequest request) {
        Definition present = definition();
        if (present != null && !request.definition().equals(present)) {
            throw new SnowcastSequencerAlreadyRegisteredException(
                    present.called(lifecycle.name()) + present.differenceTo(request.definition()));
        }
    }

    private void checkWaitIsOver(AttachRequest request, long nowMillis) {
        if (nowMillis < waitEndMillis) {
            throw new SnowcastUnavailableException(
                    request.definition().called(request.name())
                            + ": it is not known what was granted before its partition or database lost its data or the cluster was started;"
                            + " no holder can be attached before " + Instant.ofEpochMilli(waitEndMillis),
                    null);
        }
    }

    private void requireLatest(NodeState known, AttachRequest request) {
        if (known.requestNumber() != request.requestNumber() || !known.leased()) {
            throw new SnowcastStateException(request.definition().called(request.name()) + ": request "
                    + request.requestNumber() + " of this holder came after request " + known.requestNumber());
        }
    }

    /**
     * Chooses a grant as if the holder's former grant had been released; the table is as before when it returns or
     * throws.
     */
    private AttachDecision.Choice chooseWithout(
            @Nullable NodeState former, AttachRequest request, long nowMillis, TableRules rules) {
        if (former == null) {
            return choose(request, false, nowMillis, rules);
        }
        put(released(former, request.lastIdTime(), former.version()));
        try {
            return choose(request, true, nowMillis, rules);
        } finally {
            put(former);
        }
    }

    private AttachDecision.Choice choose(AttachRequest request, boolean hasReleased, long nowMillis, TableRules rules) {
        if (definition() != null) {
            return new AttachDecision(request, nowMillis, rules, entries)
                    .choose(floorOfUnusedNodes(request.definition()), OptionalLong.empty());
        }
        // A destroyed incarnation may have had another epoch. Its times cannot be used, but its highest raw ID can.
        OptionalLong highestBefore = lifecycle.destroyedUpTo() == 0
                ? OptionalLong.empty()
                : OptionalLong.of(hasReleased ? highestPossibleId() : highestOfDestroyed);
        return new AttachDecision(request, nowMillis, rules, new TreeMap<>())
                .choose(floorAfterWait(request.definition()), highestBefore);
    }

    private void beginOrRestore(Definition definition, long incarnation, long nowMillis) {
        if (lifecycle.definition() == null) {
            lifecycle = lifecycle.ofNewOwner(tableId, nowMillis);
        }
        lifecycle = lifecycle.created(definition, incarnation, nowMillis);
    }

    private Grant grant(NodeState state, long leaseMillis) {
        long incarnation = lifecycle.incarnation();
        return new Grant(
                incarnation, state.logicalNodeId(), state.token(), state.floor(), state.ceiling(), leaseMillis);
    }

    // --- renew and detach

    /**
     * Renews a lease: raises the ceiling to the holder's time plus the lease, or to cluster time plus the lease if
     * cluster time is later. Therefore even a holder whose clock lags keeps its lease by renewing it. A renewal raises
     * the ceiling at most to cluster time plus the skew plus the lease, and at most to {@link TableRules#maxCeiling}.
     * It never lowers the ceiling.
     *
     * <p>Never refuses a renewal because of the holder's clock. But if cluster time lags behind the holder's time by
     * more than the skew, the ceiling may stay as it is, which the holder counts as a failed renewal. If cluster time
     * lags by the skew plus the lease or more, the holder stops at its ceiling.
     */
    public Decision<RenewReply> renew(RenewRequest request, long nowMillis, TableRules rules) {
        if (isEnded(request, nowMillis)) {
            return Decision.unchanged(RenewReply.DESTROYED);
        }
        NodeState held = held(request.logicalNodeId(), request.token());
        NodeState state = held == null ? restorable(request, nowMillis, rules) : held;
        if (state == null) {
            return Decision.unchanged(RenewReply.REFUSED);
        }
        if (held == null) {
            beginOrRestore(request.definition(), request.incarnation(), nowMillis);
        }
        long clusterNow = request.definition().idTime(nowMillis);
        long ceiling = rules.ceiling(request.holderNow(), clusterNow, request.leaseMillis());
        ceiling = Math.max(state.ceiling(), Math.min(ceiling, rules.maxCeiling(request.definition())));
        put(state.renewed(nextChange(), ceiling));
        RenewReply reply = new RenewReply(RenewReply.Outcome.RENEWED, ceiling);
        // Every replica must know the name of a restored grant. The renewal that restored it may have reached only some
        // of them, so that a later one is the first to be answered. Of the grants that can be renewed, only those that
        // were restored have no known request.
        boolean isForAll = !state.isRequestKnown() && nowMillis - rules.lossWaitMillis() < waitEndMillis;
        return new Decision<>(reply, Set.of(request.logicalNodeId()), isForAll);
    }

    /** Returns the entry of a node ID; null if the token is not that of its present grant. */
    private @Nullable NodeState held(int logicalNodeId, Token token) {
        NodeState state = entries.get(logicalNodeId);
        return state != null && state.hasToken(token) ? state : null;
    }

    /** Returns an entry for the request's grant if the table lost the grant and may restore it; otherwise null. */
    private @Nullable NodeState restorable(RenewRequest request, long nowMillis, TableRules rules) {
        boolean mayRestore = entries.get(request.logicalNodeId()) == null
                && nowMillis < waitEndMillis
                && request.token().tableId() != tableId
                && rules.mayHaveGranted(request, nowMillis);
        return mayRestore ? NodeState.restored(request.logicalNodeId(), request.token(), request.ceiling()) : null;
    }

    private boolean isEnded(RenewRequest request, long nowMillis) {
        Definition last = lifecycle.definition();
        return last != null
                && (lifecycle.isDestroyed(request.incarnation())
                        || !last.equals(request.definition())
                        || (!lifecycle.isAlive() && nowMillis >= waitEndMillis));
    }

    /**
     * Releases a node ID and returns true, if the request has the token of the node ID's present grant; otherwise
     * returns false.
     */
    public Decision<Boolean> detach(DetachRequest request) {
        NodeState held = held(request.logicalNodeId(), request.token());
        if (held != null) {
            release(held, request.lastIdTime());
        }
        return lifecycle.definition() == null
                ? Decision.unchanged(false)
                : Decision.forBackups(held != null, Set.of(request.logicalNodeId()));
    }

    private void release(NodeState state, long lastIdTime) {
        put(released(state, lastIdTime, nextChange()));
        if (isDestroyed()) {
            highestOfDestroyed = highestPossibleId();
        }
    }

    private NodeState released(NodeState state, long lastIdTime, long version) {
        // A holder reserves times in advance, so its last time may lie above the ceiling; no ID has such a time.
        long nextFloor = Math.min(lastIdTime, state.ceiling() - 1) + 1;
        return state.released(version, Math.max(state.floor(), nextFloor));
    }

    // --- destroy

    /**
     * Destroys an incarnation. Returns true if this call has destroyed it, or if it was destroyed before. A holder that
     * does not release its grant counts as having used all of the grant. If the table does not have the incarnation,
     * there is no answer yet while the table waits after a loss of data or a start of the cluster, because a holder's
     * renewal may still restore the incarnation.
     */
    public Decision<Boolean> destroy(long ofIncarnation, long nowMillis) {
        if (lifecycle.isDestroyed(ofIncarnation)) {
            return Decision.forAllReplicas(
                    true, Set.of()); // The answer is true even if a later incarnation exists by now.
        }
        if (lifecycle.definition() == null || lifecycle.incarnation() != ofIncarnation) {
            return unchangedUnlessRestored(false, nowMillis);
        }
        lifecycle = lifecycle.destroyed();
        boolean isAboveFormer = isAboveFormer();
        highestOfDestroyed = maxUnsigned(highestOfDestroyed, highestPossibleId());
        if (!isAboveFormer) {
            entries.clear(); // Detach requests must not lower highestOfDestroyed: it may be of another incarnation.
        }
        settlesUntilMillis = nowMillis + MAX_SETTLING_MILLIS;
        return Decision.forAllReplicas(true, Set.of());
    }

    /** Removes the entries of a destroyed sequencer, unless a holder may still release its grant. */
    public void forgetDestroyed(long nowMillis) {
        if (isDestroyed() && !isAwaited(nowMillis, null)) {
            entries.clear();
        }
    }

    /**
     * Returns whether any holder of the destroyed sequencer, other than that of {@code except}, may still release its
     * grant.
     */
    private boolean isAwaited(long nowMillis, @Nullable NodeState except) {
        return nowMillis < settlesUntilMillis
                && entries.values().stream().anyMatch(state -> state.leased() && !state.equals(except));
    }

    // --- losses

    /**
     * Starts the table over after a loss of its data: removes all entries. Before {@code newWaitEndMillis}, the table
     * makes no new grant, but may restore the grants of holders that renew them. Later grants begin at that time or
     * later, because a former holder whose clock lags may still issue IDs with earlier times.
     */
    public void startOver(long newTableId, long nowMillis, long newWaitEndMillis) {
        startWait(newTableId, newWaitEndMillis);
        lifecycle = lifecycle.ofNewOwner(newTableId, nowMillis);
    }

    /** Empties the table and lets it wait, as {@link #startOver} does, but keeps the change number. */
    public void startWait(long newTableId, long newWaitEndMillis) {
        tableId = newTableId;
        waitEndMillis = newWaitEndMillis;
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

    /**
     * Raises the change number, so that later changes of this table are newer than the change with the given number.
     */
    public void countAbove(long change) {
        lifecycle = lifecycle.countingAbove(change);
    }

    // --- limits and counts

    /**
     * Returns the definition of the sequencer; empty if the sequencer does not exist. There is no answer yet while a
     * holder's renewal may still restore the sequencer.
     */
    public Decision<Optional<Definition>> find(long nowMillis) {
        Definition present = definition();
        return present == null
                ? unchangedUnlessRestored(Optional.empty(), nowMillis)
                : Decision.unchanged(Optional.of(present));
    }

    /**
     * Returns a decision with the answer, or without an answer while the table waits after a loss of data or a start of
     * the cluster.
     */
    private <A> Decision<A> unchangedUnlessRestored(A answer, long nowMillis) {
        return nowMillis < waitEndMillis
                ? Decision.notYet("sequencer " + lifecycle.name()
                        + ": its partition lost its data, or the cluster was started, a moment ago")
                : Decision.unchanged(answer);
    }

    /** Returns the definition of the sequencer; null if the sequencer does not exist. */
    public @Nullable Definition definition() {
        return lifecycle.living();
    }

    boolean isDestroyed() {
        return lifecycle.definition() != null && !lifecycle.isAlive();
    }

    /** Returns the ID time at which grants of unused node IDs may begin. */
    long floorOfUnusedNodes(Definition ofPresent) {
        return Math.max(usedUpTo, floorAfterWait(ofPresent));
    }

    /**
     * Returns the ID time below which holders from before a loss of data, or from before a start of the cluster, may
     * still issue IDs; 0 if the table did not have to wait.
     */
    long floorAfterWait(Definition ofIncarnation) {
        return waitEndMillis == 0 ? 0 : waitEndMillis - ofIncarnation.epochOffset();
    }

    /**
     * Returns a time, in milliseconds since 1970, by which all grants of the name end.
     *
     * @param lossWaitMillis the time within which every present grant expires unless it is renewed
     */
    public long usedUntilMillis(long lossWaitMillis) {
        Definition last = lifecycle.definition();
        if (last == null) {
            return 0;
        }
        long usedUntilMillis = end(last) + last.epochOffset();
        // A holder of a former incarnation, which may have had another layout, continues up to its ceiling if it was
        // not notified of the destruction. This method assumes that the ceiling is at most lossWaitMillis after the
        // last incarnation began. The number of an incarnation is the time when it began, or higher.
        return lifecycle.destroyedUpTo() == 0
                ? usedUntilMillis
                : Math.max(usedUntilMillis, lifecycle.incarnation() + lossWaitMillis);
    }

    /** Returns an ID time by which all grants of the last incarnation end. */
    long end(Definition last) {
        long destroyedEnd = isDestroyed() ? last.layout().timestampValue(highestOfDestroyed) + 1 : 0;
        return Math.max(endOfGrants(last), destroyedEnd);
    }

    private long endOfGrants(Definition last) {
        return entries.values().stream().mapToLong(NodeState::nextFloor).reduce(floorOfUnusedNodes(last), Math::max);
    }

    static long maxUnsigned(long one, long other) {
        return Long.compareUnsigned(one, other) < 0 ? other : one;
    }

    /** Returns the highest raw ID that the last incarnation may have issued. The release of a grant can lower it. */
    long highestPossibleId() {
        Definition last = Objects.requireNonNull(lifecycle.definition());
        return highestIdBelow(endOfGrants(last), last.layout());
    }

    /**
     * Returns whether the last incarnation began above all IDs that former incarnations may have issued. It may have
     * begun lower if a merge has adopted it from the losing side, and the winning side had destroyed an incarnation
     * with another definition.
     */
    boolean isAboveFormer() {
        Definition last = Objects.requireNonNull(lifecycle.definition());
        return Long.compareUnsigned(highestOfDestroyed, highestIdBelow(floorOfUnusedNodes(last), last.layout())) <= 0;
    }

    private static long highestIdBelow(long idTime, SnowcastLayout layout) {
        return layout.compose(Math.max(idTime, 1) - 1, layout.logicalNodeCount() - 1, layout.idsPerMillisecond() - 1);
    }

    /** Counts the node IDs by state; empty if the sequencer does not exist. */
    public Optional<NodeIdCounts> nodeIdCounts(long nowMillis, TableRules rules) {
        return Optional.ofNullable(definition())
                .map(present -> NodeIdCounts.of(
                        entries.values(), nowMillis - present.epochOffset(), rules.nodeIdCount(present)));
    }
}
