// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.config.MapConfig;
import com.hazelcast.config.MapStoreConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.MapStore;
import com.hazelcast.map.MapStoreAdapter;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.hibernate.Members;
import com.noctarius.snowcast.ids.SnowflakeId;
import com.noctarius.snowcast.persistence.SnowcastId;
import com.noctarius.snowcast.persistence.SnowcastSequence;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.MemoryBlockStore;
import com.noctarius.snowcast.tests.Warnings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.dao.TransientDataAccessResourceException;
import org.springframework.data.annotation.CreatedDate;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.Version;
import org.springframework.data.convert.ConverterBuilder;
import org.springframework.data.domain.Sort;
import org.springframework.data.jdbc.core.JdbcAggregateOperations;
import org.springframework.data.jdbc.core.convert.JdbcCustomConversions;
import org.springframework.data.jdbc.repository.config.EnableJdbcAuditing;
import org.springframework.data.mapping.MappingException;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;
import org.springframework.data.r2dbc.repository.R2dbcRepository;
import org.springframework.data.r2dbc.repository.support.R2dbcRepositoryFactory;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;
import org.springframework.jdbc.core.JdbcTemplate;

@Tag("integration")
class SpringDataTest {
    private static final String NO_EFFECT =
            " has no effect, so its value would be stored as 0 or null: the property must be"
                    + " the identifier, and have org.springframework.data.annotation.Id";
    private static final String NO_KEY =
            " must be long, Long, String or UUID, or a record or class that wraps one of them, not ";
    /** A time-out so long that only a hang exceeds it, even on a busy machine. */
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private static final String EPOCH = "snowcast.sequencers.parcels.epoch=2024-01-01T00:00:00Z";

    record Parcel(@Id @SnowcastId("parcels") long id, int position) {}

    record Wrapped(@Id @SnowcastId("parcels") @Nullable Long id, int position) {}

    record Versioned(
            @Id @SnowcastId("parcels") long id,
            @Version @Nullable Integer version) {}

    record Audited(
            @Id @SnowcastId("parcels") long id,
            @CreatedDate @Nullable Instant created) {}

    static final class Mutable {
        @Id
        @SnowcastId("parcels")
        @Nullable
        Long id;

        int position;
    }

    static final class Withered {
        @Id
        @SnowcastId("parcels")
        final long id;

        final int position;

        Withered(long id, int position) {
            this.id = id;
            this.position = position;
        }

        Withered withId(long id) {
            return new Withered(id, position);
        }
    }

    record NoAnnotation(@Id @Nullable Long id, int position) {}

    record OfShort(@Id @SnowcastId("parcels") @Nullable Short id) {}

    record Unknown(@Id @SnowcastId("unknown") long id) {}

    record Stamp(@Id @SnowcastSequence("stamps") int id, int position) {}

    record WrappedStamp(
            @Id @SnowcastSequence("stamps") @Nullable Integer id, int position) {}

    record LongStamp(@Id @SnowcastSequence("stamps") long id, int position) {}

    record StampOfString(
            @Id @SnowcastSequence("stamps") @Nullable String id) {}

    record ParcelOfInt(@Id @SnowcastId("parcels") int id) {}

    record UnknownStamp(@Id @SnowcastSequence("unknown") int id) {}

    record Both(
            @Id @SnowcastId("parcels") @SnowcastSequence("stamps")
            long id) {}

    record OfJpa(
            @jakarta.persistence.Id @SnowcastId("parcels") long id, int position) {}

    record NotTheId(@Id long id, @SnowcastSequence("stamps") int number) {}

    interface Parcels extends R2dbcRepository<Parcel, Long> {}

    interface Keyed {
        @Nullable
        Object id();

        int position();
    }

    record Invoice(
            @Id @SnowcastId(value = "parcels", prefix = "inv_") @Nullable
            String id,

            int position) implements Keyed {}

    record Coupon(
            @Id @SnowcastId(value = "parcels", form = SnowcastId.Form.BASE62) @Nullable
            String id,

            int position) implements Keyed {}

    record Ticket(@Id @SnowcastId("parcels") @Nullable UUID id, int position) implements Keyed {}

    record BasketId(long value) {}

    record Basket(@Id @SnowcastId("parcels") @Nullable BasketId id, int position) implements Keyed {}

