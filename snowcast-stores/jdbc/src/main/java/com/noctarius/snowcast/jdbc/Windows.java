// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.jdbc.WindowMemory.Attempt;
import com.noctarius.snowcast.jdbc.WindowMemory.Reserved;
import com.noctarius.snowcast.store.Block;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Reserves integers in the windows of one shard. Thread-safe. */
final class Windows {
    /**
     * A search for an open window at first covers only this many rounds below the shard's highest window. If it finds
     * no open window there, it covers all windows. A round is one window of each shard.
     */
    private static final long LOOK_BACK_ROUNDS = 100;

    private static final Outcome CHANGED = Outcome.retry("the state of the database changed during each attempt");

    private static final long MIN_PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(200);
    private static final long MAX_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Shard shard;
    private final Tables tables;
    private final @Nullable SharedLosses losses;
    private final Duration callTimeout;
    private final String advanceLocked;
    private final String takeBack;
    private final Map<String, WindowMemory> memories = new ConcurrentHashMap<>();
    private final Set<String> warnings = ConcurrentHashMap.newKeySet();
    /** The result of the check; null if the shard must be checked. */
    private volatile @Nullable Checked checked;

    private final Forgetting forgetting;

    /** A check of the shard, and the statements for its kind of database. */
    private record Checked(
            ShardCheck.OfStore found,
            Dialect dialect,
            Tables tables,
            NamedStatement reserve,
            @Nullable NamedStatement advance) {}

    /**
     * The reserved block, or the reason why no block was reserved.
     *
     * @param isExhausted whether all integers that this shard can have are reserved
     * @param beginsWindow whether the block is the first block of its window
     * @param mayRetry whether another attempt may succeed at once, for example after a lock has ended
     */
    record Outcome(@Nullable Block block, boolean isExhausted, boolean beginsWindow, boolean mayRetry, String reason) {
        static Outcome none(String reason) {
            return new Outcome(null, false, false, false, reason);
        }

        static Outcome retry(String reason) {
            return new Outcome(null, false, false, true, reason);
        }
    }

    Windows(Shard shard, Tables tables, Duration callTimeout, @Nullable SharedLosses losses) {
        this.shard = shard;
        this.tables = tables;
        this.callTimeout = callTimeout;
        this.losses = losses;
        this.forgetting = new Forgetting(shard, tables);
        this.advanceLocked = "UPDATE " + tables.windows()
                + " SET next_hi_value = ? WHERE sequence_name = ? AND window_start_value = ? AND next_hi_value = ?";
        this.takeBack = "UPDATE " + tables.windows()
                + " SET next_hi_value = ?, give_backs = give_backs + 1 WHERE sequence_name = ? AND next_hi_value = ?"
                + " AND window_start_value >= ? AND window_start_value <= ? AND window_end_value >= ?"
                + " AND EXISTS (SELECT 1 FROM " + tables.database() + " d WHERE d.database_id = ? AND d.server_id = ?"
                + " AND d.recoveries = ? AND d.server_id = {server}) AND {durable}";
    }

    Shard shard() {
        return shard;
    }

    // --- the check

    /** Checks that the database is the configured shard, unless the last check is still valid. */
    ShardCheck.OfStore check() throws SQLException {
        return checked().found();
    }

    private Checked checked() throws SQLException {
        Checked known = checked;
        if (known == null) {
            Database before = forgetting.known();
            Tables read = new Tables(tables.windows(), losses == null ? null : losses.look());
            known = shard.call(transaction -> {
                Dialect dialect = transaction.dialect();
                ShardCheck.OfStore found = ShardCheck.forStore(shard, read, transaction, warnings);
                return new Checked(found, dialect, read, dialect.reserve(read), dialect.advance(read));
            });
            if (losses != null) {
                // A mark may have been written after the look above, and be part of the state that was read.
                String unused = losses.look();
            }
            if (forgetting.wasRecovered(read.watched(), before, known.found().database())) {
                memories.clear();
            }
            checked = known;
        }
        return known;
    }

    /**
     * Requires a new check, because after a failure the address may lead to another database, or the database may have
     * other settings.
     */
    void checkAgain() {
        checked = null;
    }

    // --- reservations

    /**
     * Reserves up to the given number of integers; retries for about one call time-out, for example while all windows
     * are locked. If no attempt succeeds, the outcome has the reason of the last one.
     */
    Outcome reserve(String sequence, long size) throws SQLException {
        WindowMemory memory = memories.computeIfAbsent(sequence, name -> new WindowMemory());
        long deadline = System.nanoTime() + callTimeout.toNanos();
        long pause = MIN_PAUSE_NANOS;
        while (true) {
            Outcome outcome = new Turn(memory, sequence, size, checked()).reserve();
            if (!outcome.mayRetry() || System.nanoTime() - deadline > 0) {
                return outcome;
            }
            pause(ThreadLocalRandom.current().nextLong(pause / 2, pause + 1));
            pause = Math.min(MAX_PAUSE_NANOS, pause * 2);
        }
    }

