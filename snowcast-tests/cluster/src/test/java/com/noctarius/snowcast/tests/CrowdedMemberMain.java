// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.hazelcast.config.Config;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.internal.cluster.SnowcastService;
import com.noctarius.snowcast.internal.leases.ClusterCoordinator;
import com.noctarius.snowcast.internal.owner.AttachRequest;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.wire.RequestType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** A process whose member has granted many node IDs, as if to many processes. Ends with its standard input. */
public final class CrowdedMemberMain {
    static final String READY = "ready";
    private static final int AT_ONCE = 256;
    /** Longer than any test. */
    private static final int LEASE_MILLIS = 3_600_000;

    private CrowdedMemberMain() {}

    /** Arguments: cluster name, port, number of node IDs. */
    public static void main(String[] args) throws Exception {
        Config config = TestCluster.config(Map.of("snowcast.lease.millis", Integer.toString(LEASE_MILLIS)));
        HazelcastInstance member = Hazelcast.newHazelcastInstance(
                TcpCluster.onLoopback(config, args[0], Integer.parseInt(args[1]), List.of()));
        SnowcastSystem.snowcast(member);
        SnowcastService service =
                Objects.requireNonNull((SnowcastService) member.getUserContext().get(SnowcastService.NAME));
        attach(service.transport(), Integer.parseInt(args[2]));
        System.out.println(READY);
        while (System.in.read() >= 0) {
            // The test sends no input. When the test's process ends, the stream ends, and so does this process.
        }
        Runtime.getRuntime().halt(0);
    }

    private static void attach(ClusterCoordinator transport, int nodes) {
        SnowcastLayout layout = SnowcastLayout.DEFAULT;
        Definition definition = new Definition(TestCluster.EPOCH.getEpochOffset(), layout, 0, null);
        List<CompletableFuture<?>> answers = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            String name = "orders" + i / layout.logicalNodeCount();
            AttachRequest request =
                    new AttachRequest(name, definition, 0, transport.newHolder(), 1, System.currentTimeMillis(), 0, -1);
            answers.add(transport.send(RequestType.ATTACH, request, transport.timeoutMillis()));
            if (answers.size() == AT_ONCE || i == nodes - 1) {
                answers.forEach(CompletableFuture::join);
                answers.clear();
            }
        }
    }
}