    @Configuration(proxyBeanMethods = false)
    @EnableJdbcAuditing
    static class Jdbc {
        @Bean
        JdbcCustomConversions jdbcCustomConversions() {
            return new JdbcCustomConversions(
                    List.copyOf(ConverterBuilder.reading(Long.class, BasketId.class, BasketId::new)
                            .andWriting(BasketId::value)
                            .getConverters()));
        }
    }

    @AutoClose
    private static ConfigurableApplicationContext context;

    private static SnowcastSequencer parcels;
    private static JdbcAggregateOperations jdbc;

    @BeforeAll
    static void start() {
        context = Contexts.jdbc(Jdbc.class, EPOCH, "snowcast.sequences.stamps.first-value=70");
        parcels = context.getBean("parcels", SnowcastSequencer.class);
        jdbc = context.getBean(JdbcAggregateOperations.class);
        JdbcTemplate sql = context.getBean(JdbcTemplate.class);
        create(sql, "int", "stamp", "wrapped_stamp");
        create(sql, "bigint", "parcel", "wrapped", "withered", "mutable", "long_stamp", "basket");
        create(sql, "char(17)", "invoice");
        create(sql, "char(11)", "coupon");
        create(sql, "uuid", "ticket");
        sql.execute("create table versioned (id bigint primary key, version int)");
        sql.execute("create table audited (id bigint primary key, created timestamp)");
        sql.execute("create table no_annotation (id bigint generated always as identity primary key, position int)");
    }

    private static void create(JdbcTemplate sql, String key, String... tables) {
        for (String table : tables) {
            sql.execute("create table \"" + table.toUpperCase(Locale.ROOT) + "\" (id " + key
                    + " primary key, position int)");
        }
    }

    /** A cycle: the member uses the JDBC operations, which need the sequencer, which needs the member. */
    @Configuration(proxyBeanMethods = false)
    static class Circle {
        @Bean
        HazelcastInstance hazelcast(JdbcAggregateOperations jdbc) {
            MapStore<String, Integer> store = new MapStoreAdapter<>() {
                @Override
                public void store(String key, Integer value) {
                    jdbc.save(new Parcel(0, value));
                }
            };
            return Hazelcast.newHazelcastInstance(Members.config()
                    .addMapConfig(
                            new MapConfig("stored").setMapStoreConfig(new MapStoreConfig().setImplementation(store))));
        }
    }

    @Test
    void aMapStoreOfTheMemberCanStoreEntities() {
        try (ConfigurableApplicationContext own = Contexts.withoutMember(Circle.class, EPOCH)) {
            create(own.getBean(JdbcTemplate.class), "bigint", "parcel");
            own.getBean(HazelcastInstance.class).getMap("stored").put("a", 7);
            assertThat(own.getBean(JdbcAggregateOperations.class).findAll(Parcel.class))
                    .hasSize(1)
                    .allMatch(parcel -> parcel.id() != 0 && parcel.position() == 7);
        }
    }

