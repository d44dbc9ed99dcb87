// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.internal.base.Clock;
import com.noctarius.snowcast.internal.base.SystemClock;
import com.noctarius.snowcast.status.ClusterStatus;
import java.time.Duration;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Snowcast} without a Hazelcast cluster: its sequencers and node leases hold node IDs that a database grants.
 * IDs are generated in this process, and the database is asked only for leases, which are extended in the background.
 *
 * <p><b>No two calls return the same ID</b>, in all processes that share the tables, as with a cluster: a node ID is
 * granted to one holder at a time, and a grant begins where the former one has ended. Neither depends on the clock of a
 * process. The database decides by its own clock when a grant that is not extended is free.
 *
 * <p><b>What the database commits must stay committed.</b> After a fail-over to a server that may lack commits, or
 * after a restore, the tables are on another server or another history of it. Every process notices that by itself:
 * those that hold node IDs go on, and no node ID is granted until all leases have ended that may have been forgotten.
 * What is not noticed is written in {@code docs/sql.md}.
 *
 * <p>While the database is away, node IDs are held up to the end of their leases. {@code createSequencer} and
 * {@code leaseNode} fail then with {@link com.noctarius.snowcast.SnowcastUnavailableException}.
 *
 * <p>Integer sequences without a store of their own get blocks from windows in the same database, see
 * {@link JdbcBlockStore}.
 *
 * <p>Thread-safe. Loads no class of Hazelcast.
 */
public interface JdbcSnowcast extends Snowcast, AutoCloseable {
    /**
     * Returns a new {@code JdbcSnowcast} with default values. Does not connect.
     *
     * @param dataSource where connections come from, best a pool; each is used for one short transaction, on a thread
     *     of snowcast
     * @return a new one; an application needs one
     * @throws NullPointerException if {@code dataSource} is null
     */
    static JdbcSnowcast of(DataSource dataSource) {
        return builder(dataSource).build();
    }

    /**
     * Starts a description.
     *
     * @param dataSource as for {@link #of}
     * @return a builder with default values
     * @throws NullPointerException if {@code dataSource} is null
     */
    static Builder builder(DataSource dataSource) {
        return new Builder(Objects.requireNonNull(dataSource, "dataSource"));
    }

    /**
     * Creates the tables of node IDs and of integer sequences where there are none. Optional: the files
     * {@code R__snowcast_leases.sql} in the folders of this package that are named after databases do the same for node
     * IDs. May be called by several processes at the same time.
     *
     * @throws com.noctarius.snowcast.SnowcastException if the database cannot be reached, or refuses
     */
    void createTables();

    /**
     * Reads which process holds which node ID, and what integer sequences have left, as the tables have it, and changes
     * nothing: the right to {@code SELECT} is enough. After a loss that no process has noted yet, nodes of no sequencer
     * are in it. Integer sequences are those of the windows in the same database; there are none if it has no tables of
     * windows. {@link JdbcMonitor} tells more of them. Blocks at most for four call time-outs.
     *
     * @return the status; a holder is called as its process calls itself, see {@link Builder#processName}
     * @throws com.noctarius.snowcast.SnowcastUnavailableException if the database cannot be reached
     * @throws com.noctarius.snowcast.SnowcastException if there are no tables, or the user may not read them
     */
    ClusterStatus status();

    /**
     * Gives all node IDs back, waits for that 3 seconds at most, and ends the threads. What the database does not take
     * back is free when the lease has ended. Has no effect if it is closed.
     */
    @Override
    void close();

    /** Builds a {@link JdbcSnowcast}. Not thread-safe. */
    final class Builder {
        /** As of a cluster. */
        static final Duration DEFAULT_LEASE = Duration.ofMinutes(5);

        private static final Duration MIN_LEASE = Duration.ofSeconds(1);
        private static final Duration MAX_LEASE = Duration.ofDays(30);

