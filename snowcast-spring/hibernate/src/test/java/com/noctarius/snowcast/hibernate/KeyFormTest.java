// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.hibernate;

import static com.noctarius.snowcast.hibernate.Members.EPOCH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.ids.SnowflakeId;
import com.noctarius.snowcast.persistence.KeyForm;
import com.noctarius.snowcast.persistence.SnowcastId;
import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.hibernate.MappingException;
import org.hibernate.SessionFactory;
import org.hibernate.annotations.JavaType;
import org.hibernate.id.IdentifierGenerationException;
import org.hibernate.type.descriptor.WrapperOptions;
import org.hibernate.type.descriptor.java.AbstractClassJavaType;
import org.hibernate.type.descriptor.jdbc.BigIntJdbcType;
import org.hibernate.type.descriptor.jdbc.JdbcType;
import org.hibernate.type.descriptor.jdbc.JdbcTypeIndicators;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests identifiers that are texts, UUIDs, or records or classes with one value. */
@Tag("integration")
class KeyFormTest {
    private final SnowcastSequencer orders = sequencer(EPOCH);

    private static SnowcastSequencer sequencer(SnowcastEpoch epoch) {
        return SnowcastSystem.standaloneSequencer(
                SequencerConfig.builder("orders").epoch(epoch).build(), 7);
    }

    private static SessionFactory factory(SnowcastSequencer sequencer, Class<?>... entities) {
        return SessionFactories.build(sequencer, entities);
    }

    @Entity(name = "Invoice")
    static class Invoice {
        @Id
        @SnowcastId(value = "orders", prefix = "inv_")
        @Column(length = 17)
        @Nullable
        String id;
    }

    @Entity(name = "Coupon")
    static class Coupon {
        @Id
        @SnowcastId(value = "orders", form = SnowcastId.Form.BASE62)
        @Column(length = 11)
        @Nullable
        String id;
    }

    @Entity(name = "Ticket")
    static class Ticket extends Entities.GenericBase<UUID> {}

    @Embeddable
    record BasketId(
            @Column(name = "id") @SnowcastId("orders") long value) {}

    @Entity(name = "Basket")
    static class Basket {
        @EmbeddedId
        @Nullable
        BasketId id;
    }

    static final class ShelfId implements Comparable<ShelfId> {
        final long number;

        ShelfId(long number) {
            this.number = number;
        }

        @Override
        public int compareTo(ShelfId other) {
            return Long.compareUnsigned(number, other.number);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof ShelfId id && id.number == number;
        }

        @Override
        public int hashCode() {
            return Long.hashCode(number);
        }
    }

    /** Maps a class to a column. Hibernate allows no {@code AttributeConverter} on identifiers. */
    abstract static class NumberType<T> extends AbstractClassJavaType<T> {
        private static final long serialVersionUID = 1L;
        private final transient ToLongFunction<T> toNumber;
        private final transient LongFunction<T> ofNumber;

        NumberType(Class<T> type, ToLongFunction<T> toNumber, LongFunction<T> ofNumber) {
            super(type);
            this.toNumber = toNumber;
            this.ofNumber = ofNumber;
        }

        @Override
        public JdbcType getRecommendedJdbcType(JdbcTypeIndicators indicators) {
            return BigIntJdbcType.INSTANCE;
        }

        @Override
        public <X> @Nullable X unwrap(@Nullable T value, Class<X> type, WrapperOptions options) {
            return value == null ? null : type.cast(toNumber.applyAsLong(value));
        }

        @Override
        public <X> @Nullable T wrap(@Nullable X value, WrapperOptions options) {
            return value == null ? null : ofNumber.apply((Long) value);
        }
    }

    static final class ShelfIdType extends NumberType<ShelfId> {
        private static final long serialVersionUID = 1L;

        ShelfIdType() {
            super(ShelfId.class, id -> id.number, ShelfId::new);
        }
    }

    @Entity(name = "Shelf")
    static class Shelf {
        @Id
        @SnowcastId("orders")
        @JavaType(ShelfIdType.class)
        @Nullable
        ShelfId id;
    }

    @Test
    void textsSortAndAreFound() throws Exception {
        assertSortedAndFound(
                Invoice.class,
                Invoice::new,
                invoice -> invoice.id,
                key -> SnowflakeId.parsePrefixed("inv_", key),
                "inv_[0-9A-Z]{13}");
        assertSortedAndFound(
                Coupon.class, Coupon::new, coupon -> coupon.id, SnowflakeId::parseBase62, "[0-9A-Za-z]{11}");
    }

    @Test
    void uuidsSortAndAreFound() throws Exception {
        assertSortedAndFound(
                Ticket.class,
                Ticket::new,
                ticket -> ticket.id,
                key -> SnowflakeId.ofUuid(key, orders.layout(), orders.epoch()).value(),
                "[0-9a-f]{8}-[0-9a-f]{4}-7000-8000-0007[0-9a-f]{8}");
    }

    @Test
    void recordsAndClassesSortAndAreFound() throws Exception {
        assertSortedAndFound(Basket.class, Basket::new, basket -> basket.id, BasketId::value, "BasketId\\[value=\\d+]");
        assertSortedAndFound(Shelf.class, Shelf::new, shelf -> shelf.id, key -> key.number, ".*");
    }

