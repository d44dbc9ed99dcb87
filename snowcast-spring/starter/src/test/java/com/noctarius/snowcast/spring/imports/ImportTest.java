// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.hibernate.Members;
import com.noctarius.snowcast.persistence.SnowcastId;
import com.noctarius.snowcast.spring.data.Contexts;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.Transient;
import jakarta.persistence.Version;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.hibernate.SessionFactory;
import org.hibernate.stat.Statistics;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.data.domain.Persistable;
import org.springframework.data.jpa.repository.support.SimpleJpaRepository;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Tests what docs/persistence.md says about running an import twice if its rows already have IDs. */
@Tag("integration")
class ImportTest {
    private static final int ROWS = 1_000;

    @AutoClose
    private static ConfigurableApplicationContext context;

    private static EntityManager entities;
    private static TransactionTemplate transaction;

    @Configuration(proxyBeanMethods = false)
    @AutoConfigurationPackage
    static class Application {}

    @Entity(name = "Plain")
    static class Plain {
        @Id
        @SnowcastId("orders")
        long id;

        Plain() {}

        Plain(long id) {
            this.id = id;
        }
    }

    @Entity(name = "Versioned")
    static class Versioned {
        @Id
        @SnowcastId("orders")
        long id;

        @Version
        @Nullable
        Integer version;

        Versioned() {}

        Versioned(long id) {
            this.id = id;
        }
    }

    @Entity(name = "Told")
    static class Told implements Persistable<Long> {
        @Id
        @SnowcastId("orders")
        @Nullable
        Long id;

        @Transient
        boolean isNew = true;

        Told() {}

        Told(long id) {
            this.id = id;
        }

        @Override
        public @Nullable Long getId() {
            return id;
        }

        @Override
        public boolean isNew() {
            return isNew;
        }
    }

    @BeforeAll
    static void start() {
        context = Contexts.jdbc(Application.class, "snowcast.sequencers.orders.epoch=2024-01-01T00:00:00Z");
        entities = SharedEntityManagerCreator.createSharedEntityManager(context.getBean(EntityManagerFactory.class));
        transaction = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
    }

    private static List<Long> ids() {
        SnowcastSequencer orders = context.getBean("orders", SnowcastSequencer.class);
        return Stream.generate(() -> Members.next(orders)).limit(ROWS).toList();
    }

    /** Imports rows as a Spring Data repository does, and returns the number of SQL statements. */
    private static <T> long saveAll(Class<T> type, List<Long> ids, LongFunction<T> row) {
        Statistics statistics = statistics();
        statistics.clear();
        transaction.executeWithoutResult(status -> new SimpleJpaRepository<T, Object>(type, entities)
                .saveAll(ids.stream().map(row::apply).toList()));
        return statistics.getPrepareStatementCount();
    }

    private static Statistics statistics() {
        return context.getBean(EntityManagerFactory.class)
                .unwrap(SessionFactory.class)
                .getStatistics();
    }

    private static <I> List<I> stored(String query, Class<I> type) {
        return entities.createQuery(query, type).getResultList();
    }

    @Test
    void ofNumbersLeavesTheRowsOnce() {
        List<Long> ids = ids();
        assertThat(saveAll(Plain.class, ids, Plain::new)).isEqualTo(ROWS + 1);
        assertThat(saveAll(Plain.class, ids, Plain::new)).isEqualTo(ROWS);
        assertThat(stored("select p.id from Plain p", Long.class)).containsExactlyInAnyOrderElementsOf(ids);
    }

    @Test
    void ofVersionedRowsAsksNothingAndRefusesTheSecondRun() {
        List<Long> ids = ids();
        assertThat(saveAll(Versioned.class, ids, Versioned::new)).isEqualTo(1);
        assertThatThrownBy(() -> saveAll(Versioned.class, ids, Versioned::new))
                .isInstanceOf(DataIntegrityViolationException.class);
        assertThat(stored("select v.id from Versioned v", Long.class)).containsExactlyInAnyOrderElementsOf(ids);
    }

    @Test
    void ofRowsThatSayThatTheyAreNewAsksNothingAndRefusesTheSecondRun() {
        List<Long> ids = ids();
        assertThat(saveAll(Told.class, ids, Told::new)).isEqualTo(1);
        assertThatThrownBy(() -> saveAll(Told.class, ids, Told::new))
                .isInstanceOf(DataIntegrityViolationException.class);
        assertThat(stored("select t.id from Told t", Long.class)).containsExactlyInAnyOrderElementsOf(ids);
    }
}
