// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.noctarius.snowcast.internal.base.Threads;
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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A {@link BlockStore} that reserves blocks of integers in Cassandra, in two tiers. A process claims a large range for
 * its datacenter with a majority of all replicas ({@code SERIAL}). All processes of the datacenter reserve blocks from
 * this range with a majority of the datacenter's own replicas ({@code LOCAL_SERIAL}). Usually, a process claims the
 * next range in the background while the current range still has integers. A datacenter that is cut off from the others
 * continues until its ranges are used up.
 *
 * <p><b>Uniqueness</b> holds for all processes and datacenters. Lost and late messages, wrong clocks and crashed nodes
 * do not break it if two conditions hold: every replica keeps the writes that it has acknowledged; and no pause of a
 * process or node, and no jump of a clock, is longer than {@code gc_grace_seconds}, a day. The first condition excludes
 * {@code commitlog_sync: periodic}; see {@link Builder#allowPeriodicCommitLog}. If a request is not answered, the
 * integers that it may have reserved can become a gap. If the row of a datacenter is lost, the unused integers of its
 * ranges become a gap. See the documentation before you restore a table from a backup or change the replication.
 *
 * <p><b>Order.</b> The blocks of one datacenter are reserved in increasing order, so each process receives increasing
 * blocks. The blocks of different datacenters come in any order.
 *
 * <p>The definition of a sequence in the database (see {@link CassandraSchema}) determines its integers. The first
 * value of its {@code IntegerSequenceConfig} must not be above the first value of the definition. The store does not
 * take back the unused integers of a block; they become a gap.
 *
 * <p>Thread-safe. A call blocks at most for {@link Builder#callTimeout}. An interrupt does not end a call; the call
 * sets the thread's interrupt status again before it returns.
 */
public final class CassandraBlockStore implements BlockStore {
    private final Keyspace keyspace;
    private final RangeSettings settings;
    private final RangeTables tables;
    private final Map<String, DatacenterSequence> sequences = new ConcurrentHashMap<>();
    private final ExecutorService background;
    private volatile boolean closed;

    private CassandraBlockStore(Builder builder) {
        this.keyspace = builder.keyspace;
        this.settings = new RangeSettings(
                builder.rangeSize,
                builder.maxRangeSize(),
                builder.claimThreshold,
                builder.minAutonomy,
                builder.callTimeout);
        this.tables = keyspace.open(builder.callTimeout, true, builder.allowsPeriodic, RangeTables::new);
        this.background = Executors.newCachedThreadPool(Threads.daemons("snowcast.cassandra." + keyspace.datacenter()));
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
     * Returns the range size that lets a datacenter continue alone for a given time, even if it is cut off just before
     * it claims the next range.
     *
     * @param integersPerSecond how many integers the whole datacenter uses per second, 0 or more
     * @param autonomy how long the datacenter should continue
     * @param claimThreshold the value of {@link Builder#claimThreshold}: the used share of a range at which the next
     *     range is claimed
     * @return the size, 1 or more
     * @throws IllegalArgumentException if a value is out of range
     */
    public static long rangeSizeFor(double integersPerSecond, Duration autonomy, double claimThreshold) {
        if (!(integersPerSecond >= 0) || autonomy.isNegative()) {
            throw new IllegalArgumentException(
                    "integersPerSecond and autonomy must be >= 0: " + integersPerSecond + ", " + autonomy);
        }
        return RangeSettings.sizeForAutonomy(integersPerSecond, autonomy, requireThreshold(claimThreshold));
    }

    private static double requireThreshold(double share) {
        if (!(share > 0 && share < 1)) {
            throw new IllegalArgumentException("claimThreshold must be above 0 and below 1: " + share);
        }
        return share;
    }

    /**
     * Checks that the sequence is defined, that it has no integer below {@code firstValue}, and that this process has
     * the privileges to reserve integers. Reserves nothing. A majority of all replicas has to answer, and a majority of
     * the datacenter's own replicas.
     *
     * @param sequence the name of the sequence
     * @param firstValue the lowest integer that may be issued
     * @throws NullPointerException if {@code sequence} is null
     * @throws IllegalArgumentException if {@link SequenceName} does not allow the name
     * @throws NonTransientBlockStoreException if the sequence is not defined or begins below {@code firstValue}, its
     *     rows contradict each other, the database rejects the request, or the session is closed
     * @throws BlockStoreException if there is no answer in time, for example because the datacenter is cut off
     */
    @Override
    public void prepare(String sequence, long firstValue) {
        SequenceName.require(sequence);
        keyspace.prepare(sequence, this, settings.callTimeout(), deadline -> {
            GlobalRow defined = tables.readGlobal(sequence, deadline)
                    .orElseThrow(() -> DatacenterSequence.notDefined(sequence, this));
            Keyspace.requireFirstValue(sequence, this, defined.firstValue(), firstValue);
            tables.requireRights(sequence, deadline);
        });
    }

    /**
     * Reserves a block from the datacenter's range.
     *
     * @return a block of the requested size, or a smaller block at the end of a range
     * @throws IllegalArgumentException if {@link SequenceName} does not allow the name, or the size is below 1
     * @throws BlockStoreExhaustedException if the datacenter has used up its ranges, and no integers are left to claim
     * @throws NonTransientBlockStoreException if the sequence is not defined, its rows contradict each other or have
     *     gone back to an earlier state, the database rejects the request, or the session is closed; the call throws
     *     this at once, without a retry
     * @throws BlockStoreException if the range is used up and the next range cannot be claimed at present, the
     *     datacenter does not answer in time, or the store is closed
     */
    @Override
    public Block reserve(String sequence, long size) {
        SequenceName.require(sequence);
        if (size < 1) {
            throw new IllegalArgumentException("size must be >= 1: " + size);
        }
        if (closed) {
            throw new BlockStoreException("sequence " + sequence + ", size " + size + ": closed: " + this);
        }
        return sequences
                .computeIfAbsent(
                        sequence,
                        name -> new DatacenterSequence(name, keyspace.datacenter(), this, tables, settings, background))
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
     * Returns the state of the datacenter's ranges of a sequence as last seen. Does not call the database.
     *
     * @param sequence the name of the sequence
     * @return empty if {@link #reserve} was never called for the sequence
     * @throws NullPointerException if {@code sequence} is null
     */
    public Optional<DatacenterRangeStats> stats(String sequence) {
        return Optional.ofNullable(sequences.get(Objects.requireNonNull(sequence, "sequence")))
                .map(DatacenterSequence::stats);
    }

    /**
     * Closes the store: {@link #reserve} then throws an exception, and no more claims start in the background. Does not
     * wait for a claim in progress, which ends within the call time-out. The session stays open.
     */
    @Override
    public void close() {
        closed = true;
        background.shutdown();
    }

    @Override
    public String toString() {
        return "CassandraBlockStore{keyspace=" + keyspace.name() + ", datacenter=" + keyspace.datacenter() + '}';
    }

    /** Builds a {@link CassandraBlockStore}. Not thread-safe. */
    public static final class Builder {
        private static final int GROWTH = 16;

        private final Keyspace keyspace;
        private long rangeSize = 1_000_000;
        private double claimThreshold = 0.5;
        private Duration minAutonomy = Duration.ofHours(24);
        private long maxRangeSize;
        private Duration callTimeout = Duration.ofSeconds(5);
        private boolean allowsPeriodic;

        private Builder(Keyspace keyspace) {
            this.keyspace = keyspace;
        }

        /**
         * Sets how many integers a datacenter claims at a time; see {@link CassandraBlockStore#rangeSizeFor}. After
         * lost claims, a claim may be larger; see {@link #maxRangeSize}. The value may differ between processes, and
         * from one start to the next.
         *
         * @param rangeSize 1 or more; 1,000,000 by default
         * @return this
         * @throws IllegalArgumentException if it is out of range
         */
        public Builder rangeSize(long rangeSize) {
            if (rangeSize < 1) {
                throw new IllegalArgumentException("rangeSize must be >= 1: " + rangeSize);
            }
            this.rangeSize = rangeSize;
            return this;
        }

        /**
         * Sets how large a claim may become after lost claims. A claim is lost if another process, usually of another
         * datacenter, claims at the same time and wins. A claim that times out in Cassandra counts as lost. From the
         * second lost claim in a row on, each lost claim doubles the size of the next claim. A claim that this
         * datacenter wins resets the size. Doubling never makes a claim larger than a sixteenth of the unclaimed
         * integers.
         *
         * @param maxRangeSize 1 or more; a value below {@code rangeSize} has the same effect as {@code rangeSize}. 16
         *     times {@code rangeSize} by default
         * @return this
         * @throws IllegalArgumentException if it is out of range
         */
        public Builder maxRangeSize(long maxRangeSize) {
            if (maxRangeSize < 1) {
                throw new IllegalArgumentException("maxRangeSize must be >= 1: " + maxRangeSize);
            }
            this.maxRangeSize = maxRangeSize;
            return this;
        }

        private long maxRangeSize() {
            if (maxRangeSize > 0) {
                return maxRangeSize;
            }
            return rangeSize > Long.MAX_VALUE / GROWTH ? Long.MAX_VALUE : rangeSize * GROWTH;
        }

        /**
         * Sets the used share of a range at which a process claims the next range.
         *
         * @param share above 0 and below 1; 0.5 by default
         * @return this
         * @throws IllegalArgumentException if it is out of range
         */
        public Builder claimThreshold(double share) {
            this.claimThreshold = requireThreshold(share);
            return this;
        }

        /**
         * Sets how long the integers of the datacenter should last without the other datacenters, at the current rate
         * of use. The store logs a warning when they would be used up earlier.
         *
         * @param autonomy 0 or more; 24 hours by default
         * @return this
         * @throws IllegalArgumentException if it is negative
         */
        public Builder minAutonomy(Duration autonomy) {
            if (autonomy.isNegative()) {
                throw new IllegalArgumentException("minAutonomy must be >= 0: " + autonomy);
            }
            this.minAutonomy = autonomy;
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
            this.callTimeout = requireCallTimeout(timeout);
            return this;
        }

        /**
         * Makes {@link #build} accept nodes with {@code commitlog_sync: periodic} even if the datacenter has only one
         * replica. A node with this setting that is killed forgets the writes that it acknowledged in the last seconds,
         * <b>and integers are issued twice</b>. For development only. With more replicas, {@code build} only logs a
         * warning about the setting.
         *
         * @return this
         */
        public Builder allowPeriodicCommitLog() {
            this.allowsPeriodic = true;
            return this;
        }

        static Duration requireCallTimeout(Duration timeout) {
            if (timeout.compareTo(Duration.ofMillis(100)) < 0 || timeout.compareTo(Duration.ofHours(1)) > 0) {
                throw new IllegalArgumentException("callTimeout must be 100 milliseconds to 1 hour: " + timeout);
            }
            return timeout;
        }

        /**
         * Opens the store. Checks that the keyspace is replicated to the datacenter and has the tables, and reads
         * {@code commitlog_sync} and {@code paxos_variant} from each node of the datacenter that is up. Logs a warning
         * if the datacenter has fewer than three replicas. Blocks at most for the call time-out, plus the session's
         * request time-out for each statement that it prepares.
         *
         * @return the store
         * @throws IllegalArgumentException if the keyspace does not exist, is not replicated to the datacenter by
         *     {@code NetworkTopologyStrategy}, or has transient replicas
         * @throws NonTransientBlockStoreException if the tables are missing, the database rejects a request, or the
         *     session is closed; or if a node has {@code commitlog_sync: periodic}, the datacenter has only one
         *     replica, and {@link #allowPeriodicCommitLog} was not called
         * @throws BlockStoreException if the datacenter does not answer
         */
        public CassandraBlockStore build() {
            return new CassandraBlockStore(this);
        }
    }
}
