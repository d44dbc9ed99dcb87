// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.data;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.SnowcastSequencer;
import java.lang.annotation.Annotation;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.data.mapping.MappingException;
import org.springframework.data.mapping.PersistentPropertyAccessor;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;
import org.springframework.data.relational.core.mapping.RelationalPersistentEntity;
import org.springframework.data.relational.core.mapping.RelationalPersistentProperty;

/** Knows which entities are to get an ID, and from which sequencer or integer sequence. */
final class NewIds {
    private static final List<Class<?>> LONGS = List.of(long.class, Long.class);
    private static final List<Class<?>> INTS_AND_LONGS = List.of(int.class, Integer.class, long.class, Long.class);

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
        boolean isVacant = present == null || (id.getType().isPrimitive() && ((Number) present).longValue() == 0);
        return isVacant ? new Vacancy(accessor, generated) : null;
    }

    private @Nullable Generated generated(RelationalPersistentEntity<?> entity) {
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
            String name = snowcastId.value();
            return new Generated(
                    where, id, new OfSequencer(find(sequencers, "sequencer", where, SnowcastId.class, name)));
        }
        if (snowcastSequence != null) {
            requireType(where, id, SnowcastSequence.class, INTS_AND_LONGS);
            String name = snowcastSequence.value();
            return new Generated(
                    where,
                    id,
                    new OfSequence(find(sequences, "integer sequence", where, SnowcastSequence.class, name)));
        }
        return null;
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

    /** What makes IDs. */
    private sealed interface Maker {
        /** Returns empty where it is not known whether an ID has to be waited for. */
        OptionalLong tryNext();

        long next() throws InterruptedException;

        /** For messages. */
        String name();
    }

    private record OfSequencer(SnowcastSequencer sequencer) implements Maker {
        @Override
        public OptionalLong tryNext() {
            return sequencer.tryNext();
        }

        @Override
        public long next() throws InterruptedException {
            return sequencer.next();
        }

        @Override
        public String name() {
            return "sequencer " + sequencer.getSequencerName();
        }
    }

    private record OfSequence(IntegerSequence sequence) implements Maker {
        @Override
        public OptionalLong tryNext() {
            return OptionalLong.empty();
        }

        @Override
        public long next() throws InterruptedException {
            return sequence.next();
        }

        @Override
        public String name() {
            return "integer sequence " + sequence.name();
        }
    }

    /** An identifier that is generated. */
    private record Generated(String where, RelationalPersistentProperty id, Maker maker) {}

    /** An entity without an ID. */
    record Vacancy(PersistentPropertyAccessor<Object> accessor, Generated generated) {
        /** Returns the entity, or a copy of it, with an ID; waits for it as long as the maker does. */
        Object fill() throws InterruptedException {
            return fill(generated.maker().next());
        }

        /** Does not block; returns null if the ID may have to be waited for. */
        @Nullable
        Object tryFill() {
            OptionalLong id = generated.maker().tryNext();
            return id.isPresent() ? fill(id.getAsLong()) : null;
        }

        private Object fill(long value) {
            Class<?> type = generated.id().getType();
            accessor.setProperty(generated.id(), LONGS.contains(type) ? (Object) value : (Object) toInt(value));
            return accessor.getBean();
        }

        private int toInt(long value) {
            if (value > Integer.MAX_VALUE) {
                throw new MappingException("No ID of " + makerName() + " for " + generated.where() + ": " + value
                        + " is above " + Integer.MAX_VALUE + ", the last that fits an int; make the property a long");
            }
            return (int) value;
        }

        String makerName() {
            return generated.maker().name();
        }
    }
}
