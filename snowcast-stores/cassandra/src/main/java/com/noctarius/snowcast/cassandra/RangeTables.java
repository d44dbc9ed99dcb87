// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.noctarius.snowcast.store.NonTransientBlockStoreException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The tables of the two tiers. Every change moves a value forward only, and only from a state that was read: a change
 * that is made late, or whose answer is lost, can waste integers but never repeat one.
 */
final class RangeTables {
    static final String GLOBAL = "GLOBAL";

    private final String datacenter;
    private final SerialTable global;
    private final SerialTable local;

    private final PreparedStatement readGlobal;
    private final PreparedStatement advance;
    private final PreparedStatement setClaim;
    private final PreparedStatement read;
    private final PreparedStatement insert;
    private final PreparedStatement initialise;
    private final PreparedStatement install;
    private final PreparedStatement take;
    private final PreparedStatement switchAndTake;

    RangeTables(Keyspace keyspace) {
        this.datacenter = keyspace.datacenter();
        // Other coordinators than the local table: a node that sees too few of all replicas can still serve its
        // datacenter.
        this.global = SerialTable.overAllDatacenters(keyspace.coordinators());
        this.local = SerialTable.withinTheDatacenter(keyspace.coordinators());
        String seqGlobal = keyspace.table("seq_global");
        String seqDc = keyspace.table("seq_dc");
        this.readGlobal = global.prepare("SELECT dc, first_value, last_value, last_integer, claim_min, claim_max FROM "
                + seqGlobal + " WHERE key = ? AND dc IN ('GLOBAL', ?)");
        this.advance = global.prepare(
                "UPDATE " + seqGlobal + " SET last_integer = ? WHERE key = ? AND dc = 'GLOBAL' IF last_integer = ?");
        this.setClaim = global.prepare(
                "UPDATE " + seqGlobal + " SET claim_min = ?, claim_max = ? WHERE key = ? AND dc = ? IF claim_max = ?");
        this.read = local.prepare(
                "SELECT incarnation, last_integer, reserved_min, reserved_max, preloaded_min, preloaded_max FROM "
                        + seqDc + " WHERE key = ? AND dc = ?");
        this.insert = local.prepare("INSERT INTO " + seqDc + " (key, dc, incarnation) VALUES (?, ?, ?) IF NOT EXISTS");
        this.initialise = local.prepare("UPDATE " + seqDc + " SET last_integer = ?, reserved_min = ?, reserved_max = ?"
                + " WHERE key = ? AND dc = ? IF incarnation = ? AND reserved_max = null");
        this.install = local.prepare("UPDATE " + seqDc + " SET preloaded_min = ?, preloaded_max = ?"
                + " WHERE key = ? AND dc = ? IF incarnation = ? AND reserved_max = ? AND preloaded_max = null");
        this.take = local.prepare("UPDATE " + seqDc + " SET last_integer = ?"
                + " WHERE key = ? AND dc = ? IF incarnation = ? AND last_integer = ? AND reserved_max = ?");
        this.switchAndTake = local.prepare("UPDATE " + seqDc + " SET last_integer = ?, reserved_min = ?,"
                + " reserved_max = ?, preloaded_min = null, preloaded_max = null"
                + " WHERE key = ? AND dc = ? IF incarnation = ? AND last_integer = ? AND reserved_max = ?"
                + " AND preloaded_max = ?");
    }

    // --- all datacenters

    /** Returns empty if the sequence is not defined; fails if the rows contradict each other. */
    Optional<GlobalRow> readGlobal(String sequence, Deadline deadline) {
        Row ofAll = null;
        Row ofThis = null;
        for (Row row : global.read(sequence, readGlobal.bind(sequence, datacenter), deadline)) {
            if (GLOBAL.equals(row.getString("dc"))) {
                ofAll = row;
            } else {
                ofThis = row;
            }
        }
        if (ofAll == null) {
            return Optional.empty();
        }
        GlobalRow present = new GlobalRow(
                DatacenterRow.longOf(ofAll, "first_value"),
                DatacenterRow.longOf(ofAll, "last_value"),
                DatacenterRow.longOf(ofAll, "last_integer"),
                ofThis == null ? DatacenterRow.NONE : DatacenterRow.longOf(ofThis, "claim_min"),
                ofThis == null ? DatacenterRow.NONE : DatacenterRow.longOf(ofThis, "claim_max"));
        if (!present.isSound()) {
            throw new NonTransientBlockStoreException(
                    "sequence " + sequence + ", datacenter " + datacenter + ": " + present
                            + " contradicts itself. Was table seq_global restored from a backup, or its replication changed?"
                            + " See the documentation for what to do then");
        }
        return Optional.of(present);
    }

