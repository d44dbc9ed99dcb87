// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.config.Config;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.NodeLease;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.jdbc.JdbcBlockStore;
import com.noctarius.snowcast.jdbc.JdbcSnowcast;
import com.noctarius.snowcast.status.ClusterStatus;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.MemoryBlockStore;
import com.zaxxer.hikari.HikariDataSource;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import java.util.UUID;
import java.util.logging.Handler;
import java.util.logging.Logger;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Tests applications that get their node IDs from their database. */
@Tag("integration")
class JdbcNodeIdsTest {
    private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";

    private HikariDataSource pool() {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(url);
        return pool;
    }

    private static final ApplicationContextRunner STORE =
            new ApplicationContextRunner().withPropertyValues("snowcast.store=jdbc");

    /** Returns a runner without Boot's auto-configuration of Hazelcast. Only snowcast could start an instance. */
    private static ApplicationContextRunner runner() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        SnowcastAutoConfiguration.class,
                        SnowcastJdbcAutoConfiguration.class,
                        SnowcastJdbcStoreAutoConfiguration.class,
                        SnowcastActuatorAutoConfiguration.class))
                .withPropertyValues("snowcast.store=jdbc", "snowcast.sequencers.orders.epoch=2024-01-01T00:00:00Z");
    }

    private ApplicationContextRunner application() {
        return runner().withBean(DataSource.class, this::pool).withPropertyValues("snowcast.jdbc.create-tables=true");
    }

    private static int node(SnowcastSequencer sequencer) throws InterruptedException {
        return sequencer.logicalNodeId(sequencer.next());
    }

    private static String failure(@Nullable Throwable failure, ApplicationContextRunner runner) {
        String[] text = {""};
        runner.run(context -> {
            FailureAnalysis analysis = Objects.requireNonNull(
                    new SnowcastFailureAnalyzer(context.getEnvironment()).analyze(Objects.requireNonNull(failure)));
            text[0] = analysis.getDescription() + "\n" + analysis.getAction();
        });
        return text[0];
    }

    @Test
    void twoApplicationsHaveDifferentNodeIdsOfOneDatabaseAndNoHazelcastInstance() {
        application()
                .withPropertyValues("snowcast.jdbc.process-name=first")
                .run(first -> application().run(second -> {
                    int ofFirst = node(first.getBean(SnowcastSequencer.class));
                    assertThat(ofFirst).isNotEqualTo(node(second.getBean(SnowcastSequencer.class)));
                    assertThat(first.getBeanNamesForType(HazelcastInstance.class))
                            .isEmpty();
                    assertThat(second.getBean(JdbcSnowcast.class)
                                    .status()
                                    .sequencers()
                                    .get(0)
                                    .nodes())
                            .hasSize(2)
                            .anySatisfy(node -> {
                                assertThat(node.id()).isEqualTo(ofFirst);
                                assertThat(node.holder()).isEqualTo("first");
                            });
                }));
    }

    @Test
    void sequencersNodeLeasesAndIntegerSequencesHaveHealthAndMetersAndEndWithTheContext() {
        application()
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .withPropertyValues(
                        "snowcast.node-leases.workers.max-nodes=16",
                        "snowcast.sequences.products.first-value=1000",
                        "snowcast.lease=1m")
                .run(context -> {
                    SnowcastSequencer orders = context.getBean(SnowcastSequencer.class);
                    assertThat(orders.stats().lease()).hasMinutes(1);
                    assertThat(context.getBean(NodeLease.class).stats().nodeId())
                            .isPresent();
                    assertThat(context.getBean(IntegerSequence.class).next()).isEqualTo(1_000);
                    SnowcastHealth health =
                            SnowcastHealth.of(context.getBean(KnownSequencers.class), Stream.empty(), null);
                    assertThat(health.isUp()).as(health.toString()).isTrue();
                    MeterRegistry registry = context.getBean(MeterRegistry.class);
                    context.getBean(SnowcastMetrics.class).bindTo(registry);
                    assertThat(registry.get("snowcast.sequencer.lease.remaining")
                                    .timeGauge()
                                    .value())
                            .isPositive();
                    // docs/spring.md says that these meters have other values than with a cluster.
                    assertThat(registry.get("snowcast.possible.duplicate.nodes")
                                    .functionCounter()
                                    .count())
                            .isZero();
                    assertThat(registry.get("snowcast.high.water.mark.writable")
                                    .gauge()
                                    .value())
                            .isNaN();
                    assertThat(context).doesNotHaveBean(BlockStore.class);
                    context.close();
                    assertThat(orders.stats().state()).isEqualTo(SnowcastSequenceState.Detached);
                });
        // The first context has released its node ID.
        application()
                .run(context -> assertThat(
                                context.getBean(JdbcSnowcast.class).status().sequencers())
                        .filteredOn(each -> each.name().equals("orders"))
                        .allSatisfy(each -> assertThat(each.attachedCount()).isEqualTo(1)));
    }

    @Test
    void aSnowcastOfTheApplicationAndAFixedNodeIdWin() {
        runner().withBean(DataSource.class, this::pool)
                .withBean("ids", Snowcast.class, () -> new StandaloneSnowcast(3))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(JdbcSnowcast.class));
        application().withPropertyValues("snowcast.standalone-node=5").run(context -> {
            assertThat(context).doesNotHaveBean(JdbcSnowcast.class);
            assertThat(node(context.getBean(SnowcastSequencer.class))).isEqualTo(5);
        });
    }

    /** Integers come from the database of the node IDs. If there is another store, the sequence has to name it. */
    @Test
    void aJdbcSnowcastOfTheApplicationHasTheIntegersToo() {
        ApplicationContextRunner own = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        SnowcastAutoConfiguration.class, SnowcastJdbcStoreAutoConfiguration.class))
                .withBean(DataSource.class, JdbcDataSource::new)
                .withBean(JdbcSnowcast.class, () -> {
                    JdbcSnowcast snowcast = JdbcSnowcast.of(pool());
                    snowcast.createTables();
                    return snowcast;
                })
                .withPropertyValues("snowcast.sequences.products.first-value=1000");
        own.run(context -> {
            assertThat(context.getBean(IntegerSequence.class).next()).isEqualTo(1_000);
            assertThat(context).doesNotHaveBean(JdbcBlockStore.class);
        });
        String missing = "snowcast.sequences.products.store-ref is missing";
        own.withBean("memory", MemoryBlockStore.class).run(Boot.rootFailure(missing));
        own.withPropertyValues("snowcast.jdbc.table-name=shop_sequences")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining(missing)
                        .hasMessageContaining(
                                "If they are in the database of the Snowcast bean, declare a JdbcBlockStore"
                                        + " bean over that database")
                        // The application's bean has the prefix that the application gave it.
                        .satisfies(refusal -> assertThat(refusal.getMessage())
                                .doesNotContain("(table ", "set snowcast.jdbc.table-name")));
        // The store jdbc is over the DataSource, which may be another database than that of the JdbcSnowcast.
        own.withPropertyValues("snowcast.sequences.tickets.store-ref=jdbc").run(Boot.rootFailure(missing));
    }

    /** Both sequences use the same tables. */
    @Test
    void aSequenceThatNamesTheDatabaseOfTheNodeIdsKeepsNoOtherFromIt() {
        application()
                .withPropertyValues(
                        "snowcast.sequences.tickets.store-ref=jdbc", "snowcast.sequences.products.first-value=1000")
                .run(context -> {
                    assertThat(context.getBean("products", IntegerSequence.class)
                                    .next())
                            .isEqualTo(1_000);
                    assertThat(context.getBean(JdbcSnowcast.class).status().integerSequences())
                            .extracting(ClusterStatus.Integers::name)
                            .containsExactlyInAnyOrder("products", "tickets");
                });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            snowcast.store=sql                | snowcast.store must be hazelcast or jdbc: 'sql'
            snowcast.jdbc.table-prefix=a b    | snowcast.jdbc.table-prefix is wrong
            snowcast.jdbc.create-tables=maybe | must be true or false: maybe
            snowcast.lease=1ms                | snowcast.lease must be
            snowcast.cluster.lease=1m         | snowcast.cluster.lease has no effect
            """)
    void wrongPropertiesFailTheStartAndSayWhatIsAllowed(String property, String reason) {
        ApplicationContextRunner runner = application().withPropertyValues(property);
        runner.run(context -> assertThat(failure(
                        context.getStartupFailure(), new ApplicationContextRunner().withPropertyValues(property)))
                .contains(reason));
    }

    @Test
    void whatIsMissingIsNamedWithTheWayOut() {
        runner().run(Boot.rootFailure(
                "snowcast.store is jdbc, which needs a DataSource bean, and there is none",
                "Set spring.datasource.url"));
        runner().withBean("one", DataSource.class, this::pool)
                .withBean("two", DataSource.class, this::pool)
                .run(Boot.rootFailure("besides @SnowcastDataSource; there are one, two", "@Primary"));
        runner().withBean(DataSource.class, JdbcDataSource::new)
                .withClassLoader(new FilteredClassLoader(JdbcSnowcast.class))
                .run(Boot.rootFailure("Add the dependency com.noctarius.snowcast:snowcast-jdbc"));
    }

    /**
     * With a database and Hazelcast, {@code snowcast.store} has no default, because a Hazelcast member would join any
     * cluster that it finds.
     */
    @Test
    void withADatabaseAndHazelcastTheStartAsksFromWhichNodeIdsCome() {
        // Other tests in this process may have left members running.
        var before = Hazelcast.getAllHazelcastInstances();
        ApplicationContextRunner undecided = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        SnowcastAutoConfiguration.class,
                        SnowcastJdbcAutoConfiguration.class,
                        SnowcastJdbcStoreAutoConfiguration.class))
                .withBean(Surroundings.class, () -> new Surroundings(null))
                .withBean("shop", DataSource.class, this::pool);
        for (String property : new String[] {
            "snowcast.sequencers.orders.epoch=2024-01-01T00:00:00Z",
            "snowcast.node-leases.workers.max-nodes=16",
            "snowcast.sequences.products.first-value=1",
            "snowcast.start-detached=true"
        }) {
            undecided.withPropertyValues(property).run(context -> {
                assertThat(failure(context.getStartupFailure(), new ApplicationContextRunner()))
                        .as(property)
                        .contains("The start failed at the property snowcast.store")
                        .contains("snowcast.store is missing, and node IDs can come from the database of the"
                                + " DataSource (shop), with snowcast-jdbc, or from a Hazelcast cluster")
                        .contains("Set it to jdbc ")
                        .contains("or to hazelcast ");
                assertThat(Hazelcast.getAllHazelcastInstances()).isEqualTo(before);
            });
        }
        // An application that injects only the HazelcastInstance fails, too.
        undecided
                .withBean(Cache.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageStartingWith("snowcast.store is missing"));
        undecided
                .withPropertyValues("snowcast.enabled=false")
                .run(context -> assertThat(context).hasNotFailed());
        undecided
                .withClassLoader(new FilteredClassLoader(JdbcSnowcast.class))
                .withBean(Config.class, Members::config)
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(HazelcastInstance.class));
        undecided
                .withBean(Config.class, Members::config)
                .withPropertyValues("snowcast.store=hazelcast")
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(HazelcastInstance.class));
    }

    record Cache(HazelcastInstance member) {}

    @Test
    void tablesThatAreMissingFailTheStartAndAreNamed() throws SQLException {
        ApplicationContextRunner withoutTables = runner().withBean(DataSource.class, this::pool);
        withoutTables.run(context -> {
            assertThat(context).getFailure().hasStackTraceContaining("JdbcSnowcast.createTables");
            assertThat(failure(context.getStartupFailure(), STORE)).contains("set snowcast.jdbc.create-tables=true");
        });
        try (HikariDataSource pool = pool();
                JdbcSnowcast snowcast = JdbcSnowcast.of(pool);
                Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            snowcast.createTables();
            statement.execute("DROP TABLE id_sequences_shard");
        }
        withoutTables
                .withPropertyValues("snowcast.sequences.products.first-value=1")
                .run(context -> {
                    assertThat(context).getFailure().hasStackTraceContaining("JdbcSchema.create");
                    assertThat(failure(context.getStartupFailure(), STORE))
                            .contains("set snowcast.jdbc.create-tables=true");
                });
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void aShortLeaseIsAllowedWithAnAdvice(CapturedOutput output) {
        ApplicationContextRunner runner = application().withPropertyValues("snowcast.node-leases.workers.max-nodes=16");
        String advice = " is short: a cluster or database that does not answer for this time stops the IDs";
        runner.withPropertyValues("snowcast.sequencers.orders.lease=2m", "snowcast.node-leases.workers.lease=5s")
                .run(context -> assertThat(output)
                        .contains("snowcast.sequencers.orders.lease=PT2M" + advice)
                        .contains("snowcast.node-leases.workers.lease=PT5S" + advice));
        runner.withPropertyValues("snowcast.lease=30s")
                .run(context -> assertThat(output).contains("snowcast.lease=PT30S" + advice));
        int length = output.getAll().length();
        runner.withPropertyValues("snowcast.lease=121s")
                .run(context -> assertThat(output.getAll().substring(length)).doesNotContain(advice));
    }

    /** When a process begins to shut down, the JDK removes the handlers of its logging. The test removes them, too. */
    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void theDetachOfAProcessThatEndsIsLogged(CapturedOutput output) {
        Logger root = Logger.getLogger("");
        Handler[] handlers = root.getHandlers();
        LoggingSystem logging = LoggingSystem.get(getClass().getClassLoader());
        logging.setLogLevel(JdbcSnowcast.class.getName(), LogLevel.INFO);
        application().run(context -> {
            for (Handler handler : handlers) {
                root.removeHandler(handler);
            }
            try {
                context.close();
            } finally {
                for (Handler handler : handlers) {
                    root.addHandler(handler);
                }
            }
            assertThat(output).containsPattern("Sequencer orders: detached from node ID \\d+: the application");
        });
        logging.setLogLevel(JdbcSnowcast.class.getName(), null);
    }

    /** The second application uses the tables that the first application has created. */
    @Test
    void whatTheDatabaseRefusesIsToldInItsWords() {
        application()
                .withPropertyValues("snowcast.node-leases.workers.max-nodes=16")
                .run(first -> {
                    assertThat(first).hasNotFailed();
                    ApplicationContextRunner second = application();
                    second.withPropertyValues("snowcast.sequencers.orders.layout=positive")
                            .run(context -> assertThat(failure(context.getStartupFailure(), STORE))
                                    .contains(
                                            "Give it the epoch, layout and start-above that it has in the database, or"
                                                    + " another name"));
                    second.withPropertyValues("snowcast.node-leases.workers.max-nodes=17")
                            .run(context -> assertThat(failure(context.getStartupFailure(), STORE))
                                    .contains("Give it the max-nodes that it has in the database, or another name"));
                    String wrong = "snowcast.sequences.products.store-ref=shards";
                    second.withPropertyValues(wrong)
                            .run(context -> assertThat(failure(context.getStartupFailure(), STORE))
                                    .contains("store-ref must be the name of a BlockStore bean (jdbc): shards")
                                    .contains("Set it to the name of the store that has the integers of this sequence")
                                    .contains("Remove it only if the sequence is new, or has its integers in the"
                                            + " database of the node IDs")
                                    .contains(
                                            "begins at its first value, and repeats integers that it has in another"));
                    // Without the property, the start would fail, too.
                    second.withBean("memory", MemoryBlockStore.class)
                            .withPropertyValues(wrong)
                            .run(context -> assertThat(failure(context.getStartupFailure(), STORE))
                                    .contains("BlockStore bean (memory, jdbc): shards")
                                    .contains("Set it to the name of the store that has the integers of this sequence")
                                    .doesNotContain("Remove it"));
                    for (String lease :
                            new String[] {"snowcast.sequencers.orders.lease", "snowcast.node-leases.others.lease"}) {
                        second.withPropertyValues(lease + "=1h", "snowcast.node-leases.others.max-nodes=4")
                                .run(context -> assertThat(failure(context.getStartupFailure(), STORE))
                                        .contains("The start failed at the property " + lease)
                                        .contains(
                                                "Shorten it, or raise snowcast.lease, or the lease of the application's"
                                                        + " JdbcSnowcast"));
                    }
                });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aWrongPasswordIsTold(boolean createsTables) {
        application().run(first -> {
            ApplicationContextRunner wrong = runner().withBean(DataSource.class, () -> {
                        HikariDataSource pool = pool();
                        pool.setUsername("sa");
                        pool.setPassword("wrong");
                        return pool;
                    })
                    .withPropertyValues("snowcast.jdbc.create-tables=" + createsTables);
            wrong.run(context -> assertThat(failure(context.getStartupFailure(), STORE))
                    .contains("the database refuses; check user and password: ")
                    .contains("User and password are those of spring.datasource.*, or of the DataSource bean"));
        });
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void aDatabaseThatIsAwayIsWaitedForOrTheStartGoesOnWithoutIt(CapturedOutput output) {
        ApplicationContextRunner away = runner().withBean(DataSource.class, JdbcStoreTest::away);
        away.withPropertyValues("snowcast.attach-timeout=0s")
                .run(context -> assertThat(failure(context.getStartupFailure(), STORE))
                        .contains("The database of node IDs cannot serve yet", "snowcast.start-detached=true"));
        away.withPropertyValues("snowcast.attach-timeout=0s", "snowcast.jdbc.create-tables=true")
                .run(context -> assertThat(failure(context.getStartupFailure(), STORE))
                        .contains("The database of node IDs cannot serve yet", "snowcast.jdbc.create-tables=false"));
        assertThat(output).contains("the schema of node IDs has to wait");
        away.withPropertyValues("snowcast.start-detached=true").run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(SnowcastHealth.of(context.getBean(KnownSequencers.class), Stream.empty(), null)
                            .isUp())
                    .isFalse();
        });
        assertThat(output).contains("starts Detached until it can be attached: ");
    }
}
