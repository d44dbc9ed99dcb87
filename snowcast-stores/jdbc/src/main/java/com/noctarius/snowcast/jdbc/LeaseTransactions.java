// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastNodeIdsExceededException;
import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.internal.owner.Decision;
import com.noctarius.snowcast.internal.owner.Lifecycle;
import com.noctarius.snowcast.internal.owner.NodeState;
import com.noctarius.snowcast.internal.owner.NodeTable;
import com.noctarius.snowcast.internal.owner.OwnerContext;
import com.noctarius.snowcast.internal.owner.TableHeader;
import com.noctarius.snowcast.internal.owner.TableRules;
import com.noctarius.snowcast.jdbc.LeaseTables.ConflictException;
import com.noctarius.snowcast.jdbc.LeaseTables.Ledger;
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
 * Decides about a name of a database in a transaction that has locked its row: what the owner of a partition decides in
 * a cluster, the same class decides here. Thread-safe.
 */
final class LeaseTransactions {
    private static final long MAX_PAUSE_NANOS = 20_000_000;

    private final Shard database;
    private final LeaseTables tables;
    private final TableRules rules;
    private final LostGrants lost;
    /** How long a decision is tried again while other transactions are in the way. */
    private final long maxNanos;
    /** What people know the holders of this process by. */
    private final String heldBy;

    /** A grant as the database had it: the name with only its node ID, and what it said of losses. */
    record Held(TableHeader table, NodeState state, long losses) {
        static Held of(NodeTable tableOfOne, long losses) {
            return new Held(tableOfOne.header(), tableOfOne.entries().get(0), losses);
        }

        NodeTable tableOfOne() {
            return NodeTable.of(table, List.of(state));
        }

        /**
         * Whether a database that has forgotten nothing since may have these rows: two grants never share a moment, so
         * another holder's begins where this one ends. No clock decides.
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
                boolean isGivenBack = !present.attached();
                return present.version() >= state.version() && (isGivenBack || present.ceiling() >= state.ceiling());
            }
            return present.floor() >= state.ceiling();
        }
    }

    /** What is decided in a transaction, by the rows that were read. */
    interface Decider<A> {
        Decision<A> decide(NodeTable table, OwnerContext owner, TableRules rules);
    }

    /** Which node IDs of a name a decision needs. */
    interface Reading {
        Rows read(Transaction transaction, StoredName stored, long nowMillis) throws SQLException;

        /** Whether it waits for another transaction about the name. */
        default boolean waits() {
            return true;
        }

        /** Whether every extension that was decided before has to fail. */
        default boolean endsExtensions() {
            return false;
        }

        /** Returns why no node ID can be granted, where only some were read. */
        default RuntimeException exceeded(Transaction transaction, StoredName name, long nowMillis)
                throws SQLException {
            throw new IllegalStateException("all node IDs of " + name.table().name() + " were read");
        }
    }

    /**
     * What was read.
     *
     * @param rules by which the table decides about these
     * @param areSome whether there may be others that are free
     */
    record Rows(StoredName name, List<NodeState> nodes, TableRules rules, boolean areSome) {}

    /** What a transaction has decided: an answer, or why there is none. */
    record Outcome<A>(
            @Nullable A value,
            @Nullable RuntimeException refusal,
            StoredName stored,
            List<NodeState> nodes,
            Ledger ledger) {
        A answer() {
            return Objects.requireNonNull(value);
        }
    }

    LeaseTransactions(
            Shard database, LeaseTables tables, TableRules rules, DatabaseTime time, long maxNanos, String heldBy) {
        this.database = database;
        this.tables = tables;
        this.rules = rules;
        this.lost = new LostGrants(tables, rules, time);
        this.maxNanos = maxNanos;
        this.heldBy = heldBy;
    }

    /** Returns who decides, and the earliest and the latest time that it may be. */
    OwnerContext owner(Ledger ledger) {
        return new OwnerContext(ledger.nowMillis(), ledger.nowMillis() + rules.maxSkewMillis());
    }

