// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.hibernate;

import java.io.Serial;
import org.hibernate.MappingException;
import org.hibernate.SessionFactory;
import org.hibernate.SessionFactoryObserver;
import org.hibernate.boot.Metadata;
import org.hibernate.boot.spi.BootstrapContext;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.integrator.spi.Integrator;
import org.hibernate.mapping.Component;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.hibernate.service.spi.SessionFactoryServiceRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Refuses a session factory whose entities have {@link com.noctarius.snowcast.persistence.SnowcastId} or {@link
 * com.noctarius.snowcast.persistence.SnowcastSequence} where Hibernate does not heed it: the first row would be stored
 * with the identifier 0. Public because Hibernate finds it as a Java service. Thread-safe.
 */
public final class SnowcastIntegrator implements Integrator {
    /** Creates an integrator; Hibernate does so. */
    public SnowcastIntegrator() {}

    /**
     * Has the mapping checked when the session factory is built, which fails with a {@link MappingException} that names
     * the attribute.
     */
    @Override
    public void integrate(Metadata metadata, BootstrapContext context, SessionFactoryImplementor sessionFactory) {
        sessionFactory.addObserver(new Check(metadata));
    }

    /** Has no effect. */
    @Override
    public void disintegrate(SessionFactoryImplementor sessionFactory, SessionFactoryServiceRegistry registry) {}

    /** Runs when all generators are made. */
    private static final class Check implements SessionFactoryObserver {
        @Serial
        private static final long serialVersionUID = 1L;

        // Observers are serializable by type, but Hibernate serializes none before the session factory is built.
        private final transient Metadata metadata;

        Check(Metadata metadata) {
            this.metadata = metadata;
        }

        @Override
        public void sessionFactoryCreated(SessionFactory factory) {
            for (PersistentClass entity : metadata.getEntityBindings()) {
                AnnotatedMembers.requireHeeded(entity.getMappedClass());
                requireHeeded(entity.getIdentifierProperty());
                entity.getProperties().forEach(Check::requireHeeded);
            }
        }

        private static void requireHeeded(@Nullable Property property) {
            if (property != null && property.getValue() instanceof Component embedded && !embedded.isDynamic()) {
                AnnotatedMembers.requireHeeded(embedded.getComponentClass());
                embedded.getProperties().forEach(Check::requireHeeded);
            }
        }
    }
}
