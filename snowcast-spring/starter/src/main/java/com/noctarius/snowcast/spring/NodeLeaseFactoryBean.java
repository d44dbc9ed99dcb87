// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.NodeLease;
import com.noctarius.snowcast.NodeLeaseConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastSequenceState;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * A node lease as a bean: leased when the context starts, closed when it closes.
 *
 * <p>Contexts that share a {@code HazelcastInstance} share its node leases; only the last context that closes gives the
 * node ID back. Beans that the lease is injected into are destroyed before it is closed.
 *
 * <p>Thread-safe. Start and close block for a round trip to the cluster; the start waits {@linkplain #setAttachTimeout
 * for a time} while the cluster cannot lease a node ID yet.
 */
public final class NodeLeaseFactoryBean extends SharedFactoryBean<NodeLease> {
    /**
     * Makes a bean that leases a node ID when it is initialized.
     *
     * @param snowcast leases the node ID
     * @param config the configuration of the lease
     * @throws NullPointerException if an argument is null
     */
    public NodeLeaseFactoryBean(Snowcast snowcast, NodeLeaseConfig config) {
        this(snowcast, config, UnaryOperator.identity());
    }

    /** Takes what makes the exception to throw from the one that leasing threw. */
    NodeLeaseFactoryBean(Snowcast snowcast, NodeLeaseConfig config, UnaryOperator<RuntimeException> explanation) {
        super(
                NodeLease.class,
                () -> snowcast.leaseNode(config),
                null, // There is no lease without a node ID.
                "node lease " + Objects.requireNonNull(config, "config").name(),
                explanation);
        Objects.requireNonNull(snowcast, "snowcast");
    }

    @Override
    boolean begin(NodeLease lease) {
        return lease.stats().state() == SnowcastSequenceState.Attached;
    }

    @Override
    void end(NodeLease lease) {
        lease.close();
    }
}
