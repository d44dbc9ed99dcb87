// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.hazelcast;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The IDs of holders. The first half shows operators where a holder is: the last six bytes of its address, and two of
 * its instance's UUID. The second half is random and only sent to the cluster: it authenticates the holder.
 */
public final class HolderId {
    private static final int ADDRESS_BYTES = 6;

    private HolderId() {}

    /**
     * Returns a random ID for a holder of the member or client with that UUID; the address is null if not connected.
     */
    public static UUID at(@Nullable InetSocketAddress where, UUID instance) {
        return new UUID(half(where, instance), UUID.randomUUID().getLeastSignificantBits());
    }

    /** Returns the first half, which shows where the holder is. */
    public static long half(@Nullable InetSocketAddress where, UUID instance) {
        ByteBuffer half = ByteBuffer.allocate(Long.BYTES).putShort(ADDRESS_BYTES, (short) instance.hashCode());
        if (where != null && where.getAddress() != null) {
            byte[] address = where.getAddress().getAddress();
            int kept = Math.min(address.length, ADDRESS_BYTES);
            half.put(ADDRESS_BYTES - kept, address, address.length - kept, kept);
        }
        return half.getLong(0);
    }
}
