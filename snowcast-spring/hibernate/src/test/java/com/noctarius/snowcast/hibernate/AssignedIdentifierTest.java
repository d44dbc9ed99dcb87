// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.ids.SnowflakeId;
import com.noctarius.snowcast.persistence.SnowcastId;
import com.noctarius.snowcast.persistence.SnowcastSequence;
import com.noctarius.snowcast.store.MemoryBlockStore;
import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.OptimisticLockException;
import jakarta.persistence.Version;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.TransientObjectException;
import org.hibernate.exception.ConstraintViolationException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An ID that the application has set is kept, in every mapping and by every operation; 0 and null are replaced. */
@Tag("integration")
class AssignedIdentifierTest {
    private static final SnowcastSequencer ORDERS = SnowcastSystem.standaloneSequencer(
            SequencerConfig.builder("orders")
                    .epoch(Members.EPOCH)
                    .layout(SnowcastLayout.POSITIVE)
                    .build(),
            5);

    @MappedSuperclass
    abstract static class Row {
        @Nullable
        String text;

        abstract Object key();
    }

    @Entity(name = "OfPrimitive")
    static class OfPrimitive extends Row {
        @Id
        @SnowcastId("orders")
        long id;

        @Override
        Object key() {
            return id;
        }
    }

    @Entity(name = "OfWrapper")
    static class OfWrapper extends Row {
        @Id
        @SnowcastId("orders")
        @Nullable
        Long id;

        @Override
        Object key() {
            return Objects.requireNonNull(id);
        }
    }

    @Entity(name = "OfText")
    static class OfText extends Row {
        @Id
        @SnowcastId(value = "orders", prefix = "ord_")
        @Nullable
        String id;

        @Override
        Object key() {
            return Objects.requireNonNull(id);
        }
    }

    @Entity(name = "OfUuid")
    static class OfUuid extends Row {
        @Id
        @SnowcastId("orders")
        @Nullable
        UUID id;

        @Override
        Object key() {
            return Objects.requireNonNull(id);
        }
    }

    @Entity(name = "OfInteger")
    static class OfInteger extends Row {
        @Id
        @SnowcastSequence("products")
        int id;

        @Override
        Object key() {
            return id;
        }
    }

    @Embeddable
    record Oid(@Column(name = "id") @SnowcastId("orders") long value) {}

    @Entity(name = "OfRecord")
    static class OfRecord extends Row {
        @EmbeddedId
        @Nullable
        Oid id;

        @Override
        Object key() {
            return Objects.requireNonNull(id);
        }
    }

    @Embeddable
    record Pid(
            @Column(name = "id") @SnowcastSequence("products")
            int value) {}

    @Entity(name = "OfIntegerRecord")
    static class OfIntegerRecord extends Row {
        @EmbeddedId
        @Nullable
        Pid id;

        @Override
        Object key() {
            return Objects.requireNonNull(id);
        }
    }

    @Entity(name = "OfClass")
    static class OfClass extends Row {
        @EmbeddedId
        Entities.LineId id = new Entities.LineId();

        @Override
        Object key() {
            return id;
        }
    }

    @Entity(name = "OfIdClass")
    @IdClass(Entities.SlotId.class)
    static class OfIdClass extends Row {
        @Id
        @SnowcastId("orders")
        @Nullable
        Long number;

        @Id
        int part;

        @Override
        Object key() {
            Entities.SlotId key = new Entities.SlotId();
            key.number = number;
            key.part = part;
            return key;
        }
    }

    record ShelfId(int number, int part) implements Serializable {}

    @Entity(name = "OfIdRecord")
    @IdClass(ShelfId.class)
    static class OfIdRecord extends Row {
        @Id
        @SnowcastSequence("products")
        int number;

        @Id
        int part;

        @Override
        Object key() {
            return new ShelfId(number, part);
        }
    }

    @Entity(name = "Versioned")
    static class Versioned extends Row {
        @Id
        @SnowcastId("orders")
        long id;

        @Version
        @Nullable
        Integer version;

        @Override
        Object key() {
            return id;
        }
    }

