// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;
import org.openqa.selenium.support.ui.Select;

/** Tests the page in a browser, with states of the cluster from {@link HandMadeCluster}. */
@Tag("integration")
class PageTest {
    private static final int WIDTH = 1280;
    private static final int NARROW = 390;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private static Path profile;

    @SuppressWarnings("NullAway.Init")
    private static Chromium browser;

    @SuppressWarnings("NullAway.Init")
    private static RunningServer server;

    @BeforeAll
    static void start() throws Exception {
        browser = Chromium.start(profile);
        server = RunningServer.start(
                List.of(HandMadeCluster.class),
                "snowcast.sequencers.orders.epoch=2024-01-01T00:00:00Z",
                "snowcast.sequencers.orders.max-logical-nodes=128",
                "snowcast.sequences.products.first-value=5000001");
    }

    @AfterAll
    static void stop() {
        if (browser != null) { // If the browser is missing, the test is skipped, and nothing was started.
            browser.close();
        }
        if (server != null) {
            server.close();
        }
    }

    @BeforeEach
    void open() throws InterruptedException {
        browser.as(WIDTH, 1290, false).open(server.uri("/").toString());
        browser.await("#connection", "Live");
        browser.await("#attached", "22");
    }

    @Test
    void nothingKeepsAnybodyFromUsingIt() throws Exception {
        browser.find("#new-id").click();
        browser.await("#parts", "Node ID");
        server.bean(HandMadeCluster.class).reportMerge(true);
        browser.await("#merge", "IDs of orders, node ID 4711, from ");
        assertThat(browser.find("#merge").getAttribute("role")).isEqualTo("alert");
        Axe.assertNothingIsFound(browser.as(WIDTH, 1500, false), "light");
        browser.picture("light");
        Axe.assertNothingIsFound(browser.as(WIDTH, 1500, true), "dark");
        browser.picture("dark");
        Axe.assertNothingIsFound(browser.as(NARROW, 3200, false), "narrow");
        browser.picture("narrow");
        assertThat(browser.run("return document.documentElement.scrollWidth"))
                .as("nothing is wider than the screen")
                .isEqualTo((long) NARROW);
        Axe.assertNothingIsFound(browser.as(NARROW, 3200, true), "narrow and dark");
        assertThat(browser.complaints())
                .as("what the policy forbids, or a script that fails")
                .isEmpty();
        server.bean(HandMadeCluster.class).reportMerge(false);
        browser.await("the report to go", () -> browser.find("#merge").isDisplayed(), isSeen -> !isSeen);
    }

    @Test
    void mapAndNumbersAreThoseOfTheSequencerThatIsChosen() throws Exception {
        assertThat(browser.find("#map").getAttribute("aria-label"))
                .startsWith("Map of 8,192 node IDs: 22 attached, 5 expiring, 8,165 free.");
        assertThat(browser.findAll("#leases li")).hasSize(27);
        new Select(browser.find("#sequencer")).selectByVisibleText("deliveries");
        browser.await("#attached", "4");
        assertThat(browser.text("#expiring")).isEqualTo("1");
        assertThat(browser.text("#free")).isEqualTo("123");
        assertThat(browser.findAll("#leases li.expiring")).hasSize(1);
        assertThat(browser.text("#leases li.expiring")).contains("expiring", "free in");
    }

    @Test
    void endOfALayoutsTimeAndTheChangeOfSignAreSaidFromAYearBefore() throws Exception {
        assertThat(browser.text("#time-left")).isEqualTo("67 years");
        assertThat(browser.find("#ends").isDisplayed()).isFalse();

        new Select(browser.find("#sequencer")).selectByVisibleText("invoices");
        browser.await("#time-left", "300 days");
        assertThat(browser.text("#ends"))
                .matches("The time of this layout ends at 20\\d\\d-.+Z; then no IDs are issued\\.");

        new Select(browser.find("#sequencer")).selectByVisibleText("deliveries");
        browser.await("#time-left", "33 years");
        assertThat(browser.text("#ends")).matches("IDs turn negative at 20\\d\\d-.+Z, as signed numbers\\.");
    }

    /** After a reload, the page must not show each lease as if it had just begun. */
    @Test
    void barsHaveOneScaleAlsoAfterAReload() throws Exception {
        for (int reload = 0; reload < 2; reload++) {
            assertThat(browser.text("#lease-hint"))
                    .isEqualTo(
                            "A process renews its lease when half of it is over. A full bar is a lease of this server,"
                                    + " 5:00.");
            Object widest = browser.run("""
                    return Math.max(...[...document.querySelectorAll('#leases li')].map(item => {
                      const [minutes, seconds] = item.querySelector('.left').textContent.match(/\\d+/g).map(Number);
                      const width = parseFloat(item.querySelector('.bar > i').style.width);
                      return Math.abs(width - (minutes * 60 + seconds) / 3);
                    }))
                    """);
            assertThat(((Number) Objects.requireNonNull(widest)).doubleValue())
                    .as("how far a bar is from 100 % for five minutes, in percent")
                    .isLessThan(0.5);
            browser.open(server.uri("/").toString());
            browser.await("#attached", "22");
        }
    }

