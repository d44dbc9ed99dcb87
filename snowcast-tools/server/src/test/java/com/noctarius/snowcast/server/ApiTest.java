// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.SnowcastSequencer;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URLEncoder;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Tests the API of a server without a token. */
@Tag("integration")
class ApiTest {
    @AutoClose
    @SuppressWarnings("NullAway.Init")
    private static RunningServer server;

    @BeforeAll
    static void start() throws IOException {
        server = RunningServer.start(
                "snowcast.sequencers.orders.epoch=2024-01-01T00:00:00Z",
                "snowcast.sequencers.orders.max-logical-nodes=128",
                "snowcast.sequences.products.first-value=5000001",
                "snowcast.sequences.tickets.last-value=2",
                "snowcast.sequences.tickets.block-size=2",
                "snowcast-server.max-count=500");
    }

    private static void assertProblem(HttpResponse<String> response, int status, String detail) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        assertThat(response.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        JsonNode problem = RunningServer.json(response);
        assertThat(problem.get("status").asInt()).isEqualTo(status);
        assertThat(problem.get("title").asString()).isNotBlank();
        assertThat(problem.get("instance").asString()).isEqualTo(response.uri().getRawPath());
        assertThat(problem.path("detail").asString("")).contains(detail);
    }

    @Test
    void idsAreTextsAndNoTwoAreAlike() throws Exception {
        Set<String> ids = new HashSet<>();
        for (int request = 0; request < 3; request++) {
            JsonNode answer = RunningServer.json(server.post("/ids/orders?count=500"));
            assertThat(answer.get("sequencer").asString()).isEqualTo("orders");
            assertThat(answer.get("ids")).hasSize(500).allMatch(JsonNode::isString);
            answer.get("ids").forEach(id -> ids.add(id.asString()));
        }
        assertThat(ids).hasSize(1_500);
        assertThat(RunningServer.json(server.post("/ids/orders")).get("ids")).hasSize(1);
    }

    @Test
    void integersFollowOneAnother() throws Exception {
        HttpResponse<String> response = server.post("/integers/products?count=3");
        assertThat(response.statusCode()).isEqualTo(200);
        JsonNode answer = RunningServer.json(response);
        assertThat(answer.get("sequence").asString()).isEqualTo("products");
        assertThat(answer.get("integers")).hasSize(3).allMatch(JsonNode::isString);
        long first = Long.parseLong(answer.get("integers").get(0).asString());
        assertThat(first).isGreaterThanOrEqualTo(5_000_001);
        assertThat(answer.get("integers").get(1).asString()).isEqualTo(Long.toString(first + 1));
        assertThat(answer.get("integers").get(2).asString()).isEqualTo(Long.toString(first + 2));
    }

    @Test
    void idIsTakenApartInAllItsForms() throws Exception {
        String id =
                RunningServer.json(server.post("/ids/orders")).get("ids").get(0).asString();
        JsonNode parts = RunningServer.json(server.get("/ids/orders/" + id));
        assertThat(parts.get("id").asString()).isEqualTo(id);
        assertThat(Instant.parse(parts.get("time").asString()))
                .isBetween(
                        Instant.now().minus(Duration.ofMinutes(5)),
                        Instant.now().plus(Duration.ofMinutes(5)));
        assertThat(parts.get("logicalNodeId").asInt())
                .isEqualTo(server.bean(SnowcastSequencer.class).logicalNodeId(Long.parseLong(id)));
        assertThat(parts.get("layout").toString())
                .isEqualTo("{\"timestampBits\":41,\"logicalNodeBits\":7,\"counterBits\":16}");
        for (String form : Set.of("unsigned", "base62", "base32", "readable", "uuid")) {
            String text = parts.get(form).asString();
            HttpResponse<String> same = server.get("/ids/orders/" + URLEncoder.encode(text, StandardCharsets.UTF_8));
            assertThat(RunningServer.json(same)).as(form).isEqualTo(parts);
        }
    }

