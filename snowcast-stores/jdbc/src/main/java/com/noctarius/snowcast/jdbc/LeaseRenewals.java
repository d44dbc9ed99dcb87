// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.internal.owner.NodeTable;
import com.noctarius.snowcast.internal.owner.RenewReply;
import com.noctarius.snowcast.internal.owner.RenewRequest;
import com.noctarius.snowcast.internal.owner.TableRules;
import com.noctarius.snowcast.jdbc.LeaseTables.DatabaseIdentity;
import com.noctarius.snowcast.jdbc.LeaseTables.Renewal;
import com.noctarius.snowcast.jdbc.LeaseTransactions.Held;
import com.noctarius.snowcast.jdbc.LeaseTransactions.Outcome;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Renews leases of node IDs in a database: all leases whose rows are unchanged in one transaction, and then the others
 * one by one. {@link JdbcCoordinator} says why a decision from an old row is safe. Thread-safe.
 */
final class LeaseRenewals {
    /**
     * The maximum time for which a call retries failed renewals, for example of locked names. Meanwhile the call
     * returns none of its replies.
     */
    private static final long MAX_BUSY_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** After this time, a call that renews grants one by one, for example after a loss, begins no further renewal. */
    private static final long MAX_OTHERS_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final LeaseTransactions transactions;
    private final LeaseTables tables;
    private final TableRules rules;
    private final Map<UUID, Held> heldByHolder;
    private final long maxBusyNanos;

    /**
     * @param heldByHolder the last grant of each holder, as this process last read or wrote it in the database
     * @param maxNanos how long a decision is retried while other transactions conflict
     */
    LeaseRenewals(
            LeaseTransactions transactions,
            LeaseTables tables,
            TableRules rules,
            Map<UUID, Held> heldByHolder,
            long maxNanos) {
        this.transactions = transactions;
        this.tables = tables;
        this.rules = rules;
        this.heldByHolder = heldByHolder;
        this.maxBusyNanos = Math.min(maxNanos, MAX_BUSY_NANOS);
    }

    /** Renews as many leases as it can; the reply to each other request is null. Blocks. */
    List<@Nullable RenewReply> renew(List<RenewRequest> requests) {
        Map<RenewRequest, RenewReply> replies = new HashMap<>(renewHeld(requests));
        List<RenewRequest> others = new ArrayList<>(requests);
        others.removeAll(replies.keySet());
        long startNanos = System.nanoTime();
        RuntimeException failure = null;
        while (!others.isEmpty()) {
            failure = null;
            for (RenewRequest request : List.copyOf(others)) {
                if (System.nanoTime() - startNanos > MAX_OTHERS_NANOS) {
                    break; // The caller retries the other renewals; the replies so far must not be late.
                }
                try {
                    replies.put(request, renewSingly(request));
                    others.remove(request);
                } catch (RuntimeException e) {
                    failure = e; // A name that another transaction has locked must not make all renewals fail.
                }
            }
            if (System.nanoTime() - startNanos > maxBusyNanos) {
                break;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        if (failure != null && replies.isEmpty()) {
            throw failure;
        }
        return requests.stream().<@Nullable RenewReply>map(replies::get).toList();
    }

    /** Renews, in one transaction, the grants whose rows are unchanged and not locked; returns the replies. */
    private Map<RenewRequest, RenewReply> renewHeld(List<RenewRequest> requests) {
        List<Renewal> written;
        try {
            written = transactions
                    .withIdentity((transaction, identity) -> tables.update(transaction, renewals(identity, requests)))
                    .items();
        } catch (SQLException e) {
            if (LeaseTransactions.isConflict(e)) {
                return Map.of();
            }
            throw LeaseTransactions.failure("the renewal of leases", e);
        }
        Map<RenewRequest, RenewReply> replies = new HashMap<>();
        for (Renewal renewal : written) {
            replace(renewal.before(), renewal.after());
            long ceiling = renewal.after().state().ceiling();
            replies.put(renewal.request(), new RenewReply(RenewReply.Outcome.RENEWED, ceiling));
        }
        return replies;
    }

    private List<Renewal> renewals(DatabaseIdentity identity, List<RenewRequest> requests) {
        List<Renewal> renewals = new ArrayList<>();
        for (RenewRequest request : requests) {
            Held held = heldFor(request);
            if (held == null || held.losses() != identity.losses()) {
                continue;
            }
            NodeTable table = held.tableOfOne();
            RenewReply reply = table.renew(request, identity.nowMillis(), rules).answer();
            if (reply.outcome() == RenewReply.Outcome.RENEWED) {
                renewals.add(new Renewal(request, held, Held.of(table, identity.losses())));
            }
        }
        return renewals;
    }

    private RenewReply renewSingly(RenewRequest request) {
        Held held = heldFor(request);
        Outcome<RenewReply> outcome = transactions.decide(
                request.definition().called(request.name()),
                request.name(),
                new JdbcCoordinator.One(tables, rules, request.logicalNodeId(), false),
                held,
                this::isCurrent,
                (table, now, ofRows) -> table.renew(request, timeFor(request, table, now), ofRows));
        RenewReply reply = outcome.answer();
        if (reply.outcome() == RenewReply.Outcome.RENEWED) {
            replace(held, outcome.held(request.logicalNodeId()));
        } else if (held != null) {
            heldByHolder.remove(request.holder(), held);
        }
        return reply;
    }

    /**
     * Returns the time by which a table renews a grant, or restores it after a loss. If this process's clocks lag, a
     * grant that they show as running may have ended, and its node ID may have been granted again before the loss.
     */
    private static long timeFor(RenewRequest request, NodeTable table, DatabaseIdentity now) {
        boolean isHeld = table.entries().stream()
                .anyMatch(state -> state.leased() && state.token().equals(request.token()));
        return isHeld ? now.nowMillis() : now.latestMillis();
    }

    /**
     * Returns the grant to renew, as this process last saw it; null if it is unknown, or if the holder has another node
     * ID by now.
     */
    private @Nullable Held heldFor(RenewRequest request) {
        Held held = heldByHolder.get(request.holder());
        return held == null || held.state().logicalNodeId() != request.logicalNodeId() ? null : held;
    }

    /** Replaces a holder's grant by {@code after}, unless another thread has released or replaced {@code before}. */
    private void replace(@Nullable Held before, Held after) {
        heldByHolder.computeIfPresent(
                after.state().holder(), (holder, present) -> present.equals(before) ? after : present);
    }

    /** Returns whether the holder still has this grant. If not, another holder may have got the node ID. */
    private boolean isCurrent(Held held) {
        Held present = heldByHolder.get(held.state().holder());
        return present != null && present.state().token().equals(held.state().token());
    }
}
