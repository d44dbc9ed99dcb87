// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.hazelcast;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Makes the IDs of holders. The first half shows operators on which member or client a holder runs: the last six bytes
 * of its address, or fewer if the address is shorter, and two bytes of a hash of its UUID. The second half is random,
 * and authenticates the holder: only members and the holder's own process receive it.
 */
public final class HolderId {
    private static final int ADDRESS_BYTES = 6;

    private HolderId() {}

    /** Returns a new ID for a holder on a member or client; the address is null for a client without a connection. */
    public static UUID at(@Nullable InetSocketAddress where, UUID instance) {
        return new UUID(half(where, instance), UUID.randomUUID().getLeastSignificantBits());
    }

    /** Returns the first half of a holder's ID. */
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