    @Test
    void jdbcEntitiesGetTheirIds() {
        long before = Members.next(parcels);

        List<Parcel> saved = jdbc.saveAll(
                IntStream.range(0, 1_000).mapToObj(i -> new Parcel(0, i)).toList());
        assertThat(saved.stream().map(Parcel::id))
                .isSortedAccordingTo(Long::compareUnsigned)
                .doesNotHaveDuplicates();
        assertThat(saved.get(0).id()).isGreaterThan(before);
        assertThat(jdbc.findById(saved.get(7).id(), Parcel.class)).isEqualTo(saved.get(7));

        assertThat(jdbc.save(new Wrapped(null, 1)).id())
                .isGreaterThan(saved.get(999).id());
        assertThat(jdbc.save(new Withered(0, 1)).id).isGreaterThan(before);
        Mutable mutable = new Mutable();
        assertThat(jdbc.save(mutable)).isSameAs(mutable);
        assertThat(Objects.requireNonNull(mutable.id)).isGreaterThan(before);

        // An update must not change the ID.
        Parcel changed = jdbc.save(new Parcel(saved.get(7).id(), -7));
        assertThat(changed.id()).isEqualTo(saved.get(7).id());
        assertThat(jdbc.count(Parcel.class)).isEqualTo(1_000);

        Versioned generated = jdbc.save(new Versioned(0, null));
        assertThat(generated.id()).isGreaterThan(before);
        assertThat(generated.version()).isZero();
        // While its version is null, the entity is new, although the application has set its ID.
        assertThat(jdbc.save(new Versioned(42, null)).id()).isEqualTo(42);
        assertThat(jdbc.insert(new Parcel(43, 1)).id()).isEqualTo(43);
        assertThat(jdbc.insert(new Wrapped(0L, 2)).id()).isGreaterThan(before);

        // Auditing must treat the entity as new.
        Audited audited = jdbc.save(new Audited(0, null));
        assertThat(audited.id()).isGreaterThan(before);
        assertThat(audited.created()).isNotNull();

        assertThat(Objects.requireNonNull(jdbc.save(new NoAnnotation(null, 1)).id()))
                .isLessThan(before);
        assertThatThrownBy(() -> jdbc.save(new OfShort(null)))
                .hasStackTraceContaining("@SnowcastId " + OfShort.class.getName() + ".id" + NO_KEY + "java.lang.Short");
        assertThatThrownBy(() -> jdbc.save(new Unknown(0)))
                .hasStackTraceContaining("@SnowcastId(\"unknown\") " + Unknown.class.getName()
                        + ".id: there is no sequencer \"unknown\"; there are: [parcels]");
    }

    @Test
    void r2dbcEntitiesGetTheirIdsAndIntegers() {
        try (ConfigurableApplicationContext own =
                Contexts.r2dbc(From70.class, EPOCH, "snowcast.sequences.stamps.first-value=70")) {
            SnowcastSequencer sequencer = own.getBean("parcels", SnowcastSequencer.class);
            R2dbcEntityTemplate template = own.getBean(R2dbcEntityTemplate.class);
            template.getDatabaseClient()
                    .sql("create table parcel (id bigint primary key, position int)")
                    .then()
                    .block(PATIENCE);
            Parcels parcels = new R2dbcRepositoryFactory(template).getRepository(Parcels.class);
            long before = Members.next(sequencer);
            List<Parcel> saved = Objects.requireNonNull(parcels.saveAll(IntStream.range(0, 1_000)
                            .mapToObj(i -> new Parcel(0, i))
                            .toList())
                    .collectList()
                    .block(PATIENCE));
            assertThat(saved.stream().map(Parcel::id))
                    .isSortedAccordingTo(Long::compareUnsigned)
                    .doesNotHaveDuplicates();
            assertThat(saved.get(0).id()).isGreaterThan(before);
            assertThat(Objects.requireNonNull(
                                    parcels.save(new Parcel(saved.get(7).id(), -7))
                                            .block(PATIENCE))
                            .id())
                    .isEqualTo(saved.get(7).id());
            assertThat(parcels.count().block(PATIENCE)).isEqualTo(1_000);
            template.getDatabaseClient()
                    .sql("create table stamp (id int primary key, position int)")
                    .then()
                    .block(PATIENCE);
            for (int id = 70; id < 80; id++) {
                assertThat(template.insert(new Stamp(0, 1)).block(PATIENCE)).isEqualTo(new Stamp(id, 1));
            }
        }
    }

    @Test
    void jdbcEntitiesGetIntegers() {
        List<Stamp> saved = jdbc.saveAll(
                IntStream.range(0, 1_000).mapToObj(i -> new Stamp(0, i)).toList());
        assertThat(saved.stream().map(Stamp::id))
                .containsExactlyElementsOf(IntStream.range(70, 1_070).boxed().toList());
        assertThat(jdbc.findById(77, Stamp.class)).isEqualTo(new Stamp(77, 7));
        assertThat(jdbc.save(new WrappedStamp(null, 1)).id()).isEqualTo(1_070);
        assertThat(jdbc.save(new LongStamp(0, 1)).id()).isEqualTo(1_071);
        // An update must not change the ID.
        assertThat(jdbc.save(new Stamp(77, -7))).isEqualTo(new Stamp(77, -7));
        assertThat(jdbc.count(Stamp.class)).isEqualTo(1_000);
    }

