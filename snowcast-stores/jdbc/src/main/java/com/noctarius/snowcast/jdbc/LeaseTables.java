// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.internal.jdbc.TableNames;
import com.noctarius.snowcast.internal.owner.DetachRequest;
import com.noctarius.snowcast.internal.owner.NodeState;
import com.noctarius.snowcast.internal.owner.RenewRequest;
import com.noctarius.snowcast.internal.owner.TableHeader;
import com.noctarius.snowcast.jdbc.LeaseTransactions.Held;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The lease tables of a {@link JdbcSnowcast}, with the statements on these tables. */
record LeaseTables(String prefix) {
    private static final Pattern DEFAULT_PREFIX = Pattern.compile("\\bsnowcast_");

    /** Written by a migration script in place of the identity, which the script cannot determine. */
    static final String NEW = "new";

    /** PostgreSQL's SQL state for a missing table. */
    private static final String NO_TABLE = "42P01";

    private static final int LOCKED_AT_ONCE = 50;

    /**
     * The identity of the database, and its record of losses.
     *
     * @param serverId the identity that the database had when a process last checked it, or a mark: {@link #NEW} or
     *     {@link SharedLosses#RESTORED}
     * @param losses a number that increases when the database may have lost grants, see {@link LostGrants#LOSS}
     * @param waitEndMillis the time until which no node ID is granted after the last loss
     * @param leaseMillis the longest lease of any process that has checked the database
     * @param present the present identity of the database
     * @param nowMillis the time, by the clock of the database or by {@link DatabaseTime}
     * @param latestMillis the later one of both times. After a suspension of the machine, both clocks of a process may
     *     lag, and {@link DatabaseTime} follows them. This time decides when a lost grant must have ended
     */
    record DatabaseIdentity(
            String serverId,
            long losses,
            long waitEndMillis,
            long leaseMillis,
            String present,
            long nowMillis,
            long latestMillis) {
        private static DatabaseIdentity of(ResultSet row) throws SQLException {
            return new DatabaseIdentity(
                    row.getString(1),
                    row.getLong(2),
                    row.getLong(3),
                    row.getLong(4),
                    row.getString(5),
                    row.getLong(6),
                    row.getLong(6));
        }

        /**
         * Returns whether the stored identity is not the present one, because the identity has changed or the row has a
         * mark.
         */
        boolean isOnAnotherServer() {
            return !serverId.equals(present);
        }

        /** Returns this identity, which was just read, with the time by {@link DatabaseTime}. */
        DatabaseIdentity at(long millis) {
            return new DatabaseIdentity(
                    serverId, losses, waitEndMillis, leaseMillis, present, millis, Math.max(millis, nowMillis));
        }

        /** Returns whether a migration script created the row, and no process has checked the database since. */
        boolean isNew() {
            return serverId.equals(NEW);
        }

        /** Returns the identity to store after a process with the given lease has checked the database. */
        DatabaseIdentity seenBy(long ofProcessMillis) {
            long longest = Math.max(leaseMillis, ofProcessMillis);
            return new DatabaseIdentity(present, losses, waitEndMillis, longest, present, nowMillis, latestMillis);
        }
    }

    /**
     * A stored sequencer or node lease.
     *
     * @param losses {@link DatabaseIdentity#losses} at the last decision about the name
     */
    record StoredName(TableHeader table, long losses) {}

    /**
     * Thrown when another transaction has locked rows, or changed them after this transaction read them; a retry may
     * succeed.
     */
    static final class ConflictException extends SQLException {
        private static final long serialVersionUID = 1;
        static final String SERIALIZATION_FAILURE = "40001";

        ConflictException(String what, @Nullable Throwable cause) {
            super(what, SERIALIZATION_FAILURE, cause);
        }
    }

    /** Replaces the default prefix of the tables in an SQL text by the prefix of these tables. */
    private String named(String text) {
        return DEFAULT_PREFIX.matcher(text).replaceAll(Matcher.quoteReplacement(prefix + '_'));
    }

    String database() {
        return prefix + "_database";
    }

    /** Returns the tables of integers that belong to these tables. */
    Tables integers() {
        return new Tables(TableNames.windows(prefix));
    }

    private int write(Transaction transaction, String sql, @Nullable Object... values) throws SQLException {
        return Tables.writeIn(database(), transaction, named(sql), values);
    }

