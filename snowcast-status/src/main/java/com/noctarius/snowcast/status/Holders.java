// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.status;

import com.hazelcast.client.Client;
import com.hazelcast.cluster.Endpoint;
import com.hazelcast.cluster.Member;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.internal.hazelcast.HolderId;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/** The names of holders: those of the members and of the clients that one member knows, and else their addresses. */
final class Holders {
    /** By the first halves of the IDs of their holders. */
    private final Map<Long, String> names = new HashMap<>();

    private Holders() {}

    static Holders knownTo(HazelcastInstance member) {
        Holders holders = new Holders();
        for (Client client : member.getClientService().getConnectedClients()) {
            holders.put(client, "client " + client.getName());
        }
        for (Member each : member.getCluster().getMembers()) {
            holders.put(
                    each,
                    "member " + each.getAddress().getHost() + ':'
                            + each.getAddress().getPort());
        }
        return holders;
    }

    private void put(Endpoint instance, String name) {
        InetSocketAddress where = (InetSocketAddress) instance.getSocketAddress();
        long half = HolderId.half(where, instance.getUuid());
        names.put(half, name + (name.startsWith("client") ? " at " + address(half) : ""));
    }

    String name(UUID holder) {
        long half = holder.getMostSignificantBits();
        return names.getOrDefault(half, address(half));
    }

    /** Returns the address that {@link HolderId} put there, and what tells instances of one host apart. */
    static String address(long half) {
        String address = half >>> 48 == 0
                ? String.format(
                        "%d.%d.%d.%d", half >>> 40 & 0xFF, half >>> 32 & 0xFF, half >>> 24 & 0xFF, half >>> 16 & 0xFF)
                : String.format("...:%x:%x:%x", half >>> 48, half >>> 32 & 0xFFFF, half >>> 16 & 0xFFFF);
        return address + String.format(" #%04x", half & 0xFFFF);
    }
}
