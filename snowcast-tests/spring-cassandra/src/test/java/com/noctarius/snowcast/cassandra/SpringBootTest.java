// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.cassandra.node.SingleNode;
import com.noctarius.snowcast.cassandra.node.TestSessions;
import com.noctarius.snowcast.spring.CassandraStoreMetrics;
import com.noctarius.snowcast.spring.MeterRefresh;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.BlockStoreException;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.search.RequiredSearch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.beans.factory.config.DestructionAwareBeanPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.io.DefaultResourceLoader;

/** Tests Boot applications with Cassandra stores as beans, on a real node. */
@Tag("integration")
class SpringBootTest {
    private static final AtomicInteger KEYSPACES = new AtomicInteger();
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final String DATACENTER = SingleNode.DATACENTER;
    private static final String IMPORTS = """
            import com.datastax.oss.driver.api.core.CqlSession;
            import com.noctarius.snowcast.cassandra.*;
            import java.time.*;
            import org.springframework.context.annotation.*;
            """;
    private static CqlSession session;

    private final String keyspace = "boot" + KEYSPACES.incrementAndGet();

    @TempDir
    private Path directory;

    @BeforeAll
    static void connect() {
        session = TestSessions.open(SingleNode.node());
    }

    @BeforeEach
    void createKeyspace() {
        SingleNode.createKeyspace(session, keyspace);
        CassandraSchema schema = new CassandraSchema(session, keyspace, DATACENTER);
        schema.create();
        schema.defineSequence("products", 5_000_001, Integer.MAX_VALUE);
    }

    @AfterAll
    static void disconnect() {
        session.close();
    }

    // --- applications

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    @Configuration(proxyBeanMethods = false)
    static class Cluster {
        @Bean(destroyMethod = "shutdown")
        HazelcastInstance hazelcast() {
            Config config = new Config();
            config.setClusterName("cassandra-" + UUID.randomUUID());
            JoinConfig join = config.getNetworkConfig().getJoin();
            join.getAutoDetectionConfig().setEnabled(false);
            join.getMulticastConfig().setEnabled(false);
            config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface("127.0.0.1");
            return Hazelcast.newHazelcastInstance(config);
        }
    }

    private ConfigurableApplicationContext run(Stream<Class<?>> configurations, Stream<String> properties)
            throws Exception {
        // On a busy machine, the default time-outs are too short.
        Stream<String> patience = Stream.of(
                "spring.cassandra.request.timeout=2m",
                "spring.cassandra.connection.connect-timeout=2m",
                "spring.cassandra.connection.init-query-timeout=2m",
                "spring.main.banner-mode=off",
                "spring.main.register-shutdown-hook=false");
        List<Class<?>> sources =
                Stream.concat(Stream.of(Application.class), configurations).toList();
        SpringApplication application = new SpringApplication(
                new DefaultResourceLoader(sources.get(sources.size() - 1).getClassLoader()),
                sources.toArray(Class<?>[]::new));
        return application.run(Stream.concat(patience, properties.map(this::here))
                .map(property -> "--" + property)
                .toArray(String[]::new));
    }

    /**
     * Adapts a snippet to the keyspace, node, datacenter and directory of this test. The document calls the datacenter
     * europe.
     */
    private String here(String text) {
        return text.replace("\"ids\"", '"' + keyspace + '"')
                .replace("europe", DATACENTER)
                .replace(
                        "contact-points=127.0.0.1",
                        "contact-points=" + SingleNode.node().address().getHostString())
                .replace("classpath:", directory.toUri().toString());
    }

    /** Runs an application with the properties, the driver's configuration and the store in the document. */
    private ConfigurableApplicationContext runWhatTheDocumentShows(URLClassLoader classes, Class<?>... more)
            throws Exception {
        Files.writeString(directory.resolve("cassandra.conf"), Snippets.only("spring.md", "hocon", "protocol"));
        Class<?> store = classes.loadClass("CassandraStore");
        return run(
                Stream.concat(Arrays.stream(more), Stream.of(store)),
                Snippets.only("spring.md", "properties", "spring.cassandra").lines());
    }

    private URLClassLoader compileStoreOfTheDocument() {
        Snippets.compile(IMPORTS + here(Snippets.only("spring.md", "java", "CassandraBlockStore")), directory);
        try {
            return new URLClassLoader(
                    new URL[] {directory.toUri().toURL()}, getClass().getClassLoader());
        } catch (MalformedURLException e) {
            throw new UncheckedIOException(new IOException(e));
        }
    }

    // --- meters and health

    private static RequiredSearch meter(ConfigurableApplicationContext context, String name, String store) {
        return context.getBean(MeterRegistry.class)
                .get("snowcast.cassandra." + name)
                .tag("store", store);
    }

    private static double gauge(ConfigurableApplicationContext context, String name, String store) {
        return meter(context, name, store).gauge().value();
    }

    private static double counter(ConfigurableApplicationContext context, String name, String store) {
        return meter(context, name, store).functionCounter().count();
    }

