// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.data;

import com.noctarius.snowcast.SnowcastSequencer;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.data.mapping.MappingException;
import org.springframework.data.mapping.PersistentPropertyAccessor;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;
import org.springframework.data.relational.core.mapping.RelationalPersistentEntity;
import org.springframework.data.relational.core.mapping.RelationalPersistentProperty;

/** Knows which entities are to get an ID, and from which sequencer. */
final class NewIds {
    private final RelationalMappingContext context;
    private final Map<String, SnowcastSequencer> sequencers;

    NewIds(RelationalMappingContext context, Map<String, SnowcastSequencer> sequencersByBeanName) {
        this.context = context;
        this.sequencers = NamedSequencers.of(sequencersByBeanName);
    }

    /** Fails if an entity that is known so far has a wrong annotation. */
    void check() {
        context.getPersistentEntities().forEach(this::generated);
    }

    /** Returns null if the entity wants no ID: it has one, or is none of ours. */
    @Nullable
    Vacancy vacancy(Object entity) {
        RelationalPersistentEntity<?> type = context.getPersistentEntity(entity.getClass());
        Generated generated = type == null ? null : generated(type);
        if (type == null || generated == null) {
            return null;
        }
        RelationalPersistentProperty id = generated.id();
        PersistentPropertyAccessor<Object> accessor = type.getPropertyAccessor(entity);
        Object present = accessor.getProperty(id);
        boolean isVacant = present == null || (id.getType().isPrimitive() && (long) present == 0);
        return isVacant ? new Vacancy(accessor, id, generated.sequencer()) : null;
    }

    private @Nullable Generated generated(RelationalPersistentEntity<?> entity) {
        RelationalPersistentProperty id = entity.getIdProperty();
        if (id == null) {
            return null;
        }
        SnowcastId annotation = id.findAnnotation(SnowcastId.class);
        if (annotation == null) {
            return null;
        }
        String where = entity.getName() + "." + id.getName();
        if (id.getType() != long.class && id.getType() != Long.class) {
            throw new MappingException("@SnowcastId " + where + " must be a long or Long, not a "
                    + id.getType().getTypeName());
        }
        SnowcastSequencer sequencer = sequencers.get(annotation.value());
        if (sequencer == null) {
            throw new MappingException("@SnowcastId(\"" + annotation.value() + "\") " + where
                    + ": there is no sequencer \"" + annotation.value() + "\"; there are: " + sequencers.keySet());
        }
        return new Generated(id, sequencer);
    }

    /** An identifier that is generated. */
    private record Generated(RelationalPersistentProperty id, SnowcastSequencer sequencer) {}

    /** An entity without an ID. */
    record Vacancy(
            PersistentPropertyAccessor<Object> accessor, RelationalPersistentProperty id, SnowcastSequencer sequencer) {
        /** Returns the entity, or a copy of it, with an ID. */
        Object fill(long value) {
            accessor.setProperty(id, value);
            return accessor.getBean();
        }
    }
}
