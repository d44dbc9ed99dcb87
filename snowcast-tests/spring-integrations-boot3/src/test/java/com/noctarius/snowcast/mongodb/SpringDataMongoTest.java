// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.mongodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;

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
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.ToLongFunction;
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
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Query SORTED = new Query().with(Sort.by("id"));
    private static @Nullable MongoServer server;
    private static String uri = GIVEN;

    interface Entry {
        int position();
    }

    record Parcel(@Id @SnowcastId("orders") long id, int position) implements Entry {}

    /** Spring Data uses a property with the name id as the identifier, even without {@code @Id}. */
    record Letter(@SnowcastId("orders") @Nullable Long id, int position) implements Entry {}

    record Invoice(
            @Id @SnowcastId(value = "orders", prefix = "inv_") @Nullable
            String id,

            int position) implements Entry {}

    record Ticket(@Id @SnowcastId("orders") @Nullable UUID id, int position) implements Entry {}

    record BasketId(long value) {}

    record Basket(@Id @SnowcastId("orders") @Nullable BasketId id, int position) implements Entry {}

    record Stamp(@Id @SnowcastSequence("stamps") int id, int position) implements Entry {}

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
                    new Store(mongo::save, mongo::findById, type -> mongo.find(SORTED, type)),
                    context.getBean(SnowcastSequencer.class));
            // Check a bulk insert, and a document with an ID that the application has set.
            assertThat(mongo.insertAll(List.of(new Parcel(0, 1), new Parcel(0, 2))))
                    .extracting(Parcel::id)
                    .doesNotContain(0L)
                    .doesNotHaveDuplicates();
            assertThat(mongo.save(new Parcel(17, 1)).id()).isEqualTo(17);
            // The ID 0 counts as not set, even if the property could be null.
            assertThat(mongo.save(new Letter(0L, 1)).id()).isNotEqualTo(0L);
            assertThat(mongo.save(new Basket(new BasketId(0), 1)).id()).isNotEqualTo(new BasketId(0));
        }
    }

    @Test
    void documentsGetTheirIdsReactively() {
        try (ConfigurableApplicationContext context = run()) {
            ReactiveMongoTemplate mongo = context.getBean(ReactiveMongoTemplate.class);
            check(
                    new Store(
                            entry -> mongo.save(entry).block(PATIENCE),
                            (key, type) -> mongo.findById(key, type).block(PATIENCE),
                            type -> mongo.find(SORTED, type).collectList().block(PATIENCE)),
                    context.getBean(SnowcastSequencer.class));
        }
    }

    /** The operations of a template, which may be reactive. */
    private record Store(
            Function<Entry, @Nullable Entry> save,
            BiFunction<Object, Class<? extends Entry>, @Nullable Entry> find,
            Function<Class<? extends Entry>, @Nullable List<? extends Entry>> sorted) {}

    private static void check(Store store, SnowcastSequencer orders) {
        check(store, Parcel.class, i -> new Parcel(0, i), Parcel::id, id -> id);
        check(store, Letter.class, i -> new Letter(null, i), Letter::id, id -> id);
        check(
                store,
                Invoice.class,
                i -> new Invoice(null, i),
                Invoice::id,
                id -> SnowflakeId.parsePrefixed("inv_", id));
        check(
                store,
                Ticket.class,
                i -> new Ticket(null, i),
                Ticket::id,
                id -> SnowflakeId.ofUuid(id, orders.layout(), orders.epoch()).value());
        check(store, Basket.class, i -> new Basket(null, i), Basket::id, BasketId::value);
        check(store, Stamp.class, i -> new Stamp(0, i), Stamp::id, id -> id);
    }

    private static <E extends Entry, K> void check(
            Store store, Class<E> type, IntFunction<E> maker, Function<E, @Nullable K> key, ToLongFunction<K> toId) {
        List<E> saved = IntStream.range(0, 20)
                .mapToObj(i -> type.cast(store.save().apply(maker.apply(i))))
                .toList();
        assertThat(saved.stream().map(key).map(Objects::requireNonNull).mapToLong(toId))
                .isSorted()
                .doesNotHaveDuplicates()
                .allMatch(id -> id > 0);
        E seventh = saved.get(7);
        assertThat(seventh.position()).isEqualTo(7);
        assertThat(store.find().apply(Objects.requireNonNull(key.apply(seventh)), type))
                .isEqualTo(seventh);
        assertThat(store.sorted().apply(type)).asInstanceOf(LIST).containsExactlyElementsOf(saved);
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
