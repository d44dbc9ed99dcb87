// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.ids.SnowflakeId;
import com.noctarius.snowcast.persistence.SnowcastId;
import com.noctarius.snowcast.persistence.SnowcastSequence;
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
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ObjLongConsumer;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.TransientObjectException;
import org.hibernate.exception.ConstraintViolationException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that Hibernate keeps an ID that the application has set, with each kind of identifier. Operations that generate
 * IDs replace 0 and null; an upsert rejects them.
 */
@Tag("integration")
class AssignedIdentifierTest {
    private static final SnowcastSequencer ORDERS = Members.standalone("orders", SnowcastLayout.POSITIVE, 5);

    @MappedSuperclass
    abstract static class Row {
        @Nullable
        String text;
    }

    @Entity(name = "OfPrimitive")
    static class OfPrimitive extends Row {
        @Id
        @SnowcastId("orders")
        long id;
    }

    @Entity(name = "OfWrapper")
    static class OfWrapper extends Row {
        @Id
        @SnowcastId("orders")
        @Nullable
        Long id;
    }

    @Entity(name = "OfText")
    static class OfText extends Row {
        @Id
        @SnowcastId(value = "orders", prefix = "ord_")
        @Nullable
        String id;
    }

    @Entity(name = "OfUuid")
    static class OfUuid extends Row {
        @Id
        @SnowcastId("orders")
        @Nullable
        UUID id;
    }

    @Entity(name = "OfInteger")
    static class OfInteger extends Row {
        @Id
        @SnowcastSequence("products")
        int id;
    }

    @Embeddable
    record Oid(@Column(name = "id") @SnowcastId("orders") long value) {}

    @Entity(name = "OfRecord")
    static class OfRecord extends Row {
        @EmbeddedId
        @Nullable
        Oid id;
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
    }

    @Entity(name = "OfClass")
    static class OfClass extends Row {
        @EmbeddedId
        Entities.LineId id = new Entities.LineId();

        OfClass() {
            id.part = 3;
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
        int part = 4;

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
        int part = 5;
    }

    @Entity(name = "Versioned")
    static class Versioned extends Row {
        @Id
        @SnowcastId("orders")
        long id;

        @Version
        @Nullable
        Integer version;
    }

    /**
     * An entity type with one kind of identifier.
     *
     * @param set sets the ID of an entity, also to 0
     * @param get returns the identifier of an entity
     */
    record Mapping<E extends Row>(
            Class<E> type, Supplier<E> make, ObjLongConsumer<E> set, Function<E, @Nullable Object> get) {
        E row(long id, String text) {
            E row = make.get();
            set.accept(row, id);
            row.text = text;
            return row;
        }

        Object key(E row) {
            return Objects.requireNonNull(get.apply(row));
        }

        @Override
        public String toString() {
            return type.getSimpleName();
        }
    }

    static Stream<Mapping<?>> mappings() {
        return Stream.of(
                new Mapping<>(OfPrimitive.class, OfPrimitive::new, (row, id) -> row.id = id, row -> row.id),
                new Mapping<>(OfWrapper.class, OfWrapper::new, (row, id) -> row.id = id, row -> row.id),
                new Mapping<>(
                        OfText.class,
                        OfText::new,
                        (row, id) -> row.id = id == 0 ? "" : "ord_" + SnowflakeId.toBase32(id),
                        row -> row.id),
                new Mapping<>(
                        OfUuid.class,
                        OfUuid::new,
                        (row, id) -> row.id =
                                id == 0 ? null : SnowflakeId.of(id, ORDERS).toUuid(),
                        row -> row.id),
                new Mapping<>(OfInteger.class, OfInteger::new, (row, id) -> row.id = small(id), row -> row.id),
                new Mapping<>(OfRecord.class, OfRecord::new, (row, id) -> row.id = new Oid(id), row -> row.id),
                new Mapping<>(
                        OfIntegerRecord.class,
                        OfIntegerRecord::new,
                        (row, id) -> row.id = new Pid(small(id)),
                        row -> row.id),
                new Mapping<>(OfClass.class, OfClass::new, (row, id) -> row.id.number = id, row -> row.id),
                new Mapping<>(OfIdClass.class, OfIdClass::new, (row, id) -> row.number = id, OfIdClass::key),
                new Mapping<>(
                        OfIdRecord.class,
                        OfIdRecord::new,
                        (row, id) -> row.number = small(id),
                        row -> new ShelfId(row.number, row.part)),
                new Mapping<>(Versioned.class, Versioned::new, (row, id) -> row.id = id, row -> row.id));
    }

