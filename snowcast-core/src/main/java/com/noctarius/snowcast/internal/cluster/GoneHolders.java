// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.client.Client;
import com.hazelcast.client.ClientListener;
import com.hazelcast.cluster.Endpoint;
import com.noctarius.snowcast.internal.hazelcast.HolderId;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Whose member has left, or whose client has disconnected from this member, and that has asked for nothing since. A
 * client that was never connected to this member is unknown here: its holders count as alive for as long as they
 * extend.
 *
 * <p>For what is shown only: a holder that is gone may still issue IDs until its lease has run out. Thread-safe.
 */
final class GoneHolders implements ClientListener {
    /** Clients could come and go without end. */
    private static final int MAX_GONE = 10_000;

    private final LongSupplier clusterMillis;
    /** How long a lease can last after its holder is gone. */
    private final long maxLeaseMillis;
    /** By the first halves of the holders' IDs, when that was noticed. */
    private final Map<Long, Long> goneMillis = new ConcurrentHashMap<>();

    GoneHolders(LongSupplier clusterMillis, long maxLeaseMillis) {
        this.clusterMillis = clusterMillis;
        this.maxLeaseMillis = maxLeaseMillis;
    }

    @Override
    public void clientConnected(Client client) {
        goneMillis.remove(half(client));
    }

    @Override
    public void clientDisconnected(Client client) {
        left(client);
    }

    /** Notes that a member has left, or a client disconnected; forgets whose leases have run out. */
    void left(Endpoint instance) {
        long now = clusterMillis.getAsLong();
        goneMillis.values().removeIf(since -> Math.abs(now - since) > maxLeaseMillis);
        if (goneMillis.size() < MAX_GONE) {
            goneMillis.put(half(instance), now);
        }
    }

    private static long half(Endpoint instance) {
        return HolderId.half((InetSocketAddress) instance.getSocketAddress(), instance.getUuid());
    }

    /** Notes that a holder has asked for something: its client may have come back by way of another member. */
    void asked(UUID holder) {
        goneMillis.remove(holder.getMostSignificantBits());
    }

    boolean isGone(UUID holder) {
        return goneMillis.containsKey(holder.getMostSignificantBits());
    }
}
