// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;

/** A client process for tests that kill it. Prints an ID of a sequencer with four node IDs. */
public final class ClientMain {
    private ClientMain() {}

    /** Arguments: cluster name, port of a member, name of the sequencer. */
    public static void main(String[] args) throws Exception {
        ClientConfig config = new ClientConfig().setClusterName(args[0]);
        config.getNetworkConfig().addAddress("127.0.0.1:" + args[1]);
        SnowcastSequencer sequencer =
                TestCluster.create(HazelcastClient.newHazelcastClient(config), args[2], new SnowcastLayout(41, 2, 10));
        System.out.println("ID " + sequencer.next());
        while (System.in.read() >= 0) {
            // The test sends no input. When the test's process ends, the stream ends, and so does this process.
        }
        Runtime.getRuntime().halt(0);
    }
}