    /**
     * A mapping of an identifier.
     *
     * @param of makes an entity with this ID, which may be 0
     */
    record Mapping<E extends Row>(Class<E> type, LongFunction<E> of) {
        E row(long id, String text) {
            E row = of.apply(id);
            row.text = text;
            return row;
        }

        @Override
        public String toString() {
            return type.getSimpleName();
        }
    }

    static Stream<Mapping<?>> mappings() {
        return Stream.of(
                new Mapping<>(OfPrimitive.class, id -> {
                    OfPrimitive row = new OfPrimitive();
                    row.id = id;
                    return row;
                }),
                new Mapping<>(OfWrapper.class, id -> {
                    OfWrapper row = new OfWrapper();
                    row.id = id;
                    return row;
                }),
                new Mapping<>(OfText.class, id -> {
                    OfText row = new OfText();
                    row.id = id == 0 ? "" : "ord_" + SnowflakeId.toBase32(id);
                    return row;
                }),
                new Mapping<>(OfUuid.class, id -> {
                    OfUuid row = new OfUuid();
                    row.id = id == 0 ? null : SnowflakeId.of(id, ORDERS).toUuid();
                    return row;
                }),
                new Mapping<>(OfInteger.class, id -> {
                    OfInteger row = new OfInteger();
                    row.id = small(id);
                    return row;
                }),
                new Mapping<>(OfRecord.class, id -> {
                    OfRecord row = new OfRecord();
                    row.id = new Oid(id);
                    return row;
                }),
                new Mapping<>(OfIntegerRecord.class, id -> {
                    OfIntegerRecord row = new OfIntegerRecord();
                    row.id = new Pid(small(id));
                    return row;
                }),
                new Mapping<>(OfClass.class, id -> {
                    OfClass row = new OfClass();
                    row.id.number = id;
                    row.id.part = 3;
                    return row;
                }),
                new Mapping<>(OfIdClass.class, id -> {
                    OfIdClass row = new OfIdClass();
                    row.number = id;
                    row.part = 4;
                    return row;
                }),
                new Mapping<>(OfIdRecord.class, id -> {
                    OfIdRecord row = new OfIdRecord();
                    row.number = small(id);
                    row.part = 5;
                    return row;
                }),
                new Mapping<>(Versioned.class, id -> {
                    Versioned row = new Versioned();
                    row.id = id;
                    return row;
                }));
    }

    private static int small(long id) {
        return id == 0 ? 0 : 1_000_000 + (int) (id & 0xFFFF);
    }

    private static SessionFactory factory(Class<?>... types) {
        IntegerSequence products = SnowcastSystem.standaloneIntegerSequence(IntegerSequenceConfig.builder("products")
                .store(new MemoryBlockStore())
                .build());
        return SessionFactories.build(
                Map.of(
                        SnowcastSettings.SEQUENCERS,
                        Map.of("orders", ORDERS),
                        SnowcastSettings.SEQUENCES,
                        Map.of("products", products)),
                types);
    }

