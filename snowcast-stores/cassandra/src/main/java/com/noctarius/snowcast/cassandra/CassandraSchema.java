// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.store.SequenceName;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Administers integer sequences in Cassandra: creates the tables, defines, checks and recovers sequences, and raises
 * their last values. You can also create the tables by hand, with the file {@code cassandra.cql} next to this class.
 * This class does not create the keyspace, because its replication concerns the whole cluster.
 *
 * <p>You may repeat each call, even if the process was killed during the first one: the repeated call completes the
 * missing steps. Only one process at a time should create tables, because Cassandra does not order concurrent schema
 * changes.
 *
 * <p>Thread-safe. Calls block. They wait at most 30 seconds for each step that recovers a sequence or raises its last
 * value, and at most 10 seconds for each other request. Creating a table may take 60 seconds, and the agreement of all
 * nodes on the schema another 60. Preparing a statement may take the session's request time-out in addition. An
 * interrupt does not end a call; the call sets the thread's interrupt status again before it returns.
 */
public final class CassandraSchema {
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration AGREEMENT_TIMEOUT = Duration.ofSeconds(60);
    private static final long AGREEMENT_POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final Keyspace keyspace;
    private final Coordinators coordinators;

    /**
     * Creates an object that administers the sequences of a keyspace. Sends no request.
     *
     * @param session a session that uses protocol V4, and whose local datacenter is {@code localDatacenter}
     * @param keyspace an existing keyspace; 1 to 48 letters, digits and underscores, the first a letter
     * @param localDatacenter the name of this process's datacenter in Cassandra
     * @throws NullPointerException if an argument is null
     * @throws IllegalArgumentException if a name is not valid, or the session uses a later protocol version
     */
    public CassandraSchema(CqlSession session, String keyspace, String localDatacenter) {
        this.keyspace = new Keyspace(session, keyspace, localDatacenter);
        this.coordinators = this.keyspace.coordinators();
    }

    /**
     * Creates the tables that do not exist, and waits until all nodes that are up have the same schema.
     *
     * @throws IllegalArgumentException if the keyspace does not exist, is not replicated to the datacenter by
     *     {@code NetworkTopologyStrategy}, or has transient replicas
     * @throws BlockStoreException if the datacenter does not answer, or the nodes do not agree on the schema in time
     */
    public void create() {
        try {
            keyspace.requireReplicas(coordinators, Deadline.after(CALL_TIMEOUT));
            for (String statement : statements()) {
                coordinators.execute(
                        keyspace.name(), SimpleStatement.newInstance(statement), Deadline.after(AGREEMENT_TIMEOUT));
                awaitAgreement();
            }
        } catch (DriverException e) {
            throw keyspace.failure(e);
        }
    }

    private void awaitAgreement() {
        Deadline deadline = Deadline.after(AGREEMENT_TIMEOUT);
        while (!keyspace.session().checkSchemaAgreement()) {
            if (!deadline.pause(AGREEMENT_POLL_NANOS)) {
                throw new BlockStoreException(
                        "the nodes must agree on the schema of " + keyspace.name() + " within " + AGREEMENT_TIMEOUT);
            }
        }
    }

