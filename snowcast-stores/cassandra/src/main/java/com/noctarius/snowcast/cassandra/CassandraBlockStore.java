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
 * Blocks from Cassandra in two tiers: a datacenter claims large ranges from all datacenters together ({@code SERIAL}),
 * and its processes reserve blocks of these ranges ({@code LOCAL_SERIAL}). The next range is claimed in the background
 * while the present one still serves, so a datacenter that is cut off from the others goes on for as long as its ranges
 * last.
 *
 * <p><b>Uniqueness</b> holds over all processes and datacenters, whatever messages are lost or late, which clocks lie,
 * and which nodes crash, as long as every replica keeps what it has acknowledged ({@code commitlog_sync} must not be
 * {@code periodic}, which the nodes are asked for). Every table is used at one serial consistency; every change moves a
 * value forward. What a request without an answer may have reserved is a gap, and so are the ranges in a datacenter's
 * row that is lost. See the documentation before a table is restored from a backup, or the replication is changed.
 *
 * <p><b>Order.</b> The blocks of one datacenter increase, and so do those of one process. Between datacenters there is
 * none.
 *
 * <p>The definition of a sequence, see {@link CassandraSchema}, says which integers it has, not the
 * {@code IntegerSequenceConfig}: a first value there that is above that of the definition is refused. The rest of a
 * block that is given back is a gap.
 *
 * <p>Thread-safe. A call blocks at most as long as {@link Builder#callTimeout} says; an interrupt does not end it, and
 * the thread is interrupted again afterwards. The algorithm is that of "Unique integer generation in distributed
 * systems", but each tier has a table of its own: in a common table ranges would be claimed twice.
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
     * Returns the range size with which a datacenter that is cut off at the worst moment goes on for a given time.
     *
     * @param integersPerSecond how many the whole datacenter uses, 0 or more
     * @param autonomy how long it should go on
     * @param claimThreshold the used share of a range from which on the next range is claimed, as in
     *     {@link Builder#claimThreshold}
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
     * Makes sure that the sequence is defined, has no integer below a value, and may be changed by this process.
     * Reserves nothing, and needs a majority of all replicas.
     *
     * @param sequence the name of the sequence
     * @param firstValue the lowest integer that may be handed out
     * @throws NullPointerException if {@code sequence} is null
     * @throws IllegalArgumentException if the name is none that {@link SequenceName} allows
     * @throws NonTransientBlockStoreException if the sequence is not defined, begins below that value, or cannot be
     *     read and changed as it is
     * @throws BlockStoreException if there is no answer, as while the datacenter is cut off from the others
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
     * Reserves a block of the datacenter's range.
     *
     * @return a block of at most that size; fewer integers at the end of a range
     * @throws IllegalArgumentException if the name is none that {@link SequenceName} allows, or the size is below 1
     * @throws BlockStoreExhaustedException if the datacenter has used up its ranges, and all integers are claimed
     * @throws NonTransientBlockStoreException if the sequence is not defined, its rows contradict each other, or the
     *     database refuses; there is no wait
     * @throws BlockStoreException if the range is used up and no other can be claimed at present, the datacenter does
     *     not answer in time, or this is closed
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
     * Returns what this process knows of the ranges of a sequence, without a request.
     *
     * @param sequence the name of the sequence
     * @return empty, if this store was never asked for the sequence
     * @throws NullPointerException if {@code sequence} is null
     */
    public Optional<DatacenterRangeStats> stats(String sequence) {
        return Optional.ofNullable(sequences.get(Objects.requireNonNull(sequence, "sequence")))
                .map(DatacenterSequence::stats);
    }

    /**
     * Ends the background claims; does not wait for a claim that is under way, which ends with the call time-out. The
     * session stays open.
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
         * Sets how many integers a datacenter claims at once; see {@link CassandraBlockStore#rangeSizeFor}. It may
         * differ between processes, and change.
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
         * Sets how large a claim becomes after claims that were lost to other datacenters: from the second one in a row
         * on, each lost claim doubles it, until the datacenter comes first. It never takes more than a sixteenth of
         * what no datacenter has claimed for that reason.
         *
         * @param maxRangeSize 1 or more; sizes below {@code rangeSize} are as good as that. 16 times {@code rangeSize}
         *     by default
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
         * Sets the used share of a range from which on the next range is claimed.
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
         * Sets how long the integers of the datacenter should last, at the present rate, without the other datacenters.
         * A warning is logged when they last shorter.
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
         * Sets how long a reservation may take, with all its attempts; one attempt takes at most half of it.
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
         * Takes nodes with {@code commitlog_sync: periodic} also where the datacenter has one replica. A node that is
         * killed then forgets what it acknowledged in the last seconds, <b>and integers come twice</b>. For
         * development.
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
        public CassandraBlockStore build() {
            return new CassandraBlockStore(this);
        }
    }
}
