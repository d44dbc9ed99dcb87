// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.internal.base.Clock;
import com.noctarius.snowcast.internal.leases.Coordinator;
import com.noctarius.snowcast.internal.owner.AttachRequest;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.DetachRequest;
import com.noctarius.snowcast.internal.owner.Grant;
import com.noctarius.snowcast.internal.owner.NodeIdCounts;
import com.noctarius.snowcast.internal.owner.NodeTable;
import com.noctarius.snowcast.internal.owner.RenewReply;
import com.noctarius.snowcast.internal.owner.RenewRequest;
import com.noctarius.snowcast.internal.owner.TableRules;
import com.noctarius.snowcast.jdbc.LeaseTables.DatabaseIdentity;
import com.noctarius.snowcast.jdbc.LeaseTables.InUse;
import com.noctarius.snowcast.jdbc.LeaseTables.Nodes;
import com.noctarius.snowcast.jdbc.LeaseTables.Release;
import com.noctarius.snowcast.jdbc.LeaseTables.StoredName;
import com.noctarius.snowcast.jdbc.LeaseTransactions.Held;
import com.noctarius.snowcast.jdbc.LeaseTransactions.Outcome;
import com.noctarius.snowcast.jdbc.LeaseTransactions.Reading;
import com.noctarius.snowcast.jdbc.LeaseTransactions.Rows;
import com.noctarius.snowcast.status.ClusterStatus;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Grants, renews and releases leases of node IDs in tables of a database.
 *
 * <p>Renewals and releases are optimistic: this process decides each request from the row as it last read or wrote it,
 * and writes the decision only if the row is unchanged. It locks the rows only to write them, and skips rows that other
 * transactions have locked. If it does not know the row of a request, or could not write the decision, it locks the row
 * of the name, and decides that request in the same transaction. A decision from an old row is safe for these reasons:
 *
 * <ul>
 *   <li>A transaction that takes a node ID from its holder or destroys a sequencer changes or deletes the row, so the
 *       decision is not written.
 *   <li>A transaction that notes a loss of data changes the rows of at most one name; the rows of each other name
 *       change in the next transaction that locks that name. Therefore this process uses an old row only if the
 *       {@linkplain LeaseTables.DatabaseIdentity#losses number of losses} is the same as when the process last read or
 *       wrote the row.
 *   <li>The number of losses is read without a lock, so a loss may be noted before the renewal is committed. After a
 *       loss, no node ID is granted for a time: the longest lease, plus twice the maximum clock skew, plus the call
 *       time-out. By the end of this time, the transaction of the renewal and the renewed lease have ended. The commit
 *       of the note itself may take effect later than that, and leases are renewed meanwhile. Therefore a name also
 *       waits for the end of each lease in the rows that the next transaction on the name deletes.
 * </ul>
 *
 * <p>Thread-safe.
 */
final class JdbcCoordinator implements Coordinator {
    private final LeaseTransactions transactions;
    private final LeaseTables tables;
    private final TableRules rules;
    private final LeaseRenewals renewals;
    /** The last grant of each holder, as this process last read or wrote it in the database. */
    private final Map<UUID, Held> heldByHolder = new ConcurrentHashMap<>();

    /**
     * @param clock this process's clock, which is compared with the database's clock; null to use the database's clock
     *     alone
     * @param maxNanos how long a decision is retried while other transactions conflict
     * @param heldBy the display name of this process's holders
     * @param logger receives warnings of lost grants, and of a wrong clock of the database
     */
    JdbcCoordinator(
            Shard database,
            LeaseTables tables,
            TableRules rules,
            @Nullable Clock clock,
            long maxNanos,
            String heldBy,
            System.Logger logger) {
        DatabaseTime time = new DatabaseTime(clock, rules.maxSkewMillis(), logger);
        LostGrants lost = new LostGrants(tables, rules, time, logger);
        this.transactions = new LeaseTransactions(database, tables, rules, lost, maxNanos, heldBy);
        this.tables = tables;
        this.rules = rules;
        this.renewals = new LeaseRenewals(transactions, tables, rules, heldByHolder, maxNanos);
    }

    SharedLosses losses() {
        return new SharedLosses(tables, transactions);
    }

    // --- requests of holders

    @Override
    public @Nullable Grant attach(AttachRequest request) {
        Held known = heldByHolder.remove(request.holder());
        Outcome<Optional<Grant>> outcome = transactions.decide(
                request.definition().called(request.name()),
                request.name(),
                new AttachReading(tables, rules, request, known),
                known,
                held -> true,
                (table, now, ofRows) -> table.attach(request, now.nowMillis(), ofRows));
        Grant grant = outcome.answer().orElse(null);
        if (grant != null) {
            heldByHolder.put(request.holder(), outcome.held(grant.logicalNodeId()));
        }
        return grant;
    }

    @Override
    public CompletionStage<List<@Nullable RenewReply>> renew(List<RenewRequest> requests) {
        return CompletableFuture.supplyAsync(() -> renewals.renew(requests), Shard.THREADS);
    }

    @Override
    public void detach(Collection<DetachRequest> requests) {
        detach(requests, new AtomicInteger());
    }

    /** @param released counts the released node IDs */
    private void detach(Collection<DetachRequest> requests, AtomicInteger released) {
        Map<DetachRequest, Held> known = new HashMap<>();
        for (DetachRequest request : requests) {
            Held held = heldByHolder.remove(request.token().holder());
            if (held != null) {
                known.put(request, held);
            }
        }
        List<DetachRequest> others = new ArrayList<>(requests);
        others.removeAll(detachHeld(known));
        released.addAndGet(requests.size() - others.size());
        RuntimeException failure = null;
        for (DetachRequest request : others) {
            try {
                transactions.decide(
                        "node ID " + request.logicalNodeId() + " of " + request.name(),
                        request.name(),
                        new One(tables, rules, request.logicalNodeId(), true),
                        known.get(request),
                        held -> true,
                        (table, now, ofRows) -> table.detach(request));
                released.incrementAndGet();
            } catch (RuntimeException e) {
                failure = e; // Release the other node IDs, too.
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /**
     * Releases, in one transaction, the node IDs whose rows are unchanged and not locked; returns the requests that
     * were carried out.
     */
    private Set<DetachRequest> detachHeld(Map<DetachRequest, Held> known) {
        Transaction.Updated<Release> released = new Transaction.Updated<>(List.of(), false);
        try {
            released = transactions.withIdentity(
                    (transaction, identity) -> tables.update(transaction, releases(identity, known)));
        } catch (SQLException e) {
            if (LeaseTransactions.isConflict(e)) {
                return Set.of(); // Nothing was committed.
            }
        }
        if (!released.areCounted()) {
            // The other releases may be committed, too, because the call failed, or because the driver does not count
            // the changed rows of a batch. So missing grants are no sign of a loss when the caller releases the rest
            // singly.
            known.clear();
        }
        return released.items().stream().map(Release::request).collect(Collectors.toSet());
    }

    private static List<Release> releases(DatabaseIdentity identity, Map<DetachRequest, Held> known) {
        List<Release> releases = new ArrayList<>();
        known.forEach((request, held) -> {
            NodeTable table = held.tableOfOne();
            boolean isSame =
                    held.losses() == identity.losses() && held.state().logicalNodeId() == request.logicalNodeId();
            if (isSame && Boolean.TRUE.equals(table.detach(request).answer())) {
                releases.add(new Release(request, held, Held.of(table, identity.losses())));
            }
        });
        return releases;
    }

    @Override
    public void detachWithin(Collection<DetachRequest> requests, long atMostMillis) {
        if (requests.isEmpty()) {
            return;
        }
        AtomicInteger released = new AtomicInteger();
        CompletableFuture<Void> detached = CompletableFuture.runAsync(() -> detach(requests, released), Shard.THREADS);
        try {
            TimedTransaction.get(detached, Duration.ofMillis(atMostMillis));
        } catch (ExecutionException | TimeoutException e) {
            String reason = e instanceof TimeoutException
                    ? "it did not answer within " + atMostMillis + " ms"
                    : String.valueOf(e.getMessage());
            throw new SnowcastUnavailableException(
                    "the database released " + released.get() + " of " + requests.size() + " node IDs: " + reason, e);
        }
    }

    @Override
    public boolean destroy(String name, long incarnation) {
        Outcome<Boolean> outcome = transactions.decide(
                "sequencer " + name,
                name,
                new AllLocked(tables, rules),
                null,
                held -> true,
                (table, now, ofRows) -> table.destroy(incarnation, now.nowMillis()));
        Boolean isDestroyed = outcome.value();
        if (isDestroyed == null) {
            throw new SnowcastUnavailableException(
                    "sequencer " + name
                            + ": the database may have lost it a moment ago, and a holder may restore it; try"
                            + " later",
                    null);
        }
        return isDestroyed;
    }

    /**
     * Reads the row of a node ID. If the sequencer is destroyed, reads the rows of all its node IDs, because these rows
     * show which IDs the sequencer may have issued.
     */
    record One(LeaseTables tables, TableRules rules, int nodeId, boolean waits) implements Reading {
        @Override
        public Rows read(Transaction transaction, StoredName stored, long nowMillis) throws SQLException {
            boolean isAlive = stored.table().lifecycle().isAlive();
            Nodes one = isAlive ? Nodes.only(nodeId) : Nodes.ALL;
            Nodes wanted = waits ? one : one.lockedAtOnce();
            return new Rows(stored, tables.nodes(transaction, stored.table(), wanted), rules, false);
        }
    }

    private record AllLocked(LeaseTables tables, TableRules rules) implements Reading {
        @Override
        public Rows read(Transaction transaction, StoredName stored, long nowMillis) throws SQLException {
            return new Rows(stored, tables.nodes(transaction, stored.table(), Nodes.ALL_LOCKED), rules, false);
        }

        @Override
        public boolean endsRenewals() {
            return true;
        }
    }

    void createTables() {
        String subject = "the tables " + tables.prefix() + "_*";
        for (int attempt = 1; ; attempt++) {
            try {
                transactions.call(transaction -> {
                    LostGrants.requireDurable(transaction);
                    tables.create(transaction);
                    return true;
                });
                return;
            } catch (SQLException e) {
                if (PermanentFailure.isOfRights(e) && haveTables()) {
                    return;
                }
                // Try twice, because IF NOT EXISTS may fail if another process creates the same table at the same time.
                if (attempt == 2) {
                    throw LeaseTransactions.failure(subject, e);
                }
            }
        }
    }

    /** Returns whether this user can read the three tables. A user with more privileges may have created them. */
    private boolean haveTables() {
        try {
            return transactions.call(transaction -> {
                boolean unused = tables.areUnused(transaction);
                List<StoredName> some = tables.names(transaction, 1);
                return tables.identity(transaction).nowMillis() > 0 && some.size() <= 1;
            });
        } catch (SQLException e) {
            return false;
        }
    }

    /** Reads which holder has which node ID. Changes nothing, so the privilege {@code SELECT} is enough. */
    ClusterStatus status(List<ClusterStatus.Integers> integers) {
        try {
            return transactions.call(transaction -> {
                DatabaseIdentity identity = tables.identity(transaction);
                List<ClusterStatus.Sequencer> sequencers = LeaseStatus.read(transaction, tables, identity, rules);
                Instant now = Instant.ofEpochMilli(identity.nowMillis());
                return new ClusterStatus(
                        now,
                        sequencers.subList(0, Math.min(sequencers.size(), ClusterStatus.MAX_SEQUENCERS)),
                        sequencers.size(),
                        integers,
                        List.of());
            });
        } catch (SQLException e) {
            throw LeaseTransactions.failure("the status", e);
        }
    }

    /**
     * Counts the node IDs in use of all given names with one query, after a query of the identity. Returns an empty map
     * if the stored identity is not the present one, for example because no process has noted a loss yet.
     */
    @Override
    public CompletionStage<Map<String, NodeIdCounts>> count(Set<String> names, Map<String, Definition> definitions) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return transactions.call(transaction -> {
                            DatabaseIdentity identity = tables.identity(transaction);
                            return identity.isOnAnotherServer()
                                    ? Map.of()
                                    : counts(definitions, tables.inUse(transaction, names, identity.nowMillis()));
                        });
                    } catch (SQLException e) {
                        throw LeaseTransactions.failure("the count of node IDs", e);
                    }
                },
                Shard.THREADS);
    }

    private Map<String, NodeIdCounts> counts(Map<String, Definition> definitions, Map<String, InUse> inUse) {
        Map<String, NodeIdCounts> counts = new HashMap<>();
        definitions.forEach((name, definition) -> {
            InUse ofName = inUse.getOrDefault(name, new InUse(name, 0, 0, 0));
            counts.put(name, new NodeIdCounts(ofName.attached(), ofName.expiring(), rules.nodeIdCount(definition)));
        });
        return counts;
    }
}
