// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.hibernate;

import static com.noctarius.snowcast.hibernate.Members.EPOCH;
import static com.noctarius.snowcast.hibernate.Members.next;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.hibernate.Entities.Animal;
import com.noctarius.snowcast.hibernate.Entities.ByGetter;
import com.noctarius.snowcast.hibernate.Entities.Cat;
import com.noctarius.snowcast.hibernate.Entities.Derived;
import com.noctarius.snowcast.hibernate.Entities.Line;
import com.noctarius.snowcast.hibernate.Entities.OfInt;
import com.noctarius.snowcast.hibernate.Entities.OfInteger;
import com.noctarius.snowcast.hibernate.Entities.OfLong;
import com.noctarius.snowcast.hibernate.Entities.OfShort;
import com.noctarius.snowcast.hibernate.Entities.OfShortKey;
import com.noctarius.snowcast.hibernate.Entities.Purchase;
import com.noctarius.snowcast.hibernate.Entities.Shipment;
import com.noctarius.snowcast.hibernate.Entities.Slot;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.hibernate.HibernateException;
import org.hibernate.MappingException;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.AvailableSettings;
import org.hibernate.id.IdentifierGenerationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("integration")
class HibernateIdentifierTest {
    @AutoClose("shutdown")
    private static HazelcastInstance member;

    /** A member of another cluster, whose sequencers end with each test. */
    @AutoClose("shutdown")
    private static HazelcastInstance another;

    private static Snowcast snowcast;
    private static SnowcastSequencer orders;

    @BeforeAll
    static void start() {
        member = Members.alone();
        another = Members.alone();
        snowcast = SnowcastSystem.snowcast(member);
        orders = snowcast.createSequencer("orders", EPOCH);
    }

    @AfterEach
    void destroySequencersOfAnother() {
        Snowcast its = SnowcastSystem.snowcast(another);
        its.sequencers().forEach(its::destroySequencer);
    }

    /** Two places where a session factory can find its sequencers. */
    enum Source {
        SETTING,
        SPRING_BEANS;

        Map<String, Object> settings(Snowcast its) {
            return this == SETTING
                    ? Map.of(SnowcastSettings.SEQUENCERS, its)
                    : Map.of(AvailableSettings.BEAN_CONTAINER, SpringBeans.of(its));
        }
    }

    private static SessionFactory factory(Class<?>... entities) {
        return factory(Source.SETTING, entities);
    }

    private static SessionFactory factory(Source source, Class<?>... entities) {
        return SessionFactories.build(source.settings(snowcast), entities);
    }

    private static void assertFresh(long id, long before) {
        assertThat(id).isGreaterThan(before).isLessThan(next(orders));
    }

    @ParameterizedTest
    @EnumSource
    void anIdIsThereBeforeTheRow(Source source) {
        try (SessionFactory factory = factory(source, Purchase.class)) {
            long before = next(orders);
            factory.inTransaction(session -> {
                Purchase purchase = new Purchase(7);
                session.persist(purchase);
                assertFresh(purchase.id, before);
                assertThat(factory.getStatistics().getPrepareStatementCount()).isZero();
                session.flush();
                session.clear();
                assertThat(session.find(Purchase.class, purchase.id).position).isEqualTo(7);
            });
        }
    }

    @Test
    void theGetterCanBeAnnotated() {
        try (SessionFactory factory = factory(ByGetter.class)) {
            long before = next(orders);
            ByGetter entity = new ByGetter();
            factory.inTransaction(session -> session.persist(entity));
            assertFresh(Objects.requireNonNull(entity.getId()), before);
        }
    }

    @Test
    void insertsAreBatched() {
        assertStatements(50, 1);
        // Without batching, each row needs a statement of its own.
        assertStatements(0, 1_000);
    }

    private static void assertStatements(int batchSize, int expected) {
        Map<String, Object> settings = new HashMap<>(Source.SETTING.settings(snowcast));
        settings.put(AvailableSettings.STATEMENT_BATCH_SIZE, batchSize);
        try (SessionFactory factory = SessionFactories.build(settings, Purchase.class)) {
            factory.inTransaction(
                    session -> IntStream.range(0, 1_000).mapToObj(Purchase::new).forEach(session::persist));
            assertThat(factory.getStatistics().getEntityInsertCount()).isEqualTo(1_000);
            assertThat(factory.getStatistics().getPrepareStatementCount()).isEqualTo(expected);
        }
    }

