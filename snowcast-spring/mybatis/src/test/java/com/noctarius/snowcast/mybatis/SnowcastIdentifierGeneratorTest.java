// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.mybatis;

import static com.noctarius.snowcast.mybatis.Entities.LONG_TABLE;
import static com.noctarius.snowcast.mybatis.Entities.TEXT_TABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.baomidou.mybatisplus.core.incrementer.IdentifierGenerator;
import com.baomidou.mybatisplus.core.toolkit.IdWorker;
import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.config.MapConfig;
import com.hazelcast.config.MapStoreConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.MapStore;
import com.hazelcast.map.MapStoreAdapter;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.ids.SnowflakeId;
import com.noctarius.snowcast.mybatis.Entities.Document;
import com.noctarius.snowcast.mybatis.Entities.Documents;
import com.noctarius.snowcast.mybatis.Entities.OfInteger;
import com.noctarius.snowcast.mybatis.Entities.OfIntegers;
import com.noctarius.snowcast.mybatis.Entities.OfPrefix;
import com.noctarius.snowcast.mybatis.Entities.OfPrefixes;
import com.noctarius.snowcast.mybatis.Entities.OfUnknown;
import com.noctarius.snowcast.mybatis.Entities.OfUnknowns;
import com.noctarius.snowcast.mybatis.Entities.Order;
import com.noctarius.snowcast.mybatis.Entities.Orders;
import com.noctarius.snowcast.mybatis.Entities.Parcel;
import com.noctarius.snowcast.mybatis.Entities.Parcels;
import com.noctarius.snowcast.mybatis.Entities.SpecialOrder;
import com.noctarius.snowcast.mybatis.Entities.SpecialOrders;
import com.noctarius.snowcast.mybatis.Entities.Unnamed;
import com.noctarius.snowcast.mybatis.Entities.Unnameds;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.apache.ibatis.exceptions.PersistenceException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mybatis.spring.annotation.MapperScan;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcTemplate;

/** Tests applications with MyBatis-Plus, on the Boot version whose MyBatis-Plus starter is on the class path. */
@Tag("integration")
class SnowcastIdentifierGeneratorTest {
    private static final Instant EPOCH = Instant.parse("2024-01-01T00:00:00Z");
    private static final int NODE_OF_ORDERS = 42;
    private static final int NODE_OF_PARCELS = 43;
    /** The built-in epoch of MyBatis-Plus, which is also the epoch of Twitter's Snowflake. */
    private static final SnowcastEpoch EPOCH_OF_MYBATIS_PLUS = SnowcastEpoch.byTimestamp(1_288_834_974_657L);

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @MapperScan(
            basePackageClasses = Entities.class,
            markerInterface = com.baomidou.mybatisplus.core.mapper.Mapper.class)
    static class Application {}

