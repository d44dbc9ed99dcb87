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
 * A {@link BlockStore} that reserves blocks of integers in Cassandra, from one row (plain) or from several (striped),
 * by conditional updates ({@code SERIAL}). Stripe {@code i} of {@code n} has the integers {@code first + i + k * n},
 * and clients of different stripes never wait for each other. A client starts with a random stripe, or with
 * {@link Builder#stripe}, and continues with the next stripe when that one is used up. Clients of the same stripe
 * reserve blocks for each other.
 *
 * <p>The store is for one datacenter, or for datacenters that are always connected; {@link CassandraBlockStore} is for
 * datacenters that may be cut off from each other.
 *
 * <p><b>Uniqueness</b> holds for all processes and datacenters. Lost and late messages and crashed nodes do not break
 * it, as long as every replica keeps the writes that it has acknowledged: {@code commitlog_sync} must not be
 * {@code periodic}. If a node has that value, {@link Builder#build} fails where there is only one replica, unless
 * {@link Builder#allowPeriodicCommitLog} was called; in all other cases it logs a warning. Integers that a request
 * without an answer may have reserved are a gap. See the documentation before you restore a table from a backup, or
 * change the replication.
 *
 * <p><b>Order.</b> The integers of one stripe increase. Integers of different stripes come in any order.
 *
 * <p>The definition in the database (see {@link CassandraSchema}) determines the integers of a sequence and the number
 * of its stripes. The store does not take back the rest of a block; it is a gap.
 *
 * <p>Thread-safe. A call blocks at most for {@link Builder#callTimeout}. An interrupt does not end a call; the thread
 * is interrupted again afterwards. Stripes and back-off are those of "let cassandra identify your data", MetaBroadcast.
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
     * Returns a builder of a store.
     *
     * @param session a session with the local datacenter, by protocol V4; it stays open when the store is closed
     * @param keyspace the keyspace in which {@link CassandraSchema} has created the tables; 1 to 48 letters, digits and
     *     underscores
     * @param localDatacenter Cassandra's name of the datacenter of this process; all requests go to its nodes
     * @return a builder with the default values
     * @throws NullPointerException if an argument is null
     * @throws IllegalArgumentException if a name is not valid, or the session uses a later protocol
     */
    public static Builder builder(CqlSession session, String keyspace, String localDatacenter) {
        return new Builder(new Keyspace(session, keyspace, localDatacenter));
    }

    /**
     * Checks that the sequence is defined, that it has no integer below {@code firstValue}, and that this process may
     * change it. Reserves nothing. A majority of all replicas has to answer.
     *
     * @param sequence the name of the sequence
     * @param firstValue the lowest integer that may be issued
     * @throws NullPointerException if {@code sequence} is null
     * @throws IllegalArgumentException if {@link SequenceName} does not allow the name
     * @throws NonTransientBlockStoreException if the sequence is not defined, begins below {@code firstValue} or does
     *     not have the stripe of this store, or the database refuses
     * @throws BlockStoreException if there is no answer in time, for example because the datacenter is cut off from the
     *     others
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
     * @throws IllegalArgumentException if {@link SequenceName} does not allow the name, or the size is below 1
     * @throws BlockStoreExhaustedException if all stripes are used up
     * @throws NonTransientBlockStoreException if the sequence is not defined or does not have the stripe of this store,
     *     a stripe was lost or set back, or the database refuses; the call does not wait before it throws this
     * @throws BlockStoreException if no block could be reserved in time
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
     * Returns the sequences for which this store had requests, including failed ones.
     *
     * @return their names, in no order; a snapshot
     */
    public Set<String> sequences() {
        return Set.copyOf(sequences.keySet());
    }

    /**
     * Returns the datacenter of this process.
     *
     * @return Cassandra's name of it
     */
    public String localDatacenter() {
        return keyspace.datacenter();
    }

    /**
     * Returns the statistics of this process's reservations of a sequence. Does not call the database.
     *
     * @param sequence the name of the sequence
     * @return empty, if this store never had a request for the sequence
     * @throws NullPointerException if {@code sequence} is null
     */
    public Optional<ReservationStats> stats(String sequence) {
        return Optional.ofNullable(sequences.get(Objects.requireNonNull(sequence, "sequence")))
                .map(StripedSequence::reservations);
    }

    /**
     * Returns why the last reservation of a sequence failed. Does not call the database.
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
         * Sets the stripe with which this client starts; it keeps the stripe until that is used up. Give each client
         * its own stripe if there are enough stripes. By default a client takes a random stripe.
         *
         * @param stripe 0 or more, and below the number of stripes of each sequence that the store is used with
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
         * Sets how long a reservation may take with all its attempts. One attempt takes at most half of that time.
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
         * Accepts nodes with {@code commitlog_sync: periodic} even if the keyspace has only one replica in all
         * datacenters. A node that is killed then forgets the writes that it acknowledged in the last seconds, <b>and
         * integers are issued twice</b>. For development.
         *
         * @return this
         */
        public Builder allowPeriodicCommitLog() {
            this.allowsPeriodic = true;
            return this;
        }

        /**
         * Opens the store. First it checks that the keyspace is replicated to the datacenter and has the tables, and
         * reads {@code commitlog_sync} and {@code paxos_variant} from each node of the datacenter. It logs a warning if
         * the datacenter has fewer than three replicas. Blocks at most for the call time-out, plus the session's
         * request time-out for each statement that it prepares.
         *
         * @return the store
         * @throws IllegalArgumentException if there is no such keyspace, the datacenter has no replica of it, or it has
         *     transient replicas
         * @throws NonTransientBlockStoreException if the tables are missing, or a node has {@code commitlog_sync:
         *     periodic} where the keyspace has only one replica, unless {@link #allowPeriodicCommitLog} was called
         * @throws BlockStoreException if the datacenter does not answer
         */
        public CassandraStripedBlockStore build() {
            return new CassandraStripedBlockStore(this);
        }
    }
}
