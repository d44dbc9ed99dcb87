// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.hazelcast.client.impl.clientside.HazelcastClientProxy;
import com.hazelcast.client.test.ClientTestSupport;
import com.hazelcast.core.HazelcastInstance;
import java.util.List;

/**
 * Cuts a client off from a mock network. Messages in both directions are delayed until {@link #restore}, as TCP delays
 * them while it repeats lost packets. The thread that called {@link #cut} must also call {@link #restore}.
 */
final class ClientNetwork extends ClientTestSupport {
    private final HazelcastInstance client;
    private final List<HazelcastInstance> members;

    private ClientNetwork(HazelcastInstance client, List<HazelcastInstance> members) {
        this.client = client;
        this.members = List.copyOf(members);
    }

    static ClientNetwork cut(HazelcastInstance client, List<HazelcastInstance> members) {
        // When the client ends, the given proxy loses its reference to the client, which restore() still needs. Another
        // proxy keeps the reference.
        HazelcastInstance proxy = new HazelcastClientProxy(((HazelcastClientProxy) client).client);
        ClientNetwork network = new ClientNetwork(proxy, members);
        for (HazelcastInstance member : members) {
            network.blockMessagesToInstance(member, proxy);
            network.blockMessagesFromInstance(member, proxy);
        }
        return network;
    }

    void restore() {
        for (HazelcastInstance member : members) {
            unblockMessagesToInstance(member, client);
            unblockMessagesFromInstance(member, client);
        }
    }
}
