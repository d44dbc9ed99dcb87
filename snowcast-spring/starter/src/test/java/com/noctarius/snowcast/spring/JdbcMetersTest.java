// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.jdbc.JdbcBlockStore;
import com.noctarius.snowcast.jdbc.JdbcMonitor;
import com.noctarius.snowcast.jdbc.JdbcSchema;
import com.noctarius.snowcast.jdbc.JdbcShards;
import com.noctarius.snowcast.jdbc.ScheduledJdbcMonitor;
import com.noctarius.snowcast.jdbc.WindowAgent;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.tests.Await;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/** Tests the meters and health details of JDBC stores on two H2 databases, the second of which can be cut off. */
@Tag("integration")
class JdbcMetersTest {
    /** Two databases, each with at least two windows of 100 integers for the sequence tickets. */
    static final class Databases {
        final AtomicBoolean isSecondCutOff = new AtomicBoolean();
        final JdbcShards shards;

        Databases() {
            String name = "jdbc:h2:mem:" + UUID.randomUUID();
            List<DataSource> databases =
                    IntStream.range(0, 2).mapToObj(i -> database(name + i, i)).toList();
            // On a busy machine, the first connection may take longer than the default time-out, because it loads H2.
            JdbcShards.Builder builder = JdbcShards.builder().callTimeout(Duration.ofMinutes(2));
            databases.forEach(builder::shard);
            shards = builder.build();
            JdbcSchema schema = new JdbcSchema(shards);
            schema.create(100);
            schema.defineSequence("tickets", 1, 1_000_000);
            new WindowAgent(shards, 2).topUp();
        }

        private DataSource database(String url, int index) {
            JdbcDataSource database = new JdbcDataSource();
            database.setURL(url + ";DB_CLOSE_DELAY=-1");
            return (DataSource) Proxy.newProxyInstance(
                    getClass().getClassLoader(),
                    new Class<?>[] {DataSource.class},
                    (proxy, method, arguments) -> method.getName().equals("getConnection")
                            ? connect(database, index)
                            : method.invoke(database, arguments));
        }

