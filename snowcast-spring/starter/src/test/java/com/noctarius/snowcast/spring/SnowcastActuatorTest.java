// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.MAP;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceExhaustedException;
import com.noctarius.snowcast.NodeLease;
import com.noctarius.snowcast.NodeLeaseConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.ids.SnowflakeId;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.MemoryBlockStore;
import com.noctarius.snowcast.tests.Await;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Tests the actuator of a complete application over HTTP. */
@Tag("integration")
class SnowcastActuatorTest {
    private static final BlockStore LARGE = new MemoryBlockStore(5_000_001, Integer.MAX_VALUE);
    private static HazelcastInstance member;
    private static ConfigurableApplicationContext context;
    private static SnowcastSequencer orders;
    private static SnowcastSequencer deliveries;
    private static IntegerSequence products;

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {
        @Bean(destroyMethod = "")
        HazelcastInstance hazelcast() {
            return member;
        }

        /** All contexts use the same store object, because the contexts share the member and its sequences. */
        @Bean
        BlockStore large() {
            return LARGE;
        }

        /** A store with 100 integers, for tests that use them up. */
        @Bean
        BlockStore small() {
            return new MemoryBlockStore(1, 100);
        }
    }

    @BeforeAll
    static void start() {
        member = Members.start();
        context = run();
        orders = context.getBean("orders", SnowcastSequencer.class);
        deliveries = context.getBean("deliveries", SnowcastSequencer.class);
        products = context.getBean("products", IntegerSequence.class);
    }

    private static ConfigurableApplicationContext run(String... more) {
        SpringApplication application = new SpringApplication(Application.class);
        application.setRegisterShutdownHook(false);
        application.setDefaultProperties(Map.of(
                "server.port", "0",
                "spring.main.banner-mode", "off",
                "management.endpoints.web.exposure.include", "*",
                "management.endpoint.health.show-details", "always",
                "snowcast.sequencers.orders.epoch", "2024-01-01T00:00:00Z",
                "snowcast.sequencers.orders.max-logical-nodes", "128",
                "snowcast.sequencers.deliveries.epoch", "2025-01-01T00:00:00Z",
                "snowcast.sequences.products.store-ref", "large"));
        String[] arguments = Arrays.copyOf(more, more.length + 1);
        arguments[more.length] = "--" + Boot.NO_DATABASES;
        return application.run(arguments);
    }

    @AfterAll
    static void close() {
        context.close();
        member.shutdown();
    }

    private static HttpResponse<String> get(ConfigurableApplicationContext application, String path)
            throws IOException, InterruptedException {
        String port = application.getEnvironment().getRequiredProperty("local.server.port");
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/actuator/" + path))
                .build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    }

    private static Map<String, Object> json(String path) throws IOException, InterruptedException {
        return json(context, path);
    }

    private static Map<String, Object> json(ConfigurableApplicationContext application, String path)
            throws IOException, InterruptedException {
        HttpResponse<String> response = get(application, path);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return JsonParserFactory.getJsonParser().parseMap(response.body());
    }

    @Test
    void listsTheSequencers() throws Exception {
        assertThat(json("snowcast"))
                .extractingByKey("sequencers")
                .asInstanceOf(MAP)
                .containsOnlyKeys("orders", "deliveries");
        int node = orders.logicalNodeId(orders.next());
        Map<String, Object> one = json("snowcast/orders");
        assertThat(one)
                .containsEntry("name", "orders")
                .containsEntry("state", "Attached")
                .containsEntry("logicalNodeId", node)
                .containsEntry("lease", "PT5M")
                .containsEntry("layout", "41/7/16")
                .containsEntry("epoch", "2024-01-01T00:00:00Z")
                .containsEntry("timeEnds", "2093-09-06T15:47:35.552Z")
                .containsEntry("turnsNegative", "2058-11-03T19:53:47.776Z")
                .containsEntry("issued", (int) orders.stats().issuedCount())
                .containsKeys("leaseRemaining", "waits", "waitTime", "renewals", "renewalFailures", "leaseLosses");
    }

