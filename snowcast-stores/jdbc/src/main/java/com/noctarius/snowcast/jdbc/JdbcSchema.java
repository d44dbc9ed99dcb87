// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.store.SequenceName;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Creates and changes the tables of shards. You can also create them by a script in the package of this class,
 * {@code postgresql.sql} (also for H2) or {@code mariadb.sql} (also for MySQL), and insert the rows that its comment
 * shows.
 *
 * <p>All calls may be repeated: several processes may call a method at the same time, and if a process is killed,
 * another call completes the change. A method makes several calls on the shards, one after the other; each call blocks
 * at most for the {@linkplain JdbcShards.Builder#callTimeout call time-out}. Thread-safe.
 */
public final class JdbcSchema {
    private final JdbcShards shards;
    private final Tables tables;

    /**
     * Creates an object for a list of shards.
     *
     * @param shards all shards, in their order
     */
    public JdbcSchema(JdbcShards shards) {
        this.shards = shards;
        this.tables = shards.tables();
    }

    /**
     * Creates the tables if they do not exist, adds columns that tables of a former version lack, and stores in each
     * database its index and the list of shards.
     *
     * @param windowSize how many integers a window has, 1 or more; it is also the maximum size of a block
     * @throws IllegalArgumentException if {@code windowSize} is out of range
     * @throws ShardMismatchException if a database already stores another index or list, or another window size; see
     *     {@link #changeShards(long)}
     * @throws BlockStoreException if a shard, which the message names, cannot be reached
     */
    public void create(long windowSize) {
        requireWindowSize(windowSize);
        new SchemaTables(shards).create();
        new ShardList(shards, windowSize).create();
    }

    /**
     * Changes the list of shards and the window size to this object's list and {@code windowSize}. The new list may
     * have more shards, fewer shards, or another order. More than half of the databases of the present list must stay.
     * After the change, agents with the former list fail, so run a {@link WindowAgent} with the new list. Stores with
     * the former list continue until the list is changed again.
     *
     * @param windowSize how many integers a window has from then on, 1 or more
     * @throws IllegalArgumentException if {@code windowSize} is out of range
     * @throws ShardMismatchException if no database of this object's list has been a shard before (call {@link #create}
     *     instead), if at most half of the databases of the present list stay, if another change is not complete, or if
     *     no agent has completed a run with the present list
     * @throws BlockStoreException if a shard, which the message names, cannot be reached
     */
    public void changeShards(long windowSize) {
        changeShards(windowSize, Set.of());
    }

    /**
     * Changes the list as {@link #changeShards(long)} does, but also gives up databases of the present list
     * permanently, for example the lost one of two databases. More than half of the other databases of the present list
     * must stay.
     *
     * @param windowSize how many integers a window has from then on, 1 or more
     * @param givenUp the IDs of the databases to give up, which the messages of exceptions contain. No process may use
     *     these databases now or later; otherwise integers may repeat
     * @throws NullPointerException if an argument is null
     * @throws IllegalArgumentException if {@code windowSize} is out of range
     * @throws ShardMismatchException as for {@link #changeShards(long)}
     * @throws BlockStoreException as for {@link #changeShards(long)}
     */
    public void changeShards(long windowSize, Set<String> givenUp) {
        requireWindowSize(windowSize);
        Set<String> lost = Set.copyOf(givenUp);
        new SchemaTables(shards).create();
        new ShardList(shards, windowSize).change(lost);
    }

    /**
     * Defines a sequence in one shard; the next run of a {@link WindowAgent} copies the definition to the others.
     *
     * @param name its name; {@link SequenceName#require} says which names are allowed
     * @param firstValue its lowest integer, 0 or more, such as one above the highest existing identifier
     * @param lastValue its highest integer, at least {@code firstValue}; {@code Long.MAX_VALUE} stands for the integer
     *     below it, the highest that the tables can have
     * @throws NullPointerException if {@code name} is null
     * @throws IllegalArgumentException if a value is out of range, or the sequence is defined with other values
     * @throws BlockStoreException if a shard, which the message names, cannot be reached
     */
    public void defineSequence(String name, long firstValue, long lastValue) {
        long last = SequenceRow.last(SequenceName.require(name), firstValue, lastValue);
        if (isDefined(name, firstValue, last)) {
            return;
        }
        shards.define(shards.all().get(0), "", name, firstValue, last);
        // Another process may have defined the sequence first, with other values.
        if (!isDefined(name, firstValue, last)) {
            throw new BlockStoreException("sequence " + name + " was deleted while it was defined in " + shards);
        }
    }

    private boolean isDefined(String name, long firstValue, long lastValue) {
        boolean isKnown = false;
        for (Shard shard : shards.all()) {
            Optional<SequenceRow> row = on(shard, transaction -> tables.sequence(transaction, name));
            isKnown |= row.isPresent();
            if (row.isPresent() && (row.get().first() != firstValue || row.get().last() != lastValue)) {
                throw new IllegalArgumentException("sequence " + name + " must be from " + firstValue + " to "
                        + lastValue + ", and is on " + shard + ": " + row.get());
            }
        }
        return isKnown;
    }

    /**
     * Raises the highest integer of a sequence in all shards, for example after a column was changed to a larger type.
     * Agents reject the sequence until all shards have the same last value; if the call fails, repeat it. If the former
     * last value has shortened the last window, the rest of the full window becomes a gap.
     *
     * @param name the name of a sequence that is defined
     * @param lastValue its highest integer from now on, above or equal to the present last value;
     *     {@code Long.MAX_VALUE} stands for the integer below it
     * @throws NullPointerException if {@code name} is null
     * @throws IllegalArgumentException if the sequence is not defined, or {@code lastValue} is below its present last
     *     value
     * @throws BlockStoreException if a shard, which the message names, cannot be reached
     */
    public void raiseLastValue(String name, long lastValue) {
        SequenceName.require(name);
        List<SequenceRow> rows = new ArrayList<>();
        for (Shard shard : shards.all()) {
            on(shard, transaction -> tables.sequence(transaction, name)).ifPresent(rows::add);
        }
        if (rows.isEmpty()) {
            throw new IllegalArgumentException("sequence " + name + " is not defined in " + shards);
        }
        rows.forEach(row -> {
            if (row.last() > lastValue) {
                throw new IllegalArgumentException(
                        "lastValue must be at least the present one, of " + row + ": " + lastValue);
            }
        });
        long last = SequenceRow.last(name, rows.get(0).first(), lastValue);
        for (Shard shard : shards.all()) {
            shards.write(
                    shard,
                    "",
                    "UPDATE " + tables.names() + " SET highest_value = ? WHERE sequence_name = ?"
                            + " AND highest_value < ? AND {durable}",
                    last,
                    name,
                    last);
        }
    }

    /**
     * Recovers a shard that failed over or was restored, with the data of the other shards. Closes all windows of the
     * shard that begin below the highest end that agents have announced. Afterwards agents insert new windows into the
     * shard. A {@link WindowAgent} does the same automatically when the server has changed; call this method for a
     * shard that was restored on the same server.
     *
     * @param shardIndex the index of the shard in the list
     * @throws IndexOutOfBoundsException if there is no such shard
     * @throws ShardMismatchException if the other shards that are reachable, unchanged, not rejected, and have upper
     *     bounds of the windows are fewer than half of all shards; if they have lost a sequence that this shard has; or
     *     if this shard's database is rejected
     * @throws BlockStoreException if the shard cannot be reached
     */
    public void recover(int shardIndex) {
        Shard shard = shards.all().get(shardIndex);
        ShardState.All states = ShardState.All.of(shards, "");
        long newest = states.agreed().number();
        List<ShardState> knowing = states.knowing(newest, shard);
        if (knowing.isEmpty()) {
            throw new ShardMismatchException(shard + " cannot be recovered from the other shards, because too few"
                    + " of them can be reached and have not failed over: call recover with the highest integer in use"
                    + " of every sequence");
        }
        recovery(shard).byOthers(knowing);
    }

    /**
     * Recovers a shard that failed over or was restored, with data of an operator: for each sequence, the highest
     * integer in use, or a higher one. Use this method if {@link #recover(int)} is not possible, because too few other
     * shards are reachable and unchanged. Closes the windows of the shard that begin at the given integers or below.
     * Call this method for every changed shard. First restart the processes that have integers of this shard in memory,
     * because they would use integers that you have not counted.
     *
     * @param shardIndex the index of the shard in the list
     * @param above for every sequence of any shard, the highest integer that is in use or in the memory of a process,
     *     or a higher one
     * @throws IndexOutOfBoundsException if there is no such shard
     * @throws IllegalArgumentException if {@code above} lacks a sequence that this or another reachable shard has, if
     *     an integer is negative or equal to {@code Long.MAX_VALUE}, or if a given sequence is defined in no shard
     * @throws ShardMismatchException if this shard's database is rejected; other rejected shards count as unreachable
     * @throws BlockStoreException if the shard cannot be reached, or if a given sequence is defined in no reachable
     *     shard, and another shard is rejected or cannot be reached
     */
    public void recover(int shardIndex, Map<String, Long> above) {
        above.forEach((name, integer) -> {
            if (integer < 0 || integer == Long.MAX_VALUE) {
                throw new IllegalArgumentException("the integer of sequence " + name + " must be 0 or more and below "
                        + Long.MAX_VALUE + ": " + integer);
            }
        });
        Shard shard = shards.all().get(shardIndex);
        recovery(shard).byHand(above, ShardState.All.of(shards, ""));
    }

    /**
     * Recovers a shard whose server has changed, and leaves its windows open. The caller guarantees that no committed
     * data was lost, for example after a fail-over to a synchronous replica, or an upgrade of the server. If data was
     * lost, <b>integers repeat</b>.
     *
     * @param shardIndex the index of the shard in the list
     * @throws IndexOutOfBoundsException if there is no such shard
     * @throws ShardMismatchException if the database is not the shard that it is configured as
     * @throws BlockStoreException if the shard cannot be reached
     */
    public void recoverWithoutLoss(int shardIndex) {
        recovery(shards.all().get(shardIndex)).withoutLoss();
    }

    /**
     * Marks a database that was restored, or replaced by another one, in a way that processes cannot detect. Call this
     * method before any process can connect. Afterwards processes grant no node IDs from tables with the prefix
     * {@code leasePrefix} until all leases that may have been lost have expired. Stores reserve no integers in this
     * shard until it is recovered, see {@link #recover(int, Map)}.
     *
     * @param shardIndex the index of the shard in the list
     * @param leasePrefix the prefix of the tables of node IDs; the default of a {@link JdbcSnowcast} is
     *     {@code snowcast}
     * @return the tables that were marked
     * @throws NullPointerException if {@code leasePrefix} is null
     * @throws IllegalArgumentException if {@link JdbcSnowcast.Builder#tablePrefix} does not allow {@code leasePrefix}
     * @throws IndexOutOfBoundsException if there is no such shard
     * @throws BlockStoreException if the shard cannot be reached, has no tables of snowcast, or if only one of two
     *     tables was marked: the other one, which the message names, has no row, or is in a schema that the connection
     *     does not search
     */
    public List<String> markRestored(int shardIndex, String leasePrefix) {
        String leases = new LeaseTables(JdbcShards.requireTableName("leasePrefix", leasePrefix)).database();
        Shard shard = shards.all().get(shardIndex);
        List<String> unmarked = new ArrayList<>();
        List<String> marked = on(shard, transaction -> {
            List<String> done = new ArrayList<>();
            for (String table : List.of(leases, tables.database())) {
                if (Tables.isInAnySchema(transaction, table)) {
                    (mark(transaction, table) ? done : unmarked).add(table);
                }
            }
            return done;
        });
        if (marked.isEmpty()) {
            throw new BlockStoreException("nothing was marked: " + shard + " in " + shards + " has neither " + leases
                    + " nor " + tables.database() + " with a row; set table and lease.prefix");
        }
        if (!unmarked.isEmpty()) {
            throw new BlockStoreException("marked: " + String.join(", ", marked) + "; not marked: "
                    + String.join(", ", unmarked) + ", which has no row, or is in a schema that the connection does not"
                    + " search; name the schema in table and lease.prefix, or in --table-prefix, and repeat the call");
        }
        return marked;
    }

    private static boolean mark(Transaction transaction, String table) throws SQLException {
        if (!Tables.exist(transaction, table)) {
            return false;
        }
        int unused = SharedLosses.mark(transaction, table);
        return SharedLosses.isMarked(transaction, table);
    }

    private ShardRecovery recovery(Shard shard) {
        return new ShardRecovery(shards, on(shard, transaction -> ShardCheck.forAgent(shard, tables, transaction)));
    }

    private static void requireWindowSize(long windowSize) {
        if (windowSize < 1) {
            throw new IllegalArgumentException("windowSize must be >= 1: " + windowSize);
        }
    }

    // --- calls

    private <T> T on(Shard shard, Shard.Work<T> work) {
        return shards.call(shard, "", work);
    }
}
