// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.client.config.ClientFlakeIdGeneratorConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.flakeidgen.FlakeIdGenerator;
import com.noctarius.snowcast.SnowcastLayout;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Measures how fast clients get IDs over TCP, in turn from snowcast's and from Hazelcast's own generators.
 * {@code docs/dev/benchmarks.md} states the results.
 */
@Tag("soak")
class FlakeIdsSpeedTest {
    private static final int ROUNDS = 15;
    private static final long ROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private static double perSecond(FlakeIdGenerator generator) {
        long start = System.nanoTime();
        long count = 0;
        long nanos;
        do {
            for (int i = 0; i < 100; i++) {
                generator.newId();
            }
            count += 100;
            nanos = System.nanoTime() - start;
        } while (nanos < ROUND_NANOS);
        return count * (double) SECOND / nanos;
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }

    @Test
    void batchesAreFastAndARoundTripCostsWhatHazelcastsDoes() {
        try (TcpCluster cluster = TcpCluster.of(2, Map.of())) {
            TestCluster.create(cluster.member(0), "orders", SnowcastLayout.forMaxLogicalNodeCount(128));
            HazelcastInstance batches = client(cluster, 1_000);
            HazelcastInstance singles = client(cluster, 1);
            FlakeIdGenerator ids = batches.getFlakeIdGenerator("snowcast:orders");
            FlakeIdGenerator own = singles.getFlakeIdGenerator("snowcast:orders");
            FlakeIdGenerator hazelcasts = singles.getFlakeIdGenerator("orders");
            double[] rates = new double[ROUNDS];
            double[] ratios = new double[ROUNDS];
            double[] trips = new double[ROUNDS];
            for (int round = 0; round < ROUNDS; round++) {
                rates[round] = perSecond(ids);
                trips[round] = perSecond(own);
                ratios[round] = perSecond(hazelcasts) / trips[round];
            }
            double rate = median(rates);
            double ratio = median(ratios);
            System.out.printf(
                    "batches of 1,000 at 128 nodes: %,.0f IDs/s to one client; a round trip takes %.0f us, %.2f times as"
                            + " long as that of Hazelcast's generator%n",
                    rate, 1e6 / median(trips), ratio);
            assertThat(rate).isGreaterThan(100_000);
            assertThat(ratio).isLessThan(3);
        }
    }

    private static HazelcastInstance client(TcpCluster cluster, int prefetchCount) {
        return cluster.addClient(config -> config.addFlakeIdGeneratorConfig(
                new ClientFlakeIdGeneratorConfig("*").setPrefetchCount(prefetchCount)));
    }
}
