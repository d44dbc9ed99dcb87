// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.noctarius.snowcast.store.NonTransientBlockStoreException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads and changes the tables of two-tier sequences. Apart from {@link #post} and {@link #renew}, a change only moves
 * values forward, and only if the row still has the state that was read. Therefore a change that takes effect late, or
 * whose answer is lost, can waste integers but never repeat one. A row of {@code seq_dc} is never deleted, and its
 * integers are never set to null. Cassandra forgets deletions after {@code gc_grace_seconds}, and a replica that was
 * down for longer would restore the old values.
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
    private final PreparedStatement renew;
    private final PreparedStatement initialise;
    private final PreparedStatement install;
    private final PreparedStatement post;
    private final PreparedStatement take;
    private final PreparedStatement switchAndTake;

    RangeTables(Keyspace keyspace) {
        this.datacenter = keyspace.datacenter();
        // Each table has its own Coordinators, because a node that sees too few of all replicas cannot serve
        // seq_global, but may serve seq_dc.
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
        this.read = local.prepare("SELECT " + DatacenterRow.COLUMNS + " FROM " + seqDc + " WHERE key = ? AND dc = ?");
        String none = String.valueOf(DatacenterRow.NONE);
        String setNew = "UPDATE " + seqDc + " SET incarnation = ?, last_integer = " + none + ", reserved_min = " + none
                + ", reserved_max = " + none + ", preloaded_min = " + none + ", preloaded_max = " + none
                + ", granted = {} WHERE key = ? AND dc = ?";
        // Not IF NOT EXISTS, because a row that has lost its values may still contain requests.
        this.insert = local.prepare(setNew + " IF incarnation = null");
        this.renew = local.prepare(setNew + " IF EXISTS");
        this.initialise = local.prepare("UPDATE " + seqDc + " SET last_integer = ?, reserved_min = ?, reserved_max = ?"
                + " WHERE key = ? AND dc = ? IF incarnation = ? AND reserved_max = " + none);
        this.install = local.prepare("UPDATE " + seqDc + " SET preloaded_min = ?, preloaded_max = ?"
                + " WHERE key = ? AND dc = ? IF incarnation = ? AND reserved_max = ? AND preloaded_max = " + none);
        this.post = local.prepare(
                "UPDATE " + seqDc + " USING TTL " + Requests.SECONDS + " SET posted[?] = ? WHERE key = ? AND dc = ?");
        String ifSame = " WHERE key = ? AND dc = ? IF incarnation = ? AND last_integer = ? AND reserved_max = ?";
        this.take = local.prepare("UPDATE " + seqDc + " SET last_integer = ?, granted = ?" + ifSame);
        this.switchAndTake = local.prepare(
                "UPDATE " + seqDc + " SET last_integer = ?, granted = ?, reserved_min = ?, reserved_max = ?,"
                        + " preloaded_min = " + none + ", preloaded_max = " + none + ifSame + " AND preloaded_max = ?");
    }

    // --- all datacenters

    /** Reads the claims. Returns empty if the sequence is not defined. Throws if the rows contradict each other. */
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

    /** Claims the integers after the last claimed one, up to {@code upTo}. Returns whether this call claimed them. */
    boolean claim(String sequence, GlobalRow seen, long upTo, Deadline deadline) {
        return global.changeTogether(
                sequence,
                List.of(
                        advance.bind(upTo, sequence, seen.last()),
                        setClaim.bind(seen.last() + 1, upTo, sequence, datacenter, orNull(seen.claimMax()))),
                deadline);
    }

    // --- this datacenter

    /**
     * Checks that this process has the privileges to change both tables: tries changes whose conditions cannot be met.
     *
     * @throws DriverException if the process lacks a privilege, or there is no answer
     */
    void requireRights(String sequence, Deadline deadline) {
        UUID absent = UUID.randomUUID();
        take(sequence, new DatacenterRow(absent, 0, 0, 1, 0, 0), Requests.Grants.none(1), deadline);
        global.change(sequence, advance.bind(Long.MIN_VALUE, sequence, Long.MIN_VALUE), deadline);
    }

    /**
     * Reads the row of the datacenter. Returns null if there is no row, or if the row has lost its values, see
     * {@link DatacenterRow#isLost}. Throws if the row contradicts itself.
     */
    @Nullable
    DatacenterRow read(String sequence, Deadline deadline) {
        return present(sequence, local.read(sequence, read.bind(sequence, datacenter), deadline));
    }

    /** Reads the row as {@link #read} does, but the result may be slightly stale. */
    @Nullable
    DatacenterRow look(String sequence, Deadline deadline) {
        return present(sequence, local.look(sequence, read.bind(sequence, datacenter), deadline));
    }

    private @Nullable DatacenterRow present(String sequence, List<Row> rows) {
        if (rows.isEmpty() || DatacenterRow.isLost(rows.get(0))) {
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
        local.change(sequence, insert.bind(UUID.randomUUID(), sequence, datacenter), deadline);
    }

    /** Replaces the row by a new one without ranges. Does nothing if there is no row. */
    void renew(String sequence, Deadline deadline) {
        local.change(sequence, renew.bind(UUID.randomUUID(), sequence, datacenter), deadline);
    }

    void post(String sequence, UUID client, List<Long> request, Deadline deadline) {
        local.write(sequence, post.bind(client, request, sequence, datacenter), deadline);
    }

    /**
     * Sets the integer above which the ranges of a new row lie. The caller must read the row first and the claims
     * second, so that the claims include all ranges that were installed in an earlier, lost row.
     */
    void initialise(String sequence, DatacenterRow seen, long base, Deadline deadline) {
        local.change(
                sequence, initialise.bind(base, base + 1, base, sequence, datacenter, seen.incarnation()), deadline);
    }

    /**
     * Installs a claimed range as the next range. The range must lie above all installed ranges, so that no range is
     * installed twice.
     */
    void install(String sequence, DatacenterRow seen, long claimMin, long claimMax, Deadline deadline) {
        local.change(
                sequence,
                install.bind(claimMin, claimMax, sequence, datacenter, seen.incarnation(), seen.reservedMax()),
                deadline);
    }

    /**
     * Writes the grants if the next integer of the row is still that of {@code seen}. If the current range is used up,
     * the grants are from the next range.
     */
    boolean take(String sequence, DatacenterRow seen, Requests.Grants grants, Deadline deadline) {
        UUID incarnation = seen.incarnation();
        long last = grants.next() - 1;
        BoundStatement change = seen.rest() > 0
                ? take.bind(last, grants.all(), sequence, datacenter, incarnation, seen.last(), seen.reservedMax())
                : switchAndTake.bind(
                        last,
                        grants.all(),
                        seen.preloadedMin(),
                        seen.preloadedMax(),
                        sequence,
                        datacenter,
                        incarnation,
                        seen.last(),
                        seen.reservedMax(),
                        seen.preloadedMax());
        return local.change(sequence, change, deadline);
    }

    private static @Nullable Long orNull(long value) {
        return value == DatacenterRow.NONE ? null : value;
    }
}
