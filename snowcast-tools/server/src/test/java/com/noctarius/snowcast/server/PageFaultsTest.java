// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.tests.FreePort;
import com.noctarius.snowcast.tests.Relay;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("faults")
class PageFaultsTest {
    private static final String[] SHORT = {
        "snowcast.sequencers.orders.epoch=2024-01-01T00:00:00Z",
        "snowcast.cluster.lease=12s",
        "snowcast.cluster.max-clock-skew=2s"
    };

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @Test
    void theNodeOfAKilledServerIsFreeWhenItsLeaseHasEnded() throws Exception {
        String cluster = "killed-" + UUID.randomUUID();
        int port = FreePort.get();
        try (Chromium browser = Chromium.start(directory.resolve("profile"));
                ServerProcess first = ServerProcess.start("first", directory, cluster, port, SHORT)
                        .awaitReady();
                ServerProcess second = ServerProcess.start("second", directory, cluster, port, SHORT);
                ServerProcess third = ServerProcess.start("third", directory, cluster, port, SHORT)) {
            second.awaitReady();
            third.awaitReady();
            browser.as(1280, 950, false).open(first.uri("/").toString());
            browser.await("#members-title", "Members: 3");
            browser.await("#attached", "3");
            third.kill();
            browser.await("#members-title", "Members: 2");
            assertThat(browser.text("#attached")).isEqualTo("3");
            assertThat(browser.findAll("#leases li")).hasSize(3);
            browser.picture("killed");
            browser.await("#attached", "2");
            assertThat(browser.text("#expiring")).isEqualTo("0");
            assertThat(browser.text("#free")).isEqualTo("8,190");
            assertThat(browser.complaints()).isEmpty();
        }
    }

    @Test
    void streamThatIsCutOrGoesSilentIsSaidAndThePageGoesOnByItself() throws Exception {
        try (Chromium browser = Chromium.start(directory.resolve("profile"));
                RunningServer server = RunningServer.start(RunningServer.ORDERS);
                Relay relay = Relay.to(server.port())) {
            browser.as(1280, 950, true).open("http://127.0.0.1:" + relay.port() + "/");
            browser.await("#connection", "Live");
            browser.await("#attached", "1");

            relay.breakConnections();
            browser.await("#connection", "Connection cut");
            browser.await("#cut", "The connection to the server is cut. This is the state of ");
            assertThat(browser.text("#attached")).as("what was there last").isEqualTo("1");
            Axe.assertNothingIsFound(browser, "cut");
            browser.picture("cut");
            server.post("/ids/orders?count=1");
            relay.work();
            browser.await("#connection", "Live");
            assertThat(browser.find("#cut").isDisplayed()).isFalse();

            relay.dropAnswers();
            browser.await("#connection", "Connection cut");
            relay.breakConnections();
            relay.work();
            browser.await("#connection", "Live");
            server.post("/ids/orders?count=9000");
            browser.await(
                    "a rate",
                    () -> browser.text("#rates li"),
                    text -> text.matches("(?s)orders\\s+[1-9][\\d,]* IDs/s"));
        }
    }
}
