// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.store.Block;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Reservations in the windows of one shard. Thread-safe. */
final class Windows {
    /** How long a search passes over the lower windows, which were used up: a give-back can open one of them again. */
    private static final long SCAN_AGAIN_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final long AVOID_LOCKS_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final String QUERY_CANCELED = "57014";

    private final Shard shard;
    private final Tables tables;
    private final String selectOpen;
    private final String advance;
    private final String takeBack;
    private final Map<String, Scan> scans = new ConcurrentHashMap<>();
    private volatile @Nullable Long locksAvoidedSinceNanos;
    /** The installation that the check found; null before the check, and after a failure. */
    private volatile @Nullable String installation;

    /** Where the search for an open window begins, and when a search last began at the lowest window. */
    private record Scan(long from, long fullNanos) {}

    private record Window(long start, long end, long next) {}

    /** The reserved block, or why there is none; exhausted if this shard will never have another block. */
    record Outcome(@Nullable Block block, boolean isExhausted, String reason) {}

    Windows(Shard shard, Tables tables) {
        this.shard = shard;
        this.tables = tables;
        this.selectOpen = "SELECT window_start_value, window_end_value, next_hi_value FROM " + tables.windows()
                + " WHERE sequence_name = ? AND next_hi_value < window_end_value AND window_start_value >= ?"
                + " ORDER BY window_start_value LIMIT 1 FOR UPDATE";
        this.advance = "UPDATE " + tables.windows()
                + " SET next_hi_value = ? WHERE sequence_name = ? AND window_start_value = ? AND next_hi_value = ?";
        this.takeBack = "UPDATE " + tables.windows() + " SET next_hi_value = ? WHERE sequence_name = ?"
                + " AND next_hi_value = ? AND window_start_value <= ? AND window_end_value >= ?";
    }

    Shard shard() {
        return shard;
    }

    /** Makes sure that the database is this shard, unless a former check has; returns its installation. */
    String check() throws SQLException {
        String known = installation;
        if (known == null) {
            known = shard.call(transaction -> ShardCheck.forStore(shard, tables, transaction))
                    .installation();
            installation = known;
        }
        return known;
    }

    /** Requires a new check: after a failure there may be another database, or one with other settings. */
    void checkAgain() {
        installation = null;
    }

    /** Reserves up to that many integers in the first open window. */
    Outcome reserve(String sequence, long size) throws SQLException {
        Long since = locksAvoidedSinceNanos;
        if (since != null && System.nanoTime() - since < AVOID_LOCKS_NANOS) {
            return reserve(sequence, size, " SKIP LOCKED");
        }
        try {
            return reserve(sequence, size, "");
        } catch (SQLException e) {
            if (!isCanceled(e)) {
                throw e;
            }
            // Nothing was changed. A client holds the lock of the window and does not go on: other windows are free.
            locksAvoidedSinceNanos = System.nanoTime();
            return reserve(sequence, size, " SKIP LOCKED");
        }
    }

    /** Whether the database itself ended a statement, because of a statement or lock time-out. */
    private static boolean isCanceled(SQLException e) {
        return (e instanceof SQLTimeoutException && !(e instanceof CallTimeoutException))
                || QUERY_CANCELED.equals(e.getSQLState());
    }

    private Outcome reserve(String sequence, long size, String locks) throws SQLException {
        return shard.call(transaction -> {
            Optional<Window> open = openWindow(transaction, sequence, locks);
            if (open.isEmpty()) {
                return nothingOpen(transaction, sequence);
            }
            Window window = open.get();
            long end = window.next() + Math.min(size, window.end() - window.next());
            int changed = transaction.update(advance, end, sequence, window.start(), window.next());
            if (changed != 1) {
                throw new SQLException("a window was not advanced although it is locked: " + window);
            }
            return new Outcome(Block.of(window.next(), end - 1), false, "");
        });
    }

    private Optional<Window> openWindow(Transaction transaction, String sequence, String locks) throws SQLException {
        Scan scan = scans.get(sequence);
        long now = System.nanoTime();
        if (scan != null && now - scan.fullNanos < SCAN_AGAIN_NANOS) {
            Optional<Window> open = openWindow(transaction, sequence, scan.from, locks);
            if (open.isPresent()) {
                scans.put(sequence, new Scan(open.get().start(), scan.fullNanos));
                return open;
            }
        }
        Optional<Window> open = openWindow(transaction, sequence, 0, locks);
        open.ifPresent(window -> scans.put(sequence, new Scan(window.start(), now)));
        return open;
    }

    private Optional<Window> openWindow(Transaction transaction, String sequence, long from, String locks)
            throws SQLException {
        List<Window> windows = transaction.query(
                selectOpen + locks, row -> new Window(row.getLong(1), row.getLong(2), row.getLong(3)), sequence, from);
        return windows.stream().findFirst();
    }

    private Outcome nothingOpen(Transaction transaction, String sequence) throws SQLException {
        Optional<SequenceRow> known = tables.sequence(transaction, sequence);
        if (known.isEmpty()) {
            return new Outcome(
                    null, false, "it is not defined; insert it into " + tables.names() + " and run the window agent");
        }
        SequenceRow row = known.get();
        if (isUsedUp(transaction, row)) {
            return new Outcome(null, true, "the last integer is " + row.last());
        }
        return new Outcome(null, false, "no window is open; the window agent is late");
    }

    /** Whether all windows that this shard can ever have were inserted and are used up. */
    private boolean isUsedUp(Transaction transaction, SequenceRow row) throws SQLException {
        Generation generation = tables.generations(transaction).get(0);
        if (!row.hasBase() || row.generation() != generation.number() || !generation.isFor(shard)) {
            return false;
        }
        long lastStart = new Layout(row, generation).lastStartOf(shard.index());
        // In this order: a window that an agent inserts in between counts as open.
        return (lastStart == Layout.NONE || tables.hasWindow(transaction, row.name(), lastStart))
                && tables.openWindows(transaction, row.name()) == 0;
    }

    /** Takes back the rest of a block; returns false unless the block was the last one of its window. */
    boolean takeBack(String sequence, Block rest) throws SQLException {
        long end = rest.last() + 1;
        return shard.call(
                transaction -> transaction.update(takeBack, rest.first(), sequence, end, rest.first(), end) == 1);
    }
}