    @Test
    void jdbcEntitiesGetTextsUuidsAndRecords() {
        check(Invoice.class, i -> new Invoice(null, i), key -> SnowflakeId.parsePrefixed("inv_", (String) key));
        check(Coupon.class, i -> new Coupon(null, i), key -> SnowflakeId.parseBase62((String) key));
        check(
                Ticket.class,
                i -> new Ticket(null, i),
                key -> SnowflakeId.ofUuid((UUID) key, parcels.layout(), parcels.epoch())
                        .value());
        check(Basket.class, i -> new Basket(null, i), key -> ((BasketId) key).value());
    }

    private static <E extends Keyed> void check(Class<E> type, IntFunction<E> maker, Function<Object, Long> toId) {
        List<E> saved = jdbc.saveAll(IntStream.range(0, 20).mapToObj(maker).toList());
        assertThat(saved)
                .extracting(entity -> toId.apply(Objects.requireNonNull(entity.id())))
                .isSorted()
                .doesNotHaveDuplicates();
        E seventh = saved.get(7);
        assertThat(seventh.position()).isEqualTo(7);
        assertThat(jdbc.findById(Objects.requireNonNull(seventh.id()), type)).isEqualTo(seventh);
        assertThat(jdbc.findAll(type, Sort.by("id"))).containsExactlyElementsOf(saved);
    }

    @Configuration(proxyBeanMethods = false)
    static class From70 {
        @Bean
        BlockStore store() {
            return new MemoryBlockStore(70, Integer.MAX_VALUE);
        }
    }

    /** The next save would take 0 for no ID, and insert the row once more. */
    @Test
    void zeroIsNoId() {
        SnowcastIdCallback callback = new SnowcastIdCallback(
                new RelationalMappingContext(),
                Map.of(),
                Map.of(
                        "stamps",
                        SnowcastSystem.standaloneIntegerSequence(IntegerSequenceConfig.builder("stamps")
                                .firstValue(0)
                                .lastValue(9)
                                .store(new MemoryBlockStore(0, 9))
                                .build())));
        assertRefused(
                callback,
                new Stamp(0, 1),
                "No ID of integer sequence stamps for " + Stamp.class.getName()
                        + ".id: 0 must not be an ID, because it means that an entity has none; give the sequence a"
                        + " first value of 1");
        assertThat(callback.onBeforeConvert(new Stamp(0, 1))).isEqualTo(new Stamp(1, 1));
    }

    @Test
    void wrongAnnotationsOfIntegersAreTold() {
        Map<String, SnowcastSequencer> sequencers =
                Map.of("parcels", Members.standalone("parcels", SnowcastLayout.DEFAULT, 1));
        SnowcastIdCallback callback = new SnowcastIdCallback(
                new RelationalMappingContext(),
                sequencers,
                Map.of("stamps", Members.integers("stamps", new MemoryBlockStore(Integer.MAX_VALUE, Long.MAX_VALUE))));
        assertThat(callback.onBeforeConvert(new Stamp(0, 1))).isEqualTo(new Stamp(Integer.MAX_VALUE, 1));
        assertRefused(
                callback,
                new Stamp(0, 1),
                "No ID of integer sequence stamps for " + Stamp.class.getName()
                        + ".id: 2147483648 is above 2147483647, the last that fits an int; make the property a long");
        assertThat(callback.onBeforeConvert(new LongStamp(0, 1))).isEqualTo(new LongStamp(2_147_483_649L, 1));
        assertRefused(
                callback,
                new StampOfString(null),
                "@SnowcastSequence " + StampOfString.class.getName()
                        + ".id must be int or Integer or long or Long, not java.lang.String");
        assertRefused(
                callback,
                new ParcelOfInt(0),
                "@SnowcastId " + ParcelOfInt.class.getName() + ".id" + NO_KEY
                        + "int; @SnowcastSequence makes integers of 32 bits");
        assertRefused(
                callback,
                new UnknownStamp(0),
                "@SnowcastSequence(\"unknown\") " + UnknownStamp.class.getName()
                        + ".id: there is no integer sequence \"unknown\"; there are: [stamps]");
        assertRefused(
                callback,
                new Both(0),
                Both.class.getName() + ".id must not have both @SnowcastId and @SnowcastSequence");
        assertRefused(callback, new OfJpa(0, 1), "@SnowcastId " + OfJpa.class.getName() + ".id" + NO_EFFECT);
        assertRefused(
                callback, new NotTheId(0, 0), "@SnowcastSequence " + NotTheId.class.getName() + ".number" + NO_EFFECT);
    }

