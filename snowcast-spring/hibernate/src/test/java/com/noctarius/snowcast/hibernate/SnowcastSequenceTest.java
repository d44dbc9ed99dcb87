// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.IntegerSequenceExhaustedException;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.persistence.SnowcastSequence;
import com.noctarius.snowcast.store.MemoryBlockStore;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.MappedSuperclass;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.hibernate.HibernateException;
import org.hibernate.MappingException;
import org.hibernate.SessionFactory;
import org.hibernate.id.IdentifierGenerationException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("integration")
class SnowcastSequenceTest {
    @AutoClose("shutdown")
    private static HazelcastInstance member;

    private static Snowcast snowcast;

    @Entity(name = "Product")
    static class Product {
        @Id
        @SnowcastSequence("products")
        int id;

        int position;

        Product() {}

        Product(int position) {
            this.position = position;
        }
    }

    @Entity(name = "OfInteger")
    static class OfInteger {
        @Id
        @SnowcastSequence("products")
        @Nullable
        Integer id;
    }

    @MappedSuperclass
    abstract static class Base<K extends Serializable> {
        @Id
        @SnowcastSequence("products")
        @Nullable
        K id;
    }

    @Entity(name = "OfLong")
    static class OfLong extends Base<Long> {}

    @Entity(name = "OfString")
    static class OfString extends Base<String> {}

    @BeforeAll
    static void start() {
        member = Members.alone();
        snowcast = SnowcastSystem.snowcast(member);
        snowcast.createIntegerSequence(IntegerSequenceConfig.builder("products")
                .store(new MemoryBlockStore(5_000_001, Integer.MAX_VALUE))
                .build());
    }

    private static IntegerSequence standalone(long first, long last) {
        return SnowcastSystem.standaloneIntegerSequence(IntegerSequenceConfig.builder("products")
                .firstValue(first)
                .lastValue(last)
                .store(new MemoryBlockStore(first, first == 0 ? last : Long.MAX_VALUE))
                .build());
    }

    private static SessionFactory over(IntegerSequence sequence, Class<?>... entities) {
        return SessionFactories.build(Map.of(SnowcastSettings.SEQUENCES, Map.of("products", sequence)), entities);
    }

    @Test
    void attributesOf32And64BitsGetTheIntegersInOrder() {
        try (SessionFactory factory =
                over(standalone(1, Integer.MAX_VALUE), Product.class, OfInteger.class, OfLong.class)) {
            Product product = new Product(7);
            OfInteger ofInteger = new OfInteger();
            OfLong ofLong = new OfLong();
            factory.inTransaction(session -> List.of(product, ofInteger, ofLong).forEach(session::persist));
            assertThat(product.id).isEqualTo(1);
            assertThat(ofInteger.id).isEqualTo(2);
            assertThat(ofLong.id).isEqualTo(3);
            factory.inSession(session -> {
                assertThat(session.find(Product.class, 1).position).isEqualTo(7);
                assertThat(session.find(OfLong.class, 3L)).isNotNull();
            });
        }
    }

    @Test
    void insertsAreBatchedAndStatelessSessionsWork() {
        try (SessionFactory factory =
                SessionFactories.build(Map.of(SnowcastSettings.SEQUENCERS, snowcast), Product.class)) {
            List<Product> products =
                    IntStream.range(0, 1_000).mapToObj(Product::new).toList();
            factory.inTransaction(session -> products.forEach(session::persist));
            assertThat(factory.getStatistics().getPrepareStatementCount()).isEqualTo(1);
            assertThat(products.stream().map(product -> product.id))
                    .isSorted()
                    .doesNotHaveDuplicates()
                    .allMatch(id -> id >= 5_000_001);
            Product stateless = new Product(-1);
            factory.inStatelessTransaction(session -> session.insert(stateless));
            assertThat(stateless.id).isGreaterThan(products.get(999).id);
        }
    }

    /** 0 stands for no ID: Spring Data, for example, would insert the row once more. */
    @Test
    void zeroIsNoId() {
        try (SessionFactory factory = over(standalone(0, 9), Product.class)) {
            assertThatThrownBy(() -> factory.inTransaction(session -> session.persist(new Product(1))))
                    .isInstanceOf(IdentifierGenerationException.class)
                    .hasMessageContaining("0 must not be an ID, because it means that an entity has none")
                    .hasMessageContaining("give the sequence a first value of 1");
            Product second = new Product(2);
            factory.inTransaction(session -> session.persist(second));
            assertThat(second.id).isEqualTo(1);
        }
    }