        final DataSource dataSource;
        String tablePrefix = "snowcast";
        String processName = "";
        Duration lease = DEFAULT_LEASE;
        Duration maxClockSkew = Duration.ofMinutes(1);
        Duration statementTimeout = Duration.ofSeconds(2);
        Duration callTimeout = Duration.ofSeconds(4);
        Clock clock = SystemClock.INSTANCE;

        @Nullable
        Dialect dialect;

        private Builder(DataSource dataSource) {
            this.dataSource = dataSource;
        }

        /**
         * Sets for how long a node ID is granted. It is extended when half of that is used, so this process goes on for
         * that half or longer while the database is away. After a loss of data, no process gets a node ID for about
         * that long, and a lease can be renewed only while more than one minute of it is left: take more than 2
         * minutes.
         *
         * @param lease 1 second to 30 days; 5 minutes by default. Processes may have different ones
         * @return this
         * @throws NullPointerException if {@code lease} is null
         * @throws IllegalArgumentException if it is out of range
         */
        public Builder lease(Duration lease) {
            if (lease.compareTo(MIN_LEASE) < 0 || lease.compareTo(MAX_LEASE) > 0) {
                throw new IllegalArgumentException("lease must be 1 second to 30 days: " + lease);
            }
            this.lease = lease;
            return this;
        }

        /** Sets how far a clock may be from that of the database: the same in all processes. For tests. */
        Builder maxClockSkew(Duration skew) {
            this.maxClockSkew = skew;
            return this;
        }

        /** Sets the clock of the holders, for tests. */
        Builder clock(Clock clock) {
            this.clock = clock;
            return this;
        }

        /**
         * Sets what the tables are called: {@code snowcast_names}, {@code snowcast_nodes} and {@code snowcast_database}
         * by default.
         *
         * @param prefix letters, digits and underscores, at most 40, instead of {@code snowcast}; a schema may stand
         *     before it, with a point between
         * @return this
         * @throws NullPointerException if {@code prefix} is null
         * @throws IllegalArgumentException if it has another form
         */
        public Builder tablePrefix(String prefix) {
            this.tablePrefix = JdbcShards.requireTableName(prefix);
            return this;
        }

        /**
         * Sets what the tables and the status call this process.
         *
         * @param name 1 to 255 characters, such as the name of a pod; by default the ID of the process, {@code @} and
         *     the name of the host
         * @return this
         * @throws NullPointerException if {@code name} is null
         * @throws IllegalArgumentException if it is empty or longer
         */
        public Builder processName(String name) {
            if (name.isEmpty() || name.length() > 255) {
                throw new IllegalArgumentException("processName must have 1 to 255 characters: " + name);
            }
            this.processName = name;
            return this;
        }

        /**
         * Sets the kind of the database, for one that is not known by the name that its driver gives.
         *
         * @param dialect with {@link DialectBuilder#leases}
         * @return this
         * @throws NullPointerException if {@code dialect} is null
         */
        public Builder dialect(Dialect dialect) {
            this.dialect = Objects.requireNonNull(dialect, "dialect");
            return this;
        }

        /**
         * Sets how long the database may work on one statement, and how long a transaction may take, from the request
         * for a connection to the commit. After that the connection is aborted. {@code createSequencer} waits for at
         * most three transactions.
         *
         * @param statement 1 second to a day, in whole seconds; 2 seconds by default
         * @param transaction longer, and at most a day; 4 seconds by default
         * @return this
         * @throws NullPointerException if an argument is null
         * @throws IllegalArgumentException if one is out of range
         */
        public Builder timeouts(Duration statement, Duration transaction) {
            this.statementTimeout = JdbcShards.requireUpToADay("statement", statement);
            this.callTimeout = JdbcShards.requireUpToADay("transaction", transaction);
            if (transaction.compareTo(statement) <= 0) {
                throw new IllegalArgumentException(
                        "transaction must be above statement, " + statement + ": " + transaction);
            }
            return this;
        }

        /**
         * Builds it. Does not connect.
         *
         * @return a new {@code JdbcSnowcast}
         */
        public JdbcSnowcast build() {
            return LeasedSnowcast.start(this);
        }
    }
}
