// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.internal.holder.Coordinator;
import com.noctarius.snowcast.internal.holder.PoolCoordinator;
import com.noctarius.snowcast.internal.owner.AttachReply;
import com.noctarius.snowcast.internal.owner.AttachRequest;
import com.noctarius.snowcast.internal.owner.Decision;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.DestroyReply;
import com.noctarius.snowcast.internal.owner.DetachRequest;
import com.noctarius.snowcast.internal.owner.ExtendReply;
import com.noctarius.snowcast.internal.owner.ExtendRequest;
import com.noctarius.snowcast.internal.owner.GiveBackRequest;
import com.noctarius.snowcast.internal.owner.Grant;
import com.noctarius.snowcast.internal.owner.Lifecycle;
import com.noctarius.snowcast.internal.owner.NodeState;
import com.noctarius.snowcast.internal.owner.NodeTable;
import com.noctarius.snowcast.internal.owner.OwnerContext;
import com.noctarius.snowcast.internal.owner.Reservation;
import com.noctarius.snowcast.internal.owner.ReserveRequest;
import com.noctarius.snowcast.internal.owner.Snapshot;
import com.noctarius.snowcast.internal.owner.TableRules;
import com.noctarius.snowcast.jdbc.LeaseTables.ConflictException;
import com.noctarius.snowcast.jdbc.LeaseTables.Extension;
import com.noctarius.snowcast.jdbc.LeaseTables.Ledger;
import com.noctarius.snowcast.jdbc.LeaseTables.Nodes;
import com.noctarius.snowcast.jdbc.LeaseTables.StoredName;
import com.noctarius.snowcast.status.ClusterStatus;
import com.noctarius.snowcast.store.BlockStore;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Grants node IDs from tables of a database: what the owner of a partition decides in a cluster, the same class decides here in
 * a transaction that has locked the row of the name.
 *
 * <p>An extension locks nothing: it is decided by what this process read or wrote last, and written if the row of the node ID is
 * still that. A transaction that takes a node ID from its holder, destroys a sequencer or notes a loss changes that row.
 *
 * <p><b>What the database has forgotten</b> is noticed in two ways: the server, or its history, is another one than that in the
 * tables; or this process remembers a change that the tables do not have. Then every name counts as lost: no node ID is granted
 * until all grants have ended that may have been forgotten, and holders that extend theirs are taken over. Thread-safe.
 */
final class JdbcCoordinator implements Coordinator, PoolCoordinator {
    private static final System.Logger LOGGER = System.getLogger(JdbcSnowcast.class.getName());
    /** Who decides does not matter: it counts only after a split of a cluster. */
    private static final UUID OWNER = new UUID(0, 0);

    private static final long MAX_PAUSE_NANOS = 20_000_000;

    private final Shard database;
    private final LeaseTables tables;
    private final TableRules rules;
    /** How long a decision is tried again while other transactions are in the way. */
    private final long maxNanos;
    /** What people know the holders of this process by. */
    private final String heldBy;

    private final IntegerStore integers;
    /** The last grant of each holder of this process, as the database has it. */
    private final Map<UUID, Held> heldByHolder = new ConcurrentHashMap<>();
    /** The last change of each name that this process has committed. */
    private final Map<String, Committed> lastChanges = new ConcurrentHashMap<>();
    /** The last of all changes; its number does not count. */
    private volatile Committed last = Committed.NOTHING;

    /** A grant as the database has it: the name with only its node ID, and how often something was forgotten before. */
    private record Held(Snapshot<Definition, NodeState> table, long losses) {
        NodeState state() {
            return table.entries().get(0);
        }
    }

    /**
     * A change that this process has committed: on which server, and how often something was forgotten before.
     *
     * @param change its number; 0 if only the rest is known
     */
    private record Committed(String serverId, long losses, long change) {
        static final Committed NOTHING = new Committed("", 0, 0);

        static Committed of(Ledger ledger, long change) {
            return new Committed(ledger.serverId(), ledger.losses(), change);
        }

        Committed orLater(Committed other) {
            boolean isEarlier = other.losses < losses || (other.losses == losses && other.change < change);
            return isEarlier && other.serverId.equals(serverId) ? this : other;
        }
    }

    /** Returns where an integer sequence gets its blocks from. */
    interface IntegerStore {
        BlockStore of(IntegerSequenceConfig config);
    }

