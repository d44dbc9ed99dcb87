// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.micronaut;

import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.persistence.KeyForm;
import com.noctarius.snowcast.persistence.SnowcastId;
import com.noctarius.snowcast.persistence.SnowcastSequence;
import io.micronaut.context.BeanProvider;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.beans.BeanProperty;
import io.micronaut.core.reflect.ClassUtils;
import io.micronaut.data.annotation.event.PrePersist;
import io.micronaut.data.event.EntityEventContext;
import io.micronaut.data.event.EntityEventListener;
import io.micronaut.data.exceptions.DataAccessException;
import io.micronaut.data.exceptions.MappingException;
import io.micronaut.data.model.runtime.RuntimePersistentEntity;
import io.micronaut.data.model.runtime.RuntimePersistentProperty;
import jakarta.inject.Singleton;
import java.lang.annotation.Annotation;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Sets the ID of an entity of Micronaut Data before its insertion, if the identity has {@link SnowcastId} and no value
 * yet. Refuses entities with annotations that have no effect. The listener is active only if Micronaut Data is present.
 * Thread-safe.
 */
@Singleton
@Requires(classes = EntityEventListener.class)
@Requires(beans = Snowcast.class)
final class SnowcastIdListener implements EntityEventListener<Object> {
    /** Hibernate itself refuses annotations that it ignores. */
    private static final boolean HAS_HIBERNATE = ClassUtils.isPresent(
            "io.micronaut.data.hibernate.event.EventIntegrator", SnowcastIdListener.class.getClassLoader());

    private static final String OF_HIBERNATE = "jakarta.persistence.Entity";

    private final BeanProvider<Snowcast> snowcast;
    private final ConcurrentHashMap<String, KeyForm> forms = new ConcurrentHashMap<>();

    SnowcastIdListener(BeanProvider<Snowcast> snowcast) {
        this.snowcast = snowcast;
    }

    @Override
    public boolean supports(RuntimePersistentEntity<Object> entity, Class<? extends Annotation> eventType) {
        if (eventType != PrePersist.class) {
            return false;
        }
        if (!HAS_HIBERNATE || !entity.getAnnotationMetadata().hasAnnotation(OF_HIBERNATE)) {
            requireHeeded(entity);
        }
        return identity(entity) != null;
    }

    /** Throws if there is an annotation that has no effect, because 0 or null would be stored. */
    private static void requireHeeded(RuntimePersistentEntity<Object> entity) {
        for (RuntimePersistentProperty<Object> property : entity.getPersistentProperties()) {
            requireNone(
                    SnowcastId.class,
                    entity,
                    property,
                    ", so its value would be stored as 0 or null: the property must be the identity, and have @Id");
            requireNoSequence(entity, property);
        }
        entity.getRuntimeIdentityProperties().forEach(property -> requireNoSequence(entity, property));
    }

    private static void requireNoSequence(
            RuntimePersistentEntity<Object> entity, RuntimePersistentProperty<Object> property) {
        requireNone(
                SnowcastSequence.class,
                entity,
                property,
                " with Micronaut Data, so its value would be stored as 0 or null: remove it, and set the integer in the"
                        + " constructor; or use @SnowcastId");
    }

    private static void requireNone(
            Class<? extends Annotation> annotation,
            RuntimePersistentEntity<Object> entity,
            RuntimePersistentProperty<Object> property,
            String why) {
        if (property.getAnnotationMetadata().hasAnnotation(annotation)) {
            throw new MappingException("@" + annotation.getSimpleName() + " " + entity.getName() + "."
                    + property.getName() + " has no effect" + why);
        }
    }

    private static @Nullable RuntimePersistentProperty<Object> identity(RuntimePersistentEntity<Object> entity) {
        RuntimePersistentProperty<Object> identity = entity.getIdentity();
        return identity != null && identity.getAnnotationMetadata().hasAnnotation(SnowcastId.class) ? identity : null;
    }

    @Override
    public boolean prePersist(EntityEventContext<Object> context) {
        RuntimePersistentProperty<Object> identity = identity(context.getPersistentEntity());
        if (identity != null) {
            set(context, identity);
        }
        return true;
    }

    private void set(EntityEventContext<Object> context, RuntimePersistentProperty<Object> identity) {
        BeanProperty<Object, Object> property = identity.getProperty();
        SnowcastId annotation = identity.getAnnotationMetadata().synthesize(SnowcastId.class);
        String where = context.getPersistentEntity().getName() + "." + property.getName();
        KeyForm form = forms.computeIfAbsent(
                where,
                name -> KeyForm.of(name, annotation, property.asArgument().asType()));
        if (!form.isSet(property.get(context.getEntity()))) {
            SnowcastSequencer sequencer = sequencer(annotation.value(), where);
            form.check(sequencer);
            try {
                context.setProperty(property, form.write(sequencer.next(), sequencer));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new DataAccessException("No ID for " + where + ": the thread was interrupted", e);
            }
        }
    }

    private SnowcastSequencer sequencer(String name, String where) {
        Optional<SnowcastSequencer> found = snowcast.get().sequencers().stream()
                .filter(one -> one.getSequencerName().equals(name))
                .findAny();
        return found.orElseThrow(() -> new DataAccessException("No ID for " + where + ": there is no sequencer \""
                + name + "\"; there are "
                + snowcast.get().sequencers().stream()
                        .map(SnowcastSequencer::getSequencerName)
                        .sorted()
                        .toList()));
    }
}
