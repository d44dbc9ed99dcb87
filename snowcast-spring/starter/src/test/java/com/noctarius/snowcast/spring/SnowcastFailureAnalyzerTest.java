// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.config.Config;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.spi.properties.ClusterProperty;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.internal.hazelcast.HazelcastVersion;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.MemoryBlockStore;
import com.noctarius.snowcast.tests.FreePort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.DeferredImportSelector;
import org.springframework.context.annotation.Import;
import org.springframework.core.type.AnnotationMetadata;

/** Starts applications with properties that make the start fail, and tests what Boot reports. */
@Tag("integration")
class SnowcastFailureAnalyzerTest {
    private static final String EPOCH = "2024-01-01T00:00:00Z";
    private static final BlockStore STORE = new MemoryBlockStore();
    private static HazelcastInstance member;
    private static HazelcastInstance client;

    private static final AtomicReference<Config> NOT_LET_IN = new AtomicReference<>();

    @TempDir
    private Path directory;

    @BeforeAll
    static void start() {
        member = Members.start();
        client = Members.startClient(member);
        Snowcast elsewhere = SnowcastSystem.snowcast(client);
        SnowcastSystem.snowcast(member)
                .createIntegerSequence(IntegerSequenceConfig.builder("taken-integers")
                        .lastValue(7)
                        .store(STORE)
                        .build());
        SnowcastEpoch epoch = SnowcastEpoch.byInstant(Instant.parse(EPOCH));
        elsewhere.createSequencer("taken", epoch, 256);
        elsewhere.createSequencer(SequencerConfig.builder("tiny")
                .epoch(epoch)
                .layout(new SnowcastLayout(41, 1, 10))
                .build());
        HazelcastInstance another = Members.startClient(member);
        SnowcastSystem.snowcast(another)
                .createSequencer(SequencerConfig.builder("tiny")
                        .epoch(epoch)
                        .layout(new SnowcastLayout(41, 1, 10))
                        .build());
    }