    private <E, K> void assertSortedAndFound(
            Class<E> type, Supplier<E> maker, Function<E, @Nullable K> toKey, ToLongFunction<K> toId, String pattern)
            throws InterruptedException {
        try (SessionFactory factory = factory(orders, type)) {
            long before = orders.next();
            List<E> entities =
                    IntStream.range(0, 100).mapToObj(i -> maker.get()).toList();
            factory.inTransaction(session -> entities.forEach(session::persist));
            List<K> keys = entities.stream()
                    .map(entity -> Objects.requireNonNull(toKey.apply(entity)))
                    .toList();

            assertThat(keys).allSatisfy(key -> assertThat(key.toString()).matches(pattern));
            assertThat(keys.stream().mapToLong(toId))
                    .isSorted()
                    .doesNotHaveDuplicates()
                    .allMatch(id -> id > before);
            factory.inSession(session -> {
                assertThat(session.createQuery("from " + type.getSimpleName() + " e order by e.id", type)
                                .list())
                        .extracting(toKey)
                        .isEqualTo(keys);
                E found = session.find(type, keys.get(42));
                assertThat(toKey.apply(found)).isEqualTo(keys.get(42));
                assertThat(found).isNotSameAs(entities.get(42));
            });
        }
    }

    @Test
    void aUuidFromBefore1970IsRefusedAtStart() {
        SnowcastSequencer early = sequencer(SnowcastEpoch.byInstant(Instant.parse("1969-12-31T23:59:59.999Z")));
        assertThatThrownBy(() -> factory(early, Ticket.class).close())
                .isInstanceOf(MappingException.class)
                .hasMessage(
                        "@SnowcastId " + Ticket.class.getName() + ".id must not be a UUID, which has no time before"
                                + " 1970, because the epoch of sequencer \"orders\" is before that; make it a String or a long");
        factory(early, Invoice.class).close();
    }

    /** Attributes for tests of {@link KeyForm} without a database. */
    record Shapes(
            @SnowcastId("orders") OfText text,
            @SnowcastId(value = "orders", prefix = "a_") OfText textWithPrefix,

            @SnowcastId(value = "orders", form = SnowcastId.Form.BASE62)
            OfLong numberWithForm,

            @SnowcastId(value = "orders", form = SnowcastId.Form.BASE32)
            UUID uuidWithForm,

            @SnowcastId(value = "orders", prefix = "an order ")
            String blanks,

            @SnowcastId(value = "orders", prefix = "abcdefghijklmnopqrstuvwxyz-012345")
            String longPrefix,

            @SnowcastId("orders") OfTwo two,
            @SnowcastId("orders") Both both,
            @SnowcastId("orders") Number number,
            @SnowcastId("orders") AtomicLong jdk,
            @SnowcastId("orders") Refusing refusing) {}

    record OfText(String text) {}

    record OfLong(Long number) {
        OfLong(String text) {
            this(Long.valueOf(text));
        }
    }

    record OfTwo(long number, String text) {
        OfTwo(long number) {
            this(number, "");
        }
    }

    static final class Both {
        Both(long number) {}

        Both(String text) {}
    }

    record Refusing(long number) {
        Refusing {
            if (number != 0) {
                throw new IllegalStateException("not " + number);
            }
        }
    }

    private static KeyForm form(String component) {
        return Stream.of(Shapes.class.getRecordComponents())
                .filter(candidate -> candidate.getName().equals(component))
                .map(found -> KeyForm.of(
                        component, found.getAccessor().getAnnotation(SnowcastId.class), found.getGenericType()))
                .findAny()
                .orElseThrow();
    }

    @Test
    void wrappersGetWhatTheyWrap() {
        long id = 764750276312737799L;
        assertThat(form("text").write(id, orders)).isEqualTo(new OfText("0N77GAC8R1A07"));
        assertThat(form("textWithPrefix").write(id, orders)).isEqualTo(new OfText("a_0N77GAC8R1A07"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> form("refusing").write(id, orders))
                .withMessage(
                        "The constructor of refusing refused " + id + ": java.lang.IllegalStateException: not " + id);
    }

    @Test
    void whatIsMadeOfNullZeroOrNothingIsNotSet() {
        assertThat(form("text").isSet(new OfText("0N77GAC8R1A07"))).isTrue();
        assertThat(form("text").isSet(new OfText(""))).isFalse();
        assertThat(form("refusing").isSet(new Refusing(0))).isFalse();
        assertThat(form("text").isSet(null)).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "numberWithForm|must be a String to have a form or a prefix",
                "uuidWithForm|must be a String to have a form or a prefix",
                "blanks|must have a prefix of at most 32 characters of A-Z, a-z, 0-9, _ and -, not \"an order \"",
                "longPrefix|must have a prefix of at most 32 characters of",
                "two|that wraps one of them, not com.noctarius.snowcast.hibernate.KeyFormTest$OfTwo",
                "both|that wraps one of them, not com.noctarius.snowcast.hibernate.KeyFormTest$Both",
                "number|must be long, Long, String or UUID",
                "jdk|must be long, Long, String or UUID"
            })
    void whatCannotBeIsRefused(String component, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> form(component))
                .withMessageStartingWith("@SnowcastId " + component + " must ")
                .withMessageContaining(message);
    }

    @Entity(name = "Strict")
    static class Strict {
        @Id
        @SnowcastId("orders")
        @JavaType(StrictType.class)
        @Nullable
        Refusing id;
    }

    static final class StrictType extends NumberType<Refusing> {
        private static final long serialVersionUID = 1L;

        StrictType() {
            super(Refusing.class, Refusing::number, Refusing::new);
        }
    }

    @Test
    void aClassThatRefusesItsIdFailsThePersist() {
        try (SessionFactory factory = factory(orders, Strict.class)) {
            assertThatThrownBy(() -> factory.inTransaction(session -> session.persist(new Strict())))
                    .isInstanceOf(IdentifierGenerationException.class)
                    .hasMessageStartingWith("No ID of sequencer \"orders\" for " + Strict.class.getName()
                            + ".id: The constructor of " + Strict.class.getName() + ".id refused ");
        }
    }
}