    @Test
    void decodesAnIdInEachOfItsForms() throws Exception {
        long id = orders.next();
        SnowflakeId expected = SnowflakeId.of(id, orders);
        for (String text :
                new String[] {Long.toString(id), SnowflakeId.toBase62(id), SnowflakeId.toBase32(id), expected.toString()
                }) {
            assertThat(json("snowcast/orders/" + text))
                    .containsEntry("id", Long.toString(id))
                    .containsEntry("base62", SnowflakeId.toBase62(id))
                    .containsEntry("base32", SnowflakeId.toBase32(id))
                    .containsEntry("readable", expected.toString())
                    .containsEntry("time", expected.instant().toString())
                    .containsEntry("logicalNodeId", expected.logicalNodeId())
                    .containsEntry("counter", expected.counter());
        }
        // An ID with all 64 bits set, as a signed and as an unsigned number.
        assertThat(json("snowcast/orders/-1")).isEqualTo(json("snowcast/orders/18446744073709551615"));
    }

    @Test
    void unknownSequencerAndBadIdAreTold() throws Exception {
        HttpResponse<String> unknown = get(context, "snowcast/nothing");
        assertThat(unknown.statusCode()).isEqualTo(404);
        assertThat(unknown.body())
                .contains(
                        "name must be one of the sequencers [deliveries, orders], integer sequences [products] or node leases []: nothing");
        for (String name : List.of("nothing", "products")) {
            HttpResponse<String> noSequencer = get(context, "snowcast/" + name + "/1");
            assertThat(noSequencer.statusCode()).isEqualTo(404);
            assertThat(noSequencer.body()).contains("name must be one of the sequencers [deliveries, orders]: " + name);
        }
        for (String bad :
                new String[] {"18446744073709551616", "-9223372036854775809", "abc", "!!!!!!!!!!!", "zzzzzzzzzzz"}) {
            HttpResponse<String> response = get(context, "snowcast/orders/" + bad);
            assertThat(response.statusCode()).as(bad).isEqualTo(400);
            assertThat(response.body())
                    .contains("id must be an ID of the sequencer orders")
                    .contains(bad);
        }
    }

    @Test
    void healthIsDownWithTheReasonWhileASequencerIsDetached() throws Exception {
        HttpResponse<String> up = get(context, "health/snowcast");
        assertThat(up.statusCode()).isEqualTo(200);
        assertThat(up.body()).contains("\"status\":\"UP\"").contains("\"state\":\"Attached\"");
        deliveries.detachLogicalNode();
        try {
            assertDown(context, "\"reason\":\"Detached: it was detached\"");
            assertThat(json("snowcast/deliveries"))
                    .containsEntry("state", "Detached")
                    .containsEntry("logicalNodeId", null)
                    .containsEntry("problem", "it was detached");
        } finally {
            deliveries.attachLogicalNode();
        }
        assertThat(get(context, "health/snowcast").statusCode()).isEqualTo(200);
    }

    @Test
    void listsTheIntegerSequences() throws Exception {
        assertThat(products.nextInt()).isGreaterThanOrEqualTo(5_000_001);
        Map<String, Object> one = json("snowcast/products");
        assertThat(one)
                .containsEntry("name", "products")
                .containsEntry("issued", (int) products.stats().issuedCount())
                .containsEntry("blockSize", 1_000)
                .containsEntry("problem", null)
                .containsEntry("reservationFailures", 0)
                .containsKeys("remaining", "timeToEmpty", "reservations", "waits", "waitTime");
        assertThat(json("snowcast"))
                .extractingByKey("sequences")
                .asInstanceOf(MAP)
                .containsOnlyKeys("products");
        assertThat(json("metrics/snowcast.sequence.issued?tag=sequence:products"))
                .containsEntry("baseUnit", "integers");
        assertThat(get(context, "health/snowcast").body())
                .contains("\"products\":{\"remaining\":" + products.remaining() + "}");
    }

