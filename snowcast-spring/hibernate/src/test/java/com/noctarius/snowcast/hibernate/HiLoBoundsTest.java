// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.hibernate;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.SequenceGenerator;
import jakarta.persistence.TableGenerator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.AvailableSettings;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that the upper bounds in docs/migration/databases.md exceed all identifiers that Hibernate's own generators
 * have issued, or can still issue from blocks that running processes have reserved.
 */
@Tag("integration")
class HiLoBoundsTest {
    private static final int SIZE = 10;

    @Entity(name = "ByTable")
    static class ByTable {
        @Id
        @GeneratedValue(strategy = GenerationType.TABLE, generator = "orders")
        @TableGenerator(
                name = "orders",
                table = "hibernate_sequences",
                pkColumnName = "sequence_name",
                pkColumnValue = "orders",
                valueColumnName = "next_val",
                allocationSize = SIZE)
        int id;
    }

    @Entity(name = "BySequence")
    static class BySequence {
        @Id
        @GeneratedValue(strategy = GenerationType.SEQUENCE, generator = "orders_seq")
        @SequenceGenerator(name = "orders_seq", sequenceName = "orders_seq", allocationSize = SIZE)
        int id;
    }

    private static SessionFactory process(String url, String optimizer, String action, Class<?> entity) {
        return SessionFactories.build(
                Map.of(
                        AvailableSettings.JAKARTA_JDBC_URL,
                        url,
                        AvailableSettings.JAKARTA_HBM2DDL_DATABASE_ACTION,
                        action,
                        AvailableSettings.PREFERRED_POOLED_OPTIMIZER,
                        optimizer),
                entity);
    }

    private static long number(SessionFactory process, String sql) {
        return process.fromTransaction(
                session -> session.createNativeQuery(sql, Long.class).getSingleResult());
    }

    private static void requireBound(String optimizer, Class<?> entity, String bound) throws Exception {
        String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
        try (SessionFactory first = process(url, optimizer, "create", entity);
                SessionFactory second = process(url, optimizer, "none", entity)) {
            for (int i = 0; i < 3 * SIZE; i++) {
                for (SessionFactory process : List.of(first, second)) {
                    Object row = entity.getDeclaredConstructor().newInstance();
                    process.inTransaction(session -> session.persist(row));
                    long id = row instanceof ByTable byTable ? byTable.id : ((BySequence) row).id;
                    assertThat(id).isLessThan(number(first, bound));
                }
            }
            // Use up the rest of each process's block, to the last integer.
            long before = number(first, bound);
            long highest = 0;
            for (SessionFactory process : List.of(first, second)) {
                while (number(first, bound) == before) {
                    Object row = entity.getDeclaredConstructor().newInstance();
                    process.inTransaction(session -> session.persist(row));
                    if (number(first, bound) == before) {
                        highest =
                                Math.max(highest, row instanceof ByTable byTable ? byTable.id : ((BySequence) row).id);
                    }
                }
                assertThat(highest).isLessThan(before);
                before = number(first, bound);
            }
        }
    }

    private static String nextValue(String expression) {
        return "SELECT " + expression + " FROM hibernate_sequences WHERE sequence_name = 'orders'";
    }

    @ParameterizedTest
    @ValueSource(strings = {"pooled", "pooled-lo"})
    void nothingIsAboveATablesNextValue(String optimizer) throws Exception {
        requireBound(optimizer, ByTable.class, nextValue("next_val + 1"));
    }

    /** The table's next value counts blocks. A block of legacy-hilo has one integer more than the configured size. */
    @ParameterizedTest
    @CsvSource({"hilo, 10", "legacy-hilo, 11"})
    void aClassicTablesNextValueAndOneTimesTheSizeIsAboveAll(String optimizer, int size) throws Exception {
        requireBound(optimizer, ByTable.class, nextValue("(next_val + 1) * " + size));
    }

    /** H2's {@code base_value} is the last value plus the increment. For PostgreSQL, the document computes this sum. */
    @ParameterizedTest
    @ValueSource(strings = {"pooled", "pooled-lo"})
    void aSequencesLastValueAndItsIncrementIsAboveAll(String optimizer) throws Exception {
        requireBound(
                optimizer,
                BySequence.class,
                "SELECT base_value FROM information_schema.sequences WHERE sequence_name = 'ORDERS_SEQ'");
    }
}