    @Test
    void afterARollbackIdsGoOn() {
        try (SessionFactory factory = factory(Purchase.class)) {
            Purchase lost = new Purchase(1);
            assertThatThrownBy(() -> factory.inTransaction(session -> {
                        session.persist(lost);
                        session.flush();
                        throw new IllegalStateException("roll back");
                    }))
                    .hasMessage("roll back");
            Purchase kept = new Purchase(2);
            factory.inTransaction(session -> session.persist(kept));
            assertFresh(kept.id, lost.id);
            assertThat(factory.<List<Long>>fromSession(
                            session -> session.createQuery("select id from Purchase", Long.class)
                                    .list()))
                    .containsExactly(kept.id);
        }
    }

    @Test
    void aSessionFactoryLeavesTheSequencerToTheNext() {
        Purchase first = new Purchase(1);
        Purchase second = new Purchase(2);
        try (SessionFactory factory = factory(Purchase.class)) {
            factory.inTransaction(session -> session.persist(first));
        }
        assertThat(orders.getSequencerState()).isEqualTo(SnowcastSequenceState.Attached);
        try (SessionFactory factory = factory(Purchase.class)) {
            factory.inTransaction(session -> session.persist(second));
        }
        assertFresh(second.id, first.id);
    }

    @Test
    void negativeIdsAreKept() {
        SnowcastSequencer old =
                snowcast.createSequencer("old", SnowcastEpoch.byInstant(Instant.parse("1986-01-01T00:00:00Z")));
        try (SessionFactory factory = SessionFactories.build(old, Purchase.class)) {
            Purchase purchase = new Purchase(9);
            factory.inTransaction(session -> session.persist(purchase));
            assertThat(purchase.id).isNegative();
            factory.inTransaction(session -> {
                Purchase found = session.find(Purchase.class, purchase.id);
                assertThat(found.position).isEqualTo(9);
                found.position = 10;
            });
            factory.inTransaction(
                    session -> assertThat(session.merge(purchase).id).isEqualTo(purchase.id));
            assertThat(factory.<Long>fromSession(
                            session -> session.createQuery("select count(*) from Purchase", Long.class)
                                    .uniqueResult()))
                    .isEqualTo(1);
        }
    }

    @Test
    void associationsInheritanceAndCompositeIdsWork() {
        try (SessionFactory factory = factory(
                Purchase.class,
                Shipment.class,
                Derived.class,
                OfLong.class,
                Animal.class,
                Cat.class,
                Line.class,
                Slot.class)) {
            long before = next(orders);
            Shipment shipment = new Shipment();
            Purchase purchase = new Purchase(3);
            shipment.purchase = purchase;
            Derived derived = new Derived();
            OfLong ofLong = new OfLong();
            Cat cat = new Cat();
            Line line = new Line();
            line.id.part = 5;
            Slot slot = new Slot();
            slot.part = 6;
            factory.inTransaction(session -> List.of(purchase, shipment, derived, ofLong, cat, line, slot)
                    .forEach(session::persist));
            assertThat(shipment.id).isEqualTo(purchase.id);
            assertThat(line.id.part).isEqualTo(5);
            assertThat(slot.part).isEqualTo(6);
            long[] ids = {
                purchase.id,
                derived.id,
                Objects.requireNonNull(ofLong.id),
                cat.id,
                line.id.number,
                Objects.requireNonNull(slot.number)
            };
            for (long id : ids) {
                assertFresh(id, before);
            }
            assertThat(ids).doesNotHaveDuplicates();
            factory.inSession(session -> {
                assertThat(session.find(Animal.class, cat.id)).isInstanceOf(Cat.class);
                assertThat(session.find(Line.class, line.id)).isNotNull();
            });
        }
    }

