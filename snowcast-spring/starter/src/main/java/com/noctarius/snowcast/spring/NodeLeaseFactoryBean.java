// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.NodeLease;
import com.noctarius.snowcast.NodeLeaseConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastSequenceState;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * A factory bean that acquires a node lease when the context starts, and closes the lease when the context closes.
 *
 * <p>Contexts that share a {@code HazelcastInstance} share its node leases. The last of these contexts to close also
 * closes the lease, which releases the node ID. Spring destroys the beans into which the lease is injected before it
 * closes the lease.
 *
 * <p>Thread-safe. Starting and closing block for a round trip to the cluster or database. If the cluster or database
 * cannot lease a node ID yet, starting retries for up to {@link #setAttachTimeout}.
 */
public final class NodeLeaseFactoryBean extends SharedFactoryBean<NodeLease> {
    /**
     * Creates a factory bean, which leases a node ID when Spring initializes it.
     *
     * @param snowcast the {@code Snowcast} that leases the node ID
     * @param config the configuration of the lease
     * @throws NullPointerException if an argument is null
     */
    public NodeLeaseFactoryBean(Snowcast snowcast, NodeLeaseConfig config) {
        this(snowcast, config, UnaryOperator.identity());
    }

    /** Creates a factory bean; for {@code explanation}, see {@link SharedFactoryBean}. */
    NodeLeaseFactoryBean(Snowcast snowcast, NodeLeaseConfig config, UnaryOperator<RuntimeException> explanation) {
        super(
                NodeLease.class,
                () -> snowcast.leaseNode(config),
                null, // A lease without a node ID does not exist.
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
