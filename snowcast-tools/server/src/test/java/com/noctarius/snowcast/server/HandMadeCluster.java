// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import com.noctarius.snowcast.SnowcastException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Primary;

/** A source of rare or large states of a cluster, which the page must be able to show. */
@Primary
final class HandMadeCluster implements ClusterSource {
    static final int PROCESSES = 22;

    private final Instant start = Instant.now();

    private final AtomicInteger reads = new AtomicInteger();
    private volatile CountDownLatch gate = new CountDownLatch(0);
    private volatile boolean isMerged;
    private volatile boolean isUnreachable;

    void reportMerge(boolean isReported) {
        isMerged = isReported;
    }

    void cutOff(boolean isCutOff) {
        isUnreachable = isCutOff;
    }

    /** Makes requests wait until {@link #goOn}. */
    void hang() {
        gate = new CountDownLatch(1);
    }

    void goOn() {
        gate.countDown();
    }

    int reads() {
        return reads.get();
    }

    /** Returns whether a process is a client. The process with a given number is the same for all sequencers. */
    static boolean isClient(int process) {
        return process % 3 == 0;
    }

    static String client(int process) {
        return "shop-" + process;
    }

    static String host(int process) {
        return "10.0." + process % 3 + "." + (10 + process);
    }

    @Override
    public String name() {
        return "cluster";
    }

    @Override
    public ClusterState read() {
        reads.incrementAndGet();
        try {
            gate.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SnowcastException(e);
        }
        if (isUnreachable) {
            throw new SnowcastException("The members give no answer");
        }
        return new ClusterState(
                Instant.now(),
                List.of(
                        sequencer("orders", 8_192, "41/13/10", PROCESSES, 5, in(24_472), in(12_236)),
                        sequencer("deliveries", 128, "41/7/16", 4, 1, in(12_245), in(9)),
                        sequencer("invoices", 64, "39/6/6", 64, 0, in(300), null)),
                3,
                List.of(),
                isMerged
                        ? List.of(new ClusterState.Duplicates(
                                "orders", 4711, start.minus(Duration.ofMinutes(9)), start.minus(Duration.ofMinutes(2))))
                        : List.of());
    }

    private Instant in(int days) {
        return start.plus(Duration.ofDays(days)).plus(Duration.ofHours(1));
    }

    private ClusterState.Sequencer sequencer(
            String name,
            int nodeCount,
            String layout,
            int attached,
            int expiring,
            Instant timeEnds,
            @Nullable Instant turnsNegative) {
        Random random = new Random(name.hashCode());
        List<ClusterState.Node> nodes = new ArrayList<>();
        List<Integer> ids = random.ints(0, nodeCount)
                .distinct()
                .limit(attached + expiring)
                .boxed()
                .toList();
        for (int i = 0; i < ids.size(); i++) {
            nodes.add(new ClusterState.Node(
                    ids.get(i),
                    i < attached ? "attached" : "expiring",
                    isClient(i)
                            ? "client " + client(i) + " at " + host(i) + " #" + Integer.toHexString(0x5ea0 + i)
                            : "member " + host(i) + ":5701",
                    start.plusSeconds(240 + random.nextInt(60))));
        }
        return new ClusterState.Sequencer(
                name,
                Instant.parse("2024-01-01T00:00:00Z"),
                layout,
                nodeCount,
                nodeCount,
                timeEnds,
                turnsNegative,
                nodes,
                attached,
                expiring);
    }
}
