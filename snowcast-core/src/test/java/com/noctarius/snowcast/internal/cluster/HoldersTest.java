// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.internal.cluster.StatusReader.Holders;
import com.noctarius.snowcast.internal.hazelcast.HolderId;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.Map;
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
        Map<Long, String> former = new HashMap<>();
        UUID holder = new UUID(0xABCD, 1);
        assertThat(new Holders(former).name(holder)).isEqualTo("0.0.0.0 #abcd");
        new Holders(former).put(0xABCD, "member 10.0.0.5:5701");
        assertThat(new Holders(former).name(holder)).isEqualTo("member 10.0.0.5:5701");
    }

    @Test
    void theOldestNameIsForgotten() {
        Map<Long, String> former = Holders.former();
        for (long half = 1; half <= Holders.MAX_FORMER + 1; half++) {
            new Holders(former).put(half, "client " + half);
        }
        assertThat(new Holders(former).name(new UUID(1, 1))).isEqualTo(Holders.address(1));
        assertThat(new Holders(former).name(new UUID(2, 1))).isEqualTo("client 2");
    }
}