    @Test
    void negativeIdIsReadSignedAndUnsigned() throws Exception {
        JsonNode signed = RunningServer.json(server.get("/ids/orders/-1"));
        assertThat(signed.get("unsigned").asString()).isEqualTo("18446744073709551615");
        assertThat(RunningServer.json(server.get("/ids/orders/18446744073709551615")))
                .isEqualTo(signed);
    }

    @ParameterizedTest
    @CsvSource({
        "/ids/deliveries, There is no sequencer deliveries in the configuration",
        "/ids/products, There is no sequencer products in the configuration",
        "/integers/orders, There is no integer sequence orders in the configuration",
        "/nothing, ''"
    })
    void whatIsNotConfiguredIsNotFound(String path, String detail) throws Exception {
        assertProblem(server.post(path), 404, detail);
    }

    @Test
    void sequencerThatTheClusterHasIsNotHandedOutUnlessConfigured() throws Exception {
        var snowcast = server.bean(com.noctarius.snowcast.Snowcast.class);
        snowcast.createSequencer("secret", server.bean(SnowcastSequencer.class).epoch());
        assertProblem(server.post("/ids/secret"), 404, "There is no sequencer secret in the configuration");
        assertProblem(server.get("/ids/secret/1"), 404, "There is no sequencer secret in the configuration");
    }