    private List<String> statements() {
        try (InputStream stream = CassandraSchema.class.getResourceAsStream("cassandra.cql")) {
            if (stream == null) {
                throw new IllegalStateException("the jar must contain cassandra.cql");
            }
            String text = new String(stream.readAllBytes(), StandardCharsets.UTF_8)
                    .replaceAll("(?m)^--.*$", "")
                    .replace("IF NOT EXISTS ", "IF NOT EXISTS " + keyspace.table(""));
            return Stream.of(text.split(";"))
                    .map(String::strip)
                    .filter(statement -> !statement.isEmpty())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // --- operation

    /**
     * Reads how many integers each sequence has left, and how long the integers of each datacenter last without the
     * other datacenters. Only nodes of the local datacenter have to answer, so this also works while the local
     * datacenter is cut off. The values of the other datacenters may be out of date, because they are read from the
     * replicas in the local datacenter.
     *
     * @param interval how long to measure the rate, up to 1 hour; 0 measures no rate. A rate counts whole blocks, so
     *     choose an interval in which several blocks are reserved
     * @return all two-tier, plain and striped sequences
     * @throws IllegalArgumentException if the interval is out of range
     * @throws BlockStoreException if the datacenter does not answer, or the tables do not exist
     */
    public List<SequenceStatus> status(Duration interval) {
        if (interval.isNegative() || interval.compareTo(Duration.ofHours(1)) > 0) {
            throw new IllegalArgumentException("interval must be 0 to 1 hour: " + interval);
        }
        try {
            return new StatusReader(keyspace, coordinators).read(interval);
        } catch (DriverException e) {
            throw keyspace.failure(e);
        }
    }

    /**
     * Raises the last value of a two-tier sequence. Stores read the new value when they next claim a range.
     *
     * @param name its name
     * @param lastValue the new last value, at least the current one and below {@code Long.MAX_VALUE}
     * @throws IllegalArgumentException if {@code lastValue} is out of range
     * @throws BlockStoreException if the sequence is not defined, or too few replicas answer; the call may be repeated
     */
    public void raiseSequence(String name, long lastValue) {
        recovery().raiseTiers(SequenceName.require(name), lastValue);
    }

    /**
     * Raises the last value of a plain or striped sequence. Stores read the new value when all stripes are used up.
     *
     * @param name its name
     * @param lastValue the new last value, at least the current one and below {@code Long.MAX_VALUE}
     * @throws IllegalArgumentException if {@code lastValue} is out of range
     * @throws BlockStoreException if the sequence is not defined, or too few replicas answer; the call may be repeated
     */
    public void raiseStripedSequence(String name, long lastValue) {
        recovery().raiseStriped(SequenceName.require(name), lastValue);
    }

    /**
     * Makes the local datacenter continue above all integers that it ever claimed. Use this after the datacenter's row
     * in {@code seq_dc} has gone back to an earlier state, for example because nodes forgot acknowledged writes, or
     * because the table was restored from a backup. The unused integers of the datacenter's ranges become a gap. Blocks
     * that are reserved after this call contain no integer that was reserved before, unless {@code seq_global} has gone
     * back, too.
     *
     * @param name the name of a two-tier sequence
     * @throws BlockStoreException if the sequence is not defined, the rows show that {@code seq_global} has gone back
     *     to an earlier state, or not enough replicas answer; the call may be repeated
     */
    public void recoverSequence(String name) {
        recovery().recoverDatacenter(SequenceName.require(name));
    }

    /**
     * Makes a two-tier sequence continue at or above a value, after its rows in {@code seq_global} have gone back to an
     * earlier state. The database has lost the record of later claims, so the caller has to know a value above all
     * integers in use. Call this once in each datacenter before its processes start again, because each call also
     * recovers the local datacenter as {@link #recoverSequence(String)} does.
     *
     * @param name the name of the sequence
     * @param nextValue a value above every integer that was issued or that a process has reserved
     * @throws IllegalArgumentException if {@code nextValue} is below the first value of the sequence, or more than one
     *     above the last
     * @throws BlockStoreException if the sequence is not defined, a range ends above the last value of the sequence, or
     *     too few replicas answer; the call may be repeated
     */
    public void recoverSequence(String name, long nextValue) {
        recovery().recoverTiers(SequenceName.require(name), nextValue);
    }

    /**
     * Makes the stripes of a sequence continue at or above a value, after the rows of some stripes were lost or have
     * gone back to an earlier state. The database has lost the record of later reservations, so the caller has to know
     * a value above all integers in use.
     *
     * @param name the name of a plain or striped sequence
     * @param nextValue a value above every integer that was issued or that a process has reserved
     * @throws IllegalArgumentException if {@code nextValue} is below the first value of the sequence, or more than one
     *     above the last
     * @throws BlockStoreException if the sequence is not defined, or too few replicas answer; the call may be repeated
     */
    public void recoverStripedSequence(String name, long nextValue) {
        recovery().recoverStriped(SequenceName.require(name), nextValue);
    }

    private Recovery recovery() {
        return new Recovery(keyspace, coordinators);
    }

    // --- sequences

    /**
     * Defines a two-tier sequence, for {@link CassandraBlockStore}. If the sequence is already defined with these
     * values, a quorum of this datacenter suffices; otherwise a majority of all replicas must answer.
     *
     * @param name its name, which {@link SequenceName} allows
     * @param firstValue its lowest integer, 0 or more; for example, one above the highest identifier that exists
     * @param lastValue its highest integer, at least {@code firstValue} and below {@code Long.MAX_VALUE}
     * @throws NullPointerException if {@code name} is null
     * @throws IllegalArgumentException if a value is out of range, or the sequence is already defined with other values
     * @throws BlockStoreException if no majority of the replicas of all datacenters answers; the call may be repeated
     */
    public void defineSequence(String name, long firstValue, long lastValue) {
        requireRange(name, firstValue, lastValue);
        String select = "SELECT first_value, last_value FROM " + keyspace.table("seq_global")
                + " WHERE key = ? AND dc = 'GLOBAL'";
        if (isKnown(name, select, row -> isSame(row, firstValue, lastValue))) {
            return;
        }
        SerialTable table = SerialTable.overAllDatacenters(coordinators);
        Row present = insertIfAbsent(
                table,
                name,
                "INSERT INTO " + keyspace.table("seq_global")
                        + " (key, dc, first_value, last_value, last_integer) VALUES (?, 'GLOBAL', ?, ?, ?) IF NOT EXISTS",
                select,
                name,
                firstValue,
                lastValue,
                firstValue - 1);
        requireSame(name, present, firstValue, lastValue);
    }

    /**
     * Defines a plain or striped sequence, for {@link CassandraStripedBlockStore}. If the sequence is already defined
     * with these values, a quorum of this datacenter suffices; otherwise a majority of all replicas must answer.
     *
     * @param name its name, which {@link SequenceName} allows
     * @param firstValue its lowest integer, 0 or more; for example, one above the highest identifier that exists
     * @param lastValue its highest integer, at least {@code firstValue} and below {@code Long.MAX_VALUE}
     * @param stripes how many stripes it has: 1 for a plain sequence, up to 10,000; cannot be changed later
     * @throws NullPointerException if {@code name} is null
     * @throws IllegalArgumentException if a value is out of range, or the sequence is already defined with other values
     * @throws BlockStoreException if no majority of the replicas of all datacenters answers; the call may be repeated
     */
    public void defineStripedSequence(String name, long firstValue, long lastValue, int stripes) {
        requireRange(name, firstValue, lastValue);
        if (stripes < 1 || stripes > 10_000) {
            throw new IllegalArgumentException("stripes must be 1 to 10,000: " + stripes);
        }
        String striped = keyspace.table("seq_striped");
        String select = "SELECT first_value, last_value, stripes, complete FROM " + striped + " WHERE key = ?";
        if (isKnown(
                name,
                select,
                row -> isSame(row, firstValue, lastValue)
                        && row.getInt("stripes") == stripes
                        && row.getBoolean("complete"))) {
            return;
        }
        SerialTable table = SerialTable.overAllDatacenters(coordinators);
        Row present = insertIfAbsent(
                table,
                name,
                "INSERT INTO " + striped
                        + " (key, first_value, last_value, stripes, complete) VALUES (?, ?, ?, ?, false) IF NOT EXISTS",
                select,
                name,
                firstValue,
                lastValue,
                stripes);
        requireSame(name, present, firstValue, lastValue);
        if (present.getInt("stripes") != stripes) {
            throw new IllegalArgumentException("sequence " + name + " has " + present.getInt("stripes")
                    + " stripes, and must keep them: " + stripes);
        }
        // Insert stripes only before clients can use them. A later insert would make a lost stripe start again at its
        // first integer.
        if (!present.getBoolean("complete")) {
            insertStripes(table, name, stripes);
            change(table, name, "UPDATE " + striped + " SET complete = true WHERE key = ? IF complete = false", name);
        }
    }

    private void insertStripes(SerialTable table, String name, int stripes) {
        for (int stripe = 0; stripe < stripes; stripe++) {
            change(
                    table,
                    name,
                    "INSERT INTO " + keyspace.table("seq_stripe")
                            + " (key, stripe, next_k) VALUES (?, ?, 0) IF NOT EXISTS",
                    name,
                    stripe);
        }
    }

    private static void requireRange(String name, long firstValue, long lastValue) {
        SequenceName.require(name);
        if (firstValue < 0 || lastValue < firstValue || lastValue == Long.MAX_VALUE) {
            throw new IllegalArgumentException("firstValue must be >= 0, lastValue at least firstValue and below "
                    + Long.MAX_VALUE + ": " + firstValue + ", " + lastValue);
        }
    }

    private static void requireSame(String name, Row present, long firstValue, long lastValue) {
        if (!isSame(present, firstValue, lastValue)) {
            throw new IllegalArgumentException("sequence " + name + " must be from " + present.getLong("first_value")
                    + " to " + present.getLong("last_value") + ", as it is defined: " + firstValue + ", " + lastValue
                    + ". The last value can be raised, by raiseSequence or raiseStripedSequence");
        }
    }

    private static boolean isSame(Row row, long firstValue, long lastValue) {
        return row.getLong("first_value") == firstValue && row.getLong("last_value") == lastValue;
    }

    /**
     * Returns whether the datacenter of this process knows that the sequence is already defined as wanted. If so, no
     * majority of all replicas is needed: an application that defines its sequences at each start can then start while
     * another datacenter is lost.
     */
    private boolean isKnown(String name, String select, Predicate<Row> isAsWanted) {
        SerialTable table = SerialTable.withinTheDatacenter(coordinators);
        try {
            return table.look(name, table.prepare(select).bind(name), Deadline.after(CALL_TIMEOUT)).stream()
                    .anyMatch(isAsWanted);
        } catch (DriverException e) {
            return false; // The definition is now tried; if it fails, too, its exception says why.
        }
    }

    /** Inserts a row if there is none; returns the row that exists afterwards. */
    private Row insertIfAbsent(SerialTable table, String name, String insert, String select, Object... values) {
        change(table, name, insert, values);
        try {
            BoundStatement read = table.prepare(select).bind(name);
            return table.read(name, read, Deadline.after(CALL_TIMEOUT)).stream()
                    .findFirst()
                    .orElseThrow(() -> new BlockStoreException("the definition of " + name + " was deleted meanwhile"));
        } catch (DriverException e) {
            throw keyspace.failure(e);
        }
    }

    /**
     * Makes a change, and repeats it as {@link Recovery#repeat} does until there is an answer. A change whose condition
     * is not met is not repeated. Each change must have the same result if it is made twice.
     */
    private void change(SerialTable table, String name, String cql, Object... values) {
        boolean unused = recovery()
                .repeat(
                        name,
                        CALL_TIMEOUT,
                        deadline -> Optional.of(
                                table.change(name, table.prepare(cql).bind(values), deadline)));
    }
}
