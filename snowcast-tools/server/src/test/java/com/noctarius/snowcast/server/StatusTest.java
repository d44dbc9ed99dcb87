// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.tests.Await;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

@Tag("faults")
class StatusTest {
    private static RunningServer start(String... properties) throws Exception {
        return RunningServer.startWithOrders(List.of(HandMadeCluster.class), properties);
    }

    @Test
    void statusHasWhatThisServerDoesAndIsWhatTheDescriptionSays() throws Exception {
        try (RunningServer server = start()) {
            server.post("/ids/orders?count=42");
            JsonNode status = server.statusWithoutProblem();
            JsonNode orders = status.get("sequencers").get(0);
            assertThat(orders.get("name").asString()).isEqualTo("orders");
            assertThat(orders.get("issued").asLong()).isEqualTo(42);
            assertThat(orders.get("state").asString()).isEqualTo("Attached");
            assertThat(status.get("sequences").get(0).get("name").asString()).isEqualTo("products");
            assertThat(status.get("members")).hasSize(1);
            assertThat(status.get("members").get(0).get("isThisServer").asBoolean())
                    .isTrue();
            assertThat(status.get("clients")).isEmpty();
            assertThat(status.get("problem").isNull()).isTrue();
            server.bean(HandMadeCluster.class).reportMerge(true);
            new OpenApi(server.get("/openapi.yaml").body())
                    .assertDescribes("Status", RunningServer.json(server.get("/status")));
        }
    }

    @Test
    void statusHasWhatTheClusterSays() throws Exception {
        try (RunningServer server = RunningServer.start(RunningServer.ORDERS)) {
            server.post("/ids/orders");
            JsonNode status = server.statusWithoutProblem();
            new OpenApi(server.get("/openapi.yaml").body()).assertDescribes("Status", status);
            JsonNode orders = status.get("cluster").get("sequencers").get(0);
            assertThat(orders.get("name").asString()).isEqualTo("orders");
            assertThat(orders.get("layout").asString()).isEqualTo("41/7/16");
            assertThat(orders.get("nodeCount").asInt()).isEqualTo(128);
            assertThat(orders.get("nodes")).hasSize(1);
            assertThat(orders.get("nodes").get(0).get("state").asString()).isEqualTo("attached");
            assertThat(orders.get("nodes").get(0).get("id"))
                    .isEqualTo(status.get("sequencers").get(0).get("logicalNodeId"));
            assertThat(status.get("cluster").get("sequences"))
                    .as("those of the store are not the cluster's")
                    .isEmpty();
        }
    }

    @Test
    void streamTellsOfAChangeAndElseThatTimeGoesBy() throws Exception {
        try (RunningServer server = start();
                Events events = Events.open(server.request("/events"))) {
            assertThat(events.response().headers().firstValue("Content-Type").orElse(""))
                    .startsWith("text/event-stream");
            assertThat(events.response().headers().firstValue("X-Accel-Buffering"))
                    .hasValue("no");
            Events.Event first = events.await(event -> true);
            assertThat(first.name()).isEqualTo("status");
            Events.Event tick = events.await(event -> event.name().equals("tick"));
            assertThat(tick.data().propertyNames()).containsExactly("time");
            server.post("/ids/orders?count=5");
            // Wait for the count, because the status may change earlier for another reason.
            long issued = first.data().get("sequencers").get(0).get("issued").asLong() + 5;
            events.await(event -> event.name().equals("status")
                    && event.data().get("sequencers").get(0).get("issued").asLong() == issued);
        }
    }

    @Test
    void clusterIsAskedOnceASecondHoweverManyWatchAndNotAtAllIfNobodyDoes() throws Exception {
        try (RunningServer server = start()) {
            HandMadeCluster cluster = server.bean(HandMadeCluster.class);
            Live live = server.bean(Live.class);
            List<Events> watching = new ArrayList<>();
            long start = System.nanoTime();
            int before = cluster.reads();
            for (int i = 0; i < 5; i++) {
                watching.add(Events.open(server.request("/events")));
                watching.get(i).next();
            }
            for (int tick = 0; tick < 3; tick++) {
                for (Events events : watching) {
                    events.next();
                }
            }
            int reads = cluster.reads() - before;
            int seconds = (int) TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
            assertThat(reads).as("reads in %s s", seconds).isBetween(2, 2 + seconds);
            assertThat(live.isTicking()).isTrue();
            for (Events events : watching) {
                events.close();
            }
            Await.until("nobody to watch", () -> !live.isTicking());
        }
    }