    private static int small(long id) {
        return id == 0 ? 0 : 1_000_000 + (int) (id & 0xFFFF);
    }

    private static SessionFactory factory(Class<?>... types) {
        return SessionFactories.build(ORDERS, types);
    }

    @AutoClose
    private static SessionFactory factory;

    @BeforeAll
    static void build() {
        factory = factory(mappings().map(Mapping::type).toArray(Class<?>[]::new));
    }

    private static void clear(Mapping<?> mapping) {
        factory.inTransaction(session -> session.createMutationQuery(
                        "delete from " + mapping.type().getSimpleName())
                .executeUpdate());
    }

    @BeforeEach
    void clearAll() {
        mappings().forEach(AssignedIdentifierTest::clear);
    }

    private static <E extends Row> List<E> rows(Mapping<E> mapping) {
        return factory.fromSession(
                session -> session.createQuery("from " + mapping.type().getSimpleName(), mapping.type())
                        .list());
    }

    private static <E extends Row> void assertOnly(Mapping<E> mapping, Object key, String text) {
        assertThat(factory.<String>fromSession(session -> session.find(mapping.type(), key).text))
                .isEqualTo(text);
        assertThat(rows(mapping)).hasSize(1);
    }

    @ParameterizedTest
    @MethodSource("mappings")
    <E extends Row> void anIdIsKept(Mapping<E> mapping) {
        List<Consumer<E>> operations = List.of(
                row -> factory.inTransaction(session -> session.persist(row)),
                row -> factory.inTransaction(session -> session.merge(row)),
                row -> factory.inStatelessTransaction(session -> session.insert(row)));
        for (Consumer<E> operation : operations) {
            clear(mapping);
            E row = mapping.row(Members.next(ORDERS), "new");
            Object key = mapping.key(row);
            operation.accept(row);
            assertThat(mapping.key(row)).isEqualTo(key);
            assertOnly(mapping, key, "new");
        }
    }

    @ParameterizedTest
    @MethodSource("mappings")
    <E extends Row> void upsertNeedsAnIdAndKeepsIt(Mapping<E> mapping) {
        long id = Members.next(ORDERS);
        for (String text : List.of("first", "second")) {
            factory.inStatelessTransaction(session -> session.upsert(stored(mapping, id, text)));
            assertOnly(mapping, mapping.key(mapping.row(id, "")), text);
        }
        assertThatThrownBy(() -> factory.inStatelessTransaction(session -> session.upsert(mapping.row(0, ""))))
                .isInstanceOf(TransientObjectException.class)
                .hasMessageStartingWith("Object passed to upsert() has no identifier yet, and upsert() generates"
                        + " none: set it, or call insert(): "
                        + mapping.type().getName());
    }

    /** Returns a row with the text of a first or second write. */
    private static <E extends Row> E stored(Mapping<E> mapping, long id, String text) {
        E row = mapping.row(id, text);
        if (row instanceof Versioned versioned && text.equals("second")) {
            versioned.version = 0;
        }
        return row;
    }

    @ParameterizedTest
    @MethodSource("mappings")
    <E extends Row> void zeroAndNullAreReplacedByEveryOperation(Mapping<E> mapping) {
        factory.inTransaction(session -> session.persist(mapping.row(0, "persisted")));
        factory.inTransaction(session -> session.merge(mapping.row(0, "merged")));
        factory.inStatelessTransaction(session -> session.insert(mapping.row(0, "inserted")));
        List<E> rows = rows(mapping);
        assertThat(rows).extracting(row -> row.text).containsExactlyInAnyOrder("persisted", "merged", "inserted");
        E unset = mapping.row(0, "");
        if (!(unset instanceof OfUuid)) {
            assertThat(rows).extracting(mapping::key).doesNotContain(mapping.key(unset));
        }
    }

