// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A monitor's reading of one shard.
 *
 * @param state the state of the shard; null if the shard could not be checked or read
 * @param problem why the shard did not answer or is rejected; empty if nothing is wrong
 * @param isRead whether its windows could be read; if not, the maps are empty
 */
record ShardReading(
        Shard shard,
        @Nullable ShardState state,
        boolean isReachable,
        String problem,
        boolean isRead,
        Map<String, SequenceRow> sequences,
        Map<String, List<OpenWindow>> open,
        Map<String, Long> reservedEnds) {

    private static final String RECOVER =
            "; an agent recovers it if another shard has upper bounds of its windows, otherwise run recover";

    /**
     * Only this many of the newest rounds are searched for open windows, because there may be millions of used windows.
     * A round is one window of each shard.
     */
    private static final long NEWEST_ROUNDS = 10_000;

    record OpenWindow(long start, long end, long next) {
        long remaining() {
            return end - next;
        }
    }

    /** Reads a shard; if that fails, the result contains the failure. */
    static ShardReading of(Shard shard, Tables tables) {
        ShardState state = null;
        String problem = "";
        try {
            state = shard.call(transaction -> ShardCheck.forAgent(shard, tables, transaction));
            problem = state.database().hasChanged() ? state.database().change(shard) + RECOVER : "";
        } catch (ShardMismatchException e) {
            // Read the shard nevertheless, because an operator who repairs it needs to see its windows.
            problem = String.valueOf(e.getMessage());
        } catch (SQLException e) {
            return unread(shard, false, String.valueOf(e.getMessage()));
        }
        ShardReading checked = new ShardReading(shard, state, true, problem, true, Map.of(), Map.of(), Map.of());
        try {
            return shard.call(transaction -> checked.read(tables, transaction));
        } catch (ShardMismatchException | SQLException e) {
            return unread(shard, true, problem.isEmpty() ? String.valueOf(e.getMessage()) : problem);
        }
    }

    private static ShardReading unread(Shard shard, boolean isReachable, String problem) {
        return new ShardReading(shard, null, isReachable, problem, false, Map.of(), Map.of(), Map.of());
    }

    private ShardReading read(Tables tables, Transaction transaction) throws SQLException {
        Map<String, SequenceRow> rows = new HashMap<>();
        Map<String, List<OpenWindow>> windows = new HashMap<>();
        Map<String, Long> ends = new HashMap<>();
        List<Generation> lists = tables.generations(transaction);
        for (SequenceRow row : tables.sequences(transaction)) {
            rows.put(row.name(), row);
            windows.put(row.name(), openWindows(tables, transaction, row.name(), lists));
            tables.reservedEnd(transaction, row.name()).ifPresent(end -> ends.put(row.name(), end));
        }
        return new ShardReading(shard, state, isReachable, problem, true, rows, windows, ends);
    }

    private static List<OpenWindow> openWindows(
            Tables tables, Transaction transaction, String sequence, List<Generation> lists) throws SQLException {
        long from = lists.isEmpty()
                ? 0
                : lists.get(0).below(Math.max(0, tables.lastWindow(transaction, sequence, 0)), NEWEST_ROUNDS);
        return transaction.query(
                "SELECT window_start_value, window_end_value, next_hi_value FROM " + tables.windows()
                        + " WHERE sequence_name = ? AND next_hi_value < window_end_value AND window_start_value >= ?"
                        + " ORDER BY window_start_value",
                row -> new OpenWindow(row.getLong(1), row.getLong(2), row.getLong(3)),
                sequence,
                from);
    }

    /**
     * Returns how many integers of a sequence were reserved since a former reading of this shard. Does not count
     * windows that were both inserted and used up in between.
     */
    long reservedSince(ShardReading former, String sequence) {
        Map<Long, OpenWindow> present = new HashMap<>();
        open.getOrDefault(sequence, List.of()).forEach(window -> present.put(window.start(), window));
        long reserved = 0;
        List<Long> known = new ArrayList<>();
        for (OpenWindow before : former.open.getOrDefault(sequence, List.of())) {
            OpenWindow now = present.get(before.start());
            // A window that is no longer open counts as used up.
            reserved += (now == null ? before.end() : now.next()) - before.next();
            known.add(before.start());
        }
        present.keySet().removeAll(known);
        for (OpenWindow added : present.values()) {
            reserved += added.next() - added.start();
        }
        return reserved;
    }

    JdbcStatus.ShardStatus status() {
        return new JdbcStatus.ShardStatus(
                shard.index(), state == null ? "" : state.database().id(), isReachable, problem);
    }

    JdbcStatus.WindowStatus windows(String sequence) {
        List<OpenWindow> windows = open.getOrDefault(sequence, List.of());
        Long reservedEnd = reservedEnds.get(sequence);
        SequenceRow row = sequences.get(sequence);
        return new JdbcStatus.WindowStatus(
                shard.index(),
                windows.size(),
                windows.stream().mapToLong(OpenWindow::remaining).sum(),
                reservedEnd == null ? OptionalLong.empty() : OptionalLong.of(reservedEnd - 1),
                row == null ? 0 : row.announced());
    }
}
