// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Draws the pictures of the page for the documents, after almost three minutes of traffic. */
@Tag("faults")
class PagePicturesTest {
    private static final int SECONDS = 170;
    private static final int MAX_BYTES = 180_000;

    @Test
    void picturesAreDrawn(@TempDir Path profile) throws Exception {
        try (Chromium browser = Chromium.start(profile);
                RunningServer server = RunningServer.start(
                        List.of(HandMadeCluster.class, HandMadeNeighbours.class),
                        "snowcast.sequencers.orders.epoch=2024-01-01T00:00:00Z",
                        "snowcast.sequencers.deliveries.epoch=2024-01-01T00:00:00Z",
                        "snowcast.sequencers.deliveries.max-logical-nodes=128",
                        "snowcast.sequences.products.first-value=5000001")) {
            browser.as(1280, 950, false).open(server.uri("/").toString());
            browser.await("#connection", "Live");
            try (Events events = Events.open(server.request("/events"))) {
                for (int second = 0; second < SECONDS; second++) {
                    events.next();
                    server.post("/ids/orders?count=" + (3_000 + Math.round(1_800 * Math.sin(second / 9.0))));
                    server.post("/ids/deliveries?count=" + (1_400 + 35 * (second % 20)));
                    server.post("/integers/products?count=" + (500 + 6 * second));
                }
            }
            for (String look : List.of("light", "dark")) {
                browser.as(1280, 950, look.equals("dark"));
                browser.run("scrollTo(0, 0)");
                assertThat(Files.size(browser.picture("page-" + look))).isLessThan(MAX_BYTES);
            }
            assertThat(browser.complaints()).isEmpty();
        }
    }
}