    private static Set<String> meterNames(ConfigurableApplicationContext context) {
        return context.getBean(MeterRegistry.class).getMeters().stream()
                .map(Meter::getId)
                .filter(id -> id.getName().startsWith("snowcast.cassandra."))
                .map(id -> id.getTag("store")
                        + ' '
                        + id.getTag("sequence")
                        + ' '
                        + id.getTag("datacenter")
                        + ' '
                        + id.getName().substring("snowcast.cassandra.".length()))
                .collect(Collectors.toSet());
    }

    private DatacenterRow row(String sequence) {
        Keyspace ours = new Keyspace(session, keyspace, DATACENTER);
        Deadline deadline = Deadline.after(PATIENCE);
        return Objects.requireNonNull(new RangeTables(ours).read(sequence, deadline));
    }

    /** Returns the number of reserved blocks, which have the default size. */
    private long reservedBlocks() {
        return (row("products").last() - 5_000_000) / 1_000;
    }

    private static void await(String what, BooleanSupplier condition) {
        Deadline deadline = Deadline.after(PATIENCE);
        while (!condition.getAsBoolean()) {
            assertThat(deadline.pause(TimeUnit.MILLISECONDS.toNanos(5)))
                    .as("within " + PATIENCE + ": " + what)
                    .isTrue();
        }
    }

    // --- tests

    @Test
    void theStoreOfTheDocumentServesTheSequenceAndIsTold() throws Exception {
        try (URLClassLoader classes = compileStoreOfTheDocument();
                ConfigurableApplicationContext context = runWhatTheDocumentShows(classes, Cluster.class)) {
            IntegerSequence products = context.getBean("products", IntegerSequence.class);
            CassandraBlockStore store = context.getBean(CassandraBlockStore.class);
            assertThat(products.nextInt()).isEqualTo(5_000_001);
            assertThat(row("products").last()).as("they came from Cassandra").isGreaterThanOrEqualTo(5_001_000);

            MeterRefresh.now(context.getBean(CassandraStoreMetrics.class));
            assertThat(meterNames(context))
                    .containsExactlyInAnyOrder(Stream.of(
                                    "autonomy",
                                    "remaining",
                                    "consumption",
                                    "claims.failing",
                                    "reservation.attempts",
                                    "reservations",
                                    "reservation.unknowns")
                            .map(name -> "datacenter products dc1 " + name)
                            .toArray(String[]::new));
            // The sequence may be reserving another block, so wait until the gauge and the row agree.
            await(
                    "what is left in the row of the datacenter",
                    () -> gauge(context, "remaining", "datacenter")
                            == (double) row("products").remaining());
            assertThat(gauge(context, "remaining", "datacenter")).isBetween(1_700_000.0, 1_727_000.0);
            assertThat(gauge(context, "autonomy", "datacenter"))
                    .as("too early to say")
                    .isNaN();
            assertThat(gauge(context, "consumption", "datacenter"))
                    .as("too early to say")
                    .isNaN();
            assertThat(gauge(context, "claims.failing", "datacenter")).isZero();
            await(
                    "one attempt for each block",
                    () -> counter(context, "reservation.attempts", "datacenter") == (double) reservedBlocks());
            await(
                    "a reservation for each block",
                    () -> counter(context, "reservations", "datacenter") == (double) reservedBlocks());
            assertThat(counter(context, "reservation.unknowns", "datacenter")).isZero();

            claimsThatFailAreTold(context, products, store);
        }
    }

    /**
     * Deletes the definition of the sequence, without which no range can be claimed. The datacenter continues with its
     * remaining integers.
     */
    private void claimsThatFailAreTold(
            ConfigurableApplicationContext context, IntegerSequence products, CassandraBlockStore store)
            throws InterruptedException {
        HealthIndicator indicator = context.getBean("snowcastHealthIndicator", HealthIndicator.class);
        assertThat(details(indicator))
                .contains("datacenter=dc1", "remaining=17")
                .doesNotContain("problem");
        session.execute(SimpleStatement.newInstance(
                        "DELETE FROM " + keyspace + ".seq_global WHERE key = 'products' AND dc = 'GLOBAL' IF EXISTS")
                .setSerialConsistencyLevel(DefaultConsistencyLevel.SERIAL));
        store.reserve("products", 900_000);
        await("the claim failed", () -> gauge(context, "claims.failing", "datacenter") > 0);
        double failingSeconds = gauge(context, "claims.failing", "datacenter");
        await("time passes", () -> gauge(context, "claims.failing", "datacenter") > failingSeconds);
        assertThat(gauge(context, "remaining", "datacenter")).isBetween(800_000.0, 827_000.0);
        assertThat(products.next(900)).as("it goes on").hasSize(900);
        assertThat(Objects.requireNonNull(indicator.health()).getStatus()).isEqualTo(Status.UP);
        assertThat(details(indicator)).contains("remaining=8", "problem=no range can be claimed since ");
    }

    private static String details(HealthIndicator indicator) {
        Health health = Objects.requireNonNull(indicator.health());
        return String.valueOf(health.getDetails().get("stores"));
    }