    // --- the database

    /**
     * Creates the tables if they do not exist. A new row in {@link #database()} gets the identity in place of
     * {@link #NEW}.
     */
    void create(Transaction transaction) throws SQLException {
        for (String statement : transaction.dialect().leaseStatements(this::named)) {
            int unused = Tables.writeIn(database(), transaction, statement.replace('\'' + NEW + '\'', "{server}"));
        }
    }

    /**
     * Reads the identity and losses of the database. With a built-in dialect, no setting of the connection makes the
     * commit of the transaction less durable after this read. If the dialect supports it, the server also ends the
     * transaction, and releases its locks, when the process is paused or cut off for longer than the call time-out.
     */
    DatabaseIdentity identity(Transaction transaction) throws SQLException {
        Dialect dialect = transaction.dialect();
        return transaction
                .first(
                        "SELECT server_id, losses, recovered_millis, lease_millis, " + dialect.server(database()) + ", "
                                + dialect.now() + " FROM " + database() + " WHERE " + dialect.durable() + " AND "
                                + dialect.endedWhenIdle(transaction.callTimeout()),
                        DatabaseIdentity::of)
                .orElseThrow(() -> new SQLException(named("snowcast_database") + " has no row", NO_TABLE));
    }

    /** Writes and returns the new identity and losses; throws if another transaction has changed them. */
    DatabaseIdentity replace(Transaction transaction, DatabaseIdentity read, DatabaseIdentity next)
            throws SQLException {
        int changed = write(
                transaction,
                "UPDATE snowcast_database SET server_id = ?, losses = ?, recovered_millis = ?, lease_millis = ?"
                        + " WHERE losses = ? AND lease_millis = ? AND server_id = ?",
                next.serverId(),
                next.losses(),
                next.waitEndMillis(),
                next.leaseMillis(),
                read.losses(),
                read.leaseMillis(),
                read.serverId());
        if (changed != 1) {
            throw new ConflictException(
                    named("another process has changed the row of snowcast_database at the same time"), null);
        }
        return next;
    }

    /** Returns whether the tables have no node ID. */
    boolean areUnused(Transaction transaction) throws SQLException {
        return transaction
                .first(
                        named("SELECT node_id FROM snowcast_nodes"
                                + transaction.dialect().firstRowOnly()),
                        row -> true)
                .isEmpty();
    }

    // --- names

    /**
     * Reads the row of a name, without its node IDs, and locks the row until the transaction ends.
     *
     * @param waits false to throw at once if another transaction has locked the row
     */
    Optional<StoredName> lock(Transaction transaction, String name, boolean waits) throws SQLException {
        Dialect dialect = transaction.dialect();
        return transaction.first(
                named("SELECT " + LeaseRows.NAME_COLUMNS + " FROM snowcast_names WHERE name = ?"
                        + (waits ? dialect.forUpdate() : dialect.forUpdateNoWait())),
                LeaseRows::name,
                name);
    }

    /** Reads at most the given number of names, without their node IDs; 0 for all names. */
    List<StoredName> names(Transaction transaction, int atMost) throws SQLException {
        return transaction.some(
                atMost,
                named("SELECT " + LeaseRows.NAME_COLUMNS + " FROM snowcast_names ORDER BY name"),
                LeaseRows::name);
    }

    /**
     * Writes the row of a name, which is locked or does not exist. Writes nothing if the row stays the same, because
     * some drivers do not count an unchanged row as written.
     *
     * @param before the present row; null if it does not exist
     */
    void put(Transaction transaction, @Nullable StoredName before, StoredName after) throws SQLException {
        @Nullable Object[] values = LeaseRows.values(after);
        if (before != null && Arrays.equals(values, LeaseRows.values(before))) {
            return;
        }
        String sql = before == null
                ? LeaseRows.insert("snowcast_names", LeaseRows.NAME_COLUMNS)
                : "UPDATE snowcast_names SET " + LeaseRows.assignments(LeaseRows.NAME_COLUMNS, 1) + " WHERE name = ?";
        if (write(transaction, sql, values) != 1) {
            throw new SQLException("a name was not written although it is locked: "
                    + after.table().name());
        }
    }

    // --- node IDs