    @ParameterizedTest
    @CsvSource({
        "OfShort, id, java.lang.Short",
        "OfInteger, id, java.lang.Integer",
        "OfInt, getId, int",
        "OfShortKey, id, java.lang.Short"
    })
    void anotherTypeFailsWhenTheSessionFactoryIsBuilt(String entity, String property, String type) {
        Class<?> entityClass = Map.of(
                        "OfShort",
                        OfShort.class,
                        "OfInteger",
                        OfInteger.class,
                        "OfInt",
                        OfInt.class,
                        "OfShortKey",
                        OfShortKey.class)
                .get(entity);
        assertThatThrownBy(() -> factory(Objects.requireNonNull(entityClass)).close())
                .isInstanceOf(MappingException.class)
                .hasMessage("@SnowcastId " + Entities.class.getName() + "$" + entity + "." + property
                        + " must be long, Long, String or UUID, or a record or class that wraps one of them, not "
                        + type
                        + (type.toLowerCase(Locale.ROOT).contains("int")
                                ? "; @SnowcastSequence makes integers of 32 bits"
                                : ""));
    }

    @Test
    void withoutSettingsTheFirstPersistSaysWhatToDo() {
        String advice =
                "No setting says where the sequencers are: set snowcast.sequencers to a Snowcast or a Map of names to"
                        + " SnowcastSequencers, or snowcast.hazelcast.instance.name to the name of a HazelcastInstance";
        assertNoId(Map.of(), advice);
        assertNoId(Map.of(AvailableSettings.BEAN_CONTAINER, SpringBeans.none()), advice);
    }

    @ParameterizedTest
    @EnumSource
    void aSequencerCanBeCreatedLaterAndAnew(Source source) {
        Snowcast its = SnowcastSystem.snowcast(another);
        try (SessionFactory factory = SessionFactories.build(source.settings(its), Purchase.class)) {
            its.createSequencer("deliveries", EPOCH);
            assertNoId(
                    factory,
                    "There is no sequencer \"orders\" yet; create it before the first persist. There are: [deliveries]");
            SnowcastSequencer created = its.createSequencer("orders", EPOCH);
            Purchase first = new Purchase(1);
            factory.inTransaction(session -> session.persist(first));
            its.destroySequencer(created);
            assertNoId(
                    factory,
                    "There is no sequencer \"orders\" yet; create it before the first persist. There are: [deliveries]");
            its.createSequencer("orders", EPOCH);
            Purchase second = new Purchase(2);
            factory.inTransaction(session -> session.persist(second));
            assertThat(second.id).isGreaterThan(first.id);
        }
    }

    @Test
    void aSequencerThatFailsIsTheCause() {
        SnowcastSequencer detached = snowcast.createSequencer("detached", EPOCH).detachLogicalNode();
        try (SessionFactory factory = SessionFactories.build(detached, Purchase.class)) {
            Throwable failure =
                    catchThrowable(() -> factory.inTransaction(session -> session.persist(new Purchase(1))));
            assertThat(failure)
                    .isInstanceOf(IdentifierGenerationException.class)
                    .hasMessageStartingWith("No ID of sequencer \"orders\" for " + Purchase.class.getName() + ".id: ")
                    .hasMessageContaining("Detached")
                    .hasCauseInstanceOf(SnowcastStateException.class);
            detached.attachLogicalNode();
            factory.inTransaction(session -> session.persist(new Purchase(1)));
        }
    }

    @ParameterizedTest
    @EnumSource
    void eachSessionFactoryHasItsOwnSequencers(Source source) {
        Snowcast its = SnowcastSystem.snowcast(another);
        SnowcastSequencer others = its.createSequencer("orders", EPOCH);
        long before = orders.stats().issuedCount();
        try (SessionFactory one = factory(source, Purchase.class);
                SessionFactory two = SessionFactories.build(source.settings(its), Purchase.class)) {
            one.inTransaction(session -> session.persist(new Purchase(1)));
            assertThat(others.stats().issuedCount()).isZero();
            two.inTransaction(session -> session.persist(new Purchase(2)));
            assertThat(others.stats().issuedCount()).isEqualTo(1);
            assertThat(orders.stats().issuedCount()).isEqualTo(before + 1);
        }
    }

    @Test
    void aMapIsCheckedWhenTheSessionFactoryIsBuilt() {
        assertThatThrownBy(() -> SessionFactories.build(
                                Map.of(SnowcastSettings.SEQUENCERS, Map.of("deliveries", orders)), Purchase.class)
                        .close())
                .isInstanceOf(MappingException.class)
                .hasMessage("@SnowcastId(\"orders\") " + Purchase.class.getName()
                        + ".id: There is no sequencer \"orders\"; there are: [deliveries]");
        assertThatThrownBy(() -> SessionFactories.build(
                                Map.of(SnowcastSettings.SEQUENCERS, Map.of("orders", "?")), Purchase.class)
                        .close())
                .isInstanceOf(MappingException.class)
                .hasMessageContaining("under that name there is a java.lang.String");
    }

