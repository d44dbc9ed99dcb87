// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.frameworks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.noctarius.snowcast.CounterStart;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.NodeLeaseConfig;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastLayout;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsTest {
    private static final String ORDERS = "snowcast.sequencers.orders.";
    private static final String EPOCH = "2024-01-01T00:00:00Z";

    /** Properties; those of {@code variables} are from environment variables. */
    record OfMap(Map<String, String> values, Map<String, String> variables) implements TextProperties {
        OfMap(Map<String, String> values) {
            this(values, Map.of());
        }

        @Override
        public Optional<String> get(String name) {
            return Optional.ofNullable(variables.getOrDefault(name, values.get(name)));
        }

        @Override
        public Set<String> exactKeysBelow(String prefix) {
            return keys(values.keySet().stream(), prefix);
        }

        @Override
        public Set<String> keysBelow(String prefix) {
            return keys(Stream.of(values, variables).flatMap(all -> all.keySet().stream()), prefix);
        }

        private static Set<String> keys(Stream<String> names, String prefix) {
            return names.filter(name -> name.startsWith(prefix + "."))
                    .map(name -> name.substring(prefix.length() + 1).replaceFirst("\\..*", ""))
                    .collect(Collectors.toSet());
        }
    }

    private static Settings of(Map<String, String> properties) {
        return Settings.of(new OfMap(properties));
    }

    @Test
    void withoutPropertiesThereAreDefaults() {
        assertThat(of(Map.of()))
                .isEqualTo(new Settings(
                        Optional.empty(),
                        Duration.ofMinutes(2),
                        Optional.empty(),
                        Optional.empty(),
                        false,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Map.of(),
                        Map.of(),
                        Map.of(),
                        List.of()));
    }

    @Test
    void everyPropertyIsRead() {
        Settings settings = of(Map.ofEntries(
                Map.entry("snowcast.store", "jdbc"),
                Map.entry("snowcast.attach-timeout", "30s"),
                Map.entry("snowcast.lease", "PT10M"),
                Map.entry("snowcast.jdbc.data-source", "ids"),
                Map.entry("snowcast.jdbc.create-tables", "true"),
                Map.entry("snowcast.jdbc.table-prefix", "shop"),
                Map.entry("snowcast.jdbc.process-name", "pod-1"),
                Map.entry("snowcast.hazelcast.config", "client.yaml"),
                Map.entry(ORDERS + "epoch", EPOCH),
                Map.entry(ORDERS + "name", "Orders"),
                Map.entry(ORDERS + "layout", "41/13/10"),
                Map.entry(ORDERS + "counter-start", "random"),
                Map.entry(ORDERS + "lease", "5m"),
                Map.entry(ORDERS + "backup-count", "2"),
                Map.entry(ORDERS + "start-above", "18446744073709551615"),
                Map.entry("snowcast.sequencers.bills.epoch", EPOCH),
                Map.entry("snowcast.sequencers.bills.max-logical-nodes", "256"),
                Map.entry("snowcast.sequences.invoices.name", "Invoices"),
                Map.entry("snowcast.sequences.invoices.first-value", "1000"),
                Map.entry("snowcast.sequences.invoices.last-value", "9999"),
                Map.entry("snowcast.sequences.invoices.block-size", "10"),
                Map.entry("snowcast.sequences.invoices.prefetch-threshold", "0.25"),
                Map.entry("snowcast.sequences.invoices.max-wait", "500ms"),
                Map.entry("snowcast.node-leases.workers.name", "Workers"),
                Map.entry("snowcast.node-leases.workers.max-nodes", "1024"),
                Map.entry("snowcast.node-leases.workers.lease", "1h"),
                Map.entry("snowcast.node-leases.workers.backup-count", "3")));
        SnowcastEpoch epoch = SnowcastEpoch.byInstant(Instant.parse(EPOCH));
        assertThat(settings.store()).contains(Settings.Store.JDBC);
        assertThat(settings.attachTimeout()).isEqualTo(Duration.ofSeconds(30));
        assertThat(settings.lease()).contains(Duration.ofMinutes(10));
        assertThat(settings.dataSource()).contains("ids");
        assertThat(settings.createTables()).isTrue();
        assertThat(settings.tablePrefix()).contains("shop");
        assertThat(settings.processName()).contains("pod-1");
        assertThat(settings.hazelcastConfig()).contains("client.yaml");
        assertThat(settings.sequencers()).hasSize(2);
        SequencerConfig orders = settings.sequencers().get("orders");
        assertThat(orders)
                .isEqualTo(SequencerConfig.builder("Orders")
                        .epoch(epoch)
                        .layout(new SnowcastLayout(41, 13, 10))
                        .counterStart(CounterStart.RANDOM)
                        .lease(Duration.ofMinutes(5))
                        .backupCount(2)
                        .startAbove(-1)
                        .build());
        assertThat(settings.sequencers().get("bills"))
                .isEqualTo(SequencerConfig.builder("bills")
                        .epoch(epoch)
                        .layout(SnowcastLayout.forMaxLogicalNodeCount(256))
                        .lease(Duration.ofMinutes(10))
                        .build());
        assertThat(settings.sequences())
                .isEqualTo(Map.of(
                        "invoices",
                        IntegerSequenceConfig.builder("Invoices")
                                .firstValue(1000)
                                .lastValue(9999)
                                .blockSize(10)
                                .prefetchThreshold(0.25)
                                .maxWait(Duration.ofMillis(500))
                                .build()));
        assertThat(settings.nodeLeases())
                .isEqualTo(Map.of(
                        "workers",
                        NodeLeaseConfig.builder("Workers")
                                .maxNodeCount(1024)
                                .lease(Duration.ofHours(1))
                                .backupCount(3)
                                .build()));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    snowcast.store                            | sql        | must be jdbc or hazelcast: sql
                    snowcast.lease                            | 5 minutes  | must be a duration from 1s to 30d, such as 5m: 5 minutes
                    snowcast.lease                            | 500ms      | must be a duration from 1s to 30d, such as 5m: 500ms
                    snowcast.attach-timeout                   | -PT1S      | must be a duration from 0s, such as 2m: -PT1S
                    snowcast.jdbc.create-tables               | yes        | must be true or false: yes
                    snowcast.sequencers.orders.epoch          | 2024       | must be an instant that is not in the future, such as 2024-01-01T00:00:00Z: 2024
                    snowcast.sequencers.orders.layout         | 41/14/9    | must be default, positive, javascript, or the bits of time, node ID and counter, such as 41/13/10: 41/14/9
                    snowcast.sequencers.orders.counter-start  | one        | must be random or zero: one
                    snowcast.sequencers.orders.lease          | 40d        | must be a duration from 1s to 30d, such as 5m: 40d
                    snowcast.sequencers.orders.start-above    | -1         | must be an ID, 0 to 18446744073709551615: -1
                    snowcast.node-leases.workers.max-nodes    | 1          | must be the number of node IDs that the generator has room for, from 2 to 65536: 1
                    snowcast.sequences.invoices.block-size    | 0          | must be a number from 1 to 16777216: 0
                    snowcast.sequences.invoices.last-value    | 0          | must be a number that is not below first-value: 0
                    snowcast.sequencers.orders.name           | a\tb       | must be a name of 1 to 255 characters, none of them a control character: a\tb
                    """)
    void aValueThatIsNotAllowedIsNamed(String name, String value, String message) {
        Map<String, String> properties = new HashMap<>(Map.of(ORDERS + "epoch", EPOCH));
        properties.put(name, value);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of(properties))
                .withMessageStartingWith(name + " " + message + " (");
    }

    @Test
    void whatIsMissingIsNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of(Map.of(ORDERS + "layout", "positive")))
                .withMessage(
                        ORDERS + "epoch is missing; it must be an instant that is not in the future, such as " + EPOCH);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of(Map.of("snowcast.node-leases.workers.name", "w")))
                .withMessageStartingWith("snowcast.node-leases.workers.max-nodes is missing; it must be ");
    }

    @Test
    void aPropertyThatWouldHaveNoEffectIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of(Map.of("snowcast.jdbc.create-table", "true")))
                .withMessage("there is no property snowcast.jdbc.create-table; there are data-source, create-tables,"
                        + " table-prefix, process-name");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of(Map.of(
                        ORDERS + "epoch", EPOCH, ORDERS + "layout", "positive", ORDERS + "max-logical-nodes", "256")))
                .withMessage(ORDERS + "max-logical-nodes must not be set together with layout");
    }

    /** An underscore may stand for a dot or a hyphen, and Kubernetes sets variables for each Service. */
    @Test
    void environmentVariablesSetValuesAndNeverStopTheStart() {
        Map<String, String> properties = Map.of(ORDERS + "epoch", EPOCH);
        Map<String, String> variables = Map.of(
                "snowcast.jdbc.create.tables",
                "true",
                "snowcast.jdbc.create-tables",
                "true",
                "snowcast.hazelcast.port",
                "tcp://10.0.0.1:5701",
                "snowcast.sequencers.service.host",
                "10.0.0.2",
                ORDERS + "start.above",
                "5",
                ORDERS + "start-above",
                "5",
                "snowcast.node-leases.workers.max-nodes",
                "8");
        Settings settings = Settings.of(new OfMap(properties, variables));
        assertThat(settings.createTables()).isTrue();
        assertThat(settings.sequencers()).containsOnlyKeys("orders");
        assertThat(settings.sequencers())
                .hasEntrySatisfying(
                        "orders", orders -> assertThat(orders.startAbove()).isEqualTo(5));
        assertThat(settings.nodeLeases()).containsOnlyKeys("workers");
    }

    @Test
    void twoKeysMustNotHaveOneName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of(Map.of(
                        ORDERS + "epoch",
                        EPOCH,
                        "snowcast.sequencers.bills.epoch",
                        EPOCH,
                        "snowcast.sequencers.bills.name",
                        "orders")))
                .withMessage("snowcast.sequencers.orders.name must not be the name of snowcast.sequencers.bills, too:"
                        + " orders");
    }

    /**
     * For a Service "snowcast-server", for example, Kubernetes sets a variable {@code SNOWCAST_SERVER_PORT}, which
     * looks like a property {@code snowcast.server.port}.
     */
    @Test
    void unknownGroupOfPropertiesDoesNotEndTheStart() {
        assertThat(of(Map.of("snowcast.server.port", "tcp://10.0.0.1:8080"))).isEqualTo(of(Map.of()));
    }
}