    /** Whether a read locks the rows until the end of the transaction. */
    enum Locking {
        NONE,
        WAITS,
        /** Throws at once if another transaction has locked one of the rows. */
        NO_WAIT
    }

    /** Which node IDs of a name a transaction reads, and whether it locks their rows. */
    record Nodes(String condition, List<?> values, Locking locking) {
        static final Nodes ALL = new Nodes("", List.of(), Locking.NONE);
        static final Nodes ALL_LOCKED = new Nodes("", List.of(), Locking.WAITS);

        static Nodes only(int nodeId) {
            return new Nodes(" AND node_id = ?", List.of(nodeId), Locking.NONE);
        }

        static Nodes in(Set<Integer> nodeIds) {
            String marks = "?, ".repeat(nodeIds.size() - 1) + "?";
            return new Nodes(" AND node_id IN (" + marks + ")", List.copyOf(nodeIds), Locking.NONE);
        }

        Nodes lockedAtOnce() {
            return new Nodes(condition, values, Locking.NO_WAIT);
        }

        /** Returns these node IDs, and the node IDs whose last grant was for {@code holder}. */
        Nodes orOf(UUID holder) {
            List<Object> all = new ArrayList<>(values);
            all.add(holder.toString());
            return new Nodes(" AND (" + condition.substring(" AND ".length()) + " OR holder = ?)", all, locking);
        }
    }

    List<NodeState> nodes(Transaction transaction, TableHeader name, Nodes wanted) throws SQLException {
        long epochMillis = LeaseRows.epochMillis(name);
        List<Object> values = new ArrayList<>(List.of(name.name()));
        values.addAll(wanted.values());
        Dialect dialect = transaction.dialect();
        String lock = switch (wanted.locking()) {
            case NONE -> "";
            case WAITS -> dialect.forUpdate();
            case NO_WAIT -> dialect.forUpdateNoWait();
        };
        return transaction.query(
                named("SELECT " + LeaseRows.NODE_COLUMNS + " FROM snowcast_nodes WHERE name = ?" + wanted.condition()
                        + " ORDER BY node_id" + lock),
                row -> LeaseRows.node(row, epochMillis),
                values.toArray());
    }

    /** Returns the node ID with the lowest {@link NodeState#ceiling} among those with the given {@code attached}. */
    Optional<NodeState> earliest(Transaction transaction, TableHeader name, boolean attached) throws SQLException {
        long epochMillis = LeaseRows.epochMillis(name);
        return transaction.first(
                named("SELECT " + LeaseRows.NODE_COLUMNS + " FROM snowcast_nodes WHERE name = ? AND attached = ?"
                        + " ORDER BY ceiling_millis" + transaction.dialect().firstRowOnly()),
                row -> LeaseRows.node(row, epochMillis),
                name.name(),
                attached ? 1 : 0);
    }

    /** Returns some node IDs whose grants ended before the given time. */
    List<NodeState> endedBefore(Transaction transaction, TableHeader name, long millis, int atMost)
            throws SQLException {
        long epochMillis = LeaseRows.epochMillis(name);
        return transaction.some(
                atMost,
                named("SELECT " + LeaseRows.NODE_COLUMNS + " FROM snowcast_nodes WHERE name = ? AND attached IN (0, 1)"
                        + " AND ceiling_millis < ?"),
                row -> LeaseRows.node(row, epochMillis),
                name.name(),
                millis);
    }

    /** Returns a node ID below {@code count} that has no row; -1 if each has a row. May read all rows of the name. */
    int unused(Transaction transaction, TableHeader name, int count) throws SQLException {
        long lowest = transaction.number(
                named("SELECT COUNT(*) FROM snowcast_nodes WHERE name = ? AND node_id = 0"), name.name());
        if (lowest == 0) {
            return 0;
        }
        return transaction
                .first(
                        named("SELECT MIN(n.node_id) FROM snowcast_nodes n WHERE n.name = ? AND n.node_id < ?"
                                + " AND NOT EXISTS (SELECT 1 FROM snowcast_nodes m WHERE m.name = n.name"
                                + " AND m.node_id = n.node_id + 1)"),
                        row -> row.getObject(1) == null ? -1 : row.getInt(1) + 1,
                        name.name(),
                        count - 1)
                .orElse(-1);
    }

