// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.jpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.config.MapConfig;
import com.hazelcast.config.MapStoreConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.MapStore;
import com.hazelcast.map.MapStoreAdapter;
import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.hibernate.Members;
import com.noctarius.snowcast.hibernate.SnowcastSettings;
import com.noctarius.snowcast.spring.IntegerSequenceFactoryBean;
import com.noctarius.snowcast.spring.SequencerFactoryBean;
import com.noctarius.snowcast.spring.data.Contexts;
import com.noctarius.snowcast.spring.data.SnowcastEntityManagerFactoryPostProcessor;
import com.noctarius.snowcast.store.MemoryBlockStore;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.h2.jdbcx.JdbcDataSource;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.DestructionAwareBeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;

/** Tests identifiers of JPA entities in Spring, with and without Boot. */
@Tag("integration")
class JpaTest {
    private static final String EPOCH = "snowcast.sequencers.deliveries.epoch=2024-01-01T00:00:00Z";
    private static final String FIRST = "snowcast.sequences.products.first-value=5000001";

    @Configuration(proxyBeanMethods = false)
    @AutoConfigurationPackage
    @Import(Destructions.class)
    static class Application {}

    static final class Destructions implements DestructionAwareBeanPostProcessor {
        final List<String> names = new ArrayList<>();

        @Override
        public void postProcessBeforeDestruction(Object bean, String beanName) {
            names.add(beanName);
        }
    }

    @Test
    void bootNeedsThePropertiesOnly() {
        Destructions destructions;
        try (ConfigurableApplicationContext context = Contexts.jdbc(Application.class, EPOCH, FIRST)) {
            destructions = context.getBean(Destructions.class);
            DeliveryRepository deliveries = context.getBean(DeliveryRepository.class);
            List<Delivery> saved = deliveries.saveAll(
                    IntStream.range(0, 1_000).mapToObj(Delivery::new).toList());
            assertThat(saved.stream().map(delivery -> delivery.id))
                    .isSortedAccordingTo(Long::compareUnsigned)
                    .doesNotHaveDuplicates()
                    .doesNotContain(0L);
            SnowcastSequencer sequencer = context.getBean("deliveries", SnowcastSequencer.class);
            assertThat(sequencer.logicalNodeId(saved.get(0).id))
                    .isEqualTo(sequencer.logicalNodeId(Members.next(sequencer)));
            assertThat(context.getBean(EntityManagerFactory.class)
                            .unwrap(SessionFactory.class)
                            .getStatistics()
                            .getPrepareStatementCount())
                    .isEqualTo(1);
            assertThat(deliveries.count()).isEqualTo(1_000);
            assertThat(deliveries.findById(saved.get(7).id))
                    .map(delivery -> delivery.position)
                    .contains(7);

            ProductRepository products = context.getBean(ProductRepository.class);
            assertThat(products
                            .saveAll(IntStream.range(0, 1_000)
                                    .mapToObj(Product::new)
                                    .toList())
                            .stream()
                            .map(product -> product.id))
                    .containsExactlyElementsOf(
                            IntStream.range(5_000_001, 5_001_001).boxed().toList());
            assertThat(products.findById(5_000_008))
                    .map(product -> product.position)
                    .contains(7);
        }
        assertThat(destructions.names)
                .containsSubsequence("entityManagerFactory", "deliveries")
                .containsSubsequence("entityManagerFactory", "products");
    }

    /** A cycle: the member uses the repositories, whose entities need the sequencer, which needs the member. */
    @Configuration(proxyBeanMethods = false)
    @AutoConfigurationPackage
    static class Circle {
        @Bean
        HazelcastInstance hazelcast(DeliveryRepository deliveries, ProductRepository products) {
            MapStore<String, Integer> store = new MapStoreAdapter<>() {
                @Override
                public void store(String key, Integer value) {
                    deliveries.save(new Delivery(value));
                    products.save(new Product(value));
                }
            };
            return Hazelcast.newHazelcastInstance(Members.config()
                    .addMapConfig(
                            new MapConfig("stored").setMapStoreConfig(new MapStoreConfig().setImplementation(store))));
        }
    }

