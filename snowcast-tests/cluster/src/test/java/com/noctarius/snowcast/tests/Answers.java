// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.hazelcast.cluster.Address;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.instance.EndpointQualifier;
import com.hazelcast.internal.nio.Packet;
import com.hazelcast.internal.server.FirewallingServer;
import com.hazelcast.internal.server.PacketFilter;
import com.hazelcast.test.Accessors;

/** Drops one member's answers to the requests of another member, as if the connection broke after each request. */
final class Answers {
    private final FirewallingServer.FirewallingServerConnectionManager connections;

    private Answers(FirewallingServer.FirewallingServerConnectionManager connections) {
        this.connections = connections;
    }

    static Answers lose(HazelcastInstance from, HazelcastInstance to) {
        Answers answers = new Answers((FirewallingServer.FirewallingServerConnectionManager)
                Accessors.getNode(from).getServer().getConnectionManager(EndpointQualifier.MEMBER));
        Address target = to.getCluster().getLocalMember().getAddress();
        answers.connections.setPacketFilter(
                (packet, address) -> address.equals(target) && packet.isFlagRaised(Packet.FLAG_OP_RESPONSE)
                        ? PacketFilter.Action.DROP
                        : PacketFilter.Action.ALLOW);
        return answers;
    }

    void loseNoMore() {
        connections.removePacketFilter();
    }
}
