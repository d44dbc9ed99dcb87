// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.noctarius.snowcast.store.NonTransientBlockStoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One Cassandra node's settings on which the uniqueness of integers depends. Cassandra 4.0 and later versions show them
 * in a table; earlier versions and compatible services may not.
 *
 * @param node the address of the node, for messages
 * @param commitLogSync {@code periodic}, {@code batch} or {@code group}; null if it could not be read
 * @param paxosVariant for example {@code v2}; null if it could not be read, or before Cassandra 4.1
 * @param problem why {@code commitLogSync} could not be read; null if it was read
 */
record NodeSettings(
        String node,
        @Nullable String commitLogSync,
        @Nullable String paxosVariant,
        @Nullable String problem) {
    private static final System.Logger LOGGER = System.getLogger(CassandraBlockStore.class.getName());

    /** Reads the settings of all nodes of the datacenter that are up. */
    static List<NodeSettings> read(Coordinators coordinators, Deadline deadline) {
        return coordinators.nodes().stream()
                .map(node -> read(coordinators, node, deadline))
                .toList();
    }

    private static NodeSettings read(Coordinators coordinators, Node node, Deadline deadline) {
        String name = node.getEndPoint().toString();
        try {
            String sync = read(coordinators, node, "commitlog_sync", deadline);
            String variant = read(coordinators, node, "paxos_variant", deadline);
            return new NodeSettings(name, sync, variant, sync == null ? "it has no commitlog_sync" : null);
        } catch (DriverException e) {
            return new NodeSettings(name, null, null, String.valueOf(e.getMessage()));
        }
    }

    private static @Nullable String read(Coordinators coordinators, Node node, String setting, Deadline deadline) {
        SimpleStatement select = SimpleStatement.newInstance(
                        "SELECT value FROM system_views.settings WHERE name = ?", setting)
                .setConsistencyLevel(DefaultConsistencyLevel.ONE);
        Row row = coordinators.execute(node, select, deadline).one();
        return row == null ? null : row.getString("value");
    }

    /**
     * Rejects a setting with which integers are issued twice when a node is killed, unless {@code allowsPeriodic} is
     * true. Logs a warning if integers may be issued twice, or if settings cannot be read. There is one warning per
     * kind of problem, with all nodes that have it.
     *
     * @param replicas how many replicas take part in a reservation, of which a majority must answer
     * @throws NonTransientBlockStoreException if {@code commitlog_sync} of a node is {@code periodic}, there is only
     *     one replica, and {@code allowsPeriodic} is false
     */
    static void require(List<NodeSettings> all, Keyspace keyspace, int replicas, boolean allowsPeriodic) {
        String where = "keyspace " + keyspace.name() + " in datacenter " + keyspace.datacenter() + ": ";
        List<String> periodic = all.stream()
                .filter(settings -> "periodic".equals(settings.commitLogSync))
                .map(NodeSettings::node)
                .toList();
        if (!periodic.isEmpty()) {
            String what = where + "commitlog_sync is periodic at " + periodic
                    + ": a node that is killed forgets what it has acknowledged, and ";
            if (replicas == 1 && !allowsPeriodic) {
                throw new NonTransientBlockStoreException(what
                        + "with one replica integers are issued twice. Set it to batch or group, or call"
                        + " allowPeriodicCommitLog()");
            }
            warn(what
                    + (replicas == 1
                            ? "with one replica integers are issued twice, which allowPeriodicCommitLog() permits"
                            : "integers are issued twice if the other replicas have missed it"));
        }
        warnOfVariants(all, where);
        List<String> silent = all.stream()
                .filter(settings -> settings.problem != null)
                .map(settings -> settings.node + " (" + settings.problem + ')')
                .toList();
        if (!silent.isEmpty()) {
            warn(where + "system_views.settings could not be read, so make sure that commitlog_sync is batch or group: "
                    + silent);
        }
    }

    private static void warnOfVariants(List<NodeSettings> all, String where) {
        List<String> others = new ArrayList<>();
        for (NodeSettings settings : all) {
            if (settings.paxosVariant != null && !settings.paxosVariant.equals("v2")) {
                others.add(settings.node + " (" + Objects.requireNonNull(settings.paxosVariant) + ')');
            }
        }
        if (!others.isEmpty()) {
            warn(where + "paxos_variant should be v2: with another one integers may be issued twice if replicas join or"
                    + " leave while the clocks of nodes differ: " + others);
        }
    }

    private static void warn(String message) {
        LOGGER.log(System.Logger.Level.WARNING, message);
    }
}
