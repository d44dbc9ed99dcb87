// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DefaultProtocolVersion;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.ProtocolVersion;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.store.NonTransientBlockStoreException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * A Cassandra keyspace, and the session with which a process of one datacenter uses it. Checks the replication and the
 * nodes before a store uses the keyspace.
 */
record Keyspace(CqlSession session, String name, String datacenter) {
    private static final System.Logger LOGGER = System.getLogger(CassandraBlockStore.class.getName());
    private static final int MAX_QUESTIONS = 3;
    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_]{0,47}");

    Keyspace {
        Objects.requireNonNull(session, "session");
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "keyspace must have 1 to 48 letters, digits and _, with a letter first: " + name);
        }
        if (datacenter.isBlank() || datacenter.equals(RangeTables.GLOBAL)) {
            throw new IllegalArgumentException(
                    "localDatacenter must not be blank, nor " + RangeTables.GLOBAL + ": \"" + datacenter + '"');
        }
        ProtocolVersion version = session.getContext().getProtocolVersion();
        if (version.getCode() > DefaultProtocolVersion.V4.getCode()) {
            throw new IllegalArgumentException("session must use protocol V4: " + version
                    + ". With later ones the driver drops the connection, with all requests under way, whenever a"
                    + " conditional update times out; set advanced.protocol.version = V4");
        }
    }

    Coordinators coordinators() {
        return new Coordinators(session, datacenter);
    }

    /**
     * Checks the replication and the settings of the nodes, then creates the object with which a store uses its tables.
     * That object prepares its statements. Logs a warning if a reservation needs a majority of fewer than three
     * replicas.
     *
     * @param isOfDatacenter true if a reservation needs a majority of the datacenter's replicas; false if it needs a
     *     majority of all replicas
     */
    <T> T open(Duration timeout, boolean isOfDatacenter, boolean allowsPeriodic, Function<Keyspace, T> tables) {
        try {
            Coordinators coordinators = coordinators();
            Deadline deadline = Deadline.ofAttempts(timeout);
            Map<String, String> replication = requireReplicas(coordinators, deadline);
            int replicas = isOfDatacenter ? replicasOf(datacenter, replication) : replicasOfAll(replication);
            warnOfFew(replicas, isOfDatacenter ? "datacenter " + datacenter : "all datacenters");
            NodeSettings.require(NodeSettings.read(coordinators, deadline), this, replicas, allowsPeriodic);
            return tables.apply(this);
        } catch (DriverException e) {
            throw failure(e);
        }
    }

    private static int replicasOf(String datacenter, Map<String, String> replication) {
        return Integer.parseInt(replication.getOrDefault(datacenter, "0"));
    }

    private static int replicasOfAll(Map<String, String> replication) {
        return replication.keySet().stream()
                .filter(key -> !key.equals("class"))
                .mapToInt(key -> replicasOf(key, replication))
                .sum();
    }

    /**
     * Runs the checks of a sequence before its first reservation. Repeats them after a failure that may pass, up to
     * three times.
     */
    void prepare(String sequence, Object store, Duration timeout, Consumer<Deadline> questions) {
        Deadline deadline = Deadline.ofAttempts(timeout);
        Backoff backoff = new Backoff(deadline);
        DriverException problem;
        do {
            try {
                questions.accept(deadline);
                return;
            } catch (DriverException e) {
                Refusal.requireNone("sequence " + sequence + " in " + store, e);
                problem = e;
            }
        } while (backoff.attempts() < MAX_QUESTIONS && backoff.pause());
        throw new BlockStoreException(
                "sequence " + sequence + " in " + store + ": its definition could not be read: " + problem, problem);
    }

    /** Throws if a sequence begins below the first value of its configuration. */
    static void requireFirstValue(String sequence, Object store, long defined, long configured) {
        if (defined < configured) {
            throw new NonTransientBlockStoreException("sequence " + sequence + ": the first integer is " + defined
                    + " in " + store + ", and must be " + configured + " or above");
        }
    }

    /** Returns the qualified name of a table for CQL. */
    String table(String table) {
        return '"' + name + "\"." + table;
    }

    /**
     * Checks that the replication of the keyspace allows conditional updates in the datacenter.
     *
     * @return the replication of the keyspace
     * @throws IllegalArgumentException if the keyspace does not exist, is not replicated to the datacenter by
     *     {@code NetworkTopologyStrategy}, or has transient replicas
     * @throws DriverException if the replication cannot be read
     */
    Map<String, String> requireReplicas(Coordinators coordinators, Deadline deadline) {
        SimpleStatement select = SimpleStatement.newInstance(
                        "SELECT replication FROM system_schema.keyspaces WHERE keyspace_name = ?", name)
                .setConsistencyLevel(DefaultConsistencyLevel.ONE);
        Row row = coordinators.execute(name, select, deadline).one();
        if (row == null) {
            throw new IllegalArgumentException("keyspace must exist: " + name);
        }
        Map<String, String> replication =
                Objects.requireNonNull(row.getMap("replication", String.class, String.class), "replication");
        requireReplicas(name, datacenter, replication);
        return replication;
    }

    /** Logs a warning if there are fewer than three replicas: a majority of one or two replicas is all of them. */
    private void warnOfFew(int replicas, String where) {
        if (replicas < 3) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "keyspace " + name + " has only " + (replicas == 1 ? "one replica" : "two replicas") + " in "
                            + where + ": when a node with a replica is down, no integers can be reserved there");
        }
    }

    static int requireReplicas(String keyspace, String datacenter, Map<String, String> replication) {
        // "3/1" means three replicas, one of them transient.
        if (replication.values().stream().anyMatch(count -> count.contains("/"))) {
            throw new IllegalArgumentException("keyspace " + keyspace
                    + " must have no transient replicas, which Cassandra's conditional updates do not support: "
                    + replication);
        }
        boolean isByDatacenter = replication.getOrDefault("class", "").endsWith("NetworkTopologyStrategy");
        int replicas = isByDatacenter ? replicasOf(datacenter, replication) : 0;
        if (replicas == 0) {
            throw new IllegalArgumentException("keyspace " + keyspace
                    + " must be replicated to datacenter " + datacenter + " by NetworkTopologyStrategy: "
                    + replication);
        }
        return replicas;
    }

    BlockStoreException failure(DriverException cause) {
        String where = "keyspace " + name + " in datacenter " + datacenter;
        return Refusal.is(cause)
                ? new NonTransientBlockStoreException(where + " refuses: " + Refusal.message(cause), cause)
                : new BlockStoreException(where + " cannot be reached: " + cause, cause);
    }
}
