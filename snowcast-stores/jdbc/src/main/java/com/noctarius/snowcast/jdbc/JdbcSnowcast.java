// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.internal.base.Clock;
import com.noctarius.snowcast.internal.base.SystemClock;
import com.noctarius.snowcast.internal.jdbc.TableNames;
import com.noctarius.snowcast.status.ClusterStatus;
import java.time.Duration;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Snowcast} without a Hazelcast cluster: its sequencers and node leases lease their node IDs (worker IDs) from
 * a database. Generating an ID never calls the database; the leases are renewed in the background.
 *
 * <p><b>No two calls on sequencers of one name return the same ID</b>, in all processes that share the tables, as with
 * a cluster. A node ID has one holder at a time, and each grant begins at or after the end of the node ID's former
 * grant, whatever clocks show. A grant that is not renewed expires by the median of three times: the database's clock,
 * the clock of the process that decides, and the time of that process's last decision plus the time that has elapsed
 * since. The first decision of a process uses the database's clock alone.
 *
 * <p><b>The database must keep its commits.</b> After a fail-over or a restore, the database may lack commits.
 * Processes detect that the tables are on another server. They also detect that the same server continues from an
 * earlier state, for example after a recovery to a point in time, if that changes the server's identity. Processes that
 * hold node IDs then continue, unless too little of a lease is left, see {@link Builder#lease}. No node ID is granted
 * until all leases that may have been lost have expired. {@code docs/sql.md} lists the changes that are not detected.
 *
 * <p>While the database is unreachable, processes keep their node IDs until their leases expire. Unless this object
 * already has a sequencer or lease of the name, {@code createSequencer} and {@code leaseNode} then throw a
 * {@link com.noctarius.snowcast.SnowcastUnavailableException}.
 *
 * <p>Integer sequences whose configuration has no store get their blocks from windows in the same database, see
 * {@link JdbcBlockStore}.
 *
 * <p>Thread-safe. Loads no class of Hazelcast.
 */
public interface JdbcSnowcast extends Snowcast, AutoCloseable {
    /**
     * Returns a new {@code JdbcSnowcast} with default values. Does not connect.
     *
     * @param dataSource the source of connections, preferably a pool. snowcast takes a connection for each short
     *     transaction, on one of snowcast's threads; {@link JdbcShards} describes the connections of integer sequences
     * @return a new {@code JdbcSnowcast}; an application needs only one
     * @throws NullPointerException if {@code dataSource} is null
     */
    static JdbcSnowcast of(DataSource dataSource) {
        return builder(dataSource).build();
    }

    /**
     * Returns a builder.
     *
     * @param dataSource as for {@link #of}
     * @return a builder with default values
     * @throws NullPointerException if {@code dataSource} is null
     */
    static Builder builder(DataSource dataSource) {
        return new Builder(Objects.requireNonNull(dataSource, "dataSource"));
    }

    /**
     * Creates the tables of node IDs and of integer sequences if they do not exist. You can instead create the tables
     * of node IDs by the script {@code R__snowcast_leases.sql} in the folders {@code postgresql} (also for H2) and
     * {@code mariadb} (also for MySQL) of this package. Several processes may call this method at the same time.
     *
     * @throws com.noctarius.snowcast.SnowcastException if the database cannot be reached, or rejects a statement
     */
    void createTables();

    /**
     * Reads from the tables which process holds which node ID, and how many integers the integer sequences have left.
     * Changes nothing: the privilege {@code SELECT} is enough. After a loss of data, the status lists the node IDs of a
     * name only after a process has attached or renewed one of them. It lists only integer sequences with windows in
     * the same database; a {@link JdbcMonitor} reads more about them. Blocks at most for four call time-outs.
     *
     * @return the status; the name of a holder is the {@linkplain Builder#processName name of its process}
     * @throws com.noctarius.snowcast.SnowcastUnavailableException if the database cannot be reached
     * @throws com.noctarius.snowcast.SnowcastException if there are no tables, or the user may not read them
     */
    ClusterStatus status();

    /**
     * Returns unused integers to their stores, releases all node IDs, and ends the threads. Waits at most about 3
     * seconds for the stores, 3 seconds for the node IDs, and 2 seconds for the threads. A node ID that could not be
     * released is free when its lease has expired. The method may be called again.
     */
    @Override
    void close();

    /** Builds a {@link JdbcSnowcast}. Not thread-safe. */
    final class Builder {
        static final Duration DEFAULT_LEASE = Duration.ofMinutes(5);

        private static final Duration MIN_LEASE = Duration.ofSeconds(1);
        private static final Duration MAX_LEASE = Duration.ofDays(30);

        final DataSource dataSource;
        String tablePrefix = TableNames.LEASE_PREFIX;
        String processName = "";
        Duration lease = DEFAULT_LEASE;
        Duration maxClockSkew = Duration.ofMinutes(1);
        Duration statementTimeout = Duration.ofSeconds(2);
        Duration callTimeout = Duration.ofSeconds(4);
        Clock clock = SystemClock.INSTANCE;
        System.Logger logger = System.getLogger(JdbcSnowcast.class.getName());

        @Nullable
        Dialect dialect;

        private Builder(DataSource dataSource) {
            this.dataSource = dataSource;
        }

        /**
         * Sets the duration of a lease of a node ID. The process usually renews a lease when half of it is used. If the
         * database is unreachable at that time, the process continues for the other half. After a loss of data, no
         * process gets a node ID for the longest lease plus about 2 minutes, and a lease can be renewed only while more
         * than one minute of it is left. Because renewals begin at half of the lease, choose more than 2 minutes.
         *
         * @param lease 1 second to 30 days; 5 minutes by default. Processes may have different values
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

        /** Sets, for tests, how far a clock may differ from the database's; all processes must have the same value. */
        Builder maxClockSkew(Duration skew) {
            this.maxClockSkew = skew;
            return this;
        }

        /** Sets the clock of this process, for tests. */
        Builder clock(Clock clock) {
            this.clock = clock;
            return this;
        }

        /**
         * Sets the prefix of the tables, which are {@code snowcast_names}, {@code snowcast_nodes} and
         * {@code snowcast_database} by default.
         *
         * @param prefix letters, digits and underscores, at most 40, the first not a digit, which replace
         *     {@code snowcast}; optionally after a schema and a dot
         * @return this
         * @throws NullPointerException if {@code prefix} is null
         * @throws IllegalArgumentException if it has another form
         */
        public Builder tablePrefix(String prefix) {
            this.tablePrefix = JdbcShards.requireTableName("tablePrefix", prefix);
            return this;
        }

        /**
         * Sets the name of this process in the tables and in the status.
         *
         * @param name 1 to 255 characters, such as the name of a pod; by default the ID of the process, {@code @} and
         *     the name of the host
         * @return this
         * @throws NullPointerException if {@code name} is null
         * @throws IllegalArgumentException if the name is empty or longer than 255 characters
         */
        public Builder processName(String name) {
            if (name.isEmpty() || name.length() > 255) {
                throw new IllegalArgumentException("processName must have 1 to 255 characters: " + name);
            }
            this.processName = name;
            return this;
        }

        /**
         * Sets the logger for messages about node IDs and about faults of the database, for an application whose
         * logging is not the backend of {@code System.Logger}. With the JDK's own backend, messages are lost when the
         * JVM has begun to shut down.
         *
         * @param logger by default the {@code System.Logger} with the name of {@link JdbcSnowcast}
         * @return this
         * @throws NullPointerException if {@code logger} is null
         */
        public Builder logger(System.Logger logger) {
            this.logger = Objects.requireNonNull(logger, "logger");
            return this;
        }

        /**
         * Sets the dialect of the database. It is needed for a database that snowcast does not recognize by the product
         * name that the driver reports.
         *
         * @param dialect a dialect that was built with {@link DialectBuilder#leases}
         * @return this
         * @throws NullPointerException if {@code dialect} is null
         */
        public Builder dialect(Dialect dialect) {
            this.dialect = Objects.requireNonNull(dialect, "dialect");
            return this;
        }

        /**
         * Sets how long the database may work on one statement, and how long a transaction may take, from the request
         * for a connection to the commit. A statement that takes longer is cancelled. If a transaction takes longer,
         * snowcast aborts its connection. If other transactions conflict with that of {@code createSequencer}, the call
         * repeats its transaction until three times the duration {@code transaction} has passed. The last repetition
         * may take {@code transaction} again, so the call may block for almost four times {@code transaction}.
         *
         * @param statement 1 second to a day, in whole seconds; 2 seconds by default
         * @param transaction longer than {@code statement}, and at most a day; 4 seconds by default
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
         * Builds the {@code JdbcSnowcast}. Does not connect.
         *
         * @return a new {@code JdbcSnowcast}
         * @throws IllegalArgumentException if the time-out of a statement is not in whole seconds
         */
        public JdbcSnowcast build() {
            return LeasedSnowcast.start(this);
        }
    }
}