    /** Waits; an interrupt from before does not end the wait, because the database would get a statement at once. */
    private static void pause(long nanos) {
        boolean wasInterrupted = Thread.interrupted();
        LockSupport.parkNanos(nanos);
        if (wasInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private interface Statement<T> {
        Optional<T> run() throws SQLException;
    }

    /** One attempt to reserve. */
    private final class Turn {
        private final WindowMemory memory;
        private final String sequence;
        private final long size;
        private final Checked present;
        /** Why the last statement had no effect. */
        private String busy = "all open windows are locked by transactions that do not end";

        Turn(WindowMemory memory, String sequence, long size, Checked present) {
            this.memory = memory;
            this.sequence = sequence;
            this.size = size;
            this.present = present;
        }

        /** Runs a statement; returns empty if it had no effect because of a lock or the statement time-out. */
        private <T> Optional<T> unlessBusy(Statement<T> statement) throws SQLException {
            try {
                return statement.run();
            } catch (SQLException e) {
                if (!present.dialect().isBusy(e)) {
                    throw e;
                }
                busy = "no attempt to reserve succeeded; the last failed with: " + e.getMessage();
                return Optional.empty();
            }
        }

        Outcome reserve() throws SQLException {
            return unlessBusy(this::tryOnce).orElseGet(() -> Outcome.retry(busy));
        }

        /** Makes one attempt. Returns empty if another attempt may succeed. */
        private Optional<Outcome> tryOnce() throws SQLException {
            Attempt attempt = begin();
            try {
                Reserved reserved = attempt(attempt);
                if (reserved == null) {
                    return nothingFree();
                }
                requireSound(reserved, size);
                if (isOfTheServerThatWasChecked(reserved, present)) {
                    requireNotForgotten(memory, attempt, reserved, sequence, present);
                    memory.end(attempt, reserved);
                    Block block = Block.of(reserved.low(), reserved.high() - 1);
                    return Optional.of(new Outcome(block, false, reserved.low() == reserved.start(), false, ""));
                }
            } catch (SQLException | RuntimeException e) {
                memory.release(attempt);
                throw e;
            }
            memory.release(attempt);
            checkAgain();
            return Optional.of(CHANGED);
        }

        private Attempt begin() throws SQLException {
            Attempt attempt = memory.begin();
            while (attempt == null) {
                long last = shard.autoCommit(transaction -> tables.lastWindow(transaction, sequence, 0));
                memory.lookFrom(present.found().generation().below(last, LOOK_BACK_ROUNDS));
                attempt = memory.begin();
            }
            return attempt;
        }

        /** Returns the reserved integers; null if there is no unlocked open window. */
        private @Nullable Reserved attempt(Attempt attempt) throws SQLException {
            NamedStatement advance = present.advance();
            if (attempt.window() != WindowMemory.NONE && advance != null) {
                Optional<Reserved> reserved = unlessBusy(() -> query(advance, attempt.from()));
                if (reserved.isPresent()) {
                    return reserved.get();
                }
            }
            Optional<Reserved> reserved = find(attempt.from());
            if (reserved.isEmpty()) {
                memory.drop(attempt);
                memory.share();
                reserved = find(memory.bound());
            } else if (attempt.window() != reserved.get().start()) {
                memory.drop(attempt);
            }
            return reserved.orElse(null);
        }

        private Optional<Reserved> query(NamedStatement statement, long from) throws SQLException {
            Object[] values = statement.values(sequence, from, size);
            return shard
                    .autoCommit(transaction -> transaction.query(statement.sql(), Windows::reserved, values))
                    .stream()
                    .findFirst();
        }

        private Optional<Reserved> find(long from) throws SQLException {
            NamedStatement reserve = present.reserve();
            if (present.dialect().reservesInOneStatement()) {
                return unlessBusy(() -> query(reserve, from));
            }
            Object[] values = reserve.values(sequence, from, size);
            return unlessBusy(() -> shard.call(transaction -> {
                Optional<Reserved> locked = transaction.first(reserve.sql(), row -> locked(row, size), values);
                if (locked.isPresent()) {
                    advance(transaction, sequence, locked.get());
                }
                return locked;
            }));
        }

        /**
         * Returns why nothing was reserved; empty if another attempt may succeed, for example after a lock has ended.
         */
        private Optional<Outcome> nothingFree() throws SQLException {
            long bound = memory.bound();
            return shard.call(transaction -> {
                String state = transaction.text(present.dialect().stateQuery(present.tables()));
                if (!present.found().state().equals(state)) {
                    // The server may have changed, and may have lost windows.
                    checkAgain();
                    return Optional.of(CHANGED);
                }
                Optional<SequenceRow> row = tables.sequence(transaction, sequence);
                if (row.isEmpty()) {
                    return Optional.of(Outcome.none(
                            "it is not defined; insert it into " + tables.names() + " and run the window agent"));
                }
                // Read this before the open windows are counted, so that a window that an agent inserts in between
                // counts as open.
                boolean isLast = hasLastWindow(transaction, row.get());
                if (tables.openWindows(transaction, sequence, bound) > 0) {
                    return Optional.empty();
                }
                if (bound > 0 && tables.openWindows(transaction, sequence, 0) > 0) {
                    memory.lookFrom(0);
                    return Optional.empty();
                }
                String last = "the last integer is " + row.get().last();
                return Optional.of(
                        isLast
                                ? new Outcome(null, true, false, false, last)
                                : Outcome.none("no window is open; the window agent is late"));
            });
        }
    }

    private static Reserved reserved(ResultSet row) throws SQLException {
        return new Reserved(
                row.getLong(1), row.getLong(2), row.getLong(3), row.getLong(4), row.getLong(5), row.getString(6));
    }

    private static Reserved locked(ResultSet row, long size) throws SQLException {
        long end = row.getLong(2);
        long low = row.getLong(3);
        return new Reserved(
                row.getLong(1), end, low, low + Math.min(size, end - low), row.getLong(4), row.getString(5));
    }

    private void advance(Transaction transaction, String sequence, Reserved locked) throws SQLException {
        int changed = transaction.update(advanceLocked, locked.high(), sequence, locked.start(), locked.low());
        if (changed != 1) {
            throw new SQLException("a window was not advanced although it is locked: " + locked);
        }
    }

    // --- checks of a reservation

    private static void requireSound(Reserved reserved, long size) throws SQLException {
        if (reserved.low() < reserved.start()
                || reserved.high() <= reserved.low()
                || reserved.high() - reserved.low() > size
                || reserved.high() > reserved.end()) {
            throw new SQLException("more was reserved than " + size + ", or outside of the window: " + reserved);
        }
    }

    /**
     * Returns whether a reservation returned the state of the last check. If not, the caller drops the block, because
     * the server may have lost earlier reservations, or may lose this reservation.
     */
    private static boolean isOfTheServerThatWasChecked(Reserved reserved, Checked present) {
        return present.found().state().equals(reserved.state());
    }

    /**
     * If the shard has lost a reservation, rejects the shard until it is recovered, because other reservations may be
     * lost, too.
     */
    private void requireNotForgotten(
            WindowMemory memory, Attempt attempt, Reserved reserved, String sequence, Checked present) {
        if (memory.isForgotten(attempt, reserved)) {
            checkAgain();
            throw forgetting.noticed(
                    present.tables().watched(),
                    "reservations: in sequence " + sequence + " it reserved integers from " + reserved.low()
                            + " on again, in the window that begins at " + reserved.start(),
                    present.found().database().known());
        }
    }

    /**
     * Returns whether agents will insert no further window into this shard until the last value is raised; false if
     * this is unknown.
     */
    private boolean hasLastWindow(Transaction transaction, SequenceRow row) throws SQLException {
        Generation generation = tables.generations(transaction).get(0);
        if (!row.hasBase() || row.generation() != generation.number() || !generation.isFor(shard)) {
            return false;
        }
        Layout layout = new Layout(row, generation);
        return layout.isPastLast(shard.index(), row.floor())
                || tables.hasWindow(transaction, row.name(), layout.lastStartOf(shard.index()));
    }

    // --- give-back

    /**
     * Gives the rest of a block back to its window. Returns false if this shard does not have the window, if the block
     * is not the last block that was reserved in the window, or if these are not the tables that were checked. Other
     * tables may have a window with the same integers, of which another process still issues some.
     */
    boolean takeBack(String sequence, Block rest) throws SQLException {
        long end = rest.last() + 1;
        WindowMemory memory = memories.get(sequence);
        long from = memory == null ? 0 : memory.startOfWindowWith(rest.first());
        Database present = checked().found().database().known();
        return shard.autoCommit(transaction -> tables.write(
                        transaction,
                        takeBack,
                        rest.first(),
                        sequence,
                        end,
                        from,
                        rest.first(),
                        end,
                        present.databaseId(),
                        present.serverId(),
                        present.recoveries())
                == 1);
    }
}