    /**
     * How many node IDs of a name are in use.
     *
     * @param nextFreeMillis when the first of these node IDs becomes free, unless its lease is renewed
     */
    record InUse(String name, int attached, int expiring, long nextFreeMillis) {
        private static final String COLUMNS = "name, SUM(CASE WHEN attached = 1 THEN 1 ELSE 0 END),"
                + " SUM(CASE WHEN attached = 1 THEN 0 ELSE 1 END), MIN(ceiling_millis)";

        private static InUse of(ResultSet row) throws SQLException {
            return new InUse(row.getString(1), row.getInt(2), row.getInt(3), row.getLong(4));
        }
    }

    InUse inUse(Transaction transaction, String name, long nowMillis) throws SQLException {
        return transaction
                .first(
                        named("SELECT " + InUse.COLUMNS + " FROM snowcast_nodes WHERE name = ? AND ceiling_millis > ?"
                                + " GROUP BY name"),
                        InUse::of,
                        name,
                        nowMillis)
                .orElse(new InUse(name, 0, 0, nowMillis));
    }

    /** Counts the node IDs in use for each name that has any. */
    Map<String, InUse> inUse(Transaction transaction, long nowMillis) throws SQLException {
        return transaction
                .query(
                        named("SELECT " + InUse.COLUMNS
                                + " FROM snowcast_nodes WHERE ceiling_millis > ? GROUP BY name"),
                        InUse::of,
                        nowMillis)
                .stream()
                .collect(Collectors.toMap(InUse::name, Function.identity()));
    }

    /** Counts the node IDs in use for each of the given names that has any. Reads only an index. */
    Map<String, InUse> inUse(Transaction transaction, Set<String> names, long nowMillis) throws SQLException {
        List<Object> marked = new ArrayList<>(names);
        // Repeat a name to get few different statements, because some servers cache each of them.
        while (marked.size() > 1 && marked.size() % LOCKED_AT_ONCE != 0) {
            marked.add(marked.get(0));
        }
        String marks = "?, ".repeat(marked.size() - 1) + "?";
        marked.add(nowMillis);
        return transaction
                .query(
                        named("SELECT " + InUse.COLUMNS + " FROM snowcast_nodes WHERE name IN (" + marks
                                + ") AND attached IN (0, 1) AND ceiling_millis > ? GROUP BY name"),
                        InUse::of,
                        marked.toArray())
                .stream()
                .collect(Collectors.toMap(InUse::name, Function.identity()));
    }

    /** A node ID as a status shows it, with the display name of its holder. */
    record Shown(String name, int nodeId, boolean attached, String heldBy, long untilMillis) {}

    /** Returns some node IDs in use, ordered by name and node ID. */
    List<Shown> shown(Transaction transaction, long nowMillis, int atMost) throws SQLException {
        return transaction.some(
                atMost,
                named("SELECT name, node_id, attached, held_by, ceiling_millis FROM snowcast_nodes"
                        + " WHERE ceiling_millis > ? ORDER BY name, node_id"),
                row -> new Shown(row.getString(1), row.getInt(2), row.getInt(3) == 1, row.getString(4), row.getLong(5)),
                nowMillis);
    }

    /**
     * Writes the row of a node ID; throws if another transaction has changed the row since this transaction read it.
     *
     * @param before the row that was read; null if there was none
     * @param heldBy the display name of its holder
     */
    void replace(Transaction transaction, TableHeader name, @Nullable NodeState before, NodeState after, String heldBy)
            throws SQLException {
        Object[] values = LeaseRows.values(name, after, heldBy);
        int changed = before == null
                ? write(transaction, LeaseRows.insert("snowcast_nodes", LeaseRows.NODE_COLUMNS), values)
                : write(
                        transaction,
                        "UPDATE snowcast_nodes SET " + LeaseRows.assignments(LeaseRows.NODE_COLUMNS, 2)
                                + " WHERE name = ? AND node_id = ? AND version = ?",
                        LeaseRows.and(values, before.version()));
        requireOne(changed, name.name());
    }

    /**
     * Deletes the row of a node ID; throws if another transaction has changed the row since this transaction read it.
     */
    void delete(Transaction transaction, String name, NodeState gone) throws SQLException {
        requireOne(deleteUnlessChanged(transaction, name, gone) ? 1 : 0, name);
    }

