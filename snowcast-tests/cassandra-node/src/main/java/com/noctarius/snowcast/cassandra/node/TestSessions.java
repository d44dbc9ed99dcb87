// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra.node;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.logging.Logger;

/** Opens sessions for tests: with long time-outs for busy machines, and with quick reconnection to a restarted node. */
public final class TestSessions {
    /** Named by a string: this module cannot depend on snowcast-cassandra, whose tests depend on this module. */
    private static final Logger STORES = Logger.getLogger("com.noctarius.snowcast.cassandra.CassandraBlockStore");

    static {
        // The tests cause faults and have one replica, so the stores' warnings about both would be noise.
        STORES.setUseParentHandlers(false);
        // By default, the end of each session waits two seconds for further tasks.
        for (String group : new String[] {"io-group", "admin-group"}) {
            System.setProperty("datastax-java-driver.advanced.netty." + group + ".shutdown.quiet-period", "0");
        }
    }

    private TestSessions() {}

    /** Connects to a running node. */
    public static CqlSession open(CassandraNode node) {
        return open(node.address(), node.datacenter(), "V4");
    }

    /**
     * Connects to a running node.
     *
     * @param pageSize how many rows the driver fetches at once
     */
    public static CqlSession open(CassandraNode node, int pageSize) {
        return open(node.address(), node.datacenter(), "V4", pageSize);
    }

    /**
     * Connects to the running node at an address.
     *
     * @param datacenter the datacenter of the node
     * @param protocol the version of the native protocol, such as {@code V4}
     */
    public static CqlSession open(InetSocketAddress address, String datacenter, String protocol) {
        return open(address, datacenter, protocol, 5_000);
    }

    /**
     * Connects to a running node that requires a password.
     *
     * @param user a role that may log in
     * @param password the password of the role
     */
    public static CqlSession open(CassandraNode node, String user, String password) {
        return builder(node.address(), node.datacenter(), "V4", 5_000)
                .withAuthCredentials(user, password)
                .build();
    }

    private static CqlSession open(InetSocketAddress address, String datacenter, String protocol, int pageSize) {
        return builder(address, datacenter, protocol, pageSize).build();
    }

    private static CqlSessionBuilder builder(
            InetSocketAddress address, String datacenter, String protocol, int pageSize) {
        ProgrammaticDriverConfigLoaderBuilder config = DriverConfigLoader.programmaticBuilder()
                .withString(DefaultDriverOption.PROTOCOL_VERSION, protocol)
                .withInt(DefaultDriverOption.REQUEST_PAGE_SIZE, pageSize)
                .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofMinutes(2))
                .withDuration(DefaultDriverOption.CONNECTION_CONNECT_TIMEOUT, Duration.ofSeconds(20))
                .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, Duration.ofMinutes(2))
                .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, Duration.ofMinutes(2))
                .withString(DefaultDriverOption.RECONNECTION_POLICY_CLASS, "ConstantReconnectionPolicy")
                .withDuration(DefaultDriverOption.RECONNECTION_BASE_DELAY, Duration.ofMillis(100))
                .withBoolean(DefaultDriverOption.METADATA_SCHEMA_ENABLED, false);
        return CqlSession.builder()
                .addContactPoint(address)
                .withLocalDatacenter(datacenter)
                .withConfigLoader(config.build());
    }
}
