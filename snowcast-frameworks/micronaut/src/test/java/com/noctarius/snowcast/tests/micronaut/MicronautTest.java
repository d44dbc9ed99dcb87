// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests.micronaut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.hazelcast.client.HazelcastClient;
import com.hazelcast.config.Config;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.NodeLease;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.status.ClusterStatus;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.env.PropertySource;
import io.micronaut.health.HealthStatus;
import io.micronaut.inject.qualifiers.Qualifiers;
import io.micronaut.management.health.indicator.HealthIndicator;
import io.micronaut.management.health.indicator.HealthResult;
import io.micronaut.management.health.indicator.annotation.Readiness;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;

/** Tests the beans of snowcast-micronaut and the code of docs/micronaut.md in contexts of Micronaut. */
@Tag("integration")
class MicronautTest {
    private static final int IDS = 1_000;

    private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";

    @Test
    void nodeIdsAreLeasedWhileAContextRuns() throws Exception {
        Set<Long> ids = new HashSet<>();
        try (ApplicationContext first = run(Map.of(), "more")) {
            issue(first, ids);
            try (ApplicationContext second = run(Map.of(), "more")) {
                issue(second, ids);
                assertThat(leasedNodeIds()).hasSize(4);
            }
            assertThat(leasedNodeIds()).hasSize(2);
            issue(first, ids);
        }
        assertThat(leasedNodeIds()).isEmpty();
        assertThat(ids).hasSize(3 * IDS);
    }

    private ApplicationContext run(Map<String, Object> more, String... environments) {
        Map<String, Object> properties = new HashMap<>(more);
        properties.put("datasources.default.url", url);
        return ApplicationContext.run(properties, environments);
    }

    private static void issue(ApplicationContext context, Set<Long> ids) throws InterruptedException {
        OrderDesk desk = context.getBean(OrderDesk.class);
        for (int i = 0; i < IDS; i++) {
            ids.add(desk.newOrderId());
        }
    }

