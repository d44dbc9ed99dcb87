// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.examples;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * Generates IDs in two clusters that have no connection. Their sequencers have the same name, epoch and layout. The
 * clusters never generate the same ID, because their members grant node IDs from two separate ranges.
 */
public final class TwoClusters {
    private static final SnowcastEpoch EPOCH = SnowcastEpoch.byInstant(Instant.parse("2024-01-01T00:00:00Z"));
    private static final int COUNT = 200_000;

    private TwoClusters() {}

    /** Runs the example; throws if it finds a duplicate ID. */
    public static void main(String[] args) throws Exception {
        List<long[]> all = new ArrayList<>();
        try (LocalCluster west = LocalCluster.start(2, Map.of("snowcast.node.id.range", "0-4095"));
                LocalCluster east = LocalCluster.start(2, Map.of("snowcast.node.id.range", "4096-8191"))) {
            generate("west", west, all);
            generate("east", east, all);
        }
        long distinct = all.stream().flatMapToLong(LongStream::of).distinct().count();
        long count = all.stream().mapToLong(ids -> ids.length).sum();
        System.out.printf(Locale.ROOT, "%,d IDs of both clusters: %,d duplicates%n", count, count - distinct);
        if (distinct != count) {
            throw new IllegalStateException("an ID came twice");
        }
    }

    private static void generate(String name, LocalCluster cluster, List<long[]> all) throws InterruptedException {
        for (HazelcastInstance member : cluster.members()) {
            SnowcastSequencer orders = SnowcastSystem.snowcast(member).createSequencer("orders", EPOCH);
            long[] ids = orders.next(COUNT);
            System.out.printf("%s: node ID %d%n", name, orders.logicalNodeId(ids[0]));
            all.add(ids);
        }
    }
}
