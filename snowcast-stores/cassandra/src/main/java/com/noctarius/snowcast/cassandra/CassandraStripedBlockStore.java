// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.store.BlockStoreExhaustedException;
import com.noctarius.snowcast.store.NonTransientBlockStoreException;
import com.noctarius.snowcast.store.SequenceName;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Blocks from one row in Cassandra (plain) or from several (striped), by conditional updates ({@code SERIAL}). Stripe
 * {@code i} of {@code n} yields {@code first + i + k * n}, and clients of different stripes never wait for each other.
 * A client begins with a stripe at random, or with the one that it is given, and goes over to the next when that is
 * used up. Clients of the same stripe reserve for each other.
 *
 * <p>It is for one datacenter, or for datacenters that are always connected; {@link CassandraBlockStore} is for
 * datacenters that may be cut off from each other.
 *
 * <p><b>Uniqueness</b> holds over all processes and datacenters, whatever messages are lost or late, and which nodes
 * crash, as long as every replica keeps what it has acknowledged ({@code commitlog_sync} must not be {@code periodic},
 * which the nodes are asked for). See the documentation before a table is restored from a backup, or the replication is
 * changed. What a request without an answer may have reserved is a gap. The number of stripes belongs to the definition
 * of the sequence, see {@link CassandraSchema}.
 *
 * <p><b>Order.</b> The integers of a stripe increase. Between stripes there is no order. The rest of a block that is
 * given back is a gap.
 *
 * <p>Thread-safe. A call blocks at most as long as {@link Builder#callTimeout} says; an interrupt does not end it, and
 * the thread is interrupted again afterwards. Stripes and back-off are those of "let cassandra identify your data",
 * MetaBroadcast.
 */
public final class CassandraStripedBlockStore implements BlockStore {
    private final Keyspace keyspace;
    private final int stripe;
    private final Duration callTimeout;
    private final StripeTables tables;
    private final Map<String, StripedSequence> sequences = new ConcurrentHashMap<>();

    private CassandraStripedBlockStore(Builder builder) {
        this.keyspace = builder.keyspace;
        this.stripe = builder.stripe;
        this.callTimeout = builder.callTimeout;
        this.tables = keyspace.open(callTimeout, false, builder.allowsPeriodic, StripeTables::new);
    }

    /**
     * Starts a store.
     *
     * @param session connects to the local datacenter, by protocol V4; it stays open when the store is closed
     * @param keyspace where {@link CassandraSchema} has made the tables; 1 to 48 letters, digits and underscores
     * @param localDatacenter the datacenter of this process, as Cassandra calls it. All requests go to its nodes
     * @return a builder with the default values
     * @throws NullPointerException if an argument is null
     * @throws IllegalArgumentException if a name is not valid, or the session uses a later protocol
     */
    public static Builder builder(CqlSession session, String keyspace, String localDatacenter) {
        return new Builder(new Keyspace(session, keyspace, localDatacenter));
    }

    /**
     * Makes sure that the sequence is defined, has no integer below a value, and may be changed by this process.
     * Reserves nothing, and needs a majority of all replicas.
     *
     * @param sequence the name of the sequence
     * @param firstValue the lowest integer that may be handed out
     * @throws NullPointerException if {@code sequence} is null
     * @throws IllegalArgumentException if the name is none that {@link SequenceName} allows
     * @throws NonTransientBlockStoreException if the sequence is not defined, begins below that value, has no such
     *     stripe, or cannot be read and changed as it is
     * @throws BlockStoreException if there is no answer, as while the datacenter is cut off from the others
     */
    @Override
    public void prepare(String sequence, long firstValue) {
        SequenceName.require(sequence);
        keyspace.prepare(sequence, this, callTimeout, deadline -> {
            StripedDefinition defined = tables.readDefinition(sequence, deadline)
                    .orElseThrow(() -> StripedSequence.notDefined(sequence, this));
            Keyspace.requireFirstValue(sequence, this, defined.firstValue(), firstValue);
            StripedSequence.requireStripe(sequence, this, stripe, defined);
            tables.requireRights(sequence, deadline);
        });
    }

    /**
     * Reserves a block of the client's stripe.
     *
     * @return a block of at most that size, with the number of stripes as its step; fewer integers at the end of a
     *     stripe
     * @throws IllegalArgumentException if the name is none that {@link SequenceName} allows, or the size is below 1
     * @throws BlockStoreExhaustedException if all stripes are used up
     * @throws NonTransientBlockStoreException if the sequence is not defined or has no such stripe, a stripe is lost,
     *     or the database refuses; there is no wait
     * @throws BlockStoreException if nothing could be reserved in time
     */
    @Override
    public Block reserve(String sequence, long size) {
        SequenceName.require(sequence);
        if (size < 1) {
            throw new IllegalArgumentException("size must be >= 1: " + size);
        }
        return sequences
                .computeIfAbsent(sequence, name -> new StripedSequence(name, stripe, this, tables, callTimeout))
                .reserve(size);
    }

    /**
     * Returns the sequences that this store was asked for so far, also without success.
     *
     * @return their names, in no order; a snapshot
     */
    public Set<String> sequences() {
        return Set.copyOf(sequences.keySet());
    }

    /**
     * Returns the datacenter of this process.
     *
     * @return its name, as Cassandra calls it
     */
    public String localDatacenter() {
        return keyspace.datacenter();
    }

    /**
     * Returns the counts of reservations of a sequence, without a request.
     *
     * @param sequence the name of the sequence
     * @return empty, if this store was never asked for the sequence
     * @throws NullPointerException if {@code sequence} is null
     */
    public Optional<ReservationStats> stats(String sequence) {
        return Optional.ofNullable(sequences.get(Objects.requireNonNull(sequence, "sequence")))
                .map(StripedSequence::reservations);
    }

    /**
     * Returns why the last reservation of a sequence failed, without a request.
     *
     * @param sequence the name of the sequence
     * @return empty, if the last reservation succeeded or there was none
     * @throws NullPointerException if {@code sequence} is null
     */
    public Optional<String> problem(String sequence) {
        return Optional.ofNullable(sequences.get(Objects.requireNonNull(sequence, "sequence")))
                .map(StripedSequence::problem)
                .filter(problem -> !problem.isEmpty());
    }

    @Override
    public String toString() {
        return "CassandraStripedBlockStore{keyspace=" + keyspace.name() + ", datacenter=" + keyspace.datacenter()
                + (stripe == StripedSequence.ANY ? "" : ", stripe=" + stripe) + '}';
    }

    /** Builds a {@link CassandraStripedBlockStore}. Not thread-safe. */
    public static final class Builder {
        private final Keyspace keyspace;
        private int stripe = StripedSequence.ANY;
        private boolean allowsPeriodic;
        private Duration callTimeout = Duration.ofSeconds(5);

        private Builder(Keyspace keyspace) {
            this.keyspace = keyspace;
        }

        /**
         * Sets the stripe of this client, which it keeps until the stripe is used up. Give every client a stripe of its
         * own, as long as there are enough; or none at all, as by default: then it takes one at random.
         *
         * @param stripe 0 or more, and below the number of stripes of every sequence it is used with
         * @return this
         * @throws IllegalArgumentException if it is negative
         */
        public Builder stripe(int stripe) {
            if (stripe < 0) {
                throw new IllegalArgumentException("stripe must be >= 0: " + stripe);
            }
            this.stripe = stripe;
            return this;
        }

        /**
         * Sets how long a reservation may take, with all its attempts; one attempt takes at most half of it.
         *
         * @param timeout 100 milliseconds to 1 hour; 5 seconds by default
         * @return this
         * @throws IllegalArgumentException if it is out of range
         */
        public Builder callTimeout(Duration timeout) {
            this.callTimeout = CassandraBlockStore.Builder.requireCallTimeout(timeout);
            return this;
        }

        /**
         * Takes nodes with {@code commitlog_sync: periodic} also where the keyspace has one replica in all. A node that
         * is killed then forgets what it acknowledged in the last seconds, <b>and integers come twice</b>. For
         * development.
         *
         * @return this
         */
        public Builder allowPeriodicCommitLog() {
            this.allowsPeriodic = true;
            return this;
        }

        /**
         * Makes sure that the keyspace is replicated to the datacenter and has the tables, asks the nodes of the
         * datacenter for {@code commitlog_sync} and {@code paxos_variant}, and opens the store. Blocks at most as long
         * as the call time-out, and as the session's request time-out for each statement that is prepared.
         *
         * @return the store
         * @throws IllegalArgumentException if there is no such keyspace, the datacenter has no replica of it, or there
         *     are transient replicas; less than three in the datacenter are a warning
         * @throws NonTransientBlockStoreException if there are no tables, or a node would forget what it has
         *     acknowledged and no other replica knows it
         * @throws BlockStoreException if the datacenter does not answer
         */
        public CassandraStripedBlockStore build() {
            return new CassandraStripedBlockStore(this);
        }
    }
}