        private Connection connect(DataSource database, int index) throws SQLException {
            if (index == 1 && isSecondCutOff.get()) {
                throw new SQLException("cut off", "08001");
            }
            return database.getConnection();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Stores {
        @Bean
        Databases databases() {
            return new Databases();
        }

        @Bean
        JdbcShards shards(Databases databases) {
            return databases.shards;
        }

        /** A JDBC store whose bean method declares only the type BlockStore. */
        @Bean
        BlockStore database(JdbcShards shards) {
            return new JdbcBlockStore(shards, 0);
        }

        @Bean
        @Lazy
        JdbcBlockStore unused() {
            throw new AssertionError("made for a meter");
        }

        @Bean
        IntegerSequence tickets(BlockStore database) {
            return SnowcastSystem.standaloneIntegerSequence(IntegerSequenceConfig.builder("tickets")
                    .blockSize(10)
                    .store(database)
                    .build());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Registry {
        @Bean
        MeterRegistry registry() {
            return new SimpleMeterRegistry();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnMonitor {
        @Bean
        ScheduledJdbcMonitor own(JdbcShards shards) {
            return new JdbcMonitor(shards).schedule(Duration.ofSeconds(1));
        }
    }

    private static final ApplicationContextRunner RUNNER = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(SnowcastJdbcActuatorAutoConfiguration.class))
            .withUserConfiguration(Registry.class, Stores.class);

    private static Set<String> names(MeterRegistry registry) {
        return registry.getMeters().stream()
                .map(Meter::getId)
                .map(id -> id.getName().substring("snowcast.jdbc.".length())
                        + id.getTags().stream()
                                .map(tag -> ' ' + tag.getKey() + '=' + tag.getValue())
                                .collect(Collectors.joining()))
                .collect(Collectors.toSet());
    }

    private static double gauge(MeterRegistry registry, String name, int shard) {
        return registry.get("snowcast.jdbc." + name)
                .tag("shard", Integer.toString(shard))
                .gauge()
                .value();
    }

    private static double counter(MeterRegistry registry, String name) {
        return registry.get("snowcast.jdbc." + name).functionCounter().count();
    }

    @Test
    void storesHaveMetersWithoutAClusterAndWhateverTheyAreDeclaredAs() {
        RUNNER.run(context -> {
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            JdbcStoreMetrics metrics = context.getBean(JdbcStoreMetrics.class);
            ScheduledJdbcMonitor monitor = context.getBean(ScheduledJdbcMonitor.class);
            Await.until("the first reading", () -> monitor.status().isPresent());
            assertThat(context.getBean(IntegerSequence.class).next()).isEqualTo(1);
            metrics.bindTo(registry);
            metrics.refresh();
            String monitored = " monitor=snowcastJdbcMonitor";
            assertThat(names(registry))
                    .containsExactlyInAnyOrder(
                            "reservations sequence=tickets store=database",
                            "reservation.failures sequence=tickets store=database",
                            "reservations.failing sequence=tickets store=database",
                            "shard.up" + monitored + " shard=0",
                            "shard.up" + monitored + " shard=1",
                            "consumption" + monitored + " sequence=tickets",
                            "windows.open" + monitored + " sequence=tickets shard=0",
                            "windows.open" + monitored + " sequence=tickets shard=1",
                            "remaining" + monitored + " sequence=tickets shard=0",
                            "remaining" + monitored + " sequence=tickets shard=1",
                            "autonomy" + monitored + " sequence=tickets shard=0",
                            "autonomy" + monitored + " sequence=tickets shard=1");
            assertThat(counter(registry, "reservations")).isPositive();
            assertThat(counter(registry, "reservation.failures")).isZero();
            assertThat(gauge(registry, "windows.open", 1)).isGreaterThanOrEqualTo(2);
            assertThat(gauge(registry, "remaining", 1)).isEqualTo(100 * gauge(registry, "windows.open", 1));
            assertThat(gauge(registry, "autonomy", 1)).as("not known yet").isNaN();
            assertThat(gauge(registry, "shard.up", 1)).isEqualTo(1);
        });
    }

    @Test
    void aMonitorOfTheApplicationTakesThePlaceOfOurs() {
        RUNNER.withUserConfiguration(OwnMonitor.class).run(context -> {
            assertThat(context).hasSingleBean(ScheduledJdbcMonitor.class).hasBean("own");
            ScheduledJdbcMonitor monitor = context.getBean(ScheduledJdbcMonitor.class);
            Await.until("the first reading", () -> monitor.status().isPresent());
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            JdbcStoreMetrics metrics = context.getBean(JdbcStoreMetrics.class);
            metrics.bindTo(registry);
            IntegerSequence tickets = context.getBean(IntegerSequence.class);
            WindowAgent agent = new WindowAgent(context.getBean(JdbcShards.class), 2);
            // Reserve repeatedly, because the monitor computes the rate between its last two readings. A single
            // reservation would be part of only one rate, which the test might not see.
            Await.until("what was reserved between two readings, and how long the rest lasts", () -> {
                agent.topUp();
                tickets.tryNext();
                return registry.get("snowcast.jdbc.consumption").gauge().value() > 0
                        && gauge(registry, "autonomy", 1) > 0;
            });
            metrics.close();
            assertThat(registry.getMeters()).isEmpty();
        });
    }

    @Test
    void aShardThatIsAwayIsToldAndDoesNotHideTheOther() {
        RUNNER.withUserConfiguration(OwnMonitor.class).run(context -> {
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            JdbcStoreMetrics metrics = context.getBean(JdbcStoreMetrics.class);
            ScheduledJdbcMonitor monitor = context.getBean(ScheduledJdbcMonitor.class);
            Await.until("the first reading", () -> monitor.status().isPresent());
            metrics.bindTo(registry);
            context.getBean(Databases.class).isSecondCutOff.set(true);
            Await.until("it is told", () -> gauge(registry, "shard.up", 1) == 0);
            assertThat(gauge(registry, "shard.up", 0)).isEqualTo(1);
            assertThat(gauge(registry, "remaining", 1)).isNaN();
            assertThat(gauge(registry, "remaining", 0)).isPositive();
            Map<String, Object> details = context.getBean(StoreDetails.class).details();
            assertThat(details).containsOnlyKeys("database", "own");
            assertThat(details.get("own"))
                    .asString()
                    .contains("shard 0={tickets={remaining=", "shard 1={problem=cut off}");
            context.getBean(Databases.class).isSecondCutOff.set(false);
            Await.until("it is back", () -> gauge(registry, "shard.up", 1) == 1);
        });
    }

    @Test
    void reservationsThatFailAreTold() {
        RUNNER.run(context -> {
            JdbcBlockStore store = (JdbcBlockStore) context.getBean("database");
            IntegerSequence tickets = context.getBean(IntegerSequence.class);
            context.getBean(Databases.class).isSecondCutOff.set(true);
            JdbcStoreMetrics metrics = context.getBean(JdbcStoreMetrics.class);
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            while (store.stats("tickets").stream().noneMatch(stats -> stats.failures() > 0)) {
                tickets.tryNext();
            }
            metrics.bindTo(registry);
            metrics.refresh();
            assertThat(counter(registry, "reservation.failures")).isPositive();
            Await.until(
                    "for how long",
                    () -> registry.get("snowcast.jdbc.reservations.failing")
                                    .timeGauge()
                                    .value()
                            > 0);
            assertThat(context.getBean(StoreDetails.class).details().get("database"))
                    .asString()
                    .contains("problem=", "cut off");
        });
    }

    @Test
    void theyCanBeBoundByHand() throws Exception {
        Databases databases = new Databases();
        JdbcBlockStore store = new JdbcBlockStore(databases.shards, 0);
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        try (ScheduledJdbcMonitor monitor = new JdbcMonitor(databases.shards).schedule(Duration.ofMinutes(1));
                JdbcStoreMetrics metrics = new JdbcStoreMetrics(Map.of("database", store), Map.of("shards", monitor))) {
            store.reserve("tickets", 10);
            Await.until("the first reading", () -> monitor.status().isPresent());
            metrics.bindTo(registry);
            assertThat(counter(registry, "reservations")).isEqualTo(1);
            assertThat(registry.get("snowcast.jdbc.windows.open")
                            .tag("monitor", "shards")
                            .tag("shard", "0")
                            .gauge()
                            .value())
                    .isGreaterThanOrEqualTo(2);
        }
    }

    @Test
    void nothingIsMadeWithoutAStore() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(SnowcastJdbcActuatorAutoConfiguration.class))
                .withUserConfiguration(Registry.class)
                .run(context ->
                        assertThat(context).doesNotHaveBean(JdbcStores.class).doesNotHaveBean(Snowcast.class));
    }
}
