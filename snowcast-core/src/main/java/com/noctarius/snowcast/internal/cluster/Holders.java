// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.client.Client;
import com.hazelcast.cluster.Member;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.internal.hazelcast.HolderId;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * The display names of holders in a status. The member that reads the status names the members and clients that are
 * connected to it. It also remembers the names from its earlier statuses, so that a process that has gone keeps its
 * name while its node IDs expire. All other holders are shown by their addresses.
 */
final class Holders {
    /**
     * The maximum number of remembered names, usually more than a member has connections. The oldest names are removed.
     */
    static final int MAX_FORMER = 20_000;

    /** The names of the connected members and clients, by the first half of the holders' IDs. */
    private final Map<Long, String> names = new HashMap<>();

    private final Map<Long, String> former;

    Holders(Map<Long, String> former) {
        this.former = former;
    }

    /** Makes the map of the names that one member remembers, thread-safe and limited. */
    @SuppressWarnings("serial") // The map is never serialized.
    static Map<Long, String> former() {
        return Collections.synchronizedMap(new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<Long, String> eldest) {
                return size() > MAX_FORMER;
            }
        });
    }

    static Holders knownTo(HazelcastInstance member, Map<Long, String> former) {
        Holders holders = new Holders(former);
        for (Client client : member.getClientService().getConnectedClients()) {
            long half = HolderId.half(client.getSocketAddress(), client.getUuid());
            holders.put(half, "client " + client.getName() + " at " + address(half));
        }
        for (Member each : member.getCluster().getMembers()) {
            holders.put(
                    HolderId.half(each.getSocketAddress(), each.getUuid()),
                    "member " + each.getAddress().getHost() + ':'
                            + each.getAddress().getPort());
        }
        return holders;
    }

    void put(long half, String name) {
        names.put(half, name);
        former.put(half, name);
    }

    String name(UUID holder) {
        long half = holder.getMostSignificantBits();
        String present = names.get(half);
        String name = present == null ? former.get(half) : present;
        return name == null ? address(half) : name;
    }

    /** Returns the address in a {@link HolderId}, with the part that distinguishes instances on one host. */
    static String address(long half) {
        String address = half >>> 48 == 0
                ? String.format(
                        "%d.%d.%d.%d", half >>> 40 & 0xFF, half >>> 32 & 0xFF, half >>> 24 & 0xFF, half >>> 16 & 0xFF)
                : String.format("...:%x:%x:%x", half >>> 48, half >>> 32 & 0xFFFF, half >>> 16 & 0xFFFF);
        return address + String.format(" #%04x", half & 0xFFFF);
    }
}
