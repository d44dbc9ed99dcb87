// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.hazelcast;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The IDs of holders. The first half says for people where a holder is: six bytes of its address, the last ones if it
 * has more, and two of its instance's UUID. The second half is random and is sent to the cluster only: it is the
 * holder's proof.
 */
public final class HolderId {
    private static final int ADDRESS_BYTES = 6;

    private HolderId() {}

    /** Draws an ID for a holder of the member or client of that UUID; the address is null if it is not connected. */
    public static UUID at(@Nullable InetSocketAddress where, UUID instance) {
        return new UUID(half(where, instance), UUID.randomUUID().getLeastSignificantBits());
    }

    /** Returns the first half, which says where the holder is. */
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