    @Test
    void wrongSettingsFailWhenTheSessionFactoryIsBuilt() {
        assertThatThrownBy(() -> SessionFactories.build(Map.of(SnowcastSettings.SEQUENCERS, "orders"), Purchase.class)
                        .close())
                .isInstanceOf(HibernateException.class)
                .hasMessage("Setting snowcast.sequencers must be a Snowcast or a Map of names to SnowcastSequencers:"
                        + " java.lang.String orders");
        assertThatThrownBy(() -> SessionFactories.build(
                                Map.of(
                                        SnowcastSettings.SEQUENCERS,
                                        snowcast,
                                        SnowcastSettings.HAZELCAST_INSTANCE_NAME,
                                        "hz"),
                                Purchase.class)
                        .close())
                .isInstanceOf(HibernateException.class)
                .hasMessageStartingWith("Only one of the settings snowcast.sequencers and"
                        + " snowcast.hazelcast.instance.name may be set");
    }

    @Test
    void aMemberOrClientIsFoundByItsName() {
        ClientConfig config = new ClientConfig().setInstanceName("the-client");
        config.setClusterName(member.getConfig().getClusterName());
        var address = member.getCluster().getLocalMember().getAddress();
        config.getNetworkConfig().addAddress(address.getHost() + ":" + address.getPort());
        HazelcastInstance client = HazelcastClient.newHazelcastClient(config);
        try {
            SnowcastSystem.snowcast(client).createSequencer("orders", EPOCH);
            for (HazelcastInstance instance : List.of(member, client)) {
                try (SessionFactory factory = SessionFactories.build(
                        Map.of(SnowcastSettings.HAZELCAST_INSTANCE_NAME, instance.getName()), Purchase.class)) {
                    Purchase purchase = new Purchase(1);
                    factory.inTransaction(session -> session.persist(purchase));
                    SnowcastSequencer its = SnowcastSystem.snowcast(instance).sequencers().stream()
                            .filter(sequencer -> sequencer.getSequencerName().equals("orders"))
                            .findAny()
                            .orElseThrow();
                    assertThat(its.logicalNodeId(purchase.id)).isEqualTo(its.logicalNodeId(next(its)));
                }
            }
        } finally {
            client.shutdown();
        }
        Set<String> names = new TreeSet<>(Set.of(member.getName(), another.getName()));
        assertNoId(
                Map.of(SnowcastSettings.HAZELCAST_INSTANCE_NAME, "the-client"),
                "There is no HazelcastInstance \"the-client\" in this JVM, which the setting"
                        + " snowcast.hazelcast.instance.name names; start it before the first persist. There are: ["
                        + String.join(", ", names) + "]");
    }

    @Test
    void anInterruptEndsTheWaitAndIsKept() {
        SnowcastSequencer slow = Members.standalone("slow", new SnowcastLayout(41, 1, 0), 0);
        try (SessionFactory factory = SessionFactories.build(slow, Purchase.class)) {
            assertThat(factory.<Throwable>fromSession(
                            session -> Members.interrupted(() -> session.persist(new Purchase(1)))))
                    .isInstanceOf(IdentifierGenerationException.class)
                    .hasMessage("No ID of sequencer \"orders\" for " + Purchase.class.getName()
                            + ".id: the thread was interrupted while it waited")
                    .hasCauseInstanceOf(InterruptedException.class);
        }
    }

    private static void assertNoId(Map<String, ?> settings, String reason) {
        try (SessionFactory factory = SessionFactories.build(settings, Purchase.class)) {
            assertNoId(factory, reason);
        }
    }

    private static void assertNoId(SessionFactory factory, String reason) {
        assertThatThrownBy(() -> factory.inTransaction(session -> session.persist(new Purchase(1))))
                .isInstanceOf(IdentifierGenerationException.class)
                .hasMessage("No ID of sequencer \"orders\" for " + Purchase.class.getName() + ".id: " + reason);
    }
}