    /** Deletes the row of a node ID, unless another transaction has changed it; returns whether the row was deleted. */
    boolean deleteUnlessChanged(Transaction transaction, String name, NodeState gone) throws SQLException {
        return write(
                        transaction,
                        "DELETE FROM snowcast_nodes WHERE name = ? AND node_id = ? AND version = ?",
                        name,
                        gone.logicalNodeId(),
                        gone.version())
                == 1;
    }

    private static void requireOne(int changed, String name) throws SQLException {
        if (changed != 1) {
            throw new ConflictException("another transaction has changed a node ID of " + name, null);
        }
    }

    /** A change of a node ID's row, which is written only if the row is as this process last read or wrote it. */
    interface Change {
        Held before();

        Held after();
    }

    record Renewal(RenewRequest request, Held before, Held after) implements Change {}

    record Release(DetachRequest request, Held before, Held after) implements Change {}

    /**
     * Writes changes in few round trips, and returns the changes that were written. Skips a change if another
     * transaction has changed its row. Also skips rows that another transaction has locked, because a wait for the lock
     * would delay the other changes.
     */
    <C extends Change> Transaction.Updated<C> update(Transaction transaction, List<C> changes) throws SQLException {
        List<C> free = new ArrayList<>();
        for (int from = 0; from < changes.size(); from += LOCKED_AT_ONCE) {
            free.addAll(locked(transaction, changes.subList(from, Math.min(from + LOCKED_AT_ONCE, changes.size()))));
        }
        return transaction.updateAll(
                named("UPDATE snowcast_nodes SET attached = ?, floor_millis = ?, ceiling_millis = ?, version = ?"
                        + " WHERE name = ? AND node_id = ? AND version = ? AND holder = ? AND ceiling_millis = ?"
                        + " AND attached = 1"),
                free,
                LeaseRows::values);
    }

    private <C extends Change> List<C> locked(Transaction transaction, List<C> some) throws SQLException {
        // Repeat the last key to get only two different statements, because some servers cache each of them.
        int length = some.size() == 1 ? 1 : LOCKED_AT_ONCE;
        List<Object> keys = new ArrayList<>();
        for (int i = 0; i < length; i++) {
            keys.addAll(key(some.get(Math.min(i, some.size() - 1))));
        }
        Set<List<Object>> locked = Set.copyOf(transaction.query(
                named("SELECT name, node_id FROM snowcast_nodes WHERE "
                        + "(name = ? AND node_id = ?) OR ".repeat(length - 1) + "(name = ? AND node_id = ?)"
                        + transaction.dialect().forUpdateSkipLocked()),
                row -> List.<Object>of(row.getString(1), row.getInt(2)),
                keys.toArray()));
        return some.stream().filter(each -> locked.contains(key(each))).toList();
    }

    private static List<Object> key(Change change) {
        return List.of(change.before().table().name(), change.before().state().logicalNodeId());
    }

    /**
     * Changes the version of all rows of a name, so that renewals and releases that were decided before this
     * transaction are not written.
     */
    void touch(Transaction transaction, TableHeader name) throws SQLException {
        long change = name.lifecycle().changeNumber();
        int unused = write(transaction, "UPDATE snowcast_nodes SET version = ? WHERE name = ?", change, name.name());
    }

    /**
     * Locks the rows of all node IDs of a name, and returns the end of the longest lease in these rows; 0 if there are
     * none.
     */
    long lockedUntil(Transaction transaction, String name) throws SQLException {
        String sql = "SELECT ceiling_millis FROM snowcast_nodes WHERE name = ? ORDER BY node_id";
        return transaction.query(named(sql + transaction.dialect().forUpdate()), row -> row.getLong(1), name).stream()
                .mapToLong(Long::longValue)
                .max()
                .orElse(0);
    }

    /** Deletes the rows of all node IDs of a name, except that of the first node ID in {@code except}, if any. */
    void forget(Transaction transaction, String name, List<NodeState> except) throws SQLException {
        int kept = except.isEmpty() ? -1 : except.get(0).logicalNodeId();
        int unused = write(transaction, "DELETE FROM snowcast_nodes WHERE name = ? AND node_id <> ?", name, kept);
    }
}
