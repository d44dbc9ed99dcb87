// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads and changes the tables of plain and striped sequences. Apart from {@link #post}, a change only moves a stripe
 * forward.
 */
final class StripeTables {
    private final SerialTable table;
    private final PreparedStatement readDefinition;
    private final PreparedStatement read;
    private final PreparedStatement post;
    private final PreparedStatement take;

    /**
     * A snapshot of a stripe.
     *
     * @param first how many of the stripe's integers are reserved, which is also the index of the first one that is not
     *     reserved
     * @param count how many integers the stripe has
     * @param requests the requests that clients have posted, and the blocks granted to them
     */
    record Stripe(long first, long count, Requests requests) implements SharedRow.State<Stripe> {
        @Override
        public long left() {
            return count - first;
        }

        @Override
        public Stripe with(Requests.Grants grants) {
            return new Stripe(grants.next(), count, requests.with(grants));
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
        this.take = table.prepare("UPDATE " + keyspace.table("seq_stripe")
                + " SET next_k = ?, granted = ? WHERE key = ? AND stripe = ? IF next_k = ?");
    }

    /** Returns empty if the sequence is not defined, or its definition is incomplete. */
    Optional<StripedDefinition> readDefinition(String sequence, Deadline deadline) {
        return table.read(sequence, readDefinition.bind(sequence), deadline).stream()
                .filter(row -> row.getBoolean("complete"))
                .map(row -> new StripedDefinition(
                        row.getLong("first_value"), row.getLong("last_value"), row.getInt("stripes")))
                .findFirst();
    }

    /** Returns empty if the stripe has no row, or if its row has lost its values. */
    Optional<Stripe> read(String sequence, int stripe, long count, Deadline deadline) {
        return stripe(table.read(keyOf(sequence, stripe), read.bind(sequence, stripe), deadline), count);
    }

    /** Reads a stripe as {@link #read} does, but the result may be slightly stale. */
    Optional<Stripe> look(String sequence, int stripe, long count, Deadline deadline) {
        return stripe(table.look(keyOf(sequence, stripe), read.bind(sequence, stripe), deadline), count);
    }

    /** A row that has lost its values may still contain requests, but no {@code next_k}. */
    private static Optional<Stripe> stripe(List<Row> rows, long count) {
        return rows.stream()
                .filter(row -> !row.isNull("next_k"))
                .map(row -> new Stripe(row.getLong("next_k"), count, Requests.of(row)))
                .findFirst();
    }

    void post(String sequence, int stripe, UUID client, List<Long> request, Deadline deadline) {
        table.write(keyOf(sequence, stripe), post.bind(client, request, sequence, stripe), deadline);
    }

    /**
     * Advances a stripe and writes the grants, if the stripe is still at the expected position.
     *
     * @param from the expected position; null if the stripe is lost
     */
    boolean take(String sequence, int stripe, @Nullable Long from, Requests.Grants grants, Deadline deadline) {
        return table.change(
                keyOf(sequence, stripe), take.bind(grants.next(), grants.all(), sequence, stripe, from), deadline);
    }

    /**
     * Checks that this process has the privilege to change stripes: tries to change a stripe that cannot exist.
     *
     * @throws DriverException if the process lacks the privilege, or there is no answer
     */
    void requireRights(String sequence, Deadline deadline) {
        take(sequence, StripedSequence.ANY, Long.MIN_VALUE, Requests.Grants.none(Long.MIN_VALUE), deadline);
    }

    /** Returns the key that determines the coordinator. Stripes have different keys, to spread them over the nodes. */
    private static String keyOf(String sequence, int stripe) {
        return sequence + '/' + stripe;
    }
}