    private static long next() {
        try {
            return ORDERS.next();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static long count(SessionFactory factory, Class<?> type) {
        return factory.fromSession(
                session -> session.createQuery("select count(*) from " + type.getSimpleName(), Long.class)
                        .uniqueResult());
    }

    @ParameterizedTest
    @MethodSource("mappings")
    <E extends Row> void persistKeepsAnId(Mapping<E> mapping) {
        assertKept(mapping, Session::persist);
    }

    @ParameterizedTest
    @MethodSource("mappings")
    <E extends Row> void mergeKeepsAnId(Mapping<E> mapping) {
        assertKept(mapping, Session::merge);
    }

    private static <E extends Row> void assertKept(Mapping<E> mapping, BiConsumer<Session, Object> write) {
        try (SessionFactory factory = factory(mapping.type())) {
            long id = next();
            Object key = mapping.row(id, "").key();
            factory.inTransaction(session -> write.accept(session, mapping.row(id, "new")));
            assertThat(factory.<String>fromSession(session -> session.find(mapping.type(), key).text))
                    .isEqualTo("new");
            assertThat(count(factory, mapping.type())).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @MethodSource("mappings")
    <E extends Row> void insertOfAStatelessSessionKeepsAnId(Mapping<E> mapping) {
        try (SessionFactory factory = factory(mapping.type())) {
            E row = mapping.row(next(), "new");
            Object key = row.key();
            factory.inStatelessTransaction(session -> session.insert(row));
            assertThat(row.key()).isEqualTo(key);
            assertThat(factory.<String>fromSession(session -> session.find(mapping.type(), key).text))
                    .isEqualTo("new");
        }
    }

    @ParameterizedTest
    @MethodSource("mappings")
    <E extends Row> void upsertNeedsAnIdAndKeepsIt(Mapping<E> mapping) {
        try (SessionFactory factory = factory(mapping.type())) {
            long id = next();
            for (String text : List.of("first", "second")) {
                factory.inStatelessTransaction(session -> {
                    E row = mapping.row(id, text);
                    if (row instanceof Versioned versioned && text.equals("second")) {
                        versioned.version = 0;
                    }
                    session.upsert(row);
                });
                assertThat(factory.<String>fromSession(session ->
                                session.find(mapping.type(), mapping.row(id, "").key()).text))
                        .isEqualTo(text);
            }
            assertThat(count(factory, mapping.type())).isEqualTo(1);
            assertThatThrownBy(() -> factory.inStatelessTransaction(session -> session.upsert(mapping.row(0, ""))))
                    .isInstanceOf(TransientObjectException.class)
                    .hasMessageStartingWith("Object passed to upsert() has no identifier yet, and upsert() generates"
                            + " none: set it, or call insert(): "
                            + mapping.type().getName());
        }
    }

    @ParameterizedTest
    @MethodSource("mappings")
    <E extends Row> void zeroAndNullAreReplacedByEveryOperation(Mapping<E> mapping) {
        try (SessionFactory factory = factory(mapping.type())) {
            factory.inTransaction(session -> session.persist(mapping.row(0, "persisted")));
            factory.inTransaction(session -> session.merge(mapping.row(0, "merged")));
            factory.inStatelessTransaction(session -> session.insert(mapping.row(0, "inserted")));
            List<E> rows = factory.fromSession(
                    session -> session.createQuery("from " + mapping.type().getSimpleName(), mapping.type())
                            .list());
            assertThat(rows).extracting(row -> row.text).containsExactlyInAnyOrder("persisted", "merged", "inserted");
            E unset = mapping.row(0, "");
            if (!(unset instanceof OfUuid)) {
                assertThat(rows).extracting(Row::key).doesNotContain(unset.key());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("mappings")
    <E extends Row> void aDetachedEntityComesBackUnderItsOwnId(Mapping<E> mapping) {
        try (SessionFactory factory = factory(mapping.type())) {
            E detached = mapping.row(0, "first");
            factory.inTransaction(session -> session.persist(detached));
            Object key = detached.key();
            detached.text = "second";
            factory.inTransaction(session -> session.merge(detached));
            assertThat(factory.<String>fromSession(session -> session.find(mapping.type(), key).text))
                    .isEqualTo("second");
            assertThat(count(factory, mapping.type())).isEqualTo(1);
            factory.inTransaction(session -> session.remove(session.find(mapping.type(), key)));
            if (mapping.type() == Versioned.class) {
                assertThatThrownBy(() -> factory.inTransaction(session -> session.merge(detached)))
                        .isInstanceOf(OptimisticLockException.class);
            } else {
                factory.inTransaction(session -> session.merge(detached));
                assertThat(factory.<String>fromSession(session -> session.find(mapping.type(), key).text))
                        .isEqualTo("second");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("mappings")
    <E extends Row> void anImportThatRunsTwiceDoesNotDoubleTheRows(Mapping<E> mapping) {
        try (SessionFactory factory = factory(mapping.type())) {
            List<Long> ids = LongStream.range(0, 1_000).map(i -> next()).boxed().toList();
            for (String run : List.of("first", "second")) {
                factory.inTransaction(session -> ids.forEach(id -> {
                    E row = mapping.row(id, run);
                    if (row instanceof Versioned versioned && run.equals("second")) {
                        versioned.version = 0;
                    }
                    session.merge(row);
                }));
            }
            List<E> rows = factory.fromSession(
                    session -> session.createQuery("from " + mapping.type().getSimpleName(), mapping.type())
                            .list());
            assertThat(rows)
                    .extracting(Row::key)
                    .containsExactlyInAnyOrderElementsOf(ids.stream()
                            .map(id -> mapping.row(id, "").key())
                            .distinct()
                            .toList());
            assertThat(rows).allMatch(row -> "second".equals(row.text));
        }
    }

    /** Of embedded identifiers Hibernate generates none here: the database refuses the null. */
    @Test
    void statementsInHqlGenerateIds() {
        try (SessionFactory factory = factory(OfPrimitive.class, OfRecord.class)) {
            factory.inTransaction(
                    session -> session.createMutationQuery("insert into OfPrimitive (text) values ('a'), ('b')")
                            .executeUpdate());
            assertThat(factory.<List<Long>>fromSession(
                            session -> session.createQuery("select id from OfPrimitive", Long.class)
                                    .list()))
                    .hasSize(2)
                    .doesNotHaveDuplicates()
                    .doesNotContain(0L);
            assertThatThrownBy(() -> factory.inTransaction(
                            session -> session.createMutationQuery("insert into OfRecord (text) values ('a')")
                                    .executeUpdate()))
                    .isInstanceOf(ConstraintViolationException.class);
        }
    }

    @Entity(name = "Reference")
    static class Reference {
        @Id
        @SnowcastId("orders")
        @Nullable
        Long id;

        @ManyToOne
        @Nullable
        OfPrimitive plain;

        @ManyToOne
        @Nullable
        Versioned versioned;
    }

    /** The table of docs/importing.md. */
    @Test
    void queriesBeforeAnInsertAreThoseThatAreDocumented() {
        try (SessionFactory factory =
                factory(OfPrimitive.class, OfWrapper.class, OfRecord.class, Versioned.class, Reference.class)) {
            OfPrimitive plain = new OfPrimitive();
            plain.id = next();
            Versioned versioned = new Versioned();
            versioned.id = next();
            assertThat(queries(factory, session -> session.persist(plain))).isZero();
            assertThat(queries(factory, session -> session.persist(versioned))).isZero();
            assertThat(queries(factory, session -> session.merge(new OfWrapper())))
                    .isZero();
            assertThat(queries(factory, session -> session.merge(new OfRecord())))
                    .isZero();
            assertThat(queries(factory, session -> session.merge(new Versioned())))
                    .isZero();
            assertThat(queries(factory, session -> session.merge(new OfPrimitive())))
                    .isEqualTo(1);
            OfWrapper preset = new OfWrapper();
            preset.id = next();
            assertThat(queries(factory, session -> session.merge(preset))).isEqualTo(1);
            Versioned presetVersioned = new Versioned();
            presetVersioned.id = next();
            assertThat(queries(factory, session -> session.merge(presetVersioned)))
                    .isZero();

            Reference reference = new Reference();
            reference.versioned = versioned;
            assertThat(queries(factory, session -> session.persist(reference))).isZero();
            Reference proxied = new Reference();
            assertThat(queries(factory, session -> {
                        proxied.plain = session.getReference(OfPrimitive.class, plain.id);
                        session.persist(proxied);
                    }))
                    .isZero();
            Reference detached = new Reference();
            detached.plain = plain;
            assertThat(queries(factory, session -> session.persist(detached))).isEqualTo(1);
        }
    }

    /** Beside the statement that inserts one row. */
    private static long queries(SessionFactory factory, Consumer<Session> write) {
        factory.getStatistics().clear();
        factory.inTransaction(write);
        assertThat(factory.getStatistics().getEntityInsertCount()).isEqualTo(1);
        return factory.getStatistics().getPrepareStatementCount() - 1;
    }
}