    @Test
    void plotBeginsWithWhatTheServerHasKept() throws Exception {
        server.post("/ids/orders?count=9000");
        History history = server.bean(History.class);
        browser.await(
                "the server to keep it",
                () -> history.kept().sequencers().get("orders"),
                kept -> kept.size() > 2 && kept.get(kept.size() - 2) >= 9_000);
        browser.open(server.uri("/").toString());
        browser.await("#connection", "Live");
        browser.await(
                "a plot of what was before the page",
                () -> browser.run("""
                        const plot = document.querySelector('#plot');
                        return plot.dataset.highest ?? '';
                        """),
                highest -> Double.parseDouble("0" + highest) > 1_000);
    }

    @Test
    void aTouchNearATakenNodeSaysWhoHasIt() throws Exception {
        browser.run("""
                const map = document.querySelector('#map');
                const box = map.getBoundingClientRect();
                for (let x = 0; x < box.width; x += 6) for (let y = 0; y < box.height; y += 6) {
                  map.dispatchEvent(new PointerEvent('pointerdown', {pointerType: 'touch', bubbles: true,
                    clientX: box.left + x, clientY: box.top + y}));
                  map.dispatchEvent(new PointerEvent('pointerleave', {pointerType: 'touch'}));
                  if (document.querySelector('#node').textContent.includes('attached, by')) return;
                }
                """);
        assertThat(browser.text("#node")).contains("attached, by");
    }

    @Test
    void mapIsReadWithTheKeyboard() throws Exception {
        String first = browser.text("#leases li:not(.expiring) .id");
        browser.find("#map").sendKeys(Keys.ARROW_RIGHT);
        browser.await("#node", "Node ");
        assertThat(browser.text("#node"))
                .containsPattern("(attached, by|expiring, was attached by) .*(member|client)?");
        browser.find("#map").sendKeys(Keys.ARROW_RIGHT);
        browser.await("#node", "free");
        assertThat(first).startsWith("Node ");
    }

    @Test
    void leasesCountDown() throws Exception {
        String before = browser.text("#leases .left");
        browser.await("the lease to get shorter", () -> browser.text("#leases .left"), now -> !now.equals(before));
    }

    @Test
    @Tag("faults") // It takes seconds.
    void clusterThatDoesNotAnswerIsSaid() throws Exception {
        HandMadeCluster cluster = server.bean(HandMadeCluster.class);
        cluster.cutOff(true);
        browser.await("#problem", "The members give no answer");
        browser.await("#connection", "No answer since ");
        assertThat(browser.text("#attached")).as("what was there last").isEqualTo("22");
        cluster.cutOff(false);
        browser.await("the problem to go", () -> browser.find("#problem").isDisplayed(), isSeen -> !isSeen);
        browser.await("#connection", "Live");
    }

    @Test
    void idIsTakenApartAndItsBitsAreDrawn() throws Exception {
        browser.find("#new-id").click();
        browser.await("#parts", "Node ID");
        assertThat(browser.findAll("#bits .time")).hasSize(41);
        assertThat(browser.findAll("#bits .node")).hasSize(7);
        assertThat(browser.findAll("#bits .counter")).hasSize(16);
        String id = Objects.requireNonNull(browser.find("#decode-id").getAttribute("value"));
        assertThat(browser.run("return BigInt('0b' + document.querySelector('#bits').textContent).toString()"))
                .isEqualTo(id);
        browser.find("#decode-id").sendKeys("x", Keys.ENTER);
        browser.await("#decode-problem", "id must be an ID of the sequencer orders");
        assertThat(browser.find("#parts").isDisplayed()).isFalse();
    }

    @Test
    void tokenIsAskedForAndStaysInTheTab() throws Exception {
        try (RunningServer guarded = RunningServer.start("snowcast-server.token=" + RunningServer.TOKEN)) {
            browser.open(guarded.uri("/").toString());
            browser.await("#login", "This server asks for its token");
            Axe.assertNothingIsFound(browser, "the question for the token");
            browser.find("#token").sendKeys("a-token-of-somebody-else", Keys.ENTER);
            browser.await("#login", "This is not the token of the server.");
            browser.find("#token").sendKeys(RunningServer.TOKEN, Keys.ENTER);
            browser.await("#connection", "Live");
            assertThat(browser.run("return location.href"))
                    .isEqualTo(guarded.uri("/").toString());
            assertThat(browser.run("return document.cookie + Object.keys(localStorage)"))
                    .isEqualTo("");
            browser.find("#forget").click();
            browser.await("#login", "This server asks for its token");
        }
    }
}
