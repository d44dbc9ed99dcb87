// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A later version of the wire format, beside that of today: what it is told. */
@Tag("faults")
class WireVersionsTest {
    @AutoClose
    private VersionCluster cluster;

    private Path directory = Path.of("");

    @BeforeEach
    void start(@TempDir Path ofTest) {
        directory = ofTest;
        cluster = new VersionCluster(ofTest, SplitNetwork.properties(Map.of("snowcast.lease.millis", "2000")));
    }

    @Test
    void aClientOfALaterVersionIsToldWhatTheMembersRead() throws IOException {
        cluster.addMember(Version.PRESENT);
        VersionProcess client = cluster.addClient(Version.withWireVersion(2, directory));

        assertThat(client.refusal("ids", "orders", 1))
                .contains("this version of snowcast reads version 1 of its wire format, not 2");
    }

    /** It can be no backup either: while it is there, leases of those who have no other are not extended. */
    @Test
    void aMemberOfALaterVersionIsToldSo() throws IOException {
        VersionProcess today = cluster.addMember(Version.PRESENT);
        cluster.useAll(VersionCluster.NAMES);
        int port = TcpCluster.freePort();
        VersionProcess later =
                cluster.addMember(Version.withWireVersion(2, directory), port, port, List.of(cluster.portOf(today)));
        Await.until("two members", () -> today.ask("members").equals("2"));

        for (String name : List.of(VersionCluster.NAMES.get(0), "new")) {
            assertThat(later.refusal("ids", name, 1))
                    .startsWith("SnowcastException: sequencer " + name
                            + ": a data member of the cluster cannot read the request")
                    .contains("this version of snowcast reads version 1 of its wire format, not 2");
        }
        cluster.leave(later);
        cluster.useAll(VersionCluster.NAMES);
    }
}