    /**
     * Decides in a transaction of its own, and again while other transactions change the same rows. Blocks.
     *
     * @param known the grant that the database had last, if the request is about one
     * @param isCurrent whether its holder has not begun to give that grant back by another request
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
                lost.remember(name, outcome.ledger(), change);
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

    /** One transaction that decides about a name. */
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
            Ledger ledger = lost.ledger(transaction);
            StoredName stored = tables.lock(transaction, name, reading.waits()).orElse(null);
            Rows rows = stored == null ? null : reading.read(transaction, stored, ledger.nowMillis());
            StoredName locked = rows == null ? null : rows.name();
            List<NodeState> nodes = rows == null ? List.of() : rows.nodes();
            NodeState successor = null;
            String forgotten = forgotten(ledger, locked, nodes);
            if (forgotten != null) {
                successor = successorOf(known, nodes);
                ledger = lost.note(transaction, ledger, forgotten);
            }
            NodeTable table = locked == null ? new NodeTable(name, newTableId()) : restored(locked, nodes);
            long losses = locked == null ? 0 : locked.losses();
            if (losses > ledger.losses()) {
                throw new ConflictException("the database was found to have forgotten something at this moment", null);
            }
            if (losses < ledger.losses()) {
                nodes = successor == null ? List.of() : List.of(successor);
                tables.forget(transaction, name, nodes);
                table.recover(newTableId(), ledger.nowMillis(), ledger.lostUntilMillis() - ledger.nowMillis());
                table = NodeTable.of(table.header(), nodes);
            }
            A answer = null;
            RuntimeException refusal = null;
            try {
                answer = decider.decide(table, owner(ledger), rows == null ? rules : rows.rules())
                        .answered();
            } catch (SnowcastNodeIdsExceededException e) {
                refusal = rows != null && rows.areSome()
                        ? reading.exceeded(transaction, rows.name(), ledger.nowMillis())
                        : e;
            } catch (SnowcastException | IllegalArgumentException e) {
                refusal = e; // The transaction goes on, since a loss is to be noted.
            }
            StoredName after = new StoredName(table.header(), ledger.losses());
            write(stored, nodes, after, table.entries());
            return new Outcome<>(answer, refusal, after, table.entries(), ledger);
        }

        private NodeTable restored(StoredName locked, List<NodeState> nodes) {
            NodeTable table = NodeTable.of(locked.table(), nodes);
            // An extension changes its row only.
            table.countAbove(nodes.stream().mapToLong(NodeState::version).reduce(0, Math::max));
            return table;
        }

        /** Returns what this process has committed that the database does not have; null if it has all. */
        private @Nullable String forgotten(Ledger ledger, @Nullable StoredName locked, List<NodeState> nodes) {
            boolean lacksChange = locked == null || locked.table().lifecycle().changeNumber() < committed.change();
            if (lacksChange && committed.change() > 0 && committed.isOfSameHistory(ledger)) {
                return "it has not the last change of " + name + " by this process";
            }
            Held own = known;
            if (own == null
                    || locked == null
                    || own.losses() != ledger.losses()
                    || own.mayHaveBecome(locked, presentOf(own, nodes))
                    || !isCurrent.test(own)) {
                return null;
            }
            return "it has not the grant of node ID " + own.state().logicalNodeId() + " of " + name
                    + " as this process had committed it";
        }

        private void write(
                @Nullable StoredName stored, List<NodeState> nodes, StoredName after, List<NodeState> nodesAfter)
                throws SQLException {
            TableHeader table = after.table();
            if (table.lifecycle().definition() == null) {
                return; // Such a name there never was.
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
            if (reading.endsExtensions()) {
                tables.touch(transaction, table);
            }
        }
    }

    /** Returns what the database has of a grant's node ID. */
    private static @Nullable NodeState presentOf(Held held, List<NodeState> nodes) {
        int nodeId = held.state().logicalNodeId();
        return nodes.stream()
                .filter(state -> state.logicalNodeId() == nodeId)
                .findFirst()
                .orElse(null);
    }

    /** Returns the grant of another holder that took the place of one which the database has forgotten. */
    private static @Nullable NodeState successorOf(@Nullable Held forgotten, List<NodeState> nodes) {
        if (forgotten == null) {
            return null;
        }
        NodeState present = presentOf(forgotten, nodes);
        boolean isOther = present != null
                && present.attached()
                && !present.token().equals(forgotten.state().token());
        return isOther ? present : null;
    }

    private static long newTableId() {
        return UUID.randomUUID().getLeastSignificantBits();
    }

    // --- transactions

    /** What is done in a transaction with what the database knows of itself. */
    interface Work<T> {
        T in(Transaction transaction, Ledger ledger) throws SQLException;
    }

    private record Done<T>(T result, Ledger ledger) {}

    /** Does something in a transaction that has noted a loss where the database shows one. Blocks. */
    <T> T withLedger(Work<T> work) throws SQLException {
        Done<T> done = call(transaction -> {
            Ledger ledger = lost.ledger(transaction);
            return new Done<>(work.in(transaction, ledger), ledger);
        });
        lost.remember(done.ledger());
        return done.result();
    }

    /** Does something in a transaction. Blocks. */
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

    /** Whether another transaction was in the way: the same again may succeed. */
    static boolean isConflict(SQLException e) {
        return ConflictException.SERIALIZATION_FAILURE.equals(e.getSQLState());
    }

    /** Returns what a caller gets of a failure: whether it may pass is said by its class. */
    static RuntimeException failure(String subject, SQLException e) {
        String advice = PermanentFailure.advice(e, "JdbcSnowcast.createTables").orElse(null);
        return advice == null
                ? new SnowcastUnavailableException(
                        subject + ": the database cannot be reached or refuses: " + e.getMessage(), e)
                : new SnowcastException(subject + ": the database refuses; " + advice, e);
    }
}
