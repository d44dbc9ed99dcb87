// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastNodeIdsExceededException;
import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.internal.owner.Decision;
import com.noctarius.snowcast.internal.owner.Lifecycle;
import com.noctarius.snowcast.internal.owner.NodeState;
import com.noctarius.snowcast.internal.owner.NodeTable;
import com.noctarius.snowcast.internal.owner.TableHeader;
import com.noctarius.snowcast.internal.owner.TableRules;
import com.noctarius.snowcast.jdbc.LeaseTables.ConflictException;
import com.noctarius.snowcast.jdbc.LeaseTables.DatabaseIdentity;
import com.noctarius.snowcast.jdbc.LeaseTables.StoredName;
import com.noctarius.snowcast.jdbc.LostGrants.Committed;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Decides requests about a name in a database transaction that has locked the name's row. {@link NodeTable} makes the
 * decisions, as it does for the owner of a partition in a cluster. For batches of renewals and releases,
 * {@link JdbcCoordinator} decides before it locks any row, in a transaction of {@link #withIdentity}. Thread-safe.
 */
final class LeaseTransactions {
    private static final long MAX_PAUSE_NANOS = 20_000_000;

    private final Shard database;
    private final LeaseTables tables;
    private final TableRules rules;
    private final LostGrants lost;
    private final long maxNanos;
    private final String heldBy;

    /**
     * A grant as this process last saw it: the rows of the name and of the node ID, and
     * {@link DatabaseIdentity#losses}.
     */
    record Held(TableHeader table, NodeState state, long losses) {
        static Held of(NodeTable tableOfOne, long losses) {
            return new Held(tableOfOne.header(), tableOfOne.entries().get(0), losses);
        }

        NodeTable tableOfOne() {
            return NodeTable.of(table, List.of(state));
        }

        /**
         * Returns whether the given rows can be a later state of this grant, if the database has lost no data since. If
         * the node ID has another grant now, that grant must begin at or after the end of this grant, because two
         * grants of a node ID never overlap in time. The result does not depend on a clock.
         *
         * @param present the row of the node ID; null if there is none
         */
        boolean mayHaveBecome(StoredName locked, @Nullable NodeState present) {
            Lifecycle then = table.lifecycle();
            Lifecycle now = locked.table().lifecycle();
            if (now.isDestroyed(then.incarnation())) {
                return true;
            }
            if (locked.losses() < losses
                    || now.incarnation() != then.incarnation()
                    || locked.table().tableId() != table.tableId()) {
                return false;
            }
            if (present == null) {
                return locked.table().usedUpTo() >= state.ceiling();
            }
            if (present.token().equals(state.token())) {
                boolean isGivenBack = !present.leased();
                return present.version() >= state.version() && (isGivenBack || present.ceiling() >= state.ceiling());
            }
            return present.floor() >= state.ceiling();
        }
    }

    interface Decider<A> {
        Decision<A> decide(NodeTable table, DatabaseIdentity now, TableRules rules);
    }

    /** Reads the rows that a decision about a name needs: all of its node IDs or only some. */
    interface Reading {
        Rows read(Transaction transaction, StoredName stored, long nowMillis) throws SQLException;

        /** Returns whether a request waits while another transaction has locked the name. */
        default boolean waits() {
            return true;
        }

        /**
         * Returns whether renewals and releases of the name that were decided before this transaction must not be
         * written.
         */
        default boolean endsRenewals() {
            return false;
        }

        /** Returns the exception for a request that gets no node ID; called only if not all rows were read. */
        default RuntimeException exceeded(Transaction transaction, StoredName name, long nowMillis)
                throws SQLException {
            throw new IllegalStateException("all node IDs of " + name.table().name() + " were read");
        }
    }

    /**
     * The rows that were read.
     *
     * @param rules the rules for the table's decision about these rows
     * @param areSome whether these are only some rows of the name, so that other node IDs may be free
     */
    record Rows(StoredName name, List<NodeState> nodes, TableRules rules, boolean areSome) {}

    /**
     * The outcome of a transaction: the answer or the exception, and the rows afterwards. Only the decision about a
     * destruction may have neither answer nor exception.
     */
    record Outcome<A>(
            @Nullable A value,
            @Nullable RuntimeException refusal,
            StoredName stored,
            List<NodeState> nodes,
            DatabaseIdentity identity) {
        /**
         * Returns the answer, which every request except a destruction has. A {@link NodeTable} leaves an attach
         * unanswered only if the same {@code NodeTable} object has destroyed the sequencer, and each transaction makes
         * a new object.
         */
        A answer() {
            return Objects.requireNonNull(value);
        }

        /** Returns the grant of a node ID after the transaction. */
        Held held(int nodeId) {
            return new Held(stored.table(), Objects.requireNonNull(presentOf(nodeId, nodes)), stored.losses());
        }
    }

    LeaseTransactions(
            Shard database, LeaseTables tables, TableRules rules, LostGrants lost, long maxNanos, String heldBy) {
        this.database = database;
        this.tables = tables;
        this.rules = rules;
        this.lost = lost;
        this.maxNanos = maxNanos;
        this.heldBy = heldBy;
    }

    /**
     * Decides a request in a transaction of its own. If the reading waits for locks, retries for up to {@code maxNanos}
     * while other transactions conflict. Blocks.
     *
     * @param known the grant that the request is about, as this process last saw it in the database; null if there is
     *     none
     * @param isCurrent returns whether the holder still has that grant; false if another request has begun to release
     *     it
     */
    <A> Outcome<A> decide(
            String subject,
            String name,
            Reading reading,
            @Nullable Held known,
            Predicate<Held> isCurrent,
            Decider<A> decider) {
        long deadlineNanos = System.nanoTime() + maxNanos;
        while (true) {
            try {
                Outcome<A> outcome =
                        call(transaction -> new Turn(transaction, name, reading, known, isCurrent).decide(decider));
                Lifecycle stored = outcome.stored().table().lifecycle();
                long change = stored.definition() == null ? 0 : stored.changeNumber();
                lost.remember(name, outcome.identity(), change);
                if (outcome.refusal() != null) {
                    throw outcome.refusal();
                }
                return outcome;
            } catch (SQLException e) {
                boolean isOver = !reading.waits()
                        || System.nanoTime() - deadlineNanos > 0
                        || Thread.currentThread().isInterrupted();
                if (isOver || !isConflict(e)) {
                    throw failure(subject, e);
                }
                LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(MAX_PAUSE_NANOS));
            }
        }
    }

    /** One attempt: a transaction that decides about a name. */
    private final class Turn {
        private final Transaction transaction;
        private final String name;
        private final Reading reading;
        private final @Nullable Held known;
        private final Predicate<Held> isCurrent;
        private final Committed committed;

        Turn(Transaction transaction, String name, Reading reading, @Nullable Held known, Predicate<Held> isCurrent) {
            this.transaction = transaction;
            this.name = name;
            this.reading = reading;
            this.known = known;
            this.isCurrent = isCurrent;
            this.committed = lost.lastChange(name);
        }

        <A> Outcome<A> decide(Decider<A> decider) throws SQLException {
            DatabaseIdentity identity = lost.identity(transaction);
            StoredName stored = tables.lock(transaction, name, reading.waits()).orElse(null);
            Rows rows = stored == null ? null : reading.read(transaction, stored, identity.nowMillis());
            StoredName locked = rows == null ? null : rows.name();
            List<NodeState> nodes = rows == null ? List.of() : rows.nodes();
            NodeState successor = null;
            String forgotten = forgotten(identity, locked, nodes);
            if (forgotten != null) {
                successor = successorOf(known, nodes);
                identity = lost.note(transaction, identity, forgotten);
            }
            NodeTable table = locked == null ? new NodeTable(name, newTableId()) : restored(locked, nodes);
            long losses = locked == null ? 0 : locked.losses();
            if (losses > identity.losses()) {
                throw new ConflictException("another process has noted a loss of data at the same time", null);
            }
            if (losses < identity.losses()) {
                nodes = successor == null ? List.of() : List.of(successor);
                long waitEnd = Math.max(identity.waitEndMillis(), tables.lockedUntil(transaction, name));
                tables.forget(transaction, name, nodes);
                table.startOver(newTableId(), identity.nowMillis(), waitEnd);
                table = NodeTable.of(table.header(), nodes);
            }
            A answer = null;
            RuntimeException refusal = null;
            try {
                answer = decider.decide(table, identity, rows == null ? rules : rows.rules())
                        .answered();
            } catch (SnowcastNodeIdsExceededException e) {
                refusal = rows != null && rows.areSome()
                        ? reading.exceeded(transaction, rows.name(), identity.nowMillis())
                        : e;
            } catch (SnowcastException | IllegalArgumentException e) {
                refusal = e; // The transaction continues, because it may have to note a loss.
            }
            StoredName after = new StoredName(table.header(), identity.losses());
            write(stored, nodes, after, table.entries());
            return new Outcome<>(answer, refusal, after, table.entries(), identity);
        }

        private NodeTable restored(StoredName locked, List<NodeState> nodes) {
            NodeTable table = NodeTable.of(locked.table(), nodes);
            // A batched renewal raises the version of its node ID's row, but not the name's change number. The next
            // changes must have higher versions.
            table.countAbove(nodes.stream().mapToLong(NodeState::version).reduce(0, Math::max));
            return table;
        }

        /** Returns which commit of this process the database lacks; null if it lacks none. */
        private @Nullable String forgotten(
                DatabaseIdentity identity, @Nullable StoredName locked, List<NodeState> nodes) {
            boolean lacksChange = locked == null || locked.table().lifecycle().changeNumber() < committed.change();
            if (lacksChange && committed.change() > 0 && committed.isOfSameHistory(identity)) {
                return "the last change of " + name + " by this process is missing";
            }
            Held own = known;
            if (own == null
                    || locked == null
                    || own.losses() != identity.losses()
                    || own.mayHaveBecome(locked, presentOf(own.state().logicalNodeId(), nodes))
                    || !isCurrent.test(own)) {
                return null;
            }
            return "the grant of node ID " + own.state().logicalNodeId() + " of " + name
                    + " is not as this process committed it";
        }

        private void write(
                @Nullable StoredName stored, List<NodeState> nodes, StoredName after, List<NodeState> nodesAfter)
                throws SQLException {
            TableHeader table = after.table();
            if (table.lifecycle().definition() == null) {
                return; // The name never existed.
            }
            tables.put(transaction, stored, after);
            Map<Integer, NodeState> former = new HashMap<>();
            nodes.forEach(state -> former.put(state.logicalNodeId(), state));
            for (NodeState state : nodesAfter) {
                NodeState before = former.remove(state.logicalNodeId());
                if (!state.equals(before)) {
                    tables.replace(transaction, table, before, state, heldBy);
                }
            }
            for (NodeState gone : former.values()) {
                tables.delete(transaction, name, gone);
            }
            if (reading.endsRenewals()) {
                tables.touch(transaction, table);
            }
        }
    }

    /** Returns the row of a node ID; null if there is none. */
    private static @Nullable NodeState presentOf(int nodeId, List<NodeState> nodes) {
        return nodes.stream()
                .filter(state -> state.logicalNodeId() == nodeId)
                .findFirst()
                .orElse(null);
    }

    /** Returns the grant that now has the node ID of a lost grant; null if there is none. */
    private static @Nullable NodeState successorOf(@Nullable Held forgotten, List<NodeState> nodes) {
        if (forgotten == null) {
            return null;
        }
        NodeState present = presentOf(forgotten.state().logicalNodeId(), nodes);
        boolean isOther = present != null
                && present.leased()
                && !present.token().equals(forgotten.state().token());
        return isOther ? present : null;
    }

    private static long newTableId() {
        return UUID.randomUUID().getLeastSignificantBits();
    }

    // --- transactions

    interface Work<T> {
        T in(Transaction transaction, DatabaseIdentity identity) throws SQLException;
    }

    private record Done<T>(T result, DatabaseIdentity identity) {}

    /** Runs work in a transaction that first notes a loss if the database shows one. Blocks. */
    <T> T withIdentity(Work<T> work) throws SQLException {
        Done<T> done = call(transaction -> {
            DatabaseIdentity identity = lost.identity(transaction);
            return new Done<>(work.in(transaction, identity), identity);
        });
        lost.remember(done.identity());
        return done.result();
    }

    <T> T call(Shard.Work<T> work) throws SQLException {
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

    /** Returns whether another transaction conflicted, so that a retry may succeed. */
    static boolean isConflict(SQLException e) {
        return ConflictException.SERIALIZATION_FAILURE.equals(e.getSQLState());
    }

    /** Returns the exception for the caller: a {@link SnowcastUnavailableException} if the failure may be temporary. */
    static RuntimeException failure(String subject, SQLException e) {
        String advice = PermanentFailure.advice(e, "JdbcSnowcast.createTables").orElse(null);
        return advice == null
                ? new SnowcastUnavailableException(
                        subject + ": the database cannot be reached or refuses: " + e.getMessage(), e)
                : new SnowcastException(subject + ": the database refuses; " + advice, e);
    }
}
