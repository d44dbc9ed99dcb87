// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.examples;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import java.time.Instant;
import java.util.Locale;

/**
 * Generates IDs on a Hazelcast client. The client has its own node ID, so generating an ID does not call the cluster.
 */
public final class ClientApplication {
    private static final SnowcastEpoch EPOCH = SnowcastEpoch.byInstant(Instant.parse("2024-01-01T00:00:00Z"));
    private static final int COUNT = 1_000_000;

    private ClientApplication() {}

    /**
     * Starts a cluster of two members and a client, or only a client.
     *
     * @param args none, to start members and client; or the address of a member, to start a client only, and the name
     *     of its cluster if that is not {@code dev}
     */
    public static void main(String[] args) throws Exception {
        if (args.length > 0) {
            run(args[0], args.length > 1 ? args[1] : "dev");
            return;
        }
        try (LocalCluster cluster = LocalCluster.start(2)) {
            HazelcastInstance member = cluster.members().get(0);
            var address = member.getCluster().getLocalMember().getAddress();
            SnowcastSequencer ofMember = SnowcastSystem.snowcast(member).createSequencer("orders", EPOCH);
            System.out.printf("A member holds node ID %d.%n", ofMember.logicalNodeId(ofMember.next()));
            run(address.getHost() + ':' + address.getPort(), member.getConfig().getClusterName());
        }
    }

    private static void run(String address, String clusterName) throws InterruptedException {
        ClientConfig config = new ClientConfig().setClusterName(clusterName);
        config.getNetworkConfig().addAddress(address);
        HazelcastInstance client = HazelcastClient.newHazelcastClient(config);
        try {
            generate(SnowcastSystem.snowcast(client));
        } finally {
            client.shutdown(); // Releases the node ID.
        }
    }

    private static void generate(Snowcast snowcast) throws InterruptedException {
        SnowcastSequencer orders = snowcast.createSequencer("orders", EPOCH);
        long last = orders.next();
        System.out.printf("The client holds node ID %d: %d is an ID of it.%n", orders.logicalNodeId(last), last);
        long start = System.nanoTime();
        int rising = 0;
        for (int i = 0; i < COUNT; i++) {
            long id = orders.next();
            rising += Long.compareUnsigned(id, last) > 0 ? 1 : 0;
            last = id;
        }
        System.out.printf(
                Locale.ROOT,
                "%,d IDs in %.1f s, each above the one before: %b%n",
                COUNT,
                (System.nanoTime() - start) / 1e9,
                rising == COUNT);
        if (rising != COUNT) {
            throw new IllegalStateException("IDs out of order");
        }
    }
}
