// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.store.NonTransientBlockStoreException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Recovers sequences and raises their last values, for {@link CassandraSchema}. All changes are conditional, and move
 * values forward or begin a new row. Therefore an operation may be interrupted and repeated.
 */
final class Recovery {
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(30);

    private final Keyspace keyspace;
    private final Coordinators coordinators;
    private final SerialTable global;

    Recovery(Keyspace keyspace, Coordinators coordinators) {
        this.keyspace = keyspace;
        this.coordinators = coordinators;
        this.global = SerialTable.overAllDatacenters(coordinators);
    }

    private <T> T repeat(String name, Function<Deadline, Optional<T>> step) {
        return repeat(name, CALL_TIMEOUT, step);
    }

    /** Repeats a step until it returns a value, the database rejects it, or the time is up. */
    <T> T repeat(String name, Duration timeout, Function<Deadline, Optional<T>> step) {
        Deadline deadline = Deadline.ofAttempts(timeout);
        Backoff backoff = new Backoff(deadline);
        DriverException problem = null;
        do {
            try {
                Optional<T> done = step.apply(deadline);
                if (done.isPresent()) {
                    return done.get();
                }
            } catch (DriverException e) {
                if (Refusal.is(e)) {
                    throw keyspace.failure(e);
                }
                problem = e;
            }
        } while (backoff.pause());
        throw new BlockStoreException(
                "sequence " + name + ": not done within " + timeout + "; run it again"
                        + (problem == null ? "" : ": " + problem),
                problem);
    }

    // --- the last value

    void raiseTiers(String name, long lastValue) {
        repeat(
                name,
                deadline -> raise(
                        name,
                        lastValue,
                        definition(name, deadline),
                        "UPDATE " + keyspace.table("seq_global")
                                + " SET last_value = ? WHERE key = ? AND dc = 'GLOBAL' IF last_value = ?",
                        deadline));
    }

    void raiseStriped(String name, long lastValue) {
        repeat(
                name,
                deadline -> raise(
                        name,
                        lastValue,
                        stripedDefinition(name, deadline),
                        "UPDATE " + keyspace.table("seq_striped")
                                + " SET last_value = ? WHERE key = ? IF last_value = ?",
                        deadline));
    }

    private Optional<Boolean> raise(String name, long lastValue, Row defined, String update, Deadline deadline) {
        long present = defined.getLong("last_value");
        if (lastValue < present || lastValue == Long.MAX_VALUE) {
            throw new IllegalArgumentException("lastValue of sequence " + name + " must be at least " + present
                    + ", its present value, and below " + Long.MAX_VALUE + ": " + lastValue);
        }
        boolean isDone = lastValue == present
                || global.change(name, global.prepare(update).bind(lastValue, name, present), deadline);
        return isDone ? Optional.of(true) : Optional.empty();
    }

    private Row definition(String name, Deadline deadline) {
        return one(
                name,
                global.read(
                        name,
                        global.prepare("SELECT first_value, last_value, last_integer FROM "
                                        + keyspace.table("seq_global") + " WHERE key = ? AND dc = 'GLOBAL'")
                                .bind(name),
                        deadline));
    }

    private Row stripedDefinition(String name, Deadline deadline) {
        return one(
                name,
                global.read(
                        name,
                        global.prepare("SELECT first_value, last_value, stripes FROM " + keyspace.table("seq_striped")
                                        + " WHERE key = ?")
                                .bind(name),
                        deadline));
    }

    private static Row one(String name, List<Row> rows) {
        if (rows.isEmpty() || rows.get(0).isNull("first_value") || rows.get(0).isNull("last_value")) {
            throw new NonTransientBlockStoreException(
                    "sequence " + name + " is not defined: define it first, with the values that it had");
        }
        return rows.get(0);
    }

    // --- ranges

    /** Replaces the datacenter's row by a new one, which begins above all claims of the datacenter. */
    void recoverDatacenter(String name) {
        repeat(name, deadline -> {
            // Read the ranges before the claims. A range is installed after it is claimed, so the claims then include
            // each range that was read.
            long installed = installed(name, deadline);
            long claimed = longOf(definition(name, deadline), "last_integer");
            if (claimed < installed) {
                throw new NonTransientBlockStoreException("sequence " + name + ": integers are claimed up to " + claimed
                        + " only, but a datacenter has a range up to " + installed
                        + ", so seq_global has forgotten claims: recover it with a value above all integers in use");
            }
            new RangeTables(keyspace).renew(name, deadline);
            return Optional.of(true);
        });
    }