    /** A store whose bean method declares only the type BlockStore, and a store that no sequence uses. */
    @Configuration(proxyBeanMethods = false)
    static class Stores {
        @Bean
        BlockStore stripes(CqlSession connected, @Value("${test.keyspace}") String keyspace) {
            CassandraSchema schema = new CassandraSchema(connected, keyspace, DATACENTER);
            schema.create();
            schema.defineStripedSequence("articles", 1, 1_000_000, 2);
            return CassandraStripedBlockStore.builder(connected, keyspace, DATACENTER)
                    .stripe(1)
                    .build();
        }

        @Bean
        @Lazy
        CassandraBlockStore unused() {
            throw new AssertionError("made for a meter");
        }

        @Bean
        IntegerSequence articles(BlockStore stripes) {
            return SnowcastSystem.standaloneIntegerSequence(
                    IntegerSequenceConfig.builder("articles").store(stripes).build());
        }
    }

    private ConfigurableApplicationContext runWithStripes(String property) throws Exception {
        Files.writeString(directory.resolve("cassandra.conf"), Snippets.only("spring.md", "hocon", "protocol"));
        Stream<String> properties = Stream.concat(
                Snippets.only("spring.md", "properties", "spring.cassandra")
                        .lines()
                        .filter(line -> line.startsWith("spring.")),
                Stream.of(property, "test.keyspace=" + keyspace));
        return run(Stream.of(Stores.class), properties);
    }

    @Test
    void theHealthShowsWhatStripedSequencesReservedAndWhyTheyCannot() throws Exception {
        try (ConfigurableApplicationContext context = runWithStripes("snowcast.standalone-node=0")) {
            assertThat(context.getBean(IntegerSequence.class).next()).isEqualTo(2);
            HealthIndicator indicator = context.getBean("snowcastHealthIndicator", HealthIndicator.class);
            assertThat(details(indicator))
                    .contains("stripes={articles={datacenter=dc1, reservations=")
                    .doesNotContain("reservations=0", "problem");
            BlockStore stripes = context.getBean("stripes", BlockStore.class);
            assertThatExceptionOfType(BlockStoreException.class).isThrownBy(() -> stripes.reserve("prices", 1));
            String problem = "prices={datacenter=dc1, reservations=0, problem=sequence prices in " + stripes
                    + " is not defined: run CassandraSchema.defineStripedSequence}";
            assertThat(details(indicator)).contains(problem);
            assertThat(Objects.requireNonNull(indicator.health()).getStatus()).isEqualTo(Status.UP);

            new CassandraSchema(session, keyspace, DATACENTER).defineStripedSequence("prices", 1, 1_000, 2);
            assertThat(stripes.reserve("prices", 1).count()).isEqualTo(1);
            assertThat(details(indicator)).contains("prices={datacenter=dc1, reservations=1}");
        }
    }

    @Test
    void storesHaveMetersWithoutAClusterAndWhateverTheyAreDeclaredAs() throws Exception {
        try (ConfigurableApplicationContext context = runWithStripes("snowcast.enabled=false")) {
            assertThat(context.getBean(IntegerSequence.class).next()).isEqualTo(2);
            MeterRefresh.now(context.getBean(CassandraStoreMetrics.class));
            assertThat(meterNames(context))
                    .containsExactlyInAnyOrder(
                            "stripes articles dc1 reservation.attempts",
                            "stripes articles dc1 reservations",
                            "stripes articles dc1 reservation.unknowns");
            assertThat(counter(context, "reservations", "stripes")).isPositive();
        }
    }

    /** Calls listeners with each bean before Spring destroys it. */
    @Configuration(proxyBeanMethods = false)
    static class Ends {
        private final List<Consumer<Object>> listeners = new ArrayList<>();

        @Bean
        static DestructionAwareBeanPostProcessor ends(ObjectProvider<Ends> ends) {
            return (bean, name) -> ends.getObject().listeners.forEach(listener -> listener.accept(bean));
        }
    }

    @Test
    void theSequenceIsClosedBeforeItsStoreAndThatBeforeTheSession() throws Exception {
        List<String> ends = new ArrayList<>();
        try (URLClassLoader classes = compileStoreOfTheDocument()) {
            ConfigurableApplicationContext context = runWhatTheDocumentShows(classes, Cluster.class, Ends.class);
            IntegerSequence products = context.getBean("products", IntegerSequence.class);
            CassandraBlockStore store = context.getBean(CassandraBlockStore.class);
            CqlSession connected = context.getBean(CqlSession.class);
            assertThat(products.nextInt()).isEqualTo(5_000_001);
            context.getBean(Ends.class).listeners.add(bean -> {
                if (bean == store) {
                    ends.add("store, sequence closed before: " + products.isClosed());
                } else if (bean == connected) {
                    ends.add("session, store closed before: " + isClosed(store));
                }
            });
            context.close();
            assertThat(ends)
                    .containsExactly("store, sequence closed before: true", "session, store closed before: true");
            assertThat(connected.isClosed()).isTrue();
        }
    }

    private static boolean isClosed(CassandraBlockStore store) {
        try {
            store.reserve("products", 1);
            return false;
        } catch (BlockStoreException e) {
            return String.valueOf(e.getMessage()).contains("closed: CassandraBlockStore");
        }
    }
}