    @Test
    void aMapStoreOfTheMemberCanHaveARepository() {
        try (ConfigurableApplicationContext context = Contexts.withoutMember(Circle.class, EPOCH, FIRST)) {
            context.getBean(HazelcastInstance.class).getMap("stored").put("a", 7);
            assertThat(context.getBean(DeliveryRepository.class).findAll())
                    .hasSize(1)
                    .allMatch(delivery -> delivery.id != 0 && delivery.position == 7);
            assertThat(context.getBean(ProductRepository.class).findAll())
                    .extracting(product -> product.id)
                    .containsExactly(5_000_001);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @AutoConfigurationPackage
    static class StoringCircle {
        @Bean(destroyMethod = "")
        HazelcastInstance hazelcast(DeliveryRepository deliveries) {
            deliveries.save(new Delivery(1));
            throw new AssertionError("stored without an ID");
        }
    }

    @Test
    void storingBeforeTheMemberIsThereIsRefusedWithTheWayOut() {
        assertThatThrownBy(() -> Contexts.withoutMember(StoringCircle.class, EPOCH, FIRST)
                        .close())
                .hasStackTraceContaining("No ID of sequencer \"deliveries\" for " + Delivery.class.getName()
                        + ".id: The bean \"deliveries\" cannot be made yet: it needs a bean that is being made and that"
                        + " itself needs \"deliveries\"")
                .hasStackTraceContaining("Inject an ObjectProvider of the repository into the MapStore");
    }

    @Configuration(proxyBeanMethods = false)
    @AutoConfigurationPackage
    static class OwnStandaloneBeans {
        @Bean
        SnowcastSequencer deliveries() {
            return standalone(7);
        }

        @Bean
        IntegerSequence products() {
            return standaloneProducts();
        }
    }

    @Test
    void ownStandaloneBeansServeAlsoIfNothingIsConfigured() {
        try (ConfigurableApplicationContext context =
                Contexts.withoutMember(OwnStandaloneBeans.class, "snowcast.enabled=false")) {
            SnowcastSequencer deliveries = context.getBean(SnowcastSequencer.class);
            assertThat(deliveries.logicalNodeId(
                            context.getBean(DeliveryRepository.class).save(new Delivery(1)).id))
                    .isEqualTo(7);
            assertThat(context.getBean(ProductRepository.class).save(new Product(1)).id)
                    .isEqualTo(1);
            assertThat(context.getBeansOfType(HazelcastInstance.class)).isEmpty();
        }
    }

    @Test
    void anUnknownSequencerFailsAtStart() {
        assertThatThrownBy(() -> Contexts.jdbc(
                                Application.class, FIRST, "snowcast.sequencers.orders.epoch=2024-01-01T00:00:00Z")
                        .close())
                .hasStackTraceContaining("@SnowcastId(\"deliveries\") " + Delivery.class.getName()
                        + ".id: There is no sequencer \"deliveries\"; there are: [orders]");
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Destructions.class)
    static class Plain {
        @Bean
        LocalContainerEntityManagerFactoryBean entityManagerFactory() {
            JdbcDataSource database = new JdbcDataSource();
            database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
            LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();
            factory.setDataSource(database);
            factory.setPackagesToScan(Delivery.class.getPackageName());
            HibernateJpaVendorAdapter hibernate = new HibernateJpaVendorAdapter();
            hibernate.setGenerateDdl(true);
            factory.setJpaVendorAdapter(hibernate);
            return factory;
        }

        @Bean
        static SnowcastEntityManagerFactoryPostProcessor snowcastIds() {
            return new SnowcastEntityManagerFactoryPostProcessor();
        }

        /** Declared after the entity manager factory, so that the order of declaration cannot make the test succeed. */
        @Bean
        SequencerFactoryBean deliveries(Snowcast snowcast) {
            return new SequencerFactoryBean(
                    snowcast,
                    SequencerConfig.builder("deliveries").epoch(Members.EPOCH).build());
        }

        @Bean
        IntegerSequenceFactoryBean products(Snowcast snowcast) {
            return new IntegerSequenceFactoryBean(
                    snowcast,
                    IntegerSequenceConfig.builder("products")
                            .store(new MemoryBlockStore())
                            .build());
        }

        @Bean
        Snowcast snowcast(HazelcastInstance hazelcast) {
            return SnowcastSystem.snowcast(hazelcast);
        }

        @Bean(destroyMethod = "shutdown")
        HazelcastInstance hazelcast() {
            return Members.alone();
        }
    }

    @Test
    void plainSpringNeedsThePostProcessor() {
        Destructions destructions;
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(Plain.class)) {
            destructions = context.getBean(Destructions.class);
            Delivery delivery = persist(context);
            Product product = new Product(1);
            persist(context, product);
            assertThat(product.id).isEqualTo(1);
            SnowcastSequencer sequencer = context.getBean(SnowcastSequencer.class);
            assertThat(sequencer.getSequencerState()).isEqualTo(SnowcastSequenceState.Attached);
            assertThat(delivery.id).isPositive().isLessThan(Members.next(sequencer));
        }
        assertThat(destructions.names)
                .containsSubsequence("entityManagerFactory", "deliveries", "hazelcast")
                .containsSubsequence("entityManagerFactory", "products", "hazelcast");
    }

    @Test
    void aChildContextHasTheSequencersOfItsParent() {
        try (AnnotationConfigApplicationContext parent = new AnnotationConfigApplicationContext();
                AnnotationConfigApplicationContext child = new AnnotationConfigApplicationContext()) {
            parent.registerBean("ofParent", SnowcastSequencer.class, () -> standalone(5));
            parent.registerBean("products", IntegerSequence.class, JpaTest::standaloneProducts);
            parent.refresh();
            child.setParent(parent);
            child.registerBean(
                    "entityManagerFactory",
                    LocalContainerEntityManagerFactoryBean.class,
                    new Plain()::entityManagerFactory);
            child.registerBean(SnowcastEntityManagerFactoryPostProcessor.class);
            child.refresh();
            assertThat(standalone(6).logicalNodeId(persist(child).id)).isEqualTo(5);
        }
    }

    @Test
    void whatTheUserSetStays() {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.registerBean("ofContext", SnowcastSequencer.class, () -> standalone(5));
            context.registerBean("entityManagerFactory", LocalContainerEntityManagerFactoryBean.class, () -> {
                LocalContainerEntityManagerFactoryBean factory = new Plain().entityManagerFactory();
                factory.getJpaPropertyMap().put(SnowcastSettings.SEQUENCERS, Map.of("deliveries", standalone(7)));
                factory.getJpaPropertyMap().put(SnowcastSettings.SEQUENCES, Map.of("products", standaloneProducts()));
                return factory;
            });
            context.registerBean(SnowcastEntityManagerFactoryPostProcessor.class);
            context.refresh();
            assertThat(standalone(6).logicalNodeId(persist(context).id)).isEqualTo(7);
        }
    }

    private static SnowcastSequencer standalone(int logicalNodeId) {
        return Members.standalone("deliveries", SnowcastLayout.DEFAULT, logicalNodeId);
    }

    private static IntegerSequence standaloneProducts() {
        return Members.integers("products", new MemoryBlockStore());
    }

    private static Delivery persist(AnnotationConfigApplicationContext context) {
        Delivery delivery = new Delivery(1);
        persist(context, delivery);
        return delivery;
    }

    private static void persist(AnnotationConfigApplicationContext context, Object entity) {
        try (EntityManager entities = context.getBean("entityManagerFactory", EntityManagerFactory.class)
                .createEntityManager()) {
            entities.getTransaction().begin();
            entities.persist(entity);
            entities.getTransaction().commit();
        }
    }
}
