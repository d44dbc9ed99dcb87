// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.mongodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.ids.SnowflakeId;
import com.noctarius.snowcast.persistence.SnowcastId;
import com.noctarius.snowcast.persistence.SnowcastSequence;
import com.noctarius.snowcast.spring.data.MongoSnowcastIdCallback;
import com.noctarius.snowcast.store.MemoryBlockStore;
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.annotation.Id;
import org.springframework.data.convert.ConverterBuilder;
import org.springframework.data.domain.Sort;
import org.springframework.data.mapping.MappingException;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import org.springframework.data.mongodb.core.convert.MongoCustomConversions;
import org.springframework.data.mongodb.core.mapping.MongoMappingContext;
import org.springframework.data.mongodb.core.query.Query;
import org.springframework.util.ClassUtils;

/**
 * Tests identifiers of Spring Data MongoDB on the server that {@code -Dsnowcast.mongodb.uri=} names. Without that
 * property, the tests use a server in this JVM that implements MongoDB's protocol, because Maven Central does not have
 * MongoDB.
 */
@Tag("integration")
class SpringDataMongoTest {
    private static final String GIVEN = System.getProperty("snowcast.mongodb.uri", "");
    private static @Nullable MongoServer server;
    private static String uri = GIVEN;

    interface Entry {
        @Nullable
        Object key();

        int position();
    }

    record Parcel(@Id @SnowcastId("orders") long id, int position) implements Entry {
        @Override
        public Object key() {
            return id;
        }
    }

    /** Spring Data uses a property with the name id as the identifier, even without {@code @Id}. */
    record Letter(@SnowcastId("orders") @Nullable Long id, int position) implements Entry {
        @Override
        public @Nullable Object key() {
            return id;
        }
    }

    record Invoice(
            @Id @SnowcastId(value = "orders", prefix = "inv_") @Nullable
            String id,

            int position) implements Entry {
        @Override
        public @Nullable Object key() {
            return id;
        }
    }

    record Ticket(@Id @SnowcastId("orders") @Nullable UUID id, int position) implements Entry {
        @Override
        public @Nullable Object key() {
            return id;
        }
    }

    record BasketId(long value) {}

    record Basket(@Id @SnowcastId("orders") @Nullable BasketId id, int position) implements Entry {
        @Override
        public @Nullable Object key() {
            return id;
        }
    }

    record Stamp(@Id @SnowcastSequence("stamps") int id, int position) implements Entry {
        @Override
        public Object key() {
            return id;
        }
    }

    record NotTheId(@Id String id, @SnowcastId("orders") long number) {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {
        @Bean
        SnowcastSequencer orders() {
            return sequencer();
        }

        @Bean
        IntegerSequence stamps() {
            return SnowcastSystem.standaloneIntegerSequence(IntegerSequenceConfig.builder("stamps")
                    .store(new MemoryBlockStore())
                    .build());
        }

        @Bean
        MongoCustomConversions mongoCustomConversions() {
            return new MongoCustomConversions(
                    List.copyOf(ConverterBuilder.reading(Long.class, BasketId.class, BasketId::new)
                            .andWriting(BasketId::value)
                            .getConverters()));
        }
    }

    private static SnowcastSequencer sequencer() {
        return SnowcastSystem.standaloneSequencer(
                SequencerConfig.builder("orders")
                        .epoch(SnowcastEpoch.byInstant(Instant.parse("2024-01-01T00:00:00Z")))
                        .build(),
                7);
    }

    @BeforeAll
    static void start() {
        if (GIVEN.isEmpty()) {
            MongoServer started = new MongoServer(new MemoryBackend());
            server = started;
            uri = started.bindAndGetConnectionString();
            System.out.println("No -Dsnowcast.mongodb.uri=: mongo-java-server stands in for MongoDB, at " + uri);
        }
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.shutdownNow();
        }
    }

    /** Starts an application. The properties occur twice, because Boot 3.5 and 4 have different names for them. */
    private static ConfigurableApplicationContext run() {
        String database = "/snowcast-" + UUID.randomUUID();
        String address = uri.replaceFirst("/$", "") + database;
        return new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .properties(
                        "snowcast.enabled=false",
                        "spring.data.mongodb.uri=" + address,
                        "spring.data.mongodb.uuid-representation=standard",
                        "spring.mongodb.uri=" + address,
                        "spring.mongodb.representation.uuid=standard")
                .run();
    }

