// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import com.hazelcast.client.Client;
import com.hazelcast.cluster.Cluster;
import com.hazelcast.cluster.Member;
import com.hazelcast.core.HazelcastInstance;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The members and clients of a Hazelcast cluster, as this member or client sees them.
 *
 * @param hazelcast this member or client
 */
record ClusterNeighbours(HazelcastInstance hazelcast) implements Neighbours {
    @Override
    public Status.Server server() {
        return new Status.Server(
                hazelcast.getLocalEndpoint().getUuid().toString(),
                hazelcast.getName(),
                isMember() ? "member" : "client",
                hazelcast.getConfig().getClusterName());
    }

    private boolean isMember() {
        return hazelcast.getLocalEndpoint() instanceof Member;
    }

    @Override
    public List<Status.Member> members() {
        Cluster cluster = hazelcast.getCluster();
        return cluster.getMembers().stream()
                .map(member -> new Status.Member(
                        member.getUuid().toString(),
                        member.getAddress().getHost() + ":"
                                + member.getAddress().getPort(),
                        member.isLiteMember(),
                        member.getUuid().equals(hazelcast.getLocalEndpoint().getUuid())))
                .toList();
    }

    /** With the unisocket setting, only the member to which a client is connected lists the client. */
    @Override
    public @Nullable List<Status.Client> clients() {
        if (!isMember()) {
            return null;
        }
        return hazelcast.getClientService().getConnectedClients().stream()
                .sorted(Comparator.comparing((Client client) -> String.valueOf(client.getName())))
                .map(client -> new Status.Client(
                        client.getUuid().toString(),
                        String.valueOf(client.getName()),
                        client.getSocketAddress().toString().replace("/", ""),
                        client.getClientType()))
                .toList();
    }
}