    /** Claims the integers after the last claimed one, up to {@code upTo}; returns whether this call claimed them. */
    boolean claim(String sequence, GlobalRow seen, long upTo, Deadline deadline) {
        return global.changeTogether(
                        sequence,
                        List.of(
                                advance.bind(upTo, sequence, seen.last()),
                                setClaim.bind(seen.last() + 1, upTo, sequence, datacenter, orNull(seen.claimMax()))),
                        deadline)
                .isApplied();
    }

    // --- this datacenter

    /**
     * Makes sure that this process may change both tables, by changes of rows that cannot be there.
     *
     * @throws DriverException if it may not, or there is no answer
     */
    void requireRights(String sequence, Deadline deadline) {
        UUID nobody = UUID.randomUUID();
        local.change(sequence, take.bind(0L, sequence, datacenter, nobody, 0L, 0L), deadline);
        global.change(sequence, advance.bind(Long.MIN_VALUE, sequence, Long.MIN_VALUE), deadline);
    }

    /** Returns null if the row of the datacenter is not there or was lost; fails if it contradicts itself. */
    @Nullable
    DatacenterRow read(String sequence, Deadline deadline) {
        List<Row> rows = local.read(sequence, read.bind(sequence, datacenter), deadline);
        if (rows.isEmpty()) {
            return null;
        }
        Row row = rows.get(0);
        if (!DatacenterRow.isSound(row)) {
            throw new NonTransientBlockStoreException("sequence " + sequence + ", datacenter " + datacenter
                    + ": its row in seq_dc contradicts itself: " + row.getFormattedContents()
                    + ". Was the table restored from a backup, or its replication changed? See the documentation for"
                    + " what to do then");
        }
        return DatacenterRow.of(row);
    }

    void insert(String sequence, Deadline deadline) {
        local.change(sequence, insert.bind(sequence, datacenter, UUID.randomUUID()), deadline);
    }

    /**
     * Sets the integer above which the ranges of a new row lie. The caller must read the claims after it has read the
     * new row: then they include all ranges that were installed in a former row, which was lost.
     */
    void initialise(String sequence, DatacenterRow seen, long base, Deadline deadline) {
        local.change(
                sequence, initialise.bind(base, base + 1, base, sequence, datacenter, seen.incarnation()), deadline);
    }

    /**
     * Installs a claim as the next range. The claims of a datacenter only grow, so a claim above all installed ranges
     * was never installed before.
     */
    void install(String sequence, DatacenterRow seen, long claimMin, long claimMax, Deadline deadline) {
        local.change(
                sequence,
                install.bind(claimMin, claimMax, sequence, datacenter, seen.incarnation(), seen.reservedMax()),
                deadline);
    }

    /** Reserves the next {@code count} integers of the range. */
    SerialTable.Outcome take(String sequence, DatacenterRow seen, long count, Deadline deadline) {
        return local.change(
                sequence,
                take.bind(
                        seen.last() + count, sequence, datacenter, seen.incarnation(), seen.last(), seen.reservedMax()),
                deadline);
    }

    /** Switches to the next range, and reserves its first {@code count} integers. */
    SerialTable.Outcome switchAndTake(String sequence, DatacenterRow seen, long count, Deadline deadline) {
        DatacenterRow next = seen.switched(count);
        return local.change(
                sequence,
                switchAndTake.bind(
                        next.last(),
                        next.reservedMin(),
                        next.reservedMax(),
                        sequence,
                        datacenter,
                        seen.incarnation(),
                        seen.last(),
                        seen.reservedMax(),
                        seen.preloadedMax()),
                deadline);
    }

    private static @Nullable Long orNull(long value) {
        return value == DatacenterRow.NONE ? null : value;
    }
}