    /** What is decided in a transaction. */
    private interface Decider<A> {
        Decision<A, ?> decide(NodeTable table, OwnerContext owner);
    }

    /** What a transaction has decided: an answer, or why there is none. */
    private record Outcome<A>(@Nullable A value, @Nullable RuntimeException refusal, StoredName stored, Ledger ledger) {
        A answer() {
            return Objects.requireNonNull(value);
        }
    }

    JdbcCoordinator(
            Shard database, LeaseTables tables, TableRules rules, long maxNanos, String heldBy, IntegerStore integers) {
        this.database = database;
        this.tables = tables;
        this.rules = rules;
        this.maxNanos = maxNanos;
        this.heldBy = heldBy;
        this.integers = integers;
    }

    // --- what holders ask for

    @Override
    public @Nullable Grant attach(AttachRequest request) {
        Outcome<AttachReply> outcome = decide(
                request.definition().called(request.name()),
                request.name(),
                Nodes.ALL,
                heldByHolder.remove(request.holder()),
                (table, owner) -> table.attach(request, owner, rules));
        Grant grant = outcome.answer().grant();
        if (grant != null) {
            note(outcome.stored(), grant.logicalNodeId());
        }
        return grant;
    }

    @Override
    public CompletionStage<List<@Nullable ExtendReply>> extend(List<ExtendRequest> requests) {
        return CompletableFuture.supplyAsync(() -> extendAll(requests), Shard.THREADS);
    }