    @Test
    void listsTheNodeLeases() throws Exception {
        Snowcast snowcast = context.getBean(Snowcast.class);
        NodeLease lease = snowcast.leaseNode(
                NodeLeaseConfig.builder("workers").maxNodeCount(32).build());
        try {
            assertThat(json("snowcast"))
                    .extractingByKey("nodeLeases")
                    .asInstanceOf(MAP)
                    .containsOnlyKeys("workers");
            assertThat(json("snowcast/workers"))
                    .containsEntry("name", "workers")
                    .containsEntry("state", "Attached")
                    .containsEntry("nodeId", lease.nodeId())
                    .containsEntry("lease", "PT5M")
                    .containsEntry("problem", null)
                    .containsEntry("maxNodeCount", 32)
                    .containsKeys("leaseRemaining", "waits", "waitTime", "renewals", "renewalFailures", "leaseLosses");
        } finally {
            snowcast.destroyNodeLease(lease);
        }
        assertThat(json("snowcast"))
                .extractingByKey("nodeLeases")
                .asInstanceOf(MAP)
                .isEmpty();
    }

    @Test
    void anIntegerSequenceThatIsUsedUpIsADetailAndAMeterAndLeavesTheApplicationReady() throws Exception {
        try (ConfigurableApplicationContext other = run(
                "--snowcast.sequences.few.store-ref=small",
                "--snowcast.sequences.few.block-size=100",
                "--snowcast.sequences.closed.store-ref=large",
                "--snowcast.sequencers.passing.epoch=2024-01-01T00:00:00Z",
                "--management.endpoint.health.probes.enabled=true",
                "--management.endpoint.health.group.readiness.include=readinessState,snowcast")) {
            IntegerSequence few = other.getBean("few", IntegerSequence.class);
            assertThat(get(other, "health/snowcast").body()).contains("\"few\":{\"remaining\":100}");
            assertThat(meter(other, "snowcast.sequence.exhausted", "few")).isZero();
            assertThat(few.next(80)).hasSize(80);
            Await.until(
                    "the store has said that there are no more",
                    () -> !few.stats().problem().isEmpty());
            assertUsedUp(other, 20);
            assertThat(few.next(20)).hasSize(20);
            assertThatThrownBy(few::next).isInstanceOf(IntegerSequenceExhaustedException.class);
            assertUsedUp(other, 0);
            assertThat(json(other, "snowcast/few"))
                    .containsEntry("exhausted", true)
                    .extractingByKey("problem")
                    .asString()
                    .contains("the last integer is 100");
            other.getBean("closed", IntegerSequence.class).close();
            assertDown(other, "\"closed\":{\"remaining\":0,\"reason\":\"it was closed\"}");
            other.getBean(Snowcast.class).destroySequencer(other.getBean("passing", SnowcastSequencer.class));
            assertDown(other, "\"reason\":\"Destroyed: it was destroyed\"");
        }
    }

    private static void assertDown(ConfigurableApplicationContext application, String reason) throws Exception {
        HttpResponse<String> down = get(application, "health/snowcast");
        assertThat(down.statusCode()).isEqualTo(503);
        assertThat(down.body()).contains(reason);
    }

    private static void assertUsedUp(ConfigurableApplicationContext application, int remaining) throws Exception {
        for (String path : List.of("health/readiness", "health/snowcast", "health")) {
            assertThat(get(application, path).statusCode()).as(path).isEqualTo(200);
        }
        assertThat(get(application, "health/snowcast").body())
                .contains("\"few\":{\"remaining\":" + remaining + ",\"exhausted\":\"reservations fail")
                .contains("the last integer is 100");
        assertThat(meter(application, "snowcast.sequence.exhausted", "few")).isOne();
    }

    private static double meter(ConfigurableApplicationContext application, String name, String sequence) {
        return application
                .getBean(MeterRegistry.class)
                .get(name)
                .tag("sequence", sequence)
                .gauge()
                .value();
    }
}
