// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.hibernate;

import static com.noctarius.snowcast.hibernate.Members.standalone;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.ids.SnowflakeId;
import com.noctarius.snowcast.persistence.SignedColumns;
import com.noctarius.snowcast.persistence.SnowcastId;
import com.noctarius.snowcast.persistence.SnowcastSequence;
import com.noctarius.snowcast.tests.Warnings;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.hibernate.HibernateException;
import org.hibernate.MappingException;
import org.hibernate.SessionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that an annotation that Hibernate ignores is rejected, because its attribute would be stored as 0 or null. */
@Tag("integration")
class IneffectiveAnnotationTest {
    private static final SnowcastSequencer POSITIVE = standalone("orders", SnowcastLayout.POSITIVE, 3);

    @Entity(name = "OnFieldOnly")
    static class OnFieldOnly {
        @SnowcastId("orders")
        long id;

        @Id
        public long getId() {
            return id;
        }

        public void setId(long id) {
            this.id = id;
        }
    }

    @Entity(name = "OnGetterOnly")
    static class OnGetterOnly {
        @Id
        long id;

        @SnowcastId("orders")
        public long getId() {
            return id;
        }
    }

    @Entity(name = "NotTheIdentifier")
    static class NotTheIdentifier {
        @Id
        long id;

        @SnowcastSequence("products")
        int number;
    }

    @Embeddable
    static class Numbers {
        @SnowcastId("orders")
        long number;

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Numbers numbers && numbers.number == number;
        }