    @Test
    void anAnnotationWithoutEffectIsRefusedAtStart() {
        RelationalMappingContext context = new RelationalMappingContext();
        SnowcastIdCallback callback = new SnowcastIdCallback(
                context, Map.of("parcels", Members.standalone("parcels", SnowcastLayout.POSITIVE, 1)), Map.of());
        callback.afterSingletonsInstantiated();
        context.getRequiredPersistentEntity(OfJpa.class);
        assertThatThrownBy(callback::afterSingletonsInstantiated)
                .isInstanceOf(MappingException.class)
                .hasMessage("@SnowcastId " + OfJpa.class.getName() + ".id" + NO_EFFECT);
    }

    @Test
    void aLayoutThatTurnsNegativeIsToldAtStart() {
        RelationalMappingContext context = new RelationalMappingContext();
        context.getRequiredPersistentEntity(Parcel.class);
        try (Warnings warnings = Warnings.of(SnowcastId.class)) {
            for (SnowcastLayout layout : List.of(SnowcastLayout.POSITIVE, SnowcastLayout.DEFAULT)) {
                assertThat(warnings.all()).as("before %s", layout).isEmpty();
                Map<String, SnowcastSequencer> sequencers = Map.of("parcels", Members.standalone("parcels", layout, 1));
                new SnowcastIdCallback(context, sequencers, Map.of()).afterSingletonsInstantiated();
            }
            assertThat(warnings.all())
                    .singleElement()
                    .asString()
                    .startsWith("IDs of the sequencer \"parcels\" turn negative at 2058-");
        }
    }

    private static void assertRefused(SnowcastIdCallback callback, Object entity, String message) {
        assertThatThrownBy(() -> callback.onBeforeConvert(entity))
                .isInstanceOf(MappingException.class)
                .hasMessage(message);
    }

    @Test
    void anInterruptEndsTheWaitAndIsKept() {
        SnowcastSequencer slow = Members.standalone("parcels", new SnowcastLayout(41, 1, 0), 0);
        SnowcastIdCallback callback =
                new SnowcastIdCallback(new RelationalMappingContext(), Map.of("parcels", slow), Map.of());
        assertThat(Members.interrupted(() -> callback.onBeforeConvert(new Parcel(0, 1))))
                .isInstanceOf(TransientDataAccessResourceException.class)
                .hasMessage("Interrupted while waiting for an ID of sequencer parcels")
                .hasCauseInstanceOf(InterruptedException.class);
    }

    @Test
    void whatIsKnownAtStartIsCheckedThen() {
        RelationalMappingContext context = new RelationalMappingContext();
        context.getRequiredPersistentEntity(Unknown.class);
        Map<String, SnowcastSequencer> sequencers =
                Map.of("parcels", Members.standalone("parcels", SnowcastLayout.DEFAULT, 1));
        assertThatThrownBy(() -> new SnowcastIdCallback(context, sequencers, Map.of()).afterSingletonsInstantiated())
                .isInstanceOf(MappingException.class)
                .hasMessageContaining("there is no sequencer \"unknown\"");
        assertThatThrownBy(() ->
                        new ReactiveSnowcastIdCallback(context, sequencers, Map.of()).afterSingletonsInstantiated())
                .isInstanceOf(MappingException.class)
                .hasMessageContaining("there is no sequencer \"unknown\"");
    }

    @Test
    void sequencersOfOneNameAreToldApartByTheirBeans() {
        SnowcastSequencer one = Members.standalone("parcels", SnowcastLayout.DEFAULT, 1);
        SnowcastSequencer two = Members.standalone("parcels", SnowcastLayout.DEFAULT, 2);
        assertThat(NamedBeans.sequencers(Map.of("a", one, "b", two)))
                .containsOnlyKeys("a", "b")
                .containsEntry("b", two);
        assertThat(NamedBeans.sequencers(Map.of("a", one))).containsOnlyKeys("a", "parcels");
        // The name is not ambiguous if two bean names refer to one sequencer.
        assertThat(NamedBeans.sequencers(Map.of("a", one, "b", one))).containsEntry("parcels", one);
    }
}
