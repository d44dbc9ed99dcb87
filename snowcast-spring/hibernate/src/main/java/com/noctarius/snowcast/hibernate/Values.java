// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.hibernate;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.persistence.KeyForm;
import com.noctarius.snowcast.persistence.SnowcastId;
import java.lang.reflect.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Converts the values of a sequencer or integer sequence, the source, to the type of one attribute. */
interface Values<T> {
    /**
     * Checks the attribute against the source as far as possible before there is a value. Throws an
     * {@link IllegalArgumentException} if the attribute cannot hold the values of the source. {@link #of} checks each
     * value.
     */
    void check(T source);

    /** Returns whether a value counts as set: it is not null, 0, an empty text, or a wrapper of one of these. */
    boolean isSet(@Nullable Object value);

    /** Converts a value; throws an {@link IllegalArgumentException} if the attribute cannot hold the value. */
    Object of(long generated, T source);

    /** Creates the conversion for an attribute's name and type; throws if the type cannot hold the values. */
    interface ByType<T> {
        Values<T> of(String where, Type type);
    }

    static ByType<SnowcastSequencer> ids(SnowcastId annotation) {
        return (where, type) -> new Ids(KeyForm.of(where, annotation, type));
    }

    static Values<IntegerSequence> integers(String where, Type type) {
        if (!(type instanceof Class<?> known)
                || !List.of(int.class, Integer.class, long.class, Long.class).contains(known)) {
            throw new IllegalArgumentException("@SnowcastSequence " + where
                    + " must be int or Integer or long or Long, not " + type.getTypeName());
        }
        return new Integers(known == int.class || known == Integer.class);
    }

    record Ids(KeyForm form) implements Values<SnowcastSequencer> {
        @Override
        public void check(SnowcastSequencer source) {
            form.check(source);
        }

        @Override
        public boolean isSet(@Nullable Object value) {
            return form.isSet(value);
        }

        @Override
        public Object of(long generated, SnowcastSequencer source) {
            return form.write(generated, source);
        }
    }

    record Integers(boolean isInt) implements Values<IntegerSequence> {
        @Override
        public void check(IntegerSequence source) {}

        @Override
        public boolean isSet(@Nullable Object value) {
            return value instanceof Number number && number.longValue() != 0;
        }

        @Override
        public Object of(long generated, IntegerSequence source) {
            if (generated == 0) {
                throw new IllegalArgumentException("0 must not be an ID, because it means that an entity has none; give"
                        + " the sequence a first value of 1");
            }
            if (!isInt) {
                return generated;
            }
            if (generated > Integer.MAX_VALUE) {
                throw new IllegalArgumentException(generated + " is above " + Integer.MAX_VALUE
                        + ", the last that fits an int; make the attribute a long");
            }
            return (int) generated;
        }
    }
}