    @Configuration(proxyBeanMethods = false)
    static class OneSequencer {
        @Bean
        SnowcastSequencer orders() {
            return sequencer("orders", NODE_OF_ORDERS);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OtherSequencer {
        @Bean
        SnowcastSequencer parcels() {
            return sequencer("parcels", NODE_OF_PARCELS);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class PrimarySequencer {
        @Bean
        @Primary
        SnowcastSequencer orders() {
            return sequencer("orders", NODE_OF_ORDERS);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class GeneratorOfTheDocument {
        @Bean
        SnowcastIdentifierGenerator ids(Map<String, SnowcastSequencer> sequencers, SnowcastSequencer orders) {
            return new SnowcastIdentifierGenerator(sequencers, orders);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnGenerator {
        @Bean
        IdentifierGenerator ids() {
            return entity -> 4_711L;
        }
    }

    /** A bean that inserts a row while the context closes. */
    static final class LastOrder implements AutoCloseable {
        private final Orders orders;
        final Order order = new Order();

        LastOrder(Orders orders) {
            this.orders = orders;
        }

        @Override
        public void close() {
            orders.insert(order);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class LastOrderAtTheEnd {
        @Bean
        LastOrder lastOrder(Orders orders) {
            return new LastOrder(orders);
        }
    }

    private static SnowcastSequencer sequencer(String name, int node) {
        return SnowcastSystem.standaloneSequencer(
                SequencerConfig.builder(name)
                        .epoch(SnowcastEpoch.byInstant(EPOCH))
                        .layout(SnowcastLayout.POSITIVE)
                        .build(),
                node);
    }

    private static ConfigurableApplicationContext run(String[] properties, Class<?>... sources) {
        ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
                .sources(sources)
                .web(WebApplicationType.NONE)
                .properties(
                        "spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1",
                        "mybatis-plus.global-config.banner=false")
                .properties(properties)
                .run();
        JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
        jdbc.execute(LONG_TABLE);
        jdbc.execute(TEXT_TABLE);
        return context;
    }

    private static ConfigurableApplicationContext run(Class<?>... sources) {
        return run(new String[0], sources);
    }

    @AutoClose
    private static ConfigurableApplicationContext ofOne;

    @BeforeAll
    static void start() {
        ofOne = run(OneSequencer.class);
    }

    private static int node(@Nullable Long id) {
        return SnowcastLayout.POSITIVE.logicalNodeId(Objects.requireNonNull(id));
    }

    @Test
    void entitiesGetIdsOfTheSequencersThatTheyNameAndThoseThatNameNoneAreRefused() {
        try (ConfigurableApplicationContext context = run(OneSequencer.class, OtherSequencer.class)) {
            Order order = new Order();
            SpecialOrder special = new SpecialOrder();
            Parcel parcel = new Parcel();
            assertThat(context.getBean(Orders.class).insert(order)).isOne();
            assertThat(context.getBean(SpecialOrders.class).insert(special)).isOne();
            assertThat(context.getBean(Parcels.class).insert(parcel)).isOne();

            assertThat(node(order.id)).isEqualTo(NODE_OF_ORDERS);
            assertThat(node(special.id)).isEqualTo(NODE_OF_ORDERS);
            assertThat(special.id).isGreaterThan(order.id);
            assertThat(parcel.id).isNotNull();
            assertThat(node(Long.valueOf(parcel.id))).isEqualTo(NODE_OF_PARCELS);
            assertThat(context.getBean(Orders.class).selectById(order.id)).isNotNull();
            assertThat(context.getBean(Parcels.class).selectById(parcel.id)).isNotNull();
            assertThatThrownBy(() -> context.getBean(Unnameds.class).insert(new Unnamed()))
                    .hasStackTraceContaining("No sequencer for " + Unnamed.class.getName()
                            + ".id, which names none; there are: [orders, parcels]. Name one by @SnowcastId");
            assertThatThrownBy(IdWorker::getId).isInstanceOf(PersistenceException.class);
        }
    }

    @Test
    void uuidsAreThoseOfIdsAndSort() {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            Document document = new Document();
            ofOne.getBean(Documents.class).insert(document);
            ids.add(document.id);
        }
        assertThat(ids).doesNotContainNull().isSorted().doesNotHaveDuplicates().allSatisfy(id -> {
            UUID uuid = new UUID(
                    new BigInteger(id.substring(0, 16), 16).longValue(),
                    new BigInteger(id.substring(16), 16).longValue());
            SnowflakeId read = SnowflakeId.ofUuid(uuid, SnowcastLayout.POSITIVE, SnowcastEpoch.byInstant(EPOCH));
            assertThat(read.logicalNodeId()).isEqualTo(NODE_OF_ORDERS);
        });
        assertThat(ofOne.getBean(Documents.class).selectById(ids.get(7))).isNotNull();
    }

    @Test
    void onlySequencerServesEntitiesThatNameNoneAndTheIdWorker() {
        try (ConfigurableApplicationContext context = run(OneSequencer.class)) {
            Unnamed unnamed = new Unnamed();
            context.getBean(Unnameds.class).insert(unnamed);
            assertThat(node(unnamed.id)).isEqualTo(NODE_OF_ORDERS);
            assertThat(node(IdWorker.getId())).isEqualTo(NODE_OF_ORDERS);
        }
    }

    /** Uses the properties that docs/persistence.md recommends if there are rows with IDs of MyBatis-Plus. */
    @Test
    void sequencersOfPropertiesServeUntilTheMappersAreGone() {
        String[] properties = {
            "snowcast.standalone-node=7",
            "snowcast.sequencers.orders.epoch=2010-11-04T01:42:54.657Z",
            "snowcast.sequencers.orders.layout=positive"
        };
        LastOrder last;
        try (ConfigurableApplicationContext context = run(properties, LastOrderAtTheEnd.class)) {
            Order order = new Order();
            context.getBean(Orders.class).insert(order);
            SnowcastSequencer orders = context.getBean(SnowcastSequencer.class);
            assertThat(orders.epoch()).isEqualTo(EPOCH_OF_MYBATIS_PLUS);
            assertThat(orders.layout()).isEqualTo(SnowcastLayout.POSITIVE);
            assertThat(SnowflakeId.of(Objects.requireNonNull(order.id), orders).instant())
                    .isAfter(EPOCH);
            last = context.getBean(LastOrder.class);
        }
        assertThat(last.order.id).isNotNull();
    }

    /** A cycle: the member uses the mappers, whose entities need the sequencers, which need the member. */
    @Configuration(proxyBeanMethods = false)
    static class Circle {
        @Bean
        HazelcastInstance hazelcast(Orders orders, Parcels parcels) {
            MapStore<String, String> store = new MapStoreAdapter<>() {
                @Override
                public void store(String key, String value) {
                    Order order = new Order();
                    order.name = value;
                    orders.insert(order);
                    parcels.insert(new Parcel());
                }
            };
            Config config = new Config().setClusterName("mybatis-" + UUID.randomUUID());
            JoinConfig join = config.getNetworkConfig().getJoin();
            join.getAutoDetectionConfig().setEnabled(false);
            join.getMulticastConfig().setEnabled(false);
            config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface("127.0.0.1");
            return Hazelcast.newHazelcastInstance(config.addMapConfig(
                    new MapConfig("stored").setMapStoreConfig(new MapStoreConfig().setImplementation(store))));
        }
    }

    @Test
    void aMapStoreOfTheMemberCanHaveMappers() {
        String[] properties = {
            "snowcast.sequencers.orders.epoch=2024-01-01T00:00:00Z",
            "snowcast.sequencers.parcels.epoch=2024-01-01T00:00:00Z"
        };
        try (ConfigurableApplicationContext context = run(properties, Circle.class)) {
            context.getBean(HazelcastInstance.class).getMap("stored").put("a", "first");
            assertThat(context.getBean(Orders.class).selectList(null))
                    .hasSize(1)
                    .allMatch(order -> order.id != null && order.id != 0 && "first".equals(order.name));
            assertThat(context.getBean(Parcels.class).selectCount(null)).isEqualTo(1);
        }
    }

    @Test
    void primarySequencerServesEntitiesThatNameNone() {
        try (ConfigurableApplicationContext context = run(PrimarySequencer.class, OtherSequencer.class)) {
            Unnamed unnamed = new Unnamed();
            context.getBean(Unnameds.class).insert(unnamed);
            assertThat(node(unnamed.id)).isEqualTo(NODE_OF_ORDERS);
        }
    }

    @Test
    void generatorOfTheDocumentServesEntitiesThatNameNone() {
        try (ConfigurableApplicationContext context =
                run(OneSequencer.class, OtherSequencer.class, GeneratorOfTheDocument.class)) {
            Unnamed unnamed = new Unnamed();
            Parcel parcel = new Parcel();
            context.getBean(Unnameds.class).insert(unnamed);
            context.getBean(Parcels.class).insert(parcel);
            assertThat(node(unnamed.id)).isEqualTo(NODE_OF_ORDERS);
            assertThat(parcel.id).isNotNull();
            assertThat(node(Long.valueOf(parcel.id))).isEqualTo(NODE_OF_PARCELS);
        }
    }

    @Test
    void idThatIsSetStays() {
        Order order = new Order();
        order.id = 17L;
        ofOne.getBean(Orders.class).insert(order);
        assertThat(ofOne.getBean(Orders.class).selectById(17L)).isNotNull();
    }

    @Test
    void whatCannotGetAnIdIsRefused() {
        assertThatThrownBy(() -> ofOne.getBean(OfUnknowns.class).insert(new OfUnknown()))
                .hasStackTraceContaining("@SnowcastId(\"unknown\") " + OfUnknown.class.getName()
                        + ".id: there is no sequencer \"unknown\"; there are: [orders]");
        assertThatThrownBy(() -> ofOne.getBean(OfIntegers.class).insert(new OfInteger()))
                .hasStackTraceContaining("@TableId " + OfInteger.class.getName()
                        + ".id must be Long or String, not java.lang.Integer, which an ID of 64 bits does not fit");
        assertThatThrownBy(() -> ofOne.getBean(OfPrefixes.class).insert(new OfPrefix()))
                .hasStackTraceContaining("@SnowcastId " + OfPrefix.class.getName()
                        + ".id must have neither form nor prefix: the text is MyBatis-Plus' own");
    }

    @Test
    void withoutSequencersInsertsFail() {
        try (ConfigurableApplicationContext context = run(new String[] {"snowcast.standalone-node=7"})) {
            assertThatThrownBy(() -> context.getBean(Unnameds.class).insert(new Unnamed()))
                    .hasStackTraceContaining("which names none; there are: []");
        }
    }

    @Test
    void backsOffForAnotherGeneratorAndWhenSwitchedOff() {
        try (ConfigurableApplicationContext context = run(OneSequencer.class, OwnGenerator.class)) {
            Unnamed unnamed = new Unnamed();
            context.getBean(Unnameds.class).insert(unnamed);
            assertThat(unnamed.id).isEqualTo(4_711);
        }
        try (ConfigurableApplicationContext context = run(new String[] {"snowcast.enabled=false"})) {
            assertThatExceptionOfType(NoSuchBeanDefinitionException.class)
                    .isThrownBy(() -> context.getBean(IdentifierGenerator.class));
        }
    }

    /** The layout has one ID per millisecond, so the second call within a millisecond has to wait. */
    @Test
    void anInterruptEndsTheWaitAndIsKept() {
        SnowcastIdentifierGenerator generator = new SnowcastIdentifierGenerator(SnowcastSystem.standaloneSequencer(
                SequencerConfig.builder("slow")
                        .epoch(SnowcastEpoch.byInstant(EPOCH))
                        .layout(new SnowcastLayout(41, 1, 0))
                        .build(),
                0));
        Throwable thrown = null;
        while (thrown == null) {
            Thread.currentThread().interrupt();
            thrown = catchThrowable(() -> generator.nextId(null));
        }
        assertThat(Thread.interrupted()).isTrue();
        assertThat(thrown)
                .isExactlyInstanceOf(PersistenceException.class)
                .hasMessage("Interrupted while waiting for an ID of sequencer slow")
                .hasCauseInstanceOf(InterruptedException.class);
    }
}
