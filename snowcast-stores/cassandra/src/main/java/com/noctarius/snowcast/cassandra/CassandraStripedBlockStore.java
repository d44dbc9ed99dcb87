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
 * A {@link BlockStore} that reserves blocks of integers in Cassandra by conditional updates ({@code SERIAL}). A plain
 * sequence has one row; a striped sequence has several rows, the stripes. Stripe {@code i} of {@code n} has the
 * integers {@code first + i + k * n}. Clients of different stripes never wait for each other. A client begins with a
 * random stripe, or with {@link Builder#stripe}. When that stripe is used up, the client continues with the next one. A
 * client also reserves blocks for other clients that wait for the same stripe.
 *
 * <p>Use this store with one datacenter, or with datacenters that are always connected. Use {@link CassandraBlockStore}
 * with datacenters that may be cut off from each other.
 *
 * <p><b>Uniqueness</b> holds for all processes and datacenters. Lost and late messages and crashed nodes do not break
 * it if two conditions hold: every replica keeps the writes that it has acknowledged; and no pause of a process or
 * node, and no jump of a clock, is longer than {@code gc_grace_seconds}, a day. The first condition excludes
 * {@code commitlog_sync: periodic}; see {@link Builder#allowPeriodicCommitLog}. If a request is not answered, the
 * integers that it may have reserved can become a gap. See the documentation before you restore a table from a backup
 * or change the replication.
 *
 * <p><b>Order.</b> The store reserves the integers of one stripe in increasing order. The integers of different stripes
 * come in any order.
 *
 * <p>The definition in the database (see {@link CassandraSchema}) determines the integers of a sequence and the number
 * of its stripes. The store does not take back the unused integers of a block; they become a gap.
 *
 * <p>Thread-safe. A call blocks at most for {@link Builder#callTimeout}. An interrupt does not end a call; the call
 * sets the thread's interrupt status again before it returns.
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
     * Returns a builder for a new store.
     *
     * @param session a session that uses protocol V4, and whose local datacenter is {@code localDatacenter}; the store
     *     does not close it
     * @param keyspace the keyspace in which {@link CassandraSchema} has created the tables; 1 to 48 letters, digits and
     *     underscores, the first a letter
     * @param localDatacenter the name of this process's datacenter in Cassandra; all requests go to its nodes
     * @return a builder with the default values
     * @throws NullPointerException if an argument is null
     * @throws IllegalArgumentException if a name is not valid, or the session uses a later protocol version
     */
    public static Builder builder(CqlSession session, String keyspace, String localDatacenter) {
        return new Builder(new Keyspace(session, keyspace, localDatacenter));
    }

    /**
     * Checks that the sequence is defined, that it has no integer below {@code firstValue}, and that this process has
     * the privileges to reserve integers. Reserves nothing. A majority of all replicas has to answer.
     *
     * @param sequence the name of the sequence
     * @param firstValue the lowest integer that may be issued
     * @throws NullPointerException if {@code sequence} is null
     * @throws IllegalArgumentException if {@link SequenceName} does not allow the name
     * @throws NonTransientBlockStoreException if the sequence is not defined, begins below {@code firstValue} or does
     *     not have the stripe of this store, the database rejects the request, or the session is closed
     * @throws BlockStoreException if there is no answer in time, for example because the datacenter is cut off
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
     * Reserves a block from the client's current stripe.
     *
     * @return a block of the requested size, or a smaller block at the end of a stripe; its step is the number of
     *     stripes
     * @throws IllegalArgumentException if {@link SequenceName} does not allow the name, or the size is below 1
     * @throws BlockStoreExhaustedException if all stripes are used up
     * @throws NonTransientBlockStoreException if the sequence is not defined or does not have the stripe of this store,
     *     a stripe was lost or has gone back to an earlier state, the database rejects the request, or the session is
     *     closed; the call throws this at once, without a retry
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
     * Returns the sequences for which {@link #reserve} was called, including those whose reservations failed.
     *
     * @return their names, in no particular order; a snapshot
     */
    public Set<String> sequences() {
        return Set.copyOf(sequences.keySet());
    }

    /**
     * Returns the datacenter of this process.
     *
     * @return its name in Cassandra
     */
    public String localDatacenter() {
        return keyspace.datacenter();
    }

    /**
     * Returns the statistics of this process's reservations of a sequence. Does not call the database.
     *
     * @param sequence the name of the sequence
     * @return empty if {@link #reserve} was never called for the sequence
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
     * @return empty if the last reservation succeeded, or if no block was requested yet
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
         * Sets the stripe from which this client reserves blocks first. If there are enough stripes, give each client
         * its own stripe. By default, a client begins with a random stripe.
         *
         * @param stripe 0 or more, and below the number of stripes of each sequence of this store
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
         * Sets how long a call may take with all its attempts. One request may take at most half of that time.
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
         * Makes {@link #build} accept nodes with {@code commitlog_sync: periodic} even if the keyspace has only one
         * replica in all datacenters together. A node with this setting that is killed forgets the writes that it
         * acknowledged in the last seconds, <b>and integers are issued twice</b>. For development only. With more
         * replicas, {@code build} only logs a warning about the setting.
         *
         * @return this
         */
        public Builder allowPeriodicCommitLog() {
            this.allowsPeriodic = true;
            return this;
        }

        /**
         * Opens the store. Checks that the keyspace is replicated to the datacenter and has the tables, and reads
         * {@code commitlog_sync} and {@code paxos_variant} from each node of the datacenter that is up. Logs a warning
         * if the keyspace has fewer than three replicas in all datacenters together. Blocks at most for the call
         * time-out, plus the session's request time-out for each statement that it prepares.
         *
         * @return the store
         * @throws IllegalArgumentException if the keyspace does not exist, is not replicated to the datacenter by
         *     {@code NetworkTopologyStrategy}, or has transient replicas
         * @throws NonTransientBlockStoreException if the tables are missing, the database rejects a request, or the
         *     session is closed; or if a node has {@code commitlog_sync: periodic}, the keyspace has only one replica
         *     in all datacenters together, and {@link #allowPeriodicCommitLog} was not called
         * @throws BlockStoreException if the datacenter does not answer
         */
        public CassandraStripedBlockStore build() {
            return new CassandraStripedBlockStore(this);
        }
    }
}
