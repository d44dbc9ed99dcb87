// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class HolderIdTest {
    private static final UUID INSTANCE = UUID.fromString("00000000-0000-0000-0000-00000000abcd");

    private static long whereOf(String address) throws UnknownHostException {
        return HolderId.at(new InetSocketAddress(InetAddress.getByName(address), 5701), INSTANCE)
                .getMostSignificantBits();
    }

    @Test
    void theFirstHalfSaysWhereAHolderIs() throws Exception {
        assertThat(whereOf("10.0.0.5")).isEqualTo(0x0000_0A00_0005_ABCDL);
        assertThat(whereOf("255.255.255.255")).isEqualTo(0x0000_FFFF_FFFF_ABCDL);
        assertThat(whereOf("2001:db8::8a2e:370:7334")).isEqualTo(0x8A2E_0370_7334_ABCDL);
    }

    @Test
    void withoutAConnectionItSaysWhoseItIs() {
        assertThat(HolderId.half(null, INSTANCE)).isEqualTo(0xABCD);
        assertThat(HolderId.half(InetSocketAddress.createUnresolved("nowhere.invalid", 1), INSTANCE))
                .isEqualTo(0xABCD);
    }

    @Test
    void theSecondHalfIsDrawnAnew() {
        Set<UUID> drawn = new HashSet<>();
        for (int i = 0; i < 10_000; i++) {
            drawn.add(HolderId.at(null, INSTANCE));
        }
        assertThat(drawn).hasSize(10_000);
    }
}