    @ParameterizedTest
    @MethodSource("mappings")
    <E extends Row> void aDetachedEntityComesBackUnderItsOwnId(Mapping<E> mapping) {
        E detached = mapping.row(0, "first");
        factory.inTransaction(session -> session.persist(detached));
        Object key = mapping.key(detached);
        detached.text = "second";
        factory.inTransaction(session -> session.merge(detached));
        assertOnly(mapping, key, "second");
        factory.inTransaction(session -> session.remove(session.find(mapping.type(), key)));
        if (mapping.type() == Versioned.class) {
            assertThatThrownBy(() -> factory.inTransaction(session -> session.merge(detached)))
                    .isInstanceOf(OptimisticLockException.class);
        } else {
            factory.inTransaction(session -> session.merge(detached));
            assertOnly(mapping, key, "second");
        }
    }

    @ParameterizedTest
    @MethodSource("mappings")
    <E extends Row> void anImportThatRunsTwiceDoesNotDoubleTheRows(Mapping<E> mapping) {
        List<Long> ids =
                LongStream.range(0, 120).map(i -> Members.next(ORDERS)).boxed().toList();
        for (String run : List.of("first", "second")) {
            factory.inTransaction(session -> ids.forEach(id -> session.merge(stored(mapping, id, run))));
        }
        List<E> rows = rows(mapping);
        assertThat(rows)
                .extracting(mapping::key)
                .containsExactlyInAnyOrderElementsOf(ids.stream()
                        .map(id -> mapping.key(mapping.row(id, "")))
                        .distinct()
                        .toList());
        assertThat(rows).allMatch(row -> "second".equals(row.text));
    }

    /** An HQL insert generates no embedded identifiers: they stay null, which the database rejects. */
    @Test
    void statementsInHqlGenerateIds() {
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

    /** Checks the numbers of queries in docs/persistence.md. */
    @Test
    void queriesBeforeAnInsertAreThoseThatAreDocumented() {
        try (SessionFactory documented =
                factory(OfPrimitive.class, OfWrapper.class, OfRecord.class, Versioned.class, Reference.class)) {
            OfPrimitive plain = new OfPrimitive();
            plain.id = Members.next(ORDERS);
            Versioned versioned = new Versioned();
            versioned.id = Members.next(ORDERS);
            assertThat(queries(documented, session -> session.persist(plain))).isZero();
            assertThat(queries(documented, session -> session.persist(versioned)))
                    .isZero();
            assertThat(queries(documented, session -> session.merge(new OfWrapper())))
                    .isZero();
            assertThat(queries(documented, session -> session.merge(new OfRecord())))
                    .isZero();
            assertThat(queries(documented, session -> session.merge(new Versioned())))
                    .isZero();
            assertThat(queries(documented, session -> session.merge(new OfPrimitive())))
                    .isEqualTo(1);
            OfWrapper preset = new OfWrapper();
            preset.id = Members.next(ORDERS);
            assertThat(queries(documented, session -> session.merge(preset))).isEqualTo(1);
            Versioned presetVersioned = new Versioned();
            presetVersioned.id = Members.next(ORDERS);
            assertThat(queries(documented, session -> session.merge(presetVersioned)))
                    .isZero();

            Reference reference = new Reference();
            reference.versioned = versioned;
            assertThat(queries(documented, session -> session.persist(reference)))
                    .isZero();
            Reference proxied = new Reference();
            assertThat(queries(documented, session -> {
                        proxied.plain = session.getReference(OfPrimitive.class, plain.id);
                        session.persist(proxied);
                    }))
                    .isZero();
            Reference detached = new Reference();
            detached.plain = plain;
            assertThat(queries(documented, session -> session.persist(detached)))
                    .isEqualTo(1);
        }
    }

    /** Returns the number of statements other than the insert of one row. */
    private static long queries(SessionFactory documented, Consumer<Session> write) {
        documented.getStatistics().clear();
        documented.inTransaction(write);
        assertThat(documented.getStatistics().getEntityInsertCount()).isEqualTo(1);
        return documented.getStatistics().getPrepareStatementCount() - 1;
    }
}
