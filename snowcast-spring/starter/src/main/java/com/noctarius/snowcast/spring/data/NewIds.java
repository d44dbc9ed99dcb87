// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.data;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.persistence.SignedColumns;
import com.noctarius.snowcast.persistence.SnowcastId;
import com.noctarius.snowcast.persistence.SnowcastSequence;
import java.lang.annotation.Annotation;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.data.mapping.MappingException;
import org.springframework.data.mapping.PersistentPropertyAccessor;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;
import org.springframework.data.relational.core.mapping.RelationalPersistentEntity;
import org.springframework.data.relational.core.mapping.RelationalPersistentProperty;

/** Decides which entities get an ID, and from which sequencer or integer sequence. */
final class NewIds {
    private static final List<Class<?>> LONGS = List.of(long.class, Long.class);
    private static final List<Class<?>> INTS_AND_LONGS = List.of(int.class, Integer.class, long.class, Long.class);

    private static final List<Class<? extends Annotation>> ANNOTATIONS =
            List.of(SnowcastId.class, SnowcastSequence.class);

    private final Map<Class<?>, Optional<Generated>> generated = new ConcurrentHashMap<>();
    private final RelationalMappingContext context;
    private final Map<String, SnowcastSequencer> sequencers;
    private final Map<String, IntegerSequence> sequences;

    NewIds(
            RelationalMappingContext context,
            Map<String, SnowcastSequencer> sequencersByBeanName,
            Map<String, IntegerSequence> sequencesByBeanName) {
        this.context = context;
        this.sequencers = NamedBeans.sequencers(sequencersByBeanName);
        this.sequences = NamedBeans.sequences(sequencesByBeanName);
    }

    /** Fails if one of the entities that the context knows so far has a wrong annotation. */
    void check() {
        context.getPersistentEntities().forEach(this::generated);
    }

    /** Returns null if the entity needs no ID: it has one, or its identifier has neither annotation. */
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
        boolean isVacant = present == null || (id.getType().isPrimitive() && ((Number) present).longValue() == 0);
        return isVacant ? new Vacancy(accessor, generated) : null;
    }

    private @Nullable Generated generated(RelationalPersistentEntity<?> entity) {
        return generated
                .computeIfAbsent(entity.getType(), unused -> Optional.ofNullable(read(entity)))
                .orElse(null);
    }

    private @Nullable Generated read(RelationalPersistentEntity<?> entity) {
        entity.forEach(NewIds::requireId);
        RelationalPersistentProperty id = entity.getIdProperty();
        if (id == null) {
            return null;
        }
        String where = entity.getName() + "." + id.getName();
        SnowcastId snowcastId = id.findAnnotation(SnowcastId.class);
        SnowcastSequence snowcastSequence = id.findAnnotation(SnowcastSequence.class);
        if (snowcastId != null && snowcastSequence != null) {
            throw new MappingException(where + " must not have both @SnowcastId and @SnowcastSequence");
        }
        if (snowcastId != null) {
            requireType(where, id, SnowcastId.class, LONGS);
            SnowcastSequencer found = find(sequencers, "sequencer", where, SnowcastId.class, snowcastId.value());
            SignedColumns.warnOf(found);
            return new Generated(where, id, "sequencer " + found.getSequencerName(), found::nextAsync, found::next);
        }
        if (snowcastSequence != null) {
            requireType(where, id, SnowcastSequence.class, INTS_AND_LONGS);
            IntegerSequence found =
                    find(sequences, "integer sequence", where, SnowcastSequence.class, snowcastSequence.value());
            return new Generated(where, id, "integer sequence " + found.name(), found::nextAsync, found::next);
        }
        return null;
    }

    /** An annotation elsewhere has no effect, and Spring Data would store what the property has, 0. */
    private static void requireId(RelationalPersistentProperty property) {
        for (Class<? extends Annotation> annotation : ANNOTATIONS) {
            if (!property.isIdProperty() && property.findAnnotation(annotation) != null) {
                throw new MappingException("@" + annotation.getSimpleName() + " "
                        + property.getOwner().getName() + "." + property.getName()
                        + " has no effect, so its value would be stored as 0: the property must be the identifier, and have"
                        + " org.springframework.data.annotation.Id");
            }
        }
    }

    private static void requireType(
            String where,
            RelationalPersistentProperty id,
            Class<? extends Annotation> annotation,
            List<Class<?>> allowed) {
        if (!allowed.contains(id.getType())) {
            throw new MappingException("@" + annotation.getSimpleName() + " " + where + " must be "
                    + allowed.stream().map(Class::getSimpleName).collect(Collectors.joining(" or ")) + ", not "
                    + id.getType().getTypeName()
                    + (INTS_AND_LONGS.contains(id.getType()) ? "; @SnowcastSequence makes integers of 32 bits" : ""));
        }
    }

    private static <T> T find(
            Map<String, T> byName, String noun, String where, Class<? extends Annotation> annotation, String name) {
        T found = byName.get(name);
        if (found == null) {
            throw new MappingException("@" + annotation.getSimpleName() + "(\"" + name + "\") " + where
                    + ": there is no " + noun + " \"" + name + "\"; there are: " + byName.keySet());
        }
        return found;
    }

    @FunctionalInterface
    private interface Next {
        long take() throws InterruptedException;
    }

    /**
     * An identifier that is generated.
     *
     * @param source the sequencer or integer sequence, for messages
     * @param nextAsync does not block
     * @param next blocks as the sequencer or integer sequence does
     */
    private record Generated(
            String where,
            RelationalPersistentProperty id,
            String source,
            Supplier<CompletionStage<Long>> nextAsync,
            Next next) {}

    /** An entity without an ID. */
    record Vacancy(PersistentPropertyAccessor<Object> accessor, Generated generated) {
        /** Returns the entity, or a copy of it, with an ID; waits for it as long as its source does. */
        Object fill() throws InterruptedException {
            return fill(generated.next().take());
        }

        /** Takes an ID for {@link #fill(long)}. Does not block. */
        CompletableFuture<Long> nextAsync() {
            return generated.nextAsync().get().toCompletableFuture();
        }

        Object fill(long value) {
            Class<?> type = generated.id().getType();
            accessor.setProperty(generated.id(), LONGS.contains(type) ? (Object) value : (Object) toInt(value));
            return accessor.getBean();
        }

        private int toInt(long value) {
            if (value > Integer.MAX_VALUE) {
                throw new MappingException("No ID of " + sourceName() + " for " + generated.where() + ": " + value
                        + " is above " + Integer.MAX_VALUE + ", the last that fits an int; make the property a long");
            }
            return (int) value;
        }

        String sourceName() {
            return generated.source();
        }
    }
}
