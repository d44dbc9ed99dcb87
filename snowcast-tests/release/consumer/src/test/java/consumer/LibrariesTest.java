// SPDX-License-Identifier: Apache-2.0
package consumer;

import static com.noctarius.snowcast.test.IdAssertions.assertThatId;
import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.config.Config;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastSequenceUtils;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.cassandra.CassandraBlockStore;
import com.noctarius.snowcast.hibernate.SnowcastSettings;
import com.noctarius.snowcast.ids.SnowflakeId;
import com.noctarius.snowcast.jackson.JsonSnowcastId;
import com.noctarius.snowcast.jackson.SnowcastJackson3Module;
import com.noctarius.snowcast.jdbc.JdbcBlockStore;
import com.noctarius.snowcast.jdbc.JdbcSchema;
import com.noctarius.snowcast.jdbc.JdbcShards;
import com.noctarius.snowcast.mybatis.SnowcastIdentifierGenerator;
import com.noctarius.snowcast.persistence.SnowcastId;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.MemoryBlockStore;
import com.noctarius.snowcast.test.TestIds;
import com.noctarius.snowcast.test.TestSequencer;
import com.noctarius.snowcast.tests.store.BlockLedger;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.h2.jdbcx.JdbcDataSource;
import org.hibernate.SessionFactory;
import org.hibernate.boot.MetadataSources;
import org.hibernate.boot.registry.StandardServiceRegistryBuilder;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.json.JsonMapper;

/** Calls each library as its users do. */
class LibrariesTest {
    private static final SnowcastEpoch EPOCH = SnowcastEpoch.byInstant(Instant.parse("2024-01-01T00:00:00Z"));

    private static SnowcastSequencer standalone() {
        return SnowcastSystem.standaloneSequencer(
                SequencerConfig.builder("orders").epoch(EPOCH).build(), 1);
    }

    private static Config alone() {
        Config config = new Config().setClusterName("consumer-" + UUID.randomUUID());
        config.getNetworkConfig().getJoin().getAutoDetectionConfig().setEnabled(false);
        config.getNetworkConfig().getJoin().getMulticastConfig().setEnabled(false);
        return config;
    }

    @Test
    void coreStatusAndFlakeIdsInACluster() throws Exception {
        Config config = alone();
        HazelcastInstance member = Hazelcast.newHazelcastInstance(config);
        ClientConfig clientConfig = new ClientConfig().setClusterName(config.getClusterName());
        clientConfig.getNetworkConfig().addAddress("127.0.0.1:" + member.getCluster().getLocalMember().getAddress().getPort());
        HazelcastInstance client = HazelcastClient.newHazelcastClient(clientConfig);
        try {
            long first = SnowcastSystem.snowcast(member).createSequencer("orders", EPOCH).next();
            long second = SnowcastSystem.snowcast(client).createSequencer("orders", EPOCH).next();
            long third = client.getFlakeIdGenerator("snowcast:orders").newId();
            assertThat(first).isNotIn(second, third);
            assertThat(second).isNotEqualTo(third);
            assertThat(SnowcastSystem.clusterStatus(member).toString()).contains("orders");
        } finally {
            client.shutdown();
            member.shutdown();
        }
    }

    @Test
    void idsOfVersionsOneAndTwo() throws InterruptedException {
        assertThat(SnowcastSequenceUtils.logicalNodeId(standalone().next())).isEqualTo(1);
    }

    @Test
    void text() throws InterruptedException {
        long id = standalone().next();
        assertThat(SnowflakeId.parseBase62(SnowflakeId.toBase62(id))).isEqualTo(id);
    }

    @Test
    void idsInTests(@TestIds("orders") TestSequencer orders) throws InterruptedException {
        assertThatId(orders.next(), orders).hasLogicalNodeId(0);
    }

    @Test
    void integersFromADatabase() throws InterruptedException {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        JdbcShards shards = JdbcShards.builder()
                .shard(database)
                .statementTimeout(Duration.ofMinutes(2))
                .callTimeout(Duration.ofMinutes(3))
                .build();
        JdbcSchema schema = new JdbcSchema(shards);
        schema.create(1_000);
        schema.defineSequence("products", 100, Integer.MAX_VALUE);
        IntegerSequenceConfig config = IntegerSequenceConfig.builder("products")
                .firstValue(100)
                .store(new JdbcBlockStore(shards))
                .build();
        try (IntegerSequence products = SnowcastSystem.standaloneIntegerSequence(config)) {
            assertThat(products.nextInt()).isGreaterThanOrEqualTo(100);
        }
    }

    /** Checks that the driver and its libraries are on the class path. Calls no Cassandra node. */
    @Test
    void integersFromCassandra() {
        assertThat(CassandraBlockStore.rangeSizeFor(10, Duration.ofHours(24), 0.5)).isPositive();
        assertThat(com.datastax.oss.driver.api.core.CqlSession.builder()).isNotNull();
        assertThat(io.netty.util.Version.identify()).containsKey("netty-handler");
    }

    @Test
    void contractOfStores() {
        BlockStore store = new MemoryBlockStore(1, 10);
        BlockLedger ledger = new BlockLedger(1, 10);
        ledger.add(store.reserve("orders", 10));
        ledger.requireAll();
    }

    @Entity
    static class PurchaseOrder {
        @Id
        @SnowcastId("orders")
        long id;
    }

    @Test
    void keysOfHibernate() {
        var registry = new StandardServiceRegistryBuilder()
                .applySetting(SnowcastSettings.SEQUENCERS, Map.of("orders", standalone()))
                .applySetting("hibernate.connection.url", "jdbc:h2:mem:" + UUID.randomUUID())
                .applySetting("hibernate.hbm2ddl.auto", "create")
                .build();
        try (SessionFactory sessions = new MetadataSources(registry)
                .addAnnotatedClass(PurchaseOrder.class)
                .buildMetadata()
                .buildSessionFactory()) {
            PurchaseOrder order = new PurchaseOrder();
            sessions.inTransaction(session -> session.persist(order));
            assertThat(order.id).isNotZero();
        }
    }

    record Order(@JsonSnowcastId long id) {}

    @Test
    void textInJson() throws InterruptedException {
        JsonMapper mapper =
                JsonMapper.builder().addModule(new SnowcastJackson3Module()).build();
        long id = standalone().next();
        assertThat(mapper.writeValueAsString(new Order(id))).contains("\"id\":\"");
    }

    @EnableAutoConfiguration
    static class Application {}

    @Test
    void beansOfSpring() throws InterruptedException {
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .properties("snowcast.standalone-node=0", "snowcast.sequencers.orders.epoch=2024-01-01T00:00:00Z")
                .run()) {
            assertThat(context.getBean("orders", SnowcastSequencer.class).next()).isNotZero();
        }
    }

    @Test
    void keysOfMyBatis() {
        assertThat(new SnowcastIdentifierGenerator(standalone()).nextId(null)).isNotZero();
    }
}
