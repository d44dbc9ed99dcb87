// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.internal.cluster.StatusReader.Holders;
import com.noctarius.snowcast.internal.hazelcast.HolderId;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class HoldersTest {
    private static String shown(String address) throws UnknownHostException {
        UUID instance = UUID.fromString("00000000-0000-0000-0000-00000000000f");
        return Holders.address(HolderId.half(new InetSocketAddress(InetAddress.getByName(address), 5701), instance));
    }

    @Test
    void whatAHolderIdSaysIsReadBack() throws Exception {
        assertThat(shown("10.0.0.5")).isEqualTo("10.0.0.5 #000f");
        assertThat(shown("203.0.113.255")).isEqualTo("203.0.113.255 #000f");
        assertThat(shown("2001:db8::8a2e:370:7334")).isEqualTo("...:8a2e:370:7334 #000f");
        assertThat(Holders.address(0xABCD)).isEqualTo("0.0.0.0 #abcd");
    }

    /** While the node IDs of a crashed process expire, an operator can find out which process it was. */
    @Test
    void aHolderThatIsGoneKeepsTheNameThatItHad() {
        Holders holders = new Holders();
        UUID holder = new UUID(0xABCD, 1);
        assertThat(holders.name(holder)).isEqualTo("0.0.0.0 #abcd");
        holders.put(0xABCD, "member 10.0.0.5:5701");
        assertThat(holders.name(holder)).isEqualTo("member 10.0.0.5:5701");
    }

    @Test
    void theOldestNameIsForgotten() {
        Holders holders = new Holders();
        for (long half = 1; half <= Holders.MAX_NAMES; half++) {
            holders.put(half, "client " + half);
        }
        holders.put(1, "client 1"); // It is still connected.
        holders.put(Holders.MAX_NAMES + 1, "another client");
        assertThat(holders.name(new UUID(1, 1))).isEqualTo("client 1");
        assertThat(holders.name(new UUID(2, 1))).isEqualTo(Holders.address(2));
    }
}
