// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The tables of striped sequences. A stripe only ever moves forward. */
final class StripeTables {
    private final SerialTable table;
    private final PreparedStatement readDefinition;
    private final PreparedStatement read;
    private final PreparedStatement advance;
    private final String insert;

    StripeTables(Keyspace keyspace) {
        this.table = SerialTable.overAllDatacenters(keyspace.coordinators());
        this.readDefinition = table.prepare("SELECT first_value, last_value, stripes, complete FROM "
                + keyspace.table("seq_striped") + " WHERE key = ?");
        this.read =
                table.prepare("SELECT next_k FROM " + keyspace.table("seq_stripe") + " WHERE key = ? AND stripe = ?");
        this.advance = table.prepare("UPDATE " + keyspace.table("seq_stripe")
                + " SET next_k = ? WHERE key = ? AND stripe = ? IF next_k = ?");
        this.insert =
                "INSERT INTO " + keyspace.table("seq_stripe") + " (key, stripe, next_k) VALUES (?, ?, ?) IF NOT EXISTS";
    }

    /** Returns empty if the sequence is not defined, or not completely. */
    Optional<StripedDefinition> readDefinition(String sequence, Deadline deadline) {
        return table.read(sequence, readDefinition.bind(sequence), deadline).stream()
                .filter(row -> row.getBoolean("complete"))
                .map(row -> new StripedDefinition(
                        row.getLong("first_value"), row.getLong("last_value"), row.getInt("stripes")))
                .findFirst();
    }

    /** Returns empty if the stripe is lost. */
    OptionalLong readNext(String sequence, int stripe, Deadline deadline) {
        List<Row> rows = table.read(keyOf(sequence, stripe), read.bind(sequence, stripe), deadline);
        return rows.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(rows.get(0).getLong("next_k"));
    }

    /**
     * Makes sure that this process may change stripes, by a change of one that cannot be there.
     *
     * @throws DriverException if it may not, or there is no answer
     */
    void requireRights(String sequence, Deadline deadline) {
        advance(sequence, StripedSequence.ANY, Long.MIN_VALUE, Long.MIN_VALUE, deadline);
    }

    SerialTable.Outcome advance(String sequence, int stripe, long from, long to, Deadline deadline) {
        return table.change(keyOf(sequence, stripe), advance.bind(to, sequence, stripe, from), deadline);
    }

    /** Inserts a stripe that is lost. Prepared here, since hardly any process ever does so. */
    SerialTable.Outcome insert(String sequence, int stripe, long next, Deadline deadline) {
        return table.change(keyOf(sequence, stripe), table.prepare(insert).bind(sequence, stripe, next), deadline);
    }

    /** Returns the key that decides on the coordinator; stripes spread over the nodes. */
    private static String keyOf(String sequence, int stripe) {
        return sequence + '/' + stripe;
    }
}
