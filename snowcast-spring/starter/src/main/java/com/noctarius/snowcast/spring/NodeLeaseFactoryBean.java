// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.NodeLease;
import com.noctarius.snowcast.NodeLeaseConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastSequenceState;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * A factory bean of a node lease, which is acquired when the context starts and closed when it closes.
 *
 * <p>Contexts that share a {@code HazelcastInstance} share its node leases. The last of these contexts to close also
 * closes the lease, which releases the node ID. Spring destroys the beans into which the lease is injected before it
 * closes the lease.
 *
 * <p>Thread-safe. Start and close block for a round trip to the cluster. The start also waits, for up to
 * {@link #setAttachTimeout}, while the cluster cannot lease a node ID yet.
 */
public final class NodeLeaseFactoryBean extends SharedFactoryBean<NodeLease> {
    /**
     * Makes a bean that leases a node ID when it is initialized.
     *
     * @param snowcast the {@code Snowcast} that leases the node ID
     * @param config the configuration of the lease
     * @throws NullPointerException if an argument is null
     */
    public NodeLeaseFactoryBean(Snowcast snowcast, NodeLeaseConfig config) {
        this(snowcast, config, UnaryOperator.identity());
    }

    /** Makes a bean with an explanation, as {@link SharedFactoryBean} takes it. */
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
