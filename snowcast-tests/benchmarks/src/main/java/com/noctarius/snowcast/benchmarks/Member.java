// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks;

import com.hazelcast.config.Config;
import com.hazelcast.config.FlakeIdGeneratorConfig;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.flakeidgen.FlakeIdGenerator;
import com.noctarius.snowcast.NodeLease;
import com.noctarius.snowcast.NodeLeaseConfig;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import java.time.Instant;
import java.util.UUID;

/** A Hazelcast cluster of one member in this JVM, which does not search for other members. */
final class Member implements AutoCloseable {
    /** A layout with 7 bits for the node ID and 16 for the counter: 65,536 IDs per millisecond. */
    static final SnowcastLayout FEW_NODES = SnowcastLayout.forMaxLogicalNodeCount(128);

    private static final SnowcastEpoch EPOCH = SnowcastEpoch.byInstant(Instant.parse("2024-01-01T00:00:00Z"));
    private static final String TUNED = "tuned";

    private final HazelcastInstance hazelcast;

    private Member(HazelcastInstance hazelcast) {
        this.hazelcast = hazelcast;
    }

    static Member start() {
        Config config = new Config().setClusterName("snowcast-benchmarks-" + UUID.randomUUID());
        config.setProperty("hazelcast.wait.seconds.before.join", "0");
        config.getJetConfig().setEnabled(false);
        config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface("127.0.0.1");
        JoinConfig join = config.getNetworkConfig().getJoin();
        join.getAutoDetectionConfig().setEnabled(false);
        join.getMulticastConfig().setEnabled(false);
        // Give Hazelcast's generator as many counter bits as FEW_NODES has, and the longest batches that it allows.
        config.addFlakeIdGeneratorConfig(new FlakeIdGeneratorConfig(TUNED)
                .setBitsNodeId(6)
                .setBitsSequence(Peers.MANY_COUNTER_BITS)
                .setPrefetchCount(100_000));
        return new Member(Hazelcast.newHazelcastInstance(config));
    }

    static SequencerConfig config(SnowcastLayout layout) {
        return SequencerConfig.builder("benchmark " + UUID.randomUUID())
                .epoch(EPOCH)
                .layout(layout)
                .build();
    }

    SnowcastSequencer sequencer(SnowcastLayout layout) {
        return SnowcastSystem.snowcast(hazelcast).createSequencer(config(layout));
    }

    NodeLease nodeLease(int maxNodeCount) {
        return SnowcastSystem.snowcast(hazelcast)
                .leaseNode(NodeLeaseConfig.builder("benchmark " + UUID.randomUUID())
                        .maxNodeCount(maxNodeCount)
                        .build());
    }

    FlakeIdGenerator flakeIdGenerator() {
        return hazelcast.getFlakeIdGenerator("default");
    }

    FlakeIdGenerator tunedFlakeIdGenerator() {
        return hazelcast.getFlakeIdGenerator(TUNED);
    }

    @Override
    public void close() {
        hazelcast.shutdown();
    }
}
