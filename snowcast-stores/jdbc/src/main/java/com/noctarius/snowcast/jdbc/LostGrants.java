// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.internal.owner.TableRules;
import com.noctarius.snowcast.jdbc.LeaseTables.DatabaseIdentity;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Detects that the database may have lost grants, and notes the loss in its tables. Thread-safe.
 *
 * <p>Each of these is the sign of a loss:
 *
 * <ul>
 *   <li>The identity of the server is not the identity in the tables, unless the tables are new and unused.
 *   <li>The tables have the mark of a restore.
 *   <li>The tables lack a noted loss that this process has seen.
 *   <li>The tables lack a change that this process has committed, as {@link LeaseTransactions} detects.
 * </ul>
 *
 * <p>After a loss, the grants of all names count as lost. No node ID is granted until all grants that may have been
 * lost have expired. Until then, the renewal of a lost grant restores the grant if enough of its lease is left.
 */
final class LostGrants {
    /** After a loss, {@link DatabaseIdentity#losses} is the next multiple of this, plus a random part below this. */
    static final long LOSS = 1L << 32;

    private final LeaseTables tables;
    private final TableRules rules;
    private final DatabaseTime time;
    private final System.Logger logger;
    /** The last change of each name that this process has committed. */
    private final Map<String, Committed> lastChanges = new ConcurrentHashMap<>();

    private final Set<String> warnings = ConcurrentHashMap.newKeySet();
    /** The server and the losses in the latest committed transaction; the change number is not used. */
    private volatile Committed last = Committed.NOTHING;

    /**
     * A change that this process has committed, with the server and the number of losses at that time.
     *
     * @param change the change number of the name; 0 if only the server and the losses are known
     */
    record Committed(String serverId, long losses, long change) {
        private static final Committed NOTHING = new Committed("", 0, 0);

        private Committed orLater(Committed other) {
            boolean isEarlier = other.losses < losses || (other.losses == losses && other.change < change);
            return isEarlier && other.serverId.equals(serverId) ? this : other;
        }

        /**
         * Returns whether no loss was noted after this change. If so, tables that lack this change show a new loss. If
         * not, the noted loss explains why they lack it.
         */
        boolean isOfSameHistory(DatabaseIdentity identity) {
            return serverId.equals(identity.serverId()) && losses == identity.losses();
        }
    }

    LostGrants(LeaseTables tables, TableRules rules, DatabaseTime time, System.Logger logger) {
        this.tables = tables;
        this.rules = rules;
        this.time = time;
        this.logger = logger;
    }

    static void requireDurable(Transaction transaction) throws SQLException {
        for (String loss : ShardCheck.losses(transaction)) {
            throw new ShardMismatchException("node IDs are not leased from a database with " + loss);
        }
    }

    /** Reads the identity and losses of the database, and notes a loss if they show one. */
    DatabaseIdentity identity(Transaction transaction) throws SQLException {
        requireDurable(transaction);
        Committed known = last;
        boolean isKnown = !known.equals(Committed.NOTHING);
        if (!isKnown) {
            ShardCheck.warnOfRisk("the database of " + tables.prefix() + "_nodes", "node IDs", transaction, warnings);
        }
        DatabaseIdentity asked = tables.identity(transaction);
        DatabaseIdentity read = asked.at(time.at(asked.nowMillis()));
        boolean isSame = read.serverId().equals(known.serverId());
        // A process that notes a change of the server raises the number of losses. If the server has changed, but the
        // number is not above the known one, this note was lost, for example because the tables were created again.
        boolean isSetBack = isSame ? read.losses() < known.losses() : read.losses() <= known.losses();
        if (isKnown && isSetBack) {
            return note(transaction, read, "it lacks the last loss that this process has seen");
        }
        boolean isUnused = read.isNew() && tables.areUnused(transaction);
        if (read.isOnAnotherServer() && !isUnused) {
            return note(
                    transaction, read, "it is on another server, is a copy, was restored, or is marked as restored");
        }
        DatabaseIdentity seen = read.seenBy(rules.leaseMillis());
        return seen.equals(read) ? read : tables.replace(transaction, read, seen);
    }

    /**
     * Notes that the database may have lost grants; returns the new identity and losses.
     *
     * @param reason the sign of the loss, for the log
     */
    DatabaseIdentity note(Transaction transaction, DatabaseIdentity read, String reason) throws SQLException {
        long lease = Math.max(read.leaseMillis(), rules.leaseMillis());
        long until = read.latestMillis() + rules.lossWaitMillis() - rules.leaseMillis() + lease;
        DatabaseIdentity next = new DatabaseIdentity(
                read.present(),
                afterLoss(Math.max(read.losses(), last.losses())),
                Math.max(read.waitEndMillis(), until),
                lease,
                read.present(),
                read.nowMillis(),
                read.latestMillis());
        logger.log(
                System.Logger.Level.WARNING,
                "The database may have forgotten which node IDs it has granted: {0}. The stored server is {1}, the"
                        + " present one {2}. A holder keeps its node ID if more than {3} of its lease is left when it"
                        + " renews; no other node ID is granted until {4}",
                reason,
                read.serverId(),
                read.present(),
                Duration.ofMillis(rules.maxSkewMillis()),
                Instant.ofEpochMilli(next.waitEndMillis()));
        if (tables.integers().exist(transaction)) {
            // The user of this connection may lack the privilege to change these tables.
            transaction.attempt(
                    () -> SharedLosses.mark(transaction, tables.integers().database()));
        }
        return tables.replace(transaction, read, next);
    }

    /**
     * Returns the next number of losses. It has a random part, so that losses that are noted in two restored states of
     * the database get different numbers.
     */
    private static long afterLoss(long losses) {
        return (losses / LOSS + 1) * LOSS + ThreadLocalRandom.current().nextLong(LOSS);
    }

    /**
     * Returns the last change of a name that this process has committed. Must run before the name is read, because
     * otherwise a commit in between would look lost.
     */
    Committed lastChange(String name) {
        return lastChanges.getOrDefault(name, Committed.NOTHING);
    }

    /** Remembers the identity and the losses that a committed transaction has read or written. */
    synchronized void remember(DatabaseIdentity committed) {
        last = last.orLater(new Committed(committed.serverId(), committed.losses(), 0));
    }

    /** Remembers the change number of a name in a committed transaction. */
    void remember(String name, DatabaseIdentity committed, long change) {
        lastChanges.merge(name, new Committed(committed.serverId(), committed.losses(), change), Committed::orLater);
        remember(committed);
    }
}
