// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The tables of striped sequences. A stripe only ever moves forward. */
final class StripeTables {
    private final SerialTable table;
    private final PreparedStatement readDefinition;
    private final PreparedStatement read;
    private final PreparedStatement advance;
    private final PreparedStatement post;
    private final PreparedStatement take;
    private final PreparedStatement takeIfAlone;
    private final String insert;

    /** A stripe as it was read. */
    record Stripe(long next, Requests requests) {
        /** Returns empty if the stripe is lost; requests may be left of it. */
        static Optional<Stripe> of(Row row) {
            return row.isNull("next_k")
                    ? Optional.empty()
                    : Optional.of(new Stripe(row.getLong("next_k"), Requests.of(row)));
        }
    }

    StripeTables(Keyspace keyspace) {
        this.table = SerialTable.overAllDatacenters(keyspace.coordinators());
        this.readDefinition = table.prepare("SELECT first_value, last_value, stripes, complete FROM "
                + keyspace.table("seq_striped") + " WHERE key = ?");
        this.read = table.prepare("SELECT next_k, posted, granted FROM " + keyspace.table("seq_stripe")
                + " WHERE key = ? AND stripe = ?");
        this.post = table.prepare("UPDATE " + keyspace.table("seq_stripe") + " USING TTL " + Requests.SECONDS
                + " SET posted[?] = ? WHERE key = ? AND stripe = ?");
        String update = "UPDATE " + keyspace.table("seq_stripe")
                + " SET next_k = ?, granted = ? WHERE key = ? AND stripe = ? IF next_k = ?";
        this.take = table.prepare(update);
        this.takeIfAlone = table.prepare(update + " AND posted = ?");
        this.advance = table.prepare("UPDATE " + keyspace.table("seq_stripe")
                + " SET next_k = ? WHERE key = ? AND stripe = ? IF next_k = ?");
        // Requests may be left of a lost stripe.
        this.insert = "UPDATE " + keyspace.table("seq_stripe")
                + " SET next_k = ? WHERE key = ? AND stripe = ? IF next_k = null";
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
    Optional<Stripe> read(String sequence, int stripe, Deadline deadline) {
        return table.read(keyOf(sequence, stripe), read.bind(sequence, stripe), deadline).stream()
                .findFirst()
                .flatMap(Stripe::of);
    }

    /** Returns what is known of a stripe, which may be a little out of date; empty if nothing is. */
    Optional<Stripe> look(String sequence, int stripe, Deadline deadline) {
        return table.look(keyOf(sequence, stripe), read.bind(sequence, stripe), deadline).stream()
                .findFirst()
                .flatMap(Stripe::of);
    }

    void post(String sequence, int stripe, UUID client, List<Long> request, Deadline deadline) {
        table.write(keyOf(sequence, stripe), post.bind(client, request, sequence, stripe), deadline);
    }

    /** Reserves blocks, unless the stripe has moved or, {@code isAlone}, other requests are posted than were seen. */
    boolean take(String sequence, int stripe, Stripe seen, Requests.Grants grants, boolean isAlone, Deadline deadline) {
        BoundStatement change =
                (isAlone ? takeIfAlone : take).bind(grants.next(), grants.all(), sequence, stripe, seen.next());
        return table.change(keyOf(sequence, stripe), isAlone ? seen.requests().asCondition(change) : change, deadline);
    }

    /**
     * Makes sure that this process may change stripes, by a change of one that cannot be there.
     *
     * @throws DriverException if it may not, or there is no answer
     */
    void requireRights(String sequence, Deadline deadline) {
        advance(sequence, StripedSequence.ANY, Long.MIN_VALUE, Long.MIN_VALUE, deadline);
    }

    boolean advance(String sequence, int stripe, long from, long to, Deadline deadline) {
        return table.change(keyOf(sequence, stripe), advance.bind(to, sequence, stripe, from), deadline);
    }

    /** Inserts a stripe that is lost. Prepared here, since hardly any process ever does so. */
    boolean insert(String sequence, int stripe, long next, Deadline deadline) {
        return table.change(keyOf(sequence, stripe), table.prepare(insert).bind(next, sequence, stripe), deadline);
    }

    /** Returns the key that decides on the coordinator; stripes spread over the nodes. */
    private static String keyOf(String sequence, int stripe) {
        return sequence + '/' + stripe;
    }
}