    @AfterAll
    static void shutDown() {
        HazelcastClient.shutdownAll();
        member.shutdown();
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(SnowcastAutoConfiguration.class)
    static class Application {
        @Bean(destroyMethod = "")
        HazelcastInstance hazelcast() {
            return member;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Names {
        @Bean
        StringBuilder names() {
            return new StringBuilder();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Stores {
        @Bean
        BlockStore memory() {
            return STORE;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class SecondMember {
        @Bean(destroyMethod = "")
        HazelcastInstance second() {
            return client;
        }
    }

    private FailureAnalysis failure(List<String> lines, Class<?>... more) throws IOException {
        Class<?>[] sources = Arrays.copyOf(more, more.length + 1);
        sources[more.length] = Application.class;
        return failureOf(lines, sources);
    }

    private FailureAnalysis failureOf(List<String> lines, Class<?>... sources) throws IOException {
        Path file = Files.write(directory.resolve("application.properties"), lines);
        SpringApplication application = new SpringApplication(sources);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setRegisterShutdownHook(false);
        assertThatThrownBy(() -> application.run("--spring.config.location=" + file.toUri()))
                .isNotNull();
        return Objects.requireNonNull(RecordingReporter.take(), "nothing was analyzed");
    }

    @Test
    void missingEpochIsTold() throws IOException {
        FailureAnalysis failure = failure(List.of("snowcast.sequencers.orders.lease=1m"));
        assertThat(failure.getDescription())
                .isEqualTo("The start failed at the property snowcast.sequencers.orders.epoch:\n\n    Reason:"
                        + " snowcast.sequencers.orders.epoch is missing; must be an instant that is not in the future, such as"
                        + " 2024-01-01T00:00:00Z");
        assertThat(failure.getAction())
                .isEqualTo("Set it to an instant that is not in the future, such as 2024-01-01T00:00:00Z. A key with"
                        + " dots is written in brackets: snowcast.sequencers[my.orders].epoch");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            sequencers.orders.epoch=yesterday | sequencers.orders.epoch | must be an instant that is not in the future, such as 2024-01-01T00:00:00Z: yesterday | Set it to
            sequencers.orders.epoch=2024 | sequencers.orders.epoch | must be an instant that is not in the future, such as 2024-01-01T00:00:00Z: 2024 (a number means milliseconds since 1970, so this is 1970-01-01T00:00:02.024Z; an epoch before 2000 has to be written as an instant) | Set it to
            sequencers.orders.epoch=2024-01-01T00:00:00Z; sequencers.orders.layout=wide | sequencers.orders.layout | must be default, positive, javascript, or the bits of time, node ID and counter, such as 41/13/10: wide | Set it to
            sequencers.orders.epoch=2024-01-01T00:00:00Z; sequencers.orders.layout=41/14/9 | sequencers.orders.layout | such as 41/13/10: 41/14/9 (logicalNodeBits must be 1 to 13 in a cluster: 14) | Set it to
            sequencers.orders.epoch=2024-01-01T00:00:00Z; sequencers.orders.max-logical-nodes=100 | sequencers.orders.max-logical-nodes | must be a number from 128 to 8192: 100 | Set it to
            sequencers.orders.epoch=2024-01-01T00:00:00Z; sequencers.orders.counter-start=one | sequencers.orders.counter-start | must be random or zero: one | Set it to
            sequencers.orders.epoch=2024-01-01T00:00:00Z; sequencers.orders.lease=31d | sequencers.orders.lease | must be a duration from 1s to 30d, such as 5m: PT744H | Set it to
            sequencers.orders.epoch=2024-01-01T00:00:00Z; sequencers.orders.lease=1h | sequencers.orders.lease | cannot be used: sequencer orders: lease must be at most 300000 ms (snowcast.lease.millis, or the lease of the JdbcSnowcast): 3600000 | Shorten it
            sequencers.orders.epoch=2024-01-01T00:00:00Z; sequencers.orders.backup-count=7 | sequencers.orders.backup-count | must be a number from 0 to 6: 7 | Set it to
            sequencers.orders.epoch=2024-01-01T00:00:00Z; sequencers.orders.start-above=-1 | sequencers.orders.start-above | must be an ID, 0 to 18446744073709551615: -1 | Set it to
            sequences.products.first-value=-1 | sequences.products.first-value | must be a number from 0, above all integers that are in use: -1 (integer sequence products: firstValue must be 0 to 9223372036854775807: -1) | Set it to
            sequences.products.last-value=0 | sequences.products.last-value | must be a number that is not below first-value: 0 (integer sequence products: lastValue must be at least firstValue, 1: 0) | Set it to
            sequences.products.block-size=0 | sequences.products.block-size | must be a number from 1 to 16777216: 0 (integer sequence products: minBlockSize must be 1 to 16777216: 0) | Set it to
            sequences.products.min-block-size=10 | sequences.products.max-block-size | is missing; for an adaptive block size it must be a number from min-block-size to 16777216 | Set it to
            sequences.products.prefetch-threshold=1.5 | sequences.products.prefetch-threshold | must be a number above 0 and at most 1, such as 0.5: 1.5 | Set it to
            sequences.products.max-wait=-1s | sequences.products.max-wait | must be a duration from 0s to 365d, such as 10s: PT-1S | Set it to
            sequences.products.store-ref=names | sequences.products.store-ref | must be the name of a BlockStore bean (memory): names | Set it to
            sequencers.orders.epoch=2024-01-01T00:00:00Z; lease.millis=60000 | lease.millis | is a property of Hazelcast's members, which do not read it here | Set snowcast.cluster.lease here, if the member is started by this application; else set snowcast.lease.millis where
            sequencers.orders.epoch=2024-01-01T00:00:00Z; attach-timeout=soon | attach-timeout | must be a duration from 0s, such as 2m: soon | Set it to a duration
            sequencers.orders.epoch=2024-01-01T00:00:00Z; attach-timeout=-1s | attach-timeout | must not be negative: PT-1S | Set it to 2m, or leave it out
            sequencers.orders.epoch=2024-01-01T00:00:00Z; start-detached=perhaps | start-detached | must be true or false: perhaps | Set it to true or false
            sequencers.orders.epoch=2024-01-01T00:00:00Z; cluster.lease=long | cluster.lease | must be a duration from 1s to 30d, such as 5m: long | Set it to a duration from 1s to 30d
            sequencers.orders.epoch=2024-01-01T00:00:00Z; cluster.lease=10ms | cluster.lease | must be a duration from 1s to 30d, such as 5m: PT0.01S | or leave it out
            sequencers.orders.epoch=2024-01-01T00:00:00Z; cluster.max-lease=40d | cluster.max-lease | must be a duration from the lease to 30d, such as 10m: PT960H | or leave it out
            sequencers.orders.epoch=2024-01-01T00:00:00Z; cluster.max-clock-skew=2d | cluster.max-clock-skew | must be a duration from 0s to 1d, such as 60s: PT48H | or leave it out
            sequencers.orders.epoch=2024-01-01T00:00:00Z; cluster.node-id-range=all | cluster.node-id-range | must be two numbers from 0 to 65535 in order, such as 0-4095: all | or leave it out
            sequencers.orders.epoch=2024-01-01T00:00:00Z; cluster.node-id-range=20000-10000 | cluster.node-id-range | must be two numbers from 0 to 65535 in order, such as 0-4095: 20000-10000 | or leave it out
            sequencers.orders.epoch=2024-01-01T00:00:00Z; cluster.high-water-mark-members=2 | cluster.high-water-mark-members | together with high-water-mark-dir: 2, and snowcast.cluster.high-water-mark-dir is missing | or leave it out
            sequencers.orders.epoch=2024-01-01T00:00:00Z; cluster.full-restart-wait=true | cluster.full-restart-wait | has no effect on the member | set the Hazelcast property snowcast.full.restart.wait where the members are configured
            sequencers.orders.epoch=2024-01-01T00:00:00Z; sequencers.orders.layout=positive; sequencers.orders.max-logical-nodes=128 | sequencers.orders.max-logical-nodes | must not be set together with layout (positive): 128 | Set it to a number from 128 to 8192
            sequencers.orders.epoch=2024-01-01T00:00:00Z; lease=6m | lease | cannot be used: sequencer orders: lease must be at most 300000 ms (snowcast.lease.millis, or the lease of the JdbcSnowcast): 360000 | Shorten it, or raise the Hazelcast property snowcast.lease.millis on all members
            sequencers.orders.epoch=2024-01-01T00:00:00Z; sequencers.orders.max-nodes=128 | sequencers.orders.max-nodes | is not a property of a sequencer: name, epoch, layout, max-logical-nodes, counter-start, lease, backup-count, start-above | Correct its name
            sequencers.taken.epoch=2024-01-01T00:00:00Z | sequencers.taken | cannot be used: sequencer taken is registered with another definition | Give it the epoch, layout, backup count and start-above that it has in the cluster, or another name
            sequencers.tiny.epoch=2024-01-01T00:00:00Z; sequencers.tiny.layout=41/1/10 | sequencers.tiny.max-logical-nodes | cannot be used: sequencer tiny: all 2 node IDs are in use: 2 attached, 0 expiring | Stop an instance of it, wait until a node ID is free
            sequencers.a.epoch=2024-01-01T00:00:00Z; sequencers.a.name=same; sequencers.b.epoch=2024-01-01T00:00:00Z; sequencers.b.name=same | sequencers.a.name | snowcast.sequencers.b is also named same | Name one of them differently, or remove it
            sequencers.names.epoch=2024-01-01T00:00:00Z | sequencers.names | there is a bean of that name and of another type: java.lang.StringBuilder | Give the sequencer another key
            sequences.products.block-size=7; sequences.products.block-duration=7s | sequences.products.block-size | must not be set with those of an adaptive block size: 7 | ''
            sequences.products.min-block-size=7; sequences.products.max-block-size=6; sequences.products.block-duration=7s | sequences.products.max-block-size | must be a number from min-block-size to 16777216: 6 | Set it
            sequences.products.first-value=3000000000 | sequences.products.last-value | must be a number that is not below first-value (integer sequence products: lastValue must be at least firstValue, 3000000000: 2147483647) | ''
            sequences.products.ordering=strict | sequences.products.ordering | is not a property of an integer sequence: name, first-value, last-value, block-size, | Correct its name, or remove it
            sequences.products=5000001 | sequences.products | must be the beginning of the names of properties, one or more of name, first-value, | Remove it
            sequences.a.name=same; sequences.b.name=same | sequences.a.name | snowcast.sequences.b is also named same | Name one of them differently, or remove it
            sequencers.orders.epoch=2024-01-01T00:00:00Z; sequences.orders.first-value=1 | sequences.orders | there is a bean of that name and of another type: com.noctarius.snowcast.SnowcastSequencer | Give the integer sequence another key
            sequences.taken-integers.last-value=9 | sequences.taken-integers | cannot be used: integer sequence taken-integers is registered with another definition: last value 7, not 9 | Give it the first value, last value and store that it has, or another name
            sequences.products.store-ref=memory; sequences.products.first-value=5000001 | sequences.products | cannot be used: sequence products: the first integer is 1 in MemoryBlockStore{1 to 9223372036854775807}, and must be 5000001 or above | Do what the reason says in the store, or lower first-value if it is above what the store has
            node-leases.tsid.max-node=16 | node-leases.tsid.max-node | is not a property of a node lease: name, max-nodes, lease, backup-count | Correct its name, or remove it. A key with dots is written in brackets: snowcast.node-leases[my.generator].max-nodes
            node-leases.a.name=b | node-leases.a.max-nodes | is missing | ''
            node-leases.a.max-nodes=1 | node-leases.a.max-nodes | must be the number of node IDs | ''
            node-leases.a.max-nodes=65537 | node-leases.a.max-nodes | must be the number of node IDs | ''
            node-leases.tsid.max-nodes=many | node-leases.tsid.max-nodes | must be the number of node IDs that the generator has room for, from 2 to 65536: many | Set it to the number of node IDs
            backup-count=9 | backup-count | backupCount must be 0 to 6: 9 | ''
            hazelcast-instance-ref=names | hazelcast-instance-ref | must be the name of a HazelcastInstance bean (hazelcast): names | ''
            """)
    void aWrongPropertyIsToldWithItsPlaceAndTheWayOut(String lines, String property, String reason, String action)
            throws IOException {
        List<String> settings =
                Stream.of(lines.split("; ")).map(line -> "snowcast." + line).toList();
        FailureAnalysis failure = failure(settings, Names.class, Stores.class);
        assertThat(failure.getDescription())
                .startsWith("The start failed at the property snowcast." + property + ":")
                .contains("Reason: snowcast." + property + " ")
                .contains(reason);
        for (int i = 0; i < settings.size(); i++) {
            String[] setting = settings.get(i).split("=", 2);
            if (setting[0].equals("snowcast." + property)) {
                assertThat(failure.getDescription())
                        .contains("Value: " + setting[1] + "\n")
                        .contains("application.properties] - " + (i + 1) + ":" + (setting[0].length() + 2));
            }
        }
        assertThat(failure.getAction()).contains(action);
    }

    @Test
    void propertyOfAKeyInBracketsIsFound() throws IOException {
        FailureAnalysis failure = failure(List.of(
                "snowcast.sequencers[my.Orders].epoch=" + EPOCH, "snowcast.sequencers[my.Orders].maxLogicalNodes=12"));
        assertThat(failure.getDescription())
                .contains("The start failed at the property snowcast.sequencers[my.Orders].max-logical-nodes")
                .contains("Value: 12\n")
                .contains("application.properties] - 2:");
    }

    private static final String WAYS = "Add the dependency com.noctarius.snowcast:snowcast-jdbc and a"
            + " DataSource (spring.datasource.url): its database is the store then. Or add"
            + " com.noctarius.snowcast:snowcast-cassandra, and declare a CassandraBlockStore bean. Or declare a BlockStore"
            + " bean of your own. For a first try, spring.datasource.url=jdbc:h2:file:./ids;WRITE_DELAY=0 and"
            + " snowcast.jdbc.create-tables=true are enough; for tests, a MemoryBlockStore bean";

    @Test
    void aSequenceWithoutAStoreIsToldTheWaysOut() throws IOException {
        FailureAnalysis none = failure(List.of("snowcast.sequences.products.block-size=7"));
        assertThat(none.getDescription())
                .isEqualTo("The start failed at the property snowcast.sequences.products.store-ref:\n\n    Reason:"
                        + " snowcast.sequences.products.store-ref is missing, and there is no store of integers");
        assertThat(none.getAction()).isEqualTo(WAYS);
        assertThat(failure(List.of("snowcast.sequences.products.store-ref=shards"))
                        .getAction())
                .isEqualTo(WAYS);
    }

    @Configuration(proxyBeanMethods = false)
    static class SecondStore {
        @Bean
        BlockStore shards() {
            return new MemoryBlockStore();
        }
    }

    @Test
    void aSequenceWithSeveralStoresIsToldHowToChoose() throws IOException {
        FailureAnalysis several =
                failure(List.of("snowcast.sequences.products.block-size=7"), Stores.class, SecondStore.class);
        assertThat(several.getDescription())
                .contains("store-ref is missing, and there are several BlockStore beans and none is primary: memory,"
                        + " shards");
        assertThat(several.getAction()).isEqualTo("Set it to the name of one, or make one @Primary");
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(SnowcastJdbcStoreAutoConfiguration.class)
    static class TwoDatabases {
        @Bean
        DataSource shop() {
            return new JdbcDataSource();
        }

        @Bean
        DataSource archive() {
            return new JdbcDataSource();
        }
    }

    @Test
    void aSequenceWithSeveralDatabasesIsToldHowToChoose() throws IOException {
        FailureAnalysis several = failure(
                List.of("snowcast.store=hazelcast", "snowcast.sequences.products.block-size=7"), TwoDatabases.class);
        assertThat(several.getDescription())
                .contains("store-ref is missing, and there are several DataSource beans and none is primary: shop,"
                        + " archive");
        assertThat(several.getAction())
                .isEqualTo("Make the one that keeps the integers @Primary, or declare a JdbcShards bean over it; or"
                        + " declare a BlockStore bean");
    }

    /** A property is empty, for example, if its value refers to an environment variable that is empty. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            sequencers.orders.epoch     |    | an instant that is not in the future, such as 2024-01-01T00:00:00Z
            sequencers.orders.epoch     | \\  | an instant that is not in the future, such as 2024-01-01T00:00:00Z
            sequencers.orders.lease     |    | a duration from 1s to 30d, such as 5m
            sequences.products.max-wait |    | a duration from 0s to 365d, such as 10s
            """)
    void aPropertyThatIsEmptyIsToldAsEmpty(String property, @Nullable String blank, String allowed) throws IOException {
        FailureAnalysis failure = failure(List.of("snowcast." + property + "=" + (blank == null ? "" : blank + " ")));
        assertThat(failure.getDescription())
                .startsWith("The start failed at the property snowcast." + property + ":")
                .endsWith("Reason: snowcast." + property + " must be " + allowed + ", and is empty")
                .contains("application.properties] - ");
        assertThat(failure.getAction()).isEqualTo("Set it to " + allowed + ", or remove it");
    }

    @Test
    void instanceThatCannotBeChosenIsTold() throws IOException {
        FailureAnalysis several = failure(List.of(), SecondMember.class);
        assertThat(several.getDescription())
                .startsWith("The start failed at the property snowcast.hazelcast-instance-ref:")
                .contains("several HazelcastInstance beans and none is primary: second, hazelcast");
        assertThat(several.getAction()).isEqualTo("Set it to the name of one, or make one @Primary");
        FailureAnalysis unknown = failure(List.of("snowcast.hazelcast-instance-ref=third"), SecondMember.class);
        assertThat(unknown.getDescription())
                .contains("Value: third")
                .contains("must be the name of a HazelcastInstance bean (second, hazelcast): third");
    }

    @Test
    void propertiesOfTheClusterHaveNoEffectOnAClient() throws IOException {
        FailureAnalysis failure = failure(
                List.of("snowcast.hazelcast-instance-ref=second", "snowcast.cluster.lease=1m"), SecondMember.class);
        assertThat(failure.getDescription())
                .startsWith("The start failed at the property snowcast.cluster.lease:")
                .contains("has no effect on the client ");
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnSnowcast {
        @Bean
        Snowcast own() {
            return SnowcastSystem.snowcast(client);
        }
    }

    @Test
    void propertiesOfTheClusterHaveNoEffectOnASnowcastOfTheApplication() throws IOException {
        assertThat(failure(List.of("snowcast.cluster.lease=1m"), OwnSnowcast.class)
                        .getDescription())
                .startsWith("The start failed at the property snowcast.cluster.lease:")
                .contains("has no effect on the member ");
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(SnowcastAutoConfiguration.class)
    static class MemberOfItsOwn {
        @Bean
        Config config() {
            return Members.config();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            snowcast.sequencers=orders       | snowcast.sequencers | one or more of name, epoch, | snowcast.sequencers.orders.epoch=2024-01-01T00:00:00Z
            snowcast.sequencers.orders=2024  | snowcast.sequencers.orders | one or more of name, epoch, | snowcast.sequencers.orders.epoch=2024-01-01T00:00:00Z
            snowcast.node-leases=tsid        | snowcast.node-leases | one or more of name, max-nodes, lease, | snowcast.node-leases.tsid.max-nodes=1024
            snowcast.node-leases.tsid=1024   | snowcast.node-leases.tsid | one or more of name, max-nodes, | snowcast.node-leases.tsid.max-nodes=1024
            snowcast.sequences=my.products   | snowcast.sequences | one or more of name, first-value, | snowcast.sequences[my.products].first-value=1
            """)
    void aGroupOfPropertiesThatHasAValueItselfIsTold(String line, String property, String reason, String instead)
            throws IOException {
        FailureAnalysis failure = failure(List.of(line));
        assertThat(failure.getDescription())
                .startsWith("The start failed at the property " + property + ":")
                .contains("must be the beginning of the names of properties, " + reason)
                .endsWith(": " + line.substring(line.indexOf('=') + 1));
        assertThat(failure.getAction()).isEqualTo("Remove it, and set " + instead);
    }

    @ParameterizedTest
    @CsvSource({"300, PT0.3S", "500ms, PT0.5S", "31d, PT744H"})
    void aCommonLeaseThatNoMemberCanHaveIsToldUnderItsOwnName(String value, String duration) throws IOException {
        FailureAnalysis failure = failureOf(
                List.of("snowcast.sequencers.orders.epoch=" + EPOCH, "snowcast.lease=" + value), MemberOfItsOwn.class);
        assertThat(failure.getDescription())
                .startsWith("The start failed at the property snowcast.lease:")
                .contains("Value: " + value)
                .endsWith("must be a duration from 1s to 30d, such as 5m: " + duration);
        assertThat(failure.getAction()).endsWith("a number without a unit is milliseconds");
    }

    @Test
    void twoPropertiesThatOnlyTheMemberComparesAreTold() throws IOException {
        FailureAnalysis failure = failureOf(
                List.of(
                        "snowcast.sequencers.orders.epoch=" + EPOCH,
                        "snowcast.lease=10m",
                        "snowcast.cluster.max-lease=6m"),
                MemberOfItsOwn.class);
        assertThat(failure.getDescription())
                .contains("snowcast.max.lease.millis must be a number from 600000 to 2592000000: 360000");
        assertThat(failure.getAction()).contains("snowcast.cluster.max-lease here");
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(SnowcastAutoConfiguration.class)
    static class NoMember {}

    @Configuration(proxyBeanMethods = false)
    @Import({OfThisLine.class, NoMember.class})
    static class MemberOfBoot {}

    /** Imports Boot's auto-configuration for Hazelcast, whose name differs between Boot 3 and 4. */
    static class OfThisLine implements DeferredImportSelector {
        @Override
        public String[] selectImports(AnnotationMetadata metadata) {
            return new String[] {Boot.HAZELCAST.getName()};
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/nowhere/hazelcast.yaml", "classpath:nowhere.yaml", "nowhere.txt"})
    void aFileOfTheSystemPropertyThatIsNotThereIsTold(String location) throws IOException {
        for (String property : List.of("hazelcast.config", "hazelcast.client.config")) {
            System.setProperty(property, location);
            try {
                FailureAnalysis failure =
                        failureOf(List.of("snowcast.sequencers.orders.epoch=" + EPOCH), NoMember.class);
                assertThat(failure.getDescription())
                        .startsWith("Hazelcast cannot read the file of -D" + property + "=" + location);
                assertThat(failure.getAction()).startsWith("Correct the system property " + property);
            } finally {
                System.clearProperty(property);
            }
        }
    }

    @Test
    void aFileOfSpringsPropertyThatIsNotThereIsToldWithAndWithoutBootsModule() throws IOException {
        List<String> lines =
                List.of("snowcast.sequencers.orders.epoch=" + EPOCH, "spring.hazelcast.config=classpath:nowhere.yaml");
        for (Class<?> application : List.of(NoMember.class, MemberOfBoot.class)) {
            FailureAnalysis failure = failureOf(lines, application);
            assertThat(failure.getDescription())
                    .startsWith("The start failed at the property spring.hazelcast.config:")
                    .contains("Value: classpath:nowhere.yaml")
                    .contains("cannot be read: ");
            assertThat(failure.getAction()).startsWith("Set it to the location of Hazelcast's configuration");
        }
    }

    /**
     * A different partition count takes the place of a different version of Hazelcast, because one class path cannot
     * have two versions.
     */
    @Test
    void aMemberThatTheOthersDoNotLetInIsToldWithItsVersionAndTheWayOut() throws IOException {
        int port = FreePort.get();
        int second = FreePort.get();
        String name = "spring-" + UUID.randomUUID();
        HazelcastInstance first = Hazelcast.newHazelcastInstance(Members.oneOfTwo(name, port, second, "both"));
        try {
            NOT_LET_IN.set(Members.oneOfTwo(name, second, port, "both")
                    .setProperty(ClusterProperty.PARTITION_COUNT.getName(), "7"));
            FailureAnalysis failure =
                    failureOf(List.of("snowcast.sequencers.orders.epoch=" + EPOCH), MemberOutside.class);
            assertThat(failure.getDescription())
                    .contains("of Hazelcast " + HazelcastVersion.present() + ", could not join its cluster");
            assertThat(failure.getAction())
                    .contains("have the same minor version")
                    .contains("set the property hazelcast.version of the build");
        } finally {
            first.shutdown();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(SnowcastAutoConfiguration.class)
    static class MemberOutside {
        @Bean
        Config config() {
            return Objects.requireNonNull(NOT_LET_IN.get());
        }
    }

    @Test
    void aSplitBrainProtectionThatIsNotConfiguredIsTold() throws IOException {
        FailureAnalysis failure =
                failureOf(List.of("snowcast.cluster.split-brain-protection-name=majority"), MemberOfItsOwn.class);
        assertThat(failure.getDescription())
                .startsWith("The start failed at the property snowcast.cluster.split-brain-protection-name:")
                .contains("must be the name of a split-brain protection of the member's configuration")
                .contains("(there is none): majority");
        assertThat(failure.getAction()).contains("Configure it with its minimum cluster size in hazelcast.yaml");
    }
}