    @Test
    void documentsGetTheirIds() {
        try (ConfigurableApplicationContext context = run()) {
            MongoTemplate mongo = context.getBean(MongoTemplate.class);
            check(
                    new Store() {
                        @Override
                        public <E extends Entry> List<E> saveAll(List<E> entries) {
                            return entries.stream().map(mongo::save).toList();
                        }

                        @Override
                        public <E extends Entry> @Nullable E find(Object key, Class<E> type) {
                            return mongo.findById(key, type);
                        }

                        @Override
                        public <E extends Entry> List<E> sorted(Class<E> type) {
                            return mongo.find(new Query().with(Sort.by("id")), type);
                        }
                    },
                    context.getBean(SnowcastSequencer.class));
            // Check a bulk insert, and a document with an ID that the application has set.
            assertThat(mongo.insertAll(List.of(new Parcel(0, 1), new Parcel(0, 2))))
                    .extracting(Parcel::id)
                    .doesNotContain(0L)
                    .doesNotHaveDuplicates();
            assertThat(mongo.save(new Parcel(17, 1)).id()).isEqualTo(17);
            // The ID 0 counts as not set, even if the property could be null.
            assertThat(mongo.save(new Letter(0L, 1)).key()).isNotEqualTo(0L);
            assertThat(mongo.save(new Basket(new BasketId(0), 1)).key()).isNotEqualTo(new BasketId(0));
        }
    }

    @Test
    void documentsGetTheirIdsReactively() {
        try (ConfigurableApplicationContext context = run()) {
            ReactiveMongoTemplate mongo = context.getBean(ReactiveMongoTemplate.class);
            check(
                    new Store() {
                        @Override
                        public <E extends Entry> List<E> saveAll(List<E> entries) {
                            return entries.stream()
                                    .map(entry -> Objects.requireNonNull(
                                            mongo.save(entry).block(Duration.ofMinutes(1))))
                                    .toList();
                        }

                        @Override
                        public <E extends Entry> @Nullable E find(Object key, Class<E> type) {
                            return mongo.findById(key, type).block(Duration.ofMinutes(1));
                        }

                        @Override
                        public <E extends Entry> List<E> sorted(Class<E> type) {
                            return Objects.requireNonNull(mongo.find(new Query().with(Sort.by("id")), type)
                                    .collectList()
                                    .block(Duration.ofMinutes(1)));
                        }
                    },
                    context.getBean(SnowcastSequencer.class));
        }
    }

    interface Store {
        <E extends Entry> List<E> saveAll(List<E> entries);

        <E extends Entry> @Nullable E find(Object key, Class<E> type);

        <E extends Entry> List<E> sorted(Class<E> type);
    }

    private static void check(Store store, SnowcastSequencer orders) {
        check(store, Parcel.class, i -> new Parcel(0, i), key -> (Long) key);
        check(store, Letter.class, i -> new Letter(null, i), key -> (Long) key);
        check(store, Invoice.class, i -> new Invoice(null, i), key -> SnowflakeId.parsePrefixed("inv_", (String) key));
        check(
                store,
                Ticket.class,
                i -> new Ticket(null, i),
                key -> SnowflakeId.ofUuid((UUID) key, orders.layout(), orders.epoch())
                        .value());
        check(store, Basket.class, i -> new Basket(null, i), key -> ((BasketId) key).value());
        check(store, Stamp.class, i -> new Stamp(0, i), key -> (long) (Integer) key);
    }

    private static <E extends Entry> void check(
            Store store, Class<E> type, IntFunction<E> maker, Function<Object, Long> toId) {
        List<E> saved = store.saveAll(IntStream.range(0, 20).mapToObj(maker).toList());
        assertThat(saved.stream().map(Entry::key).map(Objects::requireNonNull).map(toId))
                .isSorted()
                .doesNotHaveDuplicates()
                .allMatch(id -> id > 0);
        E seventh = saved.get(7);
        assertThat(seventh.position()).isEqualTo(7);
        assertThat(store.find(Objects.requireNonNull(seventh.key()), type)).isEqualTo(seventh);
        assertThat(store.sorted(type)).containsExactlyElementsOf(saved);
    }

    @Test
    void anAnnotationWithoutEffectIsRefusedAtStart() {
        MongoMappingContext context = new MongoMappingContext();
        context.getPersistentEntity(NotTheId.class);
        MongoSnowcastIdCallback callback =
                new MongoSnowcastIdCallback(context, Map.of("orders", sequencer()), Map.of());
        assertThatThrownBy(callback::afterSingletonsInstantiated)
                .isInstanceOf(MappingException.class)
                .hasMessageStartingWith("@SnowcastId " + NotTheId.class.getName() + ".number has no effect");
    }

    /** {@code @DataMongoTest} disables every auto-configuration that is not listed for this annotation. */
    @Test
    void theSliceOfMongoHasThem() throws ClassNotFoundException {
        ClassLoader loader = SpringDataMongoTest.class.getClassLoader();
        String boot4 = "org.springframework.boot.data.mongodb.test.autoconfigure.AutoConfigureDataMongo";
        String boot3 = "org.springframework.boot.test.autoconfigure.data.mongo.AutoConfigureDataMongo";
        Class<?> slice = Class.forName(ClassUtils.isPresent(boot4, loader) ? boot4 : boot3, false, loader);
        assertThat(ImportCandidates.load(slice, loader))
                .contains("com.noctarius.snowcast.spring.SnowcastAutoConfiguration")
                .contains("com.noctarius.snowcast.spring.data.SnowcastDataAutoConfiguration");
    }
}
