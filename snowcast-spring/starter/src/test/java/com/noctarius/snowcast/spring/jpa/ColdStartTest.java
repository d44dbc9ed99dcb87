// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.jpa;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.jdbc.JdbcSchema;
import com.noctarius.snowcast.jdbc.JdbcShards;
import com.noctarius.snowcast.jdbc.WindowAgent;
import com.noctarius.snowcast.spring.SnowcastDataSource;
import com.noctarius.snowcast.spring.data.Contexts;
import com.zaxxer.hikari.HikariDataSource;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Tests transactions that hold the application's whole pool and request integers from the same database. */
@Tag("integration")
class ColdStartTest {
    private static final int CONNECTIONS = 4;
    private static final int ROUNDS = 6;

    @Configuration(proxyBeanMethods = false)
    @AutoConfigurationPackage
    static class Application {
        /** With a single pool, a transaction that holds the last connection would wait for one more connection. */
        @Bean(defaultCandidate = false)
        @SnowcastDataSource
        HikariDataSource snowcastConnections(@Value("${spring.datasource.url}") String url) {
            HikariDataSource pool = new HikariDataSource();
            pool.setJdbcUrl(url);
            pool.setUsername("sa");
            pool.setMaximumPoolSize(2);
            return pool;
        }
    }

    private static String migratedDatabase() {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        database.setUser("sa"); // Boot sets the same user.
        JdbcShards shards = JdbcShards.of(database);
        JdbcSchema schema = new JdbcSchema(shards);
        schema.create(1_000);
        schema.defineSequence("products", 1, Integer.MAX_VALUE);
        new WindowAgent(shards, 3).topUp();
        return database.getURL();
    }

    /** With block size 1, each integer needs a reservation. Only snowcast's own pool has a free connection for it. */
    @Test
    void transactionsThatHoldTheWholePoolGetTheirIntegers() throws Exception {
        try (ConfigurableApplicationContext context = Contexts.jdbc(
                Application.class,
                "spring.datasource.url=" + migratedDatabase(),
                "spring.datasource.hikari.maximum-pool-size=" + CONNECTIONS,
                "snowcast.sequencers.deliveries.epoch=2024-01-01T00:00:00Z",
                "snowcast.sequences.products.store-ref=jdbc",
                "snowcast.sequences.products.block-size=1",
                "snowcast.sequences.products.prefetch-threshold=1")) {
            ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS);
            CyclicBarrier allConnectionsAreHeld = new CyclicBarrier(CONNECTIONS);
            List<Future<List<Integer>>> transactions = new ArrayList<>();
            for (int i = 0; i < CONNECTIONS; i++) {
                transactions.add(threads.submit(transactions(context, allConnectionsAreHeld)));
            }
            List<Integer> ids = new ArrayList<>();
            for (Future<List<Integer>> each : transactions) {
                ids.addAll(each.get(5, TimeUnit.MINUTES));
            }
            threads.shutdown();
            assertThat(ids).hasSize(CONNECTIONS * ROUNDS).doesNotHaveDuplicates();
            assertThat(context.getBean(ProductRepository.class).count()).isEqualTo(CONNECTIONS * ROUNDS);
        }
    }

    private static Callable<List<Integer>> transactions(
            ConfigurableApplicationContext context, CyclicBarrier allConnectionsAreHeld) {
        EntityManager entities =
                SharedEntityManagerCreator.createSharedEntityManager(context.getBean(EntityManagerFactory.class));
        TransactionTemplate transaction = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
        return () -> {
            List<Integer> ids = new ArrayList<>();
            for (int round = 0; round < ROUNDS; round++) {
                Product product = new Product(round);
                transaction.executeWithoutResult(status -> {
                    entities.createNativeQuery("SELECT 1").getSingleResult();
                    await(allConnectionsAreHeld);
                    entities.persist(product);
                });
                ids.add(product.id);
            }
            return ids;
        };
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await(2, TimeUnit.MINUTES);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
