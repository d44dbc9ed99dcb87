// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.NodeLeaseConfig;
import com.noctarius.snowcast.internal.base.Log;
import com.noctarius.snowcast.internal.leases.InstanceSnowcast;
import com.noctarius.snowcast.internal.leases.InstanceThreads;
import com.noctarius.snowcast.internal.owner.TableRules;
import com.noctarius.snowcast.status.ClusterStatus;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.logging.Level;
import java.util.stream.Stream;

/** The implementation of {@link JdbcSnowcast}, which creates its parts and closes them. */
final class LeasedSnowcast extends InstanceSnowcast implements JdbcSnowcast {
    private static final String CLOSED = "the JdbcSnowcast was closed";
    /** A quarter of the shortest possible lease. */
    private static final long KEEP_PERIOD_MILLIS = 250;

    private static final long MAX_DETACH_MILLIS = 3_000;
    private static final int MAX_NAME_LENGTH = 255;

    private final JdbcCoordinator coordinator;
    private final DefinedWindows windows;
    private final InstanceThreads threads;

    private LeasedSnowcast(
            Builder builder, JdbcCoordinator coordinator, DefinedWindows windows, InstanceThreads threads, Log log) {
        super(false, coordinator, windows::of, CLOSED, builder.clock, threads, log, Stream::empty, sink -> {});
        this.coordinator = coordinator;
        this.windows = windows;
        this.threads = threads;
    }

    private static Log log(System.Logger logger) {
        return (level, message, cause) -> logger.log(
                level.equals(Level.WARNING) ? System.Logger.Level.WARNING : System.Logger.Level.INFO, message, cause);
    }

    static JdbcSnowcast start(Builder builder) {
        LeaseTables tables = new LeaseTables(builder.tablePrefix);
        JdbcShards shards = windows(builder, tables.integers());
        long leaseMillis = builder.lease.toMillis();
        long skewMillis = builder.maxClockSkew.toMillis();
        long lossWaitMillis = leaseMillis + 2 * skewMillis + builder.callTimeout.toMillis();
        JdbcCoordinator coordinator = new JdbcCoordinator(
                shards.all().get(0),
                tables,
                new TableRules(leaseMillis, skewMillis, lossWaitMillis, 0, NodeLeaseConfig.MAX_NODE_COUNT - 1),
                builder.clock,
                3 * builder.callTimeout.toNanos(),
                builder.processName.isEmpty() ? defaultName() : builder.processName,
                builder.logger);
        DefinedWindows windows = new DefinedWindows(shards, coordinator.losses());
        Log log = log(builder.logger);
        InstanceThreads threads = new InstanceThreads("jdbc", log);
        LeasedSnowcast snowcast = new LeasedSnowcast(builder, coordinator, windows, threads, log);
        threads.start(KEEP_PERIOD_MILLIS, snowcast::keep);
        return snowcast;
    }

    /** Returns the database as a shard, with the tables of windows in the schema of the lease tables. */
    private static JdbcShards windows(Builder builder, Tables tables) {
        JdbcShards.Builder windows = JdbcShards.builder()
                .shard(builder.dataSource)
                .tableName(tables.windows())
                .statementTimeout(builder.statementTimeout)
                .callTimeout(builder.callTimeout);
        if (builder.dialect != null) {
            windows.dialect(builder.dialect);
        }
        return windows.build();
    }

    /** Reads the host name from the environment if possible, because a lookup may need the network. */
    private static String defaultName() {
        String host = System.getenv("HOSTNAME");
        if (host == null || host.isBlank()) {
            try {
                host = InetAddress.getLocalHost().getHostName();
            } catch (UnknownHostException e) {
                host = "unknown";
            }
        }
        String name = ProcessHandle.current().pid() + "@" + host;
        return name.substring(0, Math.min(name.length(), MAX_NAME_LENGTH));
    }

    @Override
    public void createTables() {
        coordinator.createTables();
        windows.createTables();
    }

    @Override
    public ClusterStatus status() {
        return coordinator.status(windows.status());
    }

    @Override
    public void close() {
        windows.close();
        close(MAX_DETACH_MILLIS);
        threads.end();
    }
}