    private List<Integer> leasedNodeIds() throws SQLException {
        List<Integer> nodeIds = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(url, "sa", "");
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT node_id FROM snowcast_nodes WHERE attached = 1")) {
            while (rows.next()) {
                nodeIds.add(rows.getInt(1));
            }
        }
        return nodeIds;
    }

    @Test
    void everythingThatIsConfiguredIsABeanAndEntitiesGetIds() throws JsonProcessingException {
        try (ApplicationContext context = run(Map.of(), "more")) {
            assertThat(context.getBean(SnowcastSequencer.class, Qualifiers.byName("orders"))
                            .getSequencerName())
                    .isEqualTo("orders");
            assertThat(context.getBean(IntegerSequence.class, Qualifiers.byName("invoices"))
                            .name())
                    .isEqualTo("invoices");
            assertThat(context.getBean(NodeLease.class, Qualifiers.byName("workers"))
                            .maxNodeCount())
                    .isEqualTo(1024);
            assertThat(context.getBean(Snowcast.class).sequencers()).hasSize(1);
            Purchase stored = context.getBean(Purchases.class).save(new Purchase(null, "bread"));
            assertThat(stored.id()).isPositive();
            assertThat(context.getBean(Purchases.class)
                            .save(new Purchase(42L, "milk"))
                            .id())
                    .isEqualTo(42);
            Bill bill = new Bill();
            bill.article = "bread";
            Receipt receipt = new Receipt();
            context.getBean(SessionFactory.class).inTransaction(session -> {
                session.persist(bill);
                session.persist(receipt);
            });
            assertThat(bill.id).isGreaterThan(stored.id());
            assertThat(receipt.id).isEqualTo(1000);
            assertThat(context.getBean(ObjectMapper.class).writeValueAsString(bill))
                    .isEqualTo("{\"id\":\"" + bill.id + "\",\"article\":\"bread\"}");
        }
    }

    @Test
    void readinessAndMetersShowThemByTheirKinds() {
        try (ApplicationContext context = run(Map.of("snowcast.sequences.orders.block-size", "10"), "more")) {
            HealthResult health = readiness(context);
            assertThat(health.getStatus()).isEqualTo(HealthStatus.UP);
            assertThat(health.getDetails().toString())
                    .containsPattern("sequencers.orders=node ID \\d+, lease for PT4M")
                    .containsPattern("node-leases.workers=node ID \\d+, lease for PT4M")
                    .containsPattern("sequences.invoices=\\d+ integers reserved");
            context.getBean(SnowcastSequencer.class).detachLogicalNode();
            assertThat(readiness(context).getStatus()).isEqualTo(HealthStatus.DOWN);
            assertThat(readiness(context).getDetails().toString())
                    .contains("sequencers.orders=Detached")
                    .containsPattern("sequences.orders=\\d+ integers reserved");
            MeterRegistry meters = new SimpleMeterRegistry();
            context.getBean(CompositeMeterRegistry.class).add(meters);
            assertThat(meters.get("snowcast.sequencer.node.id")
                            .tag("sequencer", "orders")
                            .gauge()
                            .value())
                    .isNaN();
            assertThat(meters.get("snowcast.lease.node.id")
                            .tag("lease", "workers")
                            .gauge()
                            .value())
                    .isNotNaN();
            assertThat(meters.get("snowcast.sequence.block.size").gauge().value())
                    .isPositive();
            assertThat(meters.get("snowcast.sequencer.nodes.capacity")
                            .tag("sequencer", "orders")
                            .gauge()
                            .value())
                    .as("what the alert for node IDs that run out needs")
                    .isPositive();
            assertThat(meters.get("snowcast.clock.steps").functionCounters()).hasSize(2);
        }
    }

    private static HealthResult readiness(ApplicationContext context) {
        return context.getBeansOfType(HealthIndicator.class, Qualifiers.byStereotype(Readiness.class)).stream()
                .map(indicator -> Mono.from(indicator.getResult()).block())
                .filter(result -> result.getName().equals("snowcast"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void readinessCoversWhatTheApplicationCreatesItself() {
        try (ApplicationContext context = run(Map.of())) {
            SnowcastSequencer bills = context.getBean(Snowcast.class)
                    .createSequencer(SequencerConfig.builder("bills")
                            .epoch(SnowcastEpoch.byInstant(Instant.parse("2024-01-01T00:00:00Z")))
                            .build());
            assertThat(readiness(context).getStatus()).isEqualTo(HealthStatus.UP);
            bills.detachLogicalNode();
            assertThat(readiness(context).getStatus()).isEqualTo(HealthStatus.DOWN);
            assertThat(readiness(context).getDetails().toString()).contains("sequencers.bills=Detached");
        }
    }

    @Test
    void unusedIntegerSequenceDoesNotLookAsIfItRanDry() {
        try (ApplicationContext context = run(Map.of(), "more")) {
            MeterRegistry meters = new SimpleMeterRegistry();
            context.getBean(CompositeMeterRegistry.class).add(meters);
            assertThat(meters.get("snowcast.sequence.time.to.empty").timeGauge().value())
                    .isNaN();
        }
    }

    /** Spring Boot and Quarkus keep the key, and equal names must be one sequencer. */
    @Test
    void ownNameIsTheKeyAsItIsWritten() {
        try (ApplicationContext context =
                run(Map.of("snowcast.sequencers.myOrders.epoch", "2024-01-01T00:00:00Z"), "more")) {
            assertThat(context.getBean(SnowcastSequencer.class, Qualifiers.byName("my-orders"))
                            .getSequencerName())
                    .isEqualTo("myOrders");
        }
    }

    @Test
    void environmentVariablesSetValuesAndNeverStopTheStart() throws Exception {
        PropertySource variables = PropertySource.of(
                "variables",
                Map.of(
                        "SNOWCAST_JDBC_TABLE_PREFIX", "shop",
                        "SNOWCAST_HAZELCAST_PORT", "tcp://10.0.0.1:5701",
                        "SNOWCAST_SEQUENCERS_SERVICE_HOST", "10.0.0.2",
                        "SNOWCAST_SEQUENCERS_ORDERS_COUNTER_START", "random",
                        "SNOWCAST_SEQUENCES_INVOICES_BLOCK_SIZE", "7",
                        "SNOWCAST_NODE_LEASES_WORKERS_MAX_NODES", "8"),
                PropertySource.PropertyConvention.ENVIRONMENT_VARIABLE,
                PropertySource.Origin.of("variables"));
        try (ApplicationContext context = ApplicationContext.builder("more")
                .properties(Map.of("datasources.default.url", url))
                .propertySources(variables)
                .start()) {
            IntegerSequence invoices = context.getBean(IntegerSequence.class, Qualifiers.byName("invoices"));
            assertThat(invoices.next()).isEqualTo(1000);
            assertThat(invoices.stats().blockSize()).isEqualTo(7);
            assertThat(context.getBean(NodeLease.class, Qualifiers.byName("workers"))
                            .maxNodeCount())
                    .isEqualTo(8);
            assertThat(tables()).contains("SHOP_NODES").doesNotContain("SNOWCAST_NODES");
        }
    }

    private Set<String> tables() throws SQLException {
        Set<String> tables = new HashSet<>();
        try (Connection connection = DriverManager.getConnection(url, "sa", "");
                ResultSet rows = connection.getMetaData().getTables(null, "PUBLIC", null, null)) {
            while (rows.next()) {
                tables.add(rows.getString("TABLE_NAME"));
            }
        }
        return tables;
    }

    @Test
    void annotationsThatMicronautDataIgnoresAreRefused() {
        try (ApplicationContext context = run(Map.of("ignored.annotations", "true"), "more")) {
            assertThatThrownBy(() -> context.getBean(Ignored.Stamps.class).save(new Ignored.Stamp(null, 85)))
                    .hasStackTraceContaining("@SnowcastSequence " + Ignored.Stamp.class.getName()
                            + ".id has no effect with Micronaut Data, so its value would be stored as 0 or null");
            assertThatThrownBy(() -> context.getBean(Ignored.Parcels.class).save(new Ignored.Parcel("a", 0)))
                    .hasStackTraceContaining("@SnowcastId " + Ignored.Parcel.class.getName()
                            + ".number has no effect, so its value would be stored as 0 or null");
        }
    }

    @Test
    void applicationMayMakeTheSnowcast() {
        Map<String, Object> own = Map.of("own.snowcast", "true", "snowcast.jdbc.create-tables", "");
        try (ApplicationContext context = run(own)) {
            assertThat(context.getBean(Snowcast.class))
                    .isSameAs(context.getBean(OwnBean.class).made());
            assertThat(context.getBean(SnowcastSequencer.class).getSequencerName())
                    .isEqualTo("orders");
        }
        Map<String, Object> moved = new HashMap<>(own);
        moved.put("snowcast.jdbc.table-prefix", "shop");
        assertThatThrownBy(() -> run(moved))
                .hasStackTraceContaining("snowcast.jdbc.table-prefix must not be set, because the application has its"
                        + " own Snowcast bean");
    }

    @Test
    void clusterGrantsNodeIdsToAClient(@TempDir Path directory) throws Exception {
        Config config = new Config().setClusterName(UUID.randomUUID().toString());
        config.getNetworkConfig().getJoin().getAutoDetectionConfig().setEnabled(false);
        config.getNetworkConfig().getJoin().getMulticastConfig().setEnabled(false);
        HazelcastInstance member = Hazelcast.newHazelcastInstance(config);
        try {
            InetSocketAddress address = member.getCluster().getLocalMember().getSocketAddress();
            Path file = Files.writeString(
                    directory.resolve("client.yaml"),
                    "hazelcast-client: {cluster-name: " + config.getClusterName() + ", network: {cluster-members: ['"
                            + address.getAddress().getHostAddress() + ":" + address.getPort() + "']}}");
            try (ApplicationContext context =
                    run(Map.of("snowcast.store", "hazelcast", "snowcast.hazelcast.config", file.toString()))) {
                assertThat(context.getBean(OrderDesk.class).newOrderId()).isPositive();
                assertThat(attachedNodeIds(member)).isOne();
            }
            assertThat(attachedNodeIds(member)).isZero();
            assertThat(HazelcastClient.getAllHazelcastClients()).isEmpty();
            Path wrong = Files.writeString(
                    directory.resolve("wrong.yaml"),
                    Files.readString(file)
                            .replace(
                                    "hazelcast-client: {",
                                    "hazelcast-client: {properties: {snowcast.metrics.max.named: 5000}, "));
            assertThatThrownBy(() ->
                            run(Map.of("snowcast.store", "hazelcast", "snowcast.hazelcast.config", wrong.toString())))
                    .hasStackTraceContaining("snowcast.metrics.max.named");
            assertThat(HazelcastClient.getAllHazelcastClients())
                    .as("clients of a start that failed")
                    .isEmpty();
        } finally {
            member.shutdown();
        }
    }

    private static int attachedNodeIds(HazelcastInstance member) {
        return SnowcastSystem.clusterStatus(member).sequencers().stream()
                .mapToInt(ClusterStatus.Sequencer::attachedCount)
                .sum();
    }

    @Test
    void wrongPropertyEndsTheStartAndIsNamed() {
        assertThatThrownBy(() -> run(Map.of("snowcast.sequencers.orders.layout", "positiv")))
                .hasStackTraceContaining("snowcast.sequencers.orders.layout must be default, positive, javascript, or"
                        + " the bits of time, node ID and counter, such as 41/13/10: positiv (layout must be default, positive,"
                        + " javascript, or bits such as 41/13/10: positiv)");
        assertThatThrownBy(() -> run(Map.of("snowcast.sequencers.orders.layuot", "positive")))
                .hasStackTraceContaining(
                        "there is no property snowcast.sequencers.orders.layuot; there are name, epoch");
        assertThatThrownBy(() -> run(Map.of("snowcast.hazelcast.config", "client.yaml")))
                .hasStackTraceContaining("There are a data source and snowcast.hazelcast.config, and no setting says"
                        + " where node IDs come from: set snowcast.store to jdbc or hazelcast");
    }

    @Test
    void codeOfTheDocumentIsTheCodeThatIsTested() throws Exception {
        String document = Files.readString(Path.of("../../docs/micronaut.md"));
        List<String> java = snippets(document, "java");
        String sources = "src/test/java/" + getClass().getPackageName().replace('.', '/');
        assertThat(java).hasSize(3);
        assertThat(Files.readString(Path.of(sources, "Bill.java"))).endsWith("\n" + java.get(2));
        assertThat(Files.readString(Path.of(sources, "OrderDesk.java"))).endsWith("\n" + java.get(0));
        assertThat(Files.readString(Path.of(sources, "Purchase.java"))).endsWith("\n" + java.get(1));
        Path resources = Path.of("src/test/resources");
        List<String> properties = snippets(document, "properties");
        assertThat(properties).hasSize(2);
        assertThat(Files.readString(resources.resolve("application.properties")))
                .startsWith(properties.get(0));
        assertThat(Files.readString(resources.resolve("application-more.properties")))
                .isEqualTo(properties.get(1));
        assertThat(document).contains("Micronaut " + System.getProperty("tested.version"));
    }

    private static List<String> snippets(String document, String language) {
        return Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
                .matcher(document)
                .results()
                .map(match -> match.group(1))
                .toList();
    }
}