    void recoverTiers(String name, long nextValue) {
        repeat(name, deadline -> {
            Row defined = definition(name, deadline);
            requireNext(name, nextValue, defined);
            long claimed = longOf(defined, "last_integer");
            long floor = Math.max(Math.max(nextValue - 1, claimed), installed(name, deadline));
            if (floor > defined.getLong("last_value")) {
                throw new NonTransientBlockStoreException("sequence " + name + ": a datacenter has a range up to "
                        + floor + ", but the last value is " + defined.getLong("last_value") + ": raise it first");
            }
            // Raise last_integer before the row is replaced, because the first range of the new row is claimed above
            // this value.
            boolean isAbove = claimed == floor
                    || global.change(
                            name,
                            global.prepare("UPDATE " + keyspace.table("seq_global") + " SET last_integer = ?"
                                            + " WHERE key = ? AND dc = 'GLOBAL' IF last_integer = ?")
                                    .bind(floor, name, claimed == DatacenterRow.NONE ? null : claimed),
                            deadline);
            if (isAbove) {
                new RangeTables(keyspace).renew(name, deadline);
            }
            return isAbove ? Optional.of(true) : Optional.empty();
        });
    }

    private static void requireNext(String name, long nextValue, Row defined) {
        long last = defined.getLong("last_value");
        if (nextValue < defined.getLong("first_value") || nextValue - 1 > last) {
            throw new IllegalArgumentException("nextValue of sequence " + name + " must be "
                    + defined.getLong("first_value") + " to " + (last + 1) + ": " + nextValue);
        }
    }

    /**
     * Returns the end of the highest claimed or installed range of any datacenter, according to the replicas in this
     * datacenter.
     */
    private long installed(String name, Deadline deadline) {
        long highest = DatacenterRow.NONE;
        for (Row claim : plain(
                name, "SELECT dc, claim_max FROM " + keyspace.table("seq_global") + " WHERE key = ?", deadline, name)) {
            highest = Math.max(highest, longOf(claim, "claim_max"));
            for (Row row : plain(
                    name,
                    "SELECT reserved_max, preloaded_max FROM " + keyspace.table("seq_dc") + " WHERE key = ? AND dc = ?",
                    deadline,
                    name,
                    claim.getString("dc"))) {
                highest = Math.max(highest, Math.max(longOf(row, "reserved_max"), longOf(row, "preloaded_max")));
            }
        }
        return highest;
    }

    /**
     * Reads rows from the replicas in this datacenter, without {@code LOCAL_SERIAL}: only nodes of a row's own
     * datacenter may read it serially.
     */
    private Iterable<Row> plain(String name, String cql, Deadline deadline, @Nullable Object... values) {
        return coordinators.execute(
                name,
                SimpleStatement.newInstance(cql, values).setConsistencyLevel(DefaultConsistencyLevel.LOCAL_QUORUM),
                deadline);
    }

    private static long longOf(Row row, String column) {
        return DatacenterRow.longOf(row, column);
    }

    // --- stripes

    void recoverStriped(String name, long nextValue) {
        Row row = repeat(name, deadline -> Optional.of(stripedDefinition(name, deadline)));
        requireNext(name, nextValue, row);
        StripedDefinition defined =
                new StripedDefinition(row.getLong("first_value"), row.getLong("last_value"), row.getInt("stripes"));
        StripeTables stripes = repeat(name, deadline -> Optional.of(new StripeTables(keyspace)));
        for (int i = 0; i < defined.stripes(); i++) {
            int stripe = i;
            long firstK = defined.firstKFrom(nextValue, stripe);
            repeat(name, deadline -> advance(stripes, name, stripe, firstK, deadline));
        }
    }

    private static Optional<Boolean> advance(
            StripeTables stripes, String name, int stripe, long firstK, Deadline deadline) {
        Optional<StripeTables.Stripe> present = stripes.read(name, stripe, firstK, deadline);
        Long from = present.map(StripeTables.Stripe::first).orElse(null);
        boolean isDone = (from != null && from >= firstK)
                || stripes.take(name, stripe, from, Requests.Grants.none(firstK), deadline);
        return isDone ? Optional.of(true) : Optional.empty();
    }
}