    @Test
    void clusterThatDoesNotAnswerIsSaidToAndItsLastStateIsKept() throws Exception {
        try (RunningServer server = start();
                Events events = Events.open(server.request("/events"))) {
            HandMadeCluster cluster = server.bean(HandMadeCluster.class);
            events.next();
            cluster.cutOff(true);
            JsonNode failed = events.await(event -> event.data().path("problem").isString())
                    .data();
            String since = failed.get("unansweredSince").asString();
            assertThat(failed.get("problem").asString())
                    .isEqualTo("The cluster has not answered since " + since + ": The members give no answer");
            assertThat(failed.get("cluster").get("sequencers")).hasSize(3);
            int reads = cluster.reads();
            events.await(event -> cluster.reads() > reads + 1);
            JsonNode later = RunningServer.json(server.get("/status"));
            assertThat(later.get("unansweredSince").asString())
                    .as("not the time of the latest request")
                    .isEqualTo(since);
            assertThat(later.get("problem")).isEqualTo(failed.get("problem"));
            cluster.cutOff(false);
            JsonNode answered = events.await(event -> event.name().equals("status")
                            && event.data().get("problem").isNull())
                    .data();
            assertThat(answered.get("unansweredSince").isNull()).isTrue();
        }
    }

    @Test
    void clusterThatTakesItsTimeKeepsNobodyWaiting() throws Exception {
        try (RunningServer server = start();
                Events events = Events.open(server.request("/events"))) {
            HandMadeCluster cluster = server.bean(HandMadeCluster.class);
            events.next();
            cluster.hang();
            events.await(event ->
                    event.data().path("problem").asString("").startsWith("The cluster has not answered since"));
            int reads = cluster.reads();
            server.post("/ids/orders?count=3");
            events.await(event ->
                    event.data().path("sequencers").path(0).path("issued").asLong() == 3);
            assertThat(cluster.reads())
                    .as("no second request while one is under way")
                    .isEqualTo(reads);
            cluster.goOn();
            events.await(event ->
                    event.name().equals("status") && event.data().get("problem").isNull());
        }
    }

    @Test
    void streamsAreBounded() throws Exception {
        try (RunningServer server = start("snowcast-server.max-streams=1")) {
            try (Events events = Events.open(server.request("/events"))) {
                events.next();
                HttpResponse<String> refused = server.get("/events");
                assertThat(refused.statusCode()).isEqualTo(503);
                assertThat(refused.headers().firstValue("Retry-After")).hasValue("5");
                assertThat(refused.headers().firstValue("Content-Type")).hasValue("application/problem+json");
                assertThat(refused.body()).contains("snowcast-server.max-streams allows: 1");
            }
            Await.until("the stream to be given back", () -> {
                try (Events again = Events.open(server.request("/events"))) {
                    return again.response().statusCode() == 200;
                }
            });
        }
    }

    @Test
    void streamNeedsTheTokenToo() throws Exception {
        try (RunningServer server = start("snowcast-server.token=" + RunningServer.TOKEN)) {
            assertThat(server.get("/events").statusCode()).isEqualTo(401);
            assertThat(server.get("/status").statusCode()).isEqualTo(401);
            for (String file : List.of("/", "/page/page.js", "/webjars/uplot/dist/uPlot.esm.js")) {
                assertThat(server.get(file).statusCode()).as(file).isEqualTo(200);
            }
            try (Events events =
                    Events.open(server.request("/events").header("Authorization", "Bearer " + RunningServer.TOKEN))) {
                assertThat(events.await(event -> true).name()).isEqualTo("status");
                events.await(event -> event.name().equals("tick"));
            }
        }
    }

    @Test
    void serverThatEndsDoesNotWaitForItsStreams() throws Exception {
        RunningServer server = start("spring.lifecycle.timeout-per-shutdown-phase=8m");
        try (Events events = Events.open(server.request("/events"))) {
            events.next();
            long start = System.nanoTime();
            server.close();
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .as("Boot waits eight minutes for requests")
                    .isLessThan(Duration.ofMinutes(3));
            try {
                for (Events.Event event = events.next(); event != null; event = events.next()) {
                    assertThat(event.name()).isIn("status", "history", "tick");
                }
            } catch (IOException e) {
                // Tomcat may close the connection before the last chunk. A browser opens the stream again anyway.
                assertThat(e).hasMessage("closed");
            }
        }
    }
}