    @Test
    void anIntegerThatDoesNotFitIsToldWithTheEntityAndTheValue() {
        IntegerSequence sequence = standalone(Integer.MAX_VALUE, Long.MAX_VALUE);
        try (SessionFactory factory = over(sequence, Product.class, OfInteger.class, OfLong.class)) {
            Product last = new Product(1);
            factory.inTransaction(session -> session.persist(last));
            assertThat(last.id).isEqualTo(Integer.MAX_VALUE);
            assertThatThrownBy(() -> factory.inTransaction(session -> session.persist(new Product(2))))
                    .isInstanceOf(IdentifierGenerationException.class)
                    .hasMessage(
                            "No ID of integer sequence \"products\" for " + Product.class.getName()
                                    + ".id: 2147483648 is above 2147483647, the last that fits an int; make the attribute a long");
            assertThatThrownBy(() -> factory.inTransaction(session -> session.persist(new OfInteger())))
                    .isInstanceOf(IdentifierGenerationException.class)
                    .hasMessageContaining(OfInteger.class.getName() + ".id: 2147483649 is above");
            OfLong ofLong = new OfLong();
            factory.inTransaction(session -> session.persist(ofLong));
            assertThat(ofLong.id).isEqualTo(2_147_483_650L);
        }
    }

    @Test
    void aSequenceThatFailsIsTheCause() {
        IntegerSequence sequence = standalone(1, 1);
        try (SessionFactory factory = over(sequence, Product.class)) {
            factory.inTransaction(session -> session.persist(new Product(1)));
            assertThatThrownBy(() -> factory.inTransaction(session -> session.persist(new Product(2))))
                    .isInstanceOf(IdentifierGenerationException.class)
                    .hasMessageStartingWith("No ID of integer sequence \"products\" for " + Product.class.getName()
                            + ".id: integer sequence products is used up")
                    .hasCauseInstanceOf(IntegerSequenceExhaustedException.class);
            sequence.close();
            assertThatThrownBy(() -> factory.inTransaction(session -> session.persist(new Product(2))))
                    .isInstanceOf(IdentifierGenerationException.class)
                    .hasCauseInstanceOf(SnowcastStateException.class);
        }
    }

    @Test
    void aSequenceOfASnowcastCanBeCreatedLaterAndAnew() {
        HazelcastInstance another = Members.alone();
        Snowcast its = SnowcastSystem.snowcast(another);
        try (SessionFactory factory = SessionFactories.build(Map.of(SnowcastSettings.SEQUENCES, its), Product.class)) {
            MemoryBlockStore store = new MemoryBlockStore();
            its.createIntegerSequence(
                    IntegerSequenceConfig.builder("customers").store(store).build());
            String missing = "No ID of integer sequence \"products\" for " + Product.class.getName()
                    + ".id: There is no integer sequence \"products\" yet; create it before the first persist. There are:"
                    + " [customers]";
            assertThatThrownBy(() -> factory.inTransaction(session -> session.persist(new Product(1))))
                    .hasMessage(missing);
            IntegerSequenceConfig config =
                    IntegerSequenceConfig.builder("products").store(store).build();
            its.createIntegerSequence(config).close();
            IntegerSequence created = its.createIntegerSequence(config);
            Product first = new Product(1);
            factory.inTransaction(session -> session.persist(first));
            created.close();
            assertThatThrownBy(() -> factory.inTransaction(session -> session.persist(new Product(1))))
                    .hasMessage(missing);
            its.createIntegerSequence(config);
            Product second = new Product(2);
            factory.inTransaction(session -> session.persist(second));
            assertThat(List.of(first.id, second.id)).containsExactly(1, 2);
        } finally {
            another.shutdown();
        }
    }

    @Test
    void wrongSettingsAndTypesFailWhenTheSessionFactoryIsBuilt() {
        IntegerSequence sequence = standalone(1, 9);
        assertThatThrownBy(() -> SessionFactories.build(
                                Map.of(SnowcastSettings.SEQUENCES, Map.of("customers", sequence)), Product.class)
                        .close())
                .isInstanceOf(MappingException.class)
                .hasMessage("@SnowcastSequence(\"products\") " + Product.class.getName()
                        + ".id: There is no integer sequence \"products\"; there are: [customers]");
        assertThatThrownBy(() -> SessionFactories.build(Map.of(SnowcastSettings.SEQUENCES, "products"), Product.class)
                        .close())
                .isInstanceOf(HibernateException.class)
                .hasMessage("Setting snowcast.sequences must be a Snowcast or a Map of names to IntegerSequences:"
                        + " java.lang.String products");
        assertThatThrownBy(() -> over(sequence, OfString.class).close())
                .isInstanceOf(MappingException.class)
                .hasMessage("@SnowcastSequence " + OfString.class.getName()
                        + ".id must be int or Integer or long or Long, not java.lang.String");
    }
}
