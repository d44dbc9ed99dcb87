// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.hibernate;

import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.store.MemoryBlockStore;
import java.util.Map;
import java.util.UUID;
import org.hibernate.SessionFactory;
import org.hibernate.boot.MetadataSources;
import org.hibernate.boot.registry.StandardServiceRegistry;
import org.hibernate.boot.registry.StandardServiceRegistryBuilder;
import org.hibernate.cfg.AvailableSettings;

/** Builds session factories without Spring, each with its own database unless the settings name one. */
final class SessionFactories {
    private SessionFactories() {}

    /** Builds a session factory with a sequencer for {@code orders}, and an integer sequence {@code products}. */
    static SessionFactory build(SnowcastSequencer orders, Class<?>... entities) {
        return build(
                Map.of(
                        SnowcastSettings.SEQUENCERS,
                        Map.of("orders", orders),
                        SnowcastSettings.SEQUENCES,
                        Map.of("products", Members.integers("products", new MemoryBlockStore()))),
                entities);
    }

    static SessionFactory build(Map<String, ?> settings, Class<?>... entities) {
        StandardServiceRegistryBuilder builder = new StandardServiceRegistryBuilder()
                .applySetting(AvailableSettings.JAKARTA_JDBC_URL, "jdbc:h2:mem:" + UUID.randomUUID())
                .applySetting(AvailableSettings.JAKARTA_HBM2DDL_DATABASE_ACTION, "create")
                .applySetting(AvailableSettings.GENERATE_STATISTICS, true)
                .applySetting(AvailableSettings.STATEMENT_BATCH_SIZE, 50);
        settings.forEach(builder::applySetting);
        StandardServiceRegistry registry = builder.build();
        try {
            return new MetadataSources(registry)
                    .addAnnotatedClasses(entities)
                    .buildMetadata()
                    .buildSessionFactory();
        } catch (RuntimeException | Error e) {
            StandardServiceRegistryBuilder.destroy(registry);
            throw e;
        }
    }
}
