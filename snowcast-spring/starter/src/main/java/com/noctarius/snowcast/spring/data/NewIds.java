// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.data;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.persistence.KeyForm;
import com.noctarius.snowcast.persistence.SnowcastId;
import com.noctarius.snowcast.persistence.SnowcastSequence;
import java.lang.annotation.Annotation;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.data.mapping.MappingException;
import org.springframework.data.mapping.PersistentEntity;
import org.springframework.data.mapping.PersistentProperty;
import org.springframework.data.mapping.PersistentPropertyAccessor;
import org.springframework.data.mapping.context.MappingContext;

/** Decides which entities get an ID, and from which sequencer or integer sequence. */
final class NewIds {
    private static final List<Class<?>> LONGS = List.of(long.class, Long.class);
    private static final List<Class<?>> INTS = List.of(int.class, Integer.class);

    private static final List<Class<? extends Annotation>> ANNOTATIONS =
            List.of(SnowcastId.class, SnowcastSequence.class);

    private final Map<Class<?>, Optional<Generated>> generated = new ConcurrentHashMap<>();
    private final MappingContext<? extends PersistentEntity<?, ?>, ?> context;
    private final Map<String, SnowcastSequencer> sequencers;
    private final Map<String, IntegerSequence> sequences;

    NewIds(
            MappingContext<? extends PersistentEntity<?, ?>, ?> context,
            Map<String, SnowcastSequencer> sequencersByBeanName,
            Map<String, IntegerSequence> sequencesByBeanName) {
        this.context = context;
        this.sequencers = NamedBeans.sequencers(sequencersByBeanName);
        this.sequences = NamedBeans.sequences(sequencesByBeanName);
    }

    /** Checks the annotations of the entities that the mapping context contains now. Throws if one is invalid. */
    void check() {
        context.getPersistentEntities().forEach(this::generated);
    }

    /**
     * Returns the vacant identifier of an entity; null if the entity has an ID, or if its identifier has none of the
     * {@link #ANNOTATIONS}.
     */
    @Nullable
    Vacancy vacancy(Object entity) {
        PersistentEntity<?, ?> type = context.getPersistentEntity(entity.getClass());
        Generated generated = type == null ? null : generated(type);
        if (type == null || generated == null) {
            return null;
        }
        PersistentProperty<?> id = generated.id();
        PersistentPropertyAccessor<Object> accessor = type.getPropertyAccessor(entity);
        Object present = accessor.getProperty(id);
        return present != null && generated.isSet().test(present) ? null : new Vacancy(accessor, generated);
    }

    private @Nullable Generated generated(PersistentEntity<?, ?> entity) {
        return generated
                .computeIfAbsent(entity.getType(), unused -> Optional.ofNullable(read(entity)))
                .orElse(null);
    }

    private @Nullable Generated read(PersistentEntity<?, ?> entity) {
        entity.forEach(NewIds::requireId);
        PersistentProperty<?> id = entity.getIdProperty();
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
            return read(where, id, snowcastId);
        }
        if (snowcastSequence != null) {
            return read(where, id, snowcastSequence);
        }
        return null;
    }

    private Generated read(String where, PersistentProperty<?> id, SnowcastId annotation) {
        try {
            KeyForm form = KeyForm.of(where, annotation, id.getType());
            SnowcastSequencer found = find(sequencers, "sequencer", where, SnowcastId.class, annotation.value());
            form.check(found);
            return new Generated(
                    where,
                    id,
                    form::isSet,
                    "sequencer " + found.getSequencerName(),
                    found::nextAsync,
                    found::next,
                    value -> form.write(value, found));
        } catch (IllegalArgumentException e) {
            throw new MappingException(e.getMessage(), e);
        }
    }

    private Generated read(String where, PersistentProperty<?> id, SnowcastSequence annotation) {
        boolean isInt = INTS.contains(id.getType());
        if (!isInt && !LONGS.contains(id.getType())) {
            throw new MappingException("@SnowcastSequence " + where + " must be int or Integer or long or Long, not "
                    + id.getType().getTypeName());
        }
        IntegerSequence found = find(sequences, "integer sequence", where, SnowcastSequence.class, annotation.value());
        return new Generated(
                where,
                id,
                value -> ((Number) value).longValue() != 0,
                "integer sequence " + found.name(),
                found::nextAsync,
                found::next,
                value -> isInt ? (Object) toInt(requireId(value)) : (Object) requireId(value));
    }

    private static long requireId(long value) {
        if (value == 0) {
            throw new IllegalArgumentException("0 must not be an ID, because it means that an entity has none; give the"
                    + " sequence a first value of 1");
        }
        return value;
    }

    private static int toInt(long value) {
        if (value > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    value + " is above " + Integer.MAX_VALUE + ", the last that fits an int; make the property a long");
        }
        return (int) value;
    }

    /** Rejects an annotation on a property that is not the identifier, because the annotation has no effect there. */
    private static void requireId(PersistentProperty<?> property) {
        for (Class<? extends Annotation> annotation : ANNOTATIONS) {
            if (!property.isIdProperty() && property.findAnnotation(annotation) != null) {
                throw new MappingException("@" + annotation.getSimpleName() + " "
                        + property.getOwner().getName() + "." + property.getName()
                        + " has no effect, so its value would be stored as 0 or null: the property must be the identifier, and have"
                        + " org.springframework.data.annotation.Id");
            }
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
     * An identifier property with generated values.
     *
     * @param isSet returns whether a value of the property counts as an ID
     * @param source the sequencer or integer sequence, for messages
     * @param nextAsync returns the next ID without blocking
     * @param next returns the next ID; blocks as the sequencer or integer sequence does
     * @param toKey converts an ID to the property's type; throws an {@link IllegalArgumentException} if that type
     *     cannot hold the ID
     */
    private record Generated(
            String where,
            PersistentProperty<?> id,
            Predicate<Object> isSet,
            String source,
            Supplier<CompletionStage<Long>> nextAsync,
            Next next,
            LongFunction<Object> toKey) {}

    record Vacancy(PersistentPropertyAccessor<Object> accessor, Generated generated) {
        /** Returns the entity, or a copy of it, with an ID. Blocks as {@code next()} does. */
        Object fill() throws InterruptedException {
            return fill(generated.next().take());
        }

        /** Returns a future of the next ID, which the caller then passes to {@link #fill(long)}. Does not block. */
        CompletableFuture<Long> nextAsync() {
            return generated.nextAsync().get().toCompletableFuture();
        }

        Object fill(long value) {
            try {
                accessor.setProperty(generated.id(), generated.toKey().apply(value));
            } catch (IllegalArgumentException e) {
                throw new MappingException(
                        "No ID of " + sourceName() + " for " + generated.where() + ": " + e.getMessage(), e);
            }
            return accessor.getBean();
        }

        String sourceName() {
            return generated.source();
        }
    }
}