    @Override
    public void detach(Collection<DetachRequest> requests) {
        RuntimeException failure = null;
        for (DetachRequest request : requests) {
            try {
                decide(
                        "node ID " + request.logicalNodeId() + " of " + request.name(),
                        request.name(),
                        Nodes.ALL,
                        heldByHolder.remove(request.token().holder()),
                        (table, owner) -> table.detach(request));
            } catch (RuntimeException e) {
                failure = e; // The others are given back nevertheless.
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public void detachWithin(Collection<DetachRequest> requests, long atMostMillis) {
        CompletableFuture<Void> detached = CompletableFuture.runAsync(() -> detach(requests), Shard.THREADS);
        try {
            TimedTransaction.get(detached, Duration.ofMillis(atMostMillis));
        } catch (ExecutionException | TimeoutException e) {
            throw new SnowcastUnavailableException("the database did not take node IDs back: " + e.getMessage(), e);
        }
    }

    @Override
    public void destroy(String name, long incarnation) {
        Outcome<DestroyReply> outcome = decide(
                "sequencer " + name, name, Nodes.ALL_LOCKED, null, (table, owner) -> table.destroy(incarnation, owner));
        if (outcome.answer() == DestroyReply.NOT_KNOWN_YET) {
            throw new SnowcastUnavailableException(
                    name
                            + ": the database may have forgotten it a moment ago, and a holder may bring it back; try later",
                    null);
        }
    }

    @Override
    public int partitionOf(String name) {
        return 0;
    }

    /** Creates the tables of node IDs where there are none. */
    void createTables() {
        String subject = "the tables " + tables.prefix() + "_*";
        for (int attempt = 1; ; attempt++) {
            try {
                call(transaction -> {
                    tables.create(transaction);
                    return true;
                });
                return;
            } catch (SQLException e) {
                // IF NOT EXISTS may fail where another process creates the same table at the same time.
                if (attempt == 2) {
                    throw leaseFailure(subject, e);
                }
            }
        }
    }

    /** Reads which holder has which node ID. */
    ClusterStatus status() {
        try {
            return call(transaction -> {
                Ledger ledger = ledger(transaction);
                List<ClusterStatus.Sequencer> sequencers = new ArrayList<>();
                for (StoredName stored : tables.names(transaction)) {
                    List<NodeState> nodes = stored.losses() < ledger.losses()
                            ? List.of()
                            : tables.nodes(transaction, stored.table(), Nodes.ALL);
                    LeaseStatus status = new LeaseStatus(stored.table().withEntries(nodes), ledger.nowMillis(), rules);
                    sequencers.addAll(status.sequencer(tables.holders(transaction, stored.table())));
                }
                Instant now = Instant.ofEpochMilli(ledger.nowMillis());
                return new ClusterStatus(now, sequencers, List.of(), List.of(), List.of());
            });
        } catch (SQLException e) {
            throw leaseFailure("the status", e);
        }
    }

    // --- extensions

    private List<@Nullable ExtendReply> extendAll(List<ExtendRequest> requests) {
        Map<ExtendRequest, ExtendReply> replies = new HashMap<>(extendHeld(requests));
        RuntimeException failure = null;
        for (ExtendRequest request : requests) {
            if (!replies.containsKey(request)) {
                try {
                    replies.put(request, extend(request));
                } catch (RuntimeException e) {
                    failure = e; // One name that another transaction has locked must not end the leases of all.
                }
            }
        }
        if (failure != null && replies.isEmpty()) {
            throw failure;
        }
        return requests.stream().<@Nullable ExtendReply>map(replies::get).toList();
    }

    /** Extends the grants whose rows no other process has changed since, in one transaction. */
    private Map<ExtendRequest, ExtendReply> extendHeld(List<ExtendRequest> requests) {
        Map<ExtendRequest, Held> extended;
        try {
            extended = call(transaction -> extendHeld(transaction, requests));
        } catch (SQLException e) {
            if (isConflict(e)) {
                return Map.of();
            }
            throw leaseFailure("the extension of leases", e);
        }
        Map<ExtendRequest, ExtendReply> replies = new HashMap<>();
        extended.forEach((request, held) -> {
            heldByHolder.put(request.holder(), held);
            replies.put(
                    request,
                    new ExtendReply(ExtendReply.Outcome.EXTENDED, held.state().ceiling()));
        });
        return replies;
    }

    private Map<ExtendRequest, Held> extendHeld(Transaction transaction, List<ExtendRequest> requests)
            throws SQLException {
        Ledger ledger = ledger(transaction);
        List<ExtendRequest> asked = new ArrayList<>();
        List<Held> next = new ArrayList<>();
        List<Extension> extensions = new ArrayList<>();
        for (ExtendRequest request : requests) {
            Held held = heldByHolder.get(request.holder());
            if (held == null || held.losses() != ledger.losses()) {
                continue;
            }
            NodeTable table = NodeTable.restored(held.table());
            ExtendReply reply = table.extend(request, owner(ledger), rules).answer();
            if (reply.outcome() == ExtendReply.Outcome.EXTENDED) {
                Held extended = new Held(table.stored(), ledger.losses());
                asked.add(request);
                next.add(extended);
                extensions.add(new Extension(request.name(), request.definition(), held.state(), extended.state()));
            }
        }
        List<Boolean> written = extensions.isEmpty() ? List.of() : tables.extend(transaction, extensions);
        Map<ExtendRequest, Held> extended = new HashMap<>();
        for (int i = 0; i < written.size(); i++) {
            if (written.get(i)) {
                extended.put(asked.get(i), next.get(i));
            }
        }
        return extended;
    }

    private ExtendReply extend(ExtendRequest request) {
        Outcome<ExtendReply> outcome = decide(
                request.definition().called(request.name()),
                request.name(),
                Nodes.only(request.logicalNodeId()),
                heldByHolder.get(request.holder()),
                (table, owner) -> table.extend(request, owner, rules));
        ExtendReply reply = outcome.answer();
        if (reply.outcome() == ExtendReply.Outcome.EXTENDED) {
            note(outcome.stored(), request.logicalNodeId());
        } else {
            heldByHolder.remove(request.holder());
        }
        return reply;
    }

    private void note(StoredName stored, int nodeId) {
        List<NodeState> own = stored.table().entries().stream()
                .filter(state -> state.logicalNodeId() == nodeId)
                .toList();
        Held held = new Held(stored.table().withEntries(own), stored.losses());
        heldByHolder.put(held.state().holder(), held);
    }

    // --- a decision in a transaction

    private OwnerContext owner(Ledger ledger) {
        return new OwnerContext(OWNER, List.of(), ledger.nowMillis(), ledger.nowMillis() + rules.maxSkewMillis());
    }

    /**
     * Decides in a transaction of its own, and again while other transactions change the same rows. Blocks.
     *
     * @param known the grant that the database had last, if the request is about one
     */
    private <A> Outcome<A> decide(String subject, String name, Nodes nodes, @Nullable Held known, Decider<A> decider) {
        long deadlineNanos = System.nanoTime() + maxNanos;
        while (true) {
            try {
                Outcome<A> outcome = call(transaction -> new Turn(transaction, name, nodes, known).decide(decider));
                Lifecycle<Definition> stored = outcome.stored().table().lifecycle();
                long change = stored.definition() == null ? 0 : stored.changeNumber();
                lastChanges.merge(name, Committed.of(outcome.ledger(), change), Committed::orLater);
                committed(Committed.of(outcome.ledger(), 0));
                if (outcome.refusal() != null) {
                    throw outcome.refusal();
                }
                return outcome;
            } catch (SQLException e) {
                boolean isOver = System.nanoTime() - deadlineNanos > 0
                        || Thread.currentThread().isInterrupted();
                if (isOver || !isConflict(e)) {
                    throw leaseFailure(subject, e);
                }
                LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(MAX_PAUSE_NANOS));
            }
        }
    }

    private synchronized void committed(Committed next) {
        last = last.orLater(next);
    }

    /** One transaction that decides about a name. */
    private final class Turn {
        private final Transaction transaction;
        private final String name;
        private final Nodes wanted;
        private final @Nullable Held known;
        private final Committed committed;

        Turn(Transaction transaction, String name, Nodes wanted, @Nullable Held known) {
            this.transaction = transaction;
            this.name = name;
            this.wanted = wanted;
            this.known = known;
            this.committed = lastChanges.getOrDefault(name, Committed.NOTHING);
        }

        <A> Outcome<A> decide(Decider<A> decider) throws SQLException {
            Ledger ledger = ledger(transaction);
            StoredName locked = tables.lock(transaction, name).orElse(null);
            List<NodeState> nodes = locked == null ? List.of() : tables.nodes(transaction, locked.table(), wanted);
            if (isOfSameHistory(ledger) && isForgotten(locked, nodes)) {
                ledger = lost(transaction, ledger);
            }
            NodeTable table = locked == null ? new NodeTable(name, newEpoch()) : restored(locked, nodes);
            long losses = locked == null ? 0 : locked.losses();
            if (losses > ledger.losses()) {
                throw new ConflictException("the database was found to have forgotten something at this moment", null);
            }
            if (losses < ledger.losses()) {
                tables.forget(transaction, name);
                nodes = List.of();
                table.recover(newEpoch(), ledger.nowMillis(), ledger.lostUntilMillis() - ledger.nowMillis());
            }
            A answer = null;
            RuntimeException refusal = null;
            try {
                answer = decider.decide(table, owner(ledger)).answer();
            } catch (SnowcastException | IllegalArgumentException e) {
                refusal = e; // The transaction goes on, since a loss is to be noted.
            }
            StoredName after = new StoredName(table.stored(), ledger.losses());
            write(locked, nodes, after);
            return new Outcome<>(answer, refusal, after, ledger);
        }

        private NodeTable restored(StoredName locked, List<NodeState> nodes) {
            NodeTable table = NodeTable.restored(locked.table().withEntries(nodes));
            // An extension changes its row only.
            table.countAbove(nodes.stream().mapToLong(NodeState::version).reduce(0, Math::max));
            return table;
        }

        /** Whether the loss that explains what is missing was noted already. */
        private boolean isOfSameHistory(Ledger ledger) {
            return committed.serverId().equals(ledger.serverId()) && committed.losses() == ledger.losses();
        }

        /** Whether the database does not have what this process has committed. */
        private boolean isForgotten(@Nullable StoredName locked, List<NodeState> nodes) {
            if (locked == null || locked.table().lifecycle().changeNumber() < committed.change()) {
                return committed.change() > 0;
            }
            Held own = known;
            if (own == null
                    || own.table().epoch() != locked.table().epoch()
                    || own.table().lifecycle().incarnation()
                            != locked.table().lifecycle().incarnation()) {
                return false;
            }
            NodeState before = own.state();
            return nodes.stream()
                    .noneMatch(state ->
                            state.logicalNodeId() == before.logicalNodeId() && state.version() >= before.version());
        }

        private void write(@Nullable StoredName locked, List<NodeState> nodes, StoredName after) throws SQLException {
            Snapshot<Definition, NodeState> table = after.table();
            if (table.lifecycle().definition() == null) {
                return; // Such a name there never was.
            }
            tables.put(transaction, after, locked == null);
            Map<Integer, NodeState> former = new HashMap<>();
            nodes.forEach(state -> former.put(state.logicalNodeId(), state));
            for (NodeState state : table.entries()) {
                NodeState before = former.remove(state.logicalNodeId());
                if (!state.equals(before)) {
                    tables.replace(transaction, table, before, state, heldBy);
                }
            }
            for (NodeState gone : former.values()) {
                tables.delete(transaction, name, gone);
            }
            if (wanted.areLocked()) {
                tables.touch(transaction, table);
            }
        }
    }

    private static long newEpoch() {
        return UUID.randomUUID().getLeastSignificantBits();
    }

    // --- what the database has forgotten

    /** Reads what the database knows of itself; notes a loss if its server, or the server's history, is another one. */
    private Ledger ledger(Transaction transaction) throws SQLException {
        String lossQuery = transaction.dialect().lossQuery();
        if (!lossQuery.isEmpty()) {
            for (String loss : transaction.query(lossQuery, row -> row.getString(1))) {
                throw new ShardMismatchException("node IDs are not leased from a database with " + loss);
            }
        }
        Committed known = last;
        Ledger read = tables.ledger(transaction);
        boolean isSame = read.serverId().equals(known.serverId());
        // On another server the count is above what this process knows, unless the tables were created there again.
        boolean isSetBack = isSame ? read.losses() < known.losses() : read.losses() <= known.losses();
        boolean isKnown = !known.equals(Committed.NOTHING);
        if ((isKnown && isSetBack) || !read.serverId().equals(read.present())) {
            return lost(transaction, read);
        }
        Ledger seen = read.seenBy(rules.leaseMillis());
        return seen.equals(read) ? read : tables.replace(transaction, read, seen);
    }

    /** Notes that the database may have forgotten grants: all of them have ended when no node ID is withheld any more. */
    private Ledger lost(Transaction transaction, Ledger read) throws SQLException {
        long lease = Math.max(read.leaseMillis(), rules.leaseMillis());
        long until = read.nowMillis() + rules.recoveryMillis() - rules.leaseMillis() + lease;
        Ledger next = new Ledger(
                read.present(),
                Math.max(read.losses(), last.losses()) + 1,
                Math.max(read.lostUntilMillis(), until),
                lease,
                read.present(),
                read.nowMillis());
        LOGGER.log(
                System.Logger.Level.WARNING,
                "The database may have forgotten which node IDs it has granted: it was on server {0} and is on {1}. Holders"
                        + " go on; no other node ID is granted until {2}",
                read.serverId(),
                read.present(),
                Instant.ofEpochMilli(next.lostUntilMillis()));
        return tables.replace(transaction, read, next);
    }

    // --- failures

    private <T> T call(Shard.Work<T> work) throws SQLException {
        try {
            return database.call(transaction -> inTransaction(transaction, work));
        } catch (ShardMismatchException e) {
            throw new SnowcastException(e.getMessage(), e);
        }
    }

    private static <T> T inTransaction(Transaction transaction, Shard.Work<T> work) throws SQLException {
        try {
            return work.in(transaction);
        } catch (SQLException e) {
            if (transaction.dialect().isBusy(e) || Tables.isDuplicateKey(e)) {
                throw new ConflictException("other transactions have locked or changed the same rows", e);
            }
            throw e;
        }
    }

    private static boolean isConflict(SQLException e) {
        return ConflictException.SERIALIZATION_FAILURE.equals(e.getSQLState());
    }

    /** Returns what a caller gets of a failure: whether it may pass is said by its class. */
    private static RuntimeException leaseFailure(String subject, SQLException e) {
        String advice = PermanentFailure.advice(e, "JdbcSnowcast.createTables").orElse(null);
        return advice == null
                ? new SnowcastUnavailableException(
                        subject + ": the database cannot be reached or refuses: " + e.getMessage(), e)
                : new SnowcastException(subject + ": the database refuses; " + advice, e);
    }

    // --- integers come from windows, and not from here

    @Override
    public @Nullable BlockStore storeOf(IntegerSequenceConfig config) {
        return config.store() == null ? integers.of(config) : config.store();
    }

    @Override
    public @Nullable Reservation reserve(ReserveRequest request) {
        throw new IllegalStateException("integers come from windows: " + request);
    }

    @Override
    public long giveBack(GiveBackRequest request) {
        throw new IllegalStateException("integers come from windows: " + request);
    }

    @Override
    public void destroyIntegers(String name, long incarnation) {
        throw new IllegalStateException("integers come from windows: " + name);
    }
}