        @Override
        public int hashCode() {
            return Long.hashCode(number);
        }
    }

    @Entity(name = "InEmbedded")
    static class InEmbedded {
        @Id
        long id;

        @Embedded
        @Nullable
        Numbers numbers;
    }

    abstract static class Unmapped {
        @SnowcastId("orders")
        long number;
    }

    @Entity(name = "InSuperclass")
    static class InSuperclass extends Unmapped {
        @Id
        long id;
    }

    @Entity(name = "InElements")
    static class InElements {
        @Id
        long id;

        @ElementCollection
        List<Numbers> numbers = new ArrayList<>();
    }

    @Entity(name = "InMapKeys")
    static class InMapKeys {
        @Id
        long id;

        @ElementCollection
        Map<Numbers, String> numbers = new HashMap<>();
    }

    @Embeddable
    static class Outer {
        int part;

        @Embedded
        @Nullable
        Numbers numbers;
    }

    @Entity(name = "InElementsOfElements")
    static class InElementsOfElements {
        @Id
        long id;

        @ElementCollection
        List<Outer> outers = new ArrayList<>();
    }

    @Entity(name = "InEmbeddedIdentifierOfEmbedded")
    static class InEmbeddedIdentifierOfEmbedded {
        @EmbeddedId
        Outer id = new Outer();
    }

    record OnIdClass(@SnowcastId("orders") long number, int part) implements Serializable {}

    @Entity(name = "InIdClass")
    @IdClass(OnIdClass.class)
    static class InIdClass {
        @Id
        long number;

        @Id
        int part;
    }

    @Entity(name = "Numbered")
    static class Numbered {
        @EmbeddedId
        Numbers id = new Numbers();
    }

    @Entity(name = "BesideGeneratedValue")
    static class BesideGeneratedValue {
        @Id
        @GeneratedValue(strategy = GenerationType.IDENTITY)
        @SnowcastId("orders")
        long id;
    }

    @Entity(name = "BesideTheOther")
    static class BesideTheOther {
        @Id
        @SnowcastSequence("products")
        @SnowcastId("orders")
        long id;
    }

    @Entity(name = "Proper")
    static class Proper {
        @Id
        @SnowcastId("orders")
        long id;
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                OnFieldOnly.class,
                OnGetterOnly.class,
                NotTheIdentifier.class,
                InEmbedded.class,
                InElements.class,
                InMapKeys.class,
                InElementsOfElements.class,
                InEmbeddedIdentifierOfEmbedded.class,
                InIdClass.class,
                InSuperclass.class
            })
    void anAnnotationWithoutEffectIsRefused(Class<?> entity) {
        assertThatThrownBy(() -> SessionFactories.build(POSITIVE, entity).close())
                .isInstanceOf(MappingException.class)
                .hasMessageMatching("@Snowcast(Id|Sequence) " + IneffectiveAnnotationTest.class.getName()
                        + "\\$\\w+\\.(id|getId|number) has no effect, so its value would be stored as 0 or null: put it next to"
                        + " the entity's jakarta\\.persistence\\.Id.*");
    }

    /** The embeddable class is an identifier in the first session factory, and an ordinary attribute in the second. */
    @Test
    void anotherSessionFactoryMakesNoDifference() {
        try (SessionFactory identifier = SessionFactories.build(POSITIVE, Numbered.class)) {
            assertThatThrownBy(() ->
                            SessionFactories.build(POSITIVE, InEmbedded.class).close())
                    .isInstanceOf(MappingException.class)
                    .hasMessageEndingWith("put it next to the entity's jakarta.persistence.Id, on the same field or"
                            + " getter, in a class that Hibernate maps (an entity, a mapped superclass or an embedded"
                            + " identifier of an entity of this session factory), or remove it and set the value yourself, for"
                            + " example in the constructor");
            identifier.inTransaction(session -> session.persist(new Numbered()));
        }
    }

    @Test
    void referencesToAnEntityOfTheSessionFactoryAreStoredAsTheyAre() {
        try (SessionFactory factory =
                SessionFactories.build(POSITIVE, Numbered.class, InEmbedded.class, InElements.class)) {
            Numbered numbered = new Numbered();
            InEmbedded toNumbered = new InEmbedded();
            InEmbedded toNone = new InEmbedded();
            toNone.id = 1;
            InElements elements = new InElements();
            factory.inTransaction(session -> {
                session.persist(numbered);
                toNumbered.numbers = numbered.id;
                elements.numbers.add(numbered.id);
                List.of(toNumbered, toNone, elements).forEach(session::persist);
            });
            long number = numbered.id.number;
            assertThat(number).isPositive();
            factory.inSession(session -> {
                assertThat(Objects.requireNonNull(session.find(InEmbedded.class, 0).numbers).number)
                        .isEqualTo(number);
                assertThat(session.find(InEmbedded.class, 1).numbers).isNull();
                assertThat(session.find(InElements.class, 0).numbers)
                        .extracting(each -> each.number)
                        .containsExactly(number);
            });
        }
    }

    @Test
    void generatedValueBesideItHasNoEffect() {
        try (SessionFactory factory = SessionFactories.build(POSITIVE, BesideGeneratedValue.class)) {
            BesideGeneratedValue entity = new BesideGeneratedValue();
            factory.inTransaction(session -> session.persist(entity));
            assertThat(POSITIVE.logicalNodeId(entity.id)).isEqualTo(3);
        }
    }

    @Test
    void bothAnnotationsAreRefused() {
        assertThatThrownBy(() ->
                        SessionFactories.build(POSITIVE, BesideTheOther.class).close())
                .isInstanceOf(HibernateException.class)
                .hasMessageContaining("BesideTheOther");
    }

    @Test
    void aLayoutThatTurnsNegativeIsToldOnceForEachSequencer() {
        SnowcastSequencer unsigned = standalone("orders", SnowcastLayout.DEFAULT, 3);
        try (Warnings warnings = Warnings.of(SnowcastId.class)) {
            SessionFactories.build(unsigned, Proper.class).close();
            SessionFactories.build(unsigned, Proper.class, BesideGeneratedValue.class)
                    .close();
            SessionFactories.build(POSITIVE, Proper.class).close();
            assertThat(warnings.all())
                    .containsExactly("IDs of the sequencer \"orders\" turn negative at"
                            + " 2058-11-03T19:53:47.776Z, and a signed column such as BIGINT then sorts new rows before"
                            + " the old ones: its layout, 41/13/10, has 64 bits. A new sequencer can have the layout"
                            + " POSITIVE; one that has issued IDs must keep its own");
        }
        assertThat(SnowflakeId.lowestId(
                        Instant.parse("2058-11-03T19:53:47.776Z"), SnowcastLayout.DEFAULT, Members.EPOCH))
                .isEqualTo(Long.MIN_VALUE);
    }

    /** A sequencer of snowcast 1 and 2 lacks {@code layout} and {@code epoch}: these calls throw. */
    @Test
    void aDecoratorThatTellsNoLayoutIsPassedOver() {
        SnowcastSequencer ofFormerVersions = (SnowcastSequencer) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {SnowcastSequencer.class},
                (proxy, method, arguments) ->
                        method.isDefault() ? InvocationHandler.invokeDefault(proxy, method, arguments) : 1);
        try (Warnings warnings = Warnings.of(SnowcastId.class)) {
            SignedColumns.warnOf(ofFormerVersions);
            assertThat(warnings.all()).isEmpty();
        }
    }
}