    @ParameterizedTest
    @CsvSource({
        "0, count must be 1 to 500 on this server: 0",
        "501, count must be 1 to 500 on this server: 501",
        "-1, count must be 1 to 500 on this server: -1",
        "many, count must be a whole number: many",
        "99999999999, count must be a whole number: 99999999999",
        "0x10, count must be a whole number: 0x10",
        "%201, count must be a whole number:  1",
        "1&count=2, 'count must be given once: 1, 2'",
        "1&limit=5, 'There is no parameter limit here, only count'"
    })
    void countIsBounded(String count, String detail) throws Exception {
        assertProblem(server.post("/ids/orders?count=" + count), 400, detail);
        assertProblem(server.post("/integers/products?count=" + count), 400, detail);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x",
                "99999999999999999999",
                "-99999999999999999999",
                "0N7JG6BAQMWQU",
                "1970-01-01T00:00:00.000Z-0001-0001",
                "%20"
            })
    void whatIsNoIdIsRefused(String id) throws Exception {
        assertProblem(server.get("/ids/orders/" + id), 400, "id must be an ID of the sequencer orders");
    }

    @Test
    void otherMethodIsRefusedWithThoseThatAre() throws Exception {
        HttpResponse<String> response = server.get("/ids/orders");
        assertProblem(response, 405, "GET");
        assertThat(response.headers().firstValue("Allow")).hasValue("POST");
    }

    @Test
    void parametersThatWouldHaveNoEffectAreRefused() throws Exception {
        for (String path : List.of("/status?count=1", "/events?sequencer=orders", "/ids/orders/1?form=base62")) {
            HttpResponse<String> response = server.get(path);
            assertThat(response.statusCode()).as(path).isEqualTo(400);
            assertThat(response.body()).contains("There is no parameter ");
        }
        assertThat(server.get("/?from=a-link").statusCode()).isEqualTo(200);
    }

    /** Error messages must not reveal texts of Java, Spring or Tomcat. */
    @Test
    void noAnswerHasAnInternalText() throws Exception {
        List<String> heads = new ArrayList<>();
        for (String path : List.of(
                "//",
                "//ids/orders",
                "/[",
                "/%2f",
                "/ids/%2f",
                "/%",
                "/%zz",
                "/a\\b",
                "/{",
                "/ids/orders/%00",
                "/;x",
                "/nothing",
                "/ids/orders/1/2",
                "/ids/orders/zzzzzzzz-zzzz-zzzz-zzzz-zzzzzzzzzzzz",
                "/ids/orders/99999999999999999999")) {
            heads.add("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n");
            heads.add("POST " + path + " HTTP/1.1\r\nHost: localhost\r\n");
        }
        heads.add("GET / HTTP/1.1\r\n");
        heads.add("GET / HTTP/1.1\r\nHost: a b\r\n");
        heads.add("GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n");
        heads.add("GET / HTTP/1.1\r\nHost: localhost:port\r\n");
        heads.add("GET / HTTP/1.1\r\nHost: localhost\r\nBad Header: 1\r\n");
        heads.add("GET / HTTP/1.1\r\nHost: localhost\r\nLarge: " + "x".repeat(20_000) + "\r\n");
        heads.add("GET /" + "x".repeat(20_000) + " HTTP/1.1\r\nHost: localhost\r\n");
        heads.add("G[T / HTTP/1.1\r\nHost: localhost\r\n");
        heads.add("TRACE /ids/orders HTTP/1.1\r\nHost: localhost\r\n");
        heads.add("GET / HTTP/7.0\r\nHost: localhost\r\n");
        heads.add("POST /ids/orders HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data\r\n");
        heads.add("POST /ids/orders HTTP/1.1\r\nHost: localhost\r\nContent-Type: nonsense\r\nAccept: nonsense\r\n");
        for (String head : heads) {
            String answer = RawRequest.send(server.port(), head);
            String asked = head.lines().findFirst().orElseThrow();
            String brief = asked.length() > 60 ? asked.substring(0, 60) : asked;
            assertThat(answer).as(brief).matches("(?s)HTTP/1.1 (4\\d\\d|505|200).*");
            if (!answer.startsWith("HTTP/1.1 200")) {
                assertThat(answer)
                        .as(brief)
                        .contains("application/problem+json", "\"status\":")
                        .doesNotContain(
                                "<html", "Expected", "authority", "Invalid UUID", "For input", "exception", "java.");
            }
        }
    }

    @Test
    void partsAndFormsAreRefused() throws Exception {
        for (String type : List.of("multipart/form-data", "multipart/form-data; boundary=x", "Multipart/Mixed")) {
            assertProblem(
                    server.send(server.request("/ids/orders")
                            .header("Content-Type", type)
                            .POST(BodyPublishers.noBody())),
                    415,
                    "must have no parts");
        }
        assertProblem(
                server.send(server.request("/ids/orders")
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(BodyPublishers.ofString("count=5"))),
                413,
                "must have no body");
    }

    @Test
    void exhaustedSequenceIsGone() throws Exception {
        assertThat(server.post("/integers/tickets?count=2").statusCode()).isEqualTo(200);
        HttpResponse<String> response = server.post("/integers/tickets");
        assertProblem(response, 410, "tickets");
        assertThat(response.headers().firstValue("Retry-After")).isEmpty();
    }

    @Test
    void otherMachinesReachNothing() throws Exception {
        Optional<InetAddress> other = SecurityTest.otherAddress();
        Assumptions.assumeTrue(other.isPresent(), "this machine has no address but the loopback address");
        assertThatThrownBy(() -> new Socket(other.get(), server.port())).isInstanceOf(ConnectException.class);
    }

    @Test
    void detachedSequencerIsUnavailableAndMayBeAskedAgain() throws Exception {
        SnowcastSequencer orders = server.bean(SnowcastSequencer.class);
        orders.detachLogicalNode();
        try {
            HttpResponse<String> response = server.post("/ids/orders");
            assertProblem(response, 503, "Detached");
            assertThat(response.headers().firstValue("Retry-After")).hasValue("5");
            assertThat(server.get("/actuator/health").statusCode()).isEqualTo(503);
        } finally {
            orders.attachLogicalNode();
        }
        assertThat(server.post("/ids/orders").statusCode()).isEqualTo(200);
        assertThat(server.get("/actuator/health/readiness").statusCode()).isEqualTo(200);
    }

    @Test
    void prometheusCountsIds() throws Exception {
        server.post("/ids/orders?count=7");
        double issued = server.bean(SnowcastSequencer.class).stats().issuedCount();
        assertThat(server.get("/actuator/prometheus").body())
                .containsPattern("(?m)^snowcast_sequencer_issued_ids_total\\{.*sequencer=\"orders\"} " + issued + "$");
        assertThat(server.get("/actuator/snowcast/orders").statusCode()).isEqualTo(200);
    }

    @Test
    void pagesOfOthersAreKeptOut() throws Exception {
        HttpResponse<String> response = server.send(server.request("/ids/orders")
                .header("Origin", "http://shop.example")
                .POST(BodyPublishers.noBody()));
        assertProblem(response, 403, "from the origin http://shop.example");
        assertThat(server.send(server.request("/ids/orders")
                                .header("Origin", "http://127.0.0.1:" + server.port())
                                .POST(BodyPublishers.noBody()))
                        .statusCode())
                .isEqualTo(200);
    }

    /** For a picture or script in a page of another site or port, the browser sends a request without an origin. */
    @Test
    void whatABrowserSendsForAnotherSiteIsRefused() throws Exception {
        for (String site : List.of("cross-site", "same-site")) {
            for (String path : List.of("/status", "/ids/orders/1", "/openapi.yaml", "/")) {
                assertProblem(
                        server.send(server.request(path)
                                .header("Sec-Fetch-Site", site)
                                .header("Sec-Fetch-Mode", "no-cors")
                                .header("Sec-Fetch-Dest", "image")),
                        403,
                        "from a page of another site");
            }
            assertThat(server.send(server.request("/")
                                    .header("Sec-Fetch-Site", site)
                                    .header("Sec-Fetch-Mode", "navigate")
                                    .header("Sec-Fetch-Dest", "document"))
                            .statusCode())
                    .as("a link to the page")
                    .isEqualTo(200);
        }
        assertThat(server.send(server.request("/status").header("Sec-Fetch-Site", "same-origin"))
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void nameThatWasMadeToLeadHereIsRefused() throws Exception {
        String answer = RawRequest.send(
                server.port(), "POST /ids/orders HTTP/1.1\r\nHost: shop.example:" + server.port() + "\r\n");
        assertThat(answer).startsWith("HTTP/1.1 403").contains("for the host shop.example");
        assertThat(RawRequest.send(server.port(), "POST /ids/orders HTTP/1.1\r\nHost: localhost\r\n"))
                .startsWith("HTTP/1.1 200");
    }

    @Test
    void descriptionHasThePathsThatThereAre() throws Exception {
        Set<String> described = new TreeSet<>();
        openApi()
                .paths()
                .forEachEntry((path, methods) -> methods.propertyNames()
                        .forEach(method -> described.add(method.toUpperCase(Locale.ROOT) + " " + path)));
        Set<String> mapped = new TreeSet<>();
        Map<RequestMappingInfo, HandlerMethod> methods = server.bean(
                        "requestMappingHandlerMapping", RequestMappingHandlerMapping.class)
                .getHandlerMethods();
        methods.forEach((info, method) -> {
            if (method.getBeanType() != Problems.Unforeseen.class
                    && method.getBeanType().getPackage().equals(SnowcastServer.class.getPackage())) {
                info.getPatternValues()
                        .forEach(path ->
                                info.getMethodsCondition().getMethods().forEach(verb -> mapped.add(verb + " " + path)));
            }
        });
        assertThat(mapped).isNotEmpty().isEqualTo(described);
    }

    private static OpenApi openApi() throws IOException, InterruptedException {
        return new OpenApi(server.get("/openapi.yaml").body());
    }

    @Test
    void answersAreWhatTheDescriptionSays() throws Exception {
        String id =
                RunningServer.json(server.post("/ids/orders")).get("ids").get(0).asString();
        OpenApi description = openApi();
        description.assertDescribes("Ids", RunningServer.json(server.post("/ids/orders")));
        description.assertDescribes("Integers", RunningServer.json(server.post("/integers/products")));
        description.assertDescribes("DecodedId", RunningServer.json(server.get("/ids/orders/" + id)));
        description.assertDescribes("Status", RunningServer.json(server.get("/status")));
        JsonNode problem = RunningServer.json(server.post("/ids/nobody"));
        // The answer omits the default type.
        description.assertDescribes("Problem", ((ObjectNode) problem).put("type", "about:blank"));
    }
}
