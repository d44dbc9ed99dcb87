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
 * The holders whose member has left, or whose client has disconnected from this member, and that have sent no request
 * since. If a client was connected only to other members, this member does not notice that the client disconnects; the
 * client's holders then count as connected until their leases expire.
 *
 * <p>For display only: a holder that is gone may still issue IDs until its lease has expired. Thread-safe.
 */
final class GoneHolders implements ClientListener {
    /** Limits the memory, because any number of clients may connect and disconnect. */
    private static final int MAX_GONE = 10_000;

    private final LongSupplier clusterMillis;
    /**
     * The longest lease of any member, in milliseconds. If a holder's clock is ahead, its lease may end later, by up to
     * the allowed clock skew.
     */
    private final long maxLeaseMillis;
    /** When members left or clients disconnected, in cluster time, by the first half of the IDs of their holders. */
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

    /**
     * Records that a member has left or a client has disconnected. Removes the holders that left or disconnected longer
     * ago than the longest lease.
     */
    void left(Endpoint instance) {
        long now = clusterMillis.getAsLong();
        goneMillis.values().removeIf(since -> Math.abs(now - since) > maxLeaseMillis);
        if (goneMillis.size() < MAX_GONE) {
            goneMillis.put(half(instance), now);
        }
    }

    /** Returns the first half of the IDs of a member's or client's holders. */
    static long half(Endpoint instance) {
        return HolderId.half((InetSocketAddress) instance.getSocketAddress(), instance.getUuid());
    }

    /** Records that a holder has sent a request, because its client may have connected again through another member. */
    void asked(UUID holder) {
        goneMillis.remove(holder.getMostSignificantBits());
    }

    boolean isGone(UUID holder) {
        return goneMillis.containsKey(holder.getMostSignificantBits());
    }
}
