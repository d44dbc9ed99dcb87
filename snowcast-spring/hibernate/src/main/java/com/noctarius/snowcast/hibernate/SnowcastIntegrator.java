// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.hibernate;

import java.io.Serial;
import java.util.Objects;
import org.hibernate.MappingException;
import org.hibernate.SessionFactory;
import org.hibernate.SessionFactoryObserver;
import org.hibernate.boot.Metadata;
import org.hibernate.boot.spi.BootstrapContext;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.event.spi.EventType;
import org.hibernate.integrator.spi.Integrator;
import org.hibernate.mapping.Collection;
import org.hibernate.mapping.Component;
import org.hibernate.mapping.IndexedCollection;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Value;
import org.hibernate.service.spi.SessionFactoryServiceRegistry;
import org.jspecify.annotations.Nullable;

/**
 * A Hibernate integrator that checks each session factory. It rejects entities where Hibernate ignores a
 * {@link com.noctarius.snowcast.persistence.SnowcastId} or {@link com.noctarius.snowcast.persistence.SnowcastSequence},
 * because Hibernate would store 0 or null in the annotated attribute. The class is public because Hibernate loads it as
 * a Java service. Thread-safe.
 */
public final class SnowcastIntegrator implements Integrator {
    /** Creates an integrator; Hibernate calls this. */
    public SnowcastIntegrator() {}

    /**
     * Makes Hibernate check the mapping when it builds the session factory. The check throws a {@link MappingException}
     * if Hibernate ignores one of the annotations.
     */
    @Override
    public void integrate(Metadata metadata, BootstrapContext context, SessionFactoryImplementor sessionFactory) {
        sessionFactory.addObserver(new Check(metadata));
    }

    /** Has no effect. */
    @Override
    public void disintegrate(SessionFactoryImplementor sessionFactory, SessionFactoryServiceRegistry registry) {}

    /**
     * The check, which Hibernate calls after it has created all generators. It also adds a listener that rejects
     * upserts without an ID.
     */
    private static final class Check implements SessionFactoryObserver {
        @Serial
        private static final long serialVersionUID = 1L;

        // The field is transient because Hibernate's interface makes the class serializable. Hibernate can serialize
        // the observer only after the session factory is built, when the check is done.
        /** Null after the check, because it is large, and the session factory keeps its observers. */
        private transient @Nullable Metadata unchecked;

        Check(Metadata metadata) {
            this.unchecked = metadata;
        }

        @Override
        public void sessionFactoryCreated(SessionFactory factory) {
            Metadata metadata = Objects.requireNonNull(unchecked);
            unchecked = null;
            AnnotatedMembers members = AnnotatedMembers.of(metadata.getDatabase());
            for (PersistentClass entity : metadata.getEntityBindings()) {
                members.requireHeeded(entity.getMappedClass());
                requireHeeded(members, entity.getIdentifier());
                requireHeeded(members, entity.getIdentifierMapper());
                entity.getProperties().forEach(property -> requireHeeded(members, property.getValue()));
            }
            factory.unwrap(SessionFactoryImplementor.class)
                    .getEventEngine()
                    .getListenerRegistry()
                    .appendListeners(EventType.PRE_UPSERT, event -> {
                        members.requireSet(event.getPersister(), event.getId());
                        return false;
                    });
        }

        private static void requireHeeded(AnnotatedMembers members, @Nullable Value value) {
            if (value instanceof Component embedded && !embedded.isDynamic()) {
                members.requireHeeded(embedded.getComponentClass());
                embedded.getProperties().forEach(property -> requireHeeded(members, property.getValue()));
            } else if (value instanceof Collection collection) {
                requireHeeded(members, collection.getElement());
                if (collection instanceof IndexedCollection indexed) {
                    requireHeeded(members, indexed.getIndex());
                }
            }
        }
    }
}
