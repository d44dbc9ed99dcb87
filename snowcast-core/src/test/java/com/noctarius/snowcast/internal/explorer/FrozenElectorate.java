// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.explorer;

import com.noctarius.snowcast.internal.base.Clock;
import com.noctarius.snowcast.internal.owner.Electorate;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** An {@link Electorate} as a value. Reads the fields by reflection, so that a new one cannot be forgotten. */
final class FrozenElectorate {
    private static final List<Field> FIELDS = Arrays.stream(Electorate.class.getDeclaredFields())
            .filter(field -> !Modifier.isStatic(field.getModifiers()))
            .filter(field ->
                    !Set.of("clock", "maxGapMillis", "searchMillis", "quorum").contains(field.getName()))
            .peek(field -> field.setAccessible(true))
            .toList();

    /** Without split-brain protection they decide nothing: states that differ in them alone behave alike. */
    private static final Set<String> OF_QUORUM =
            Set.of("mostListed", "begins", "knows", "isSettled", "acts", "isComing", "notArrived", "standing");

    /** Whatever lies longer ago makes no difference any more. */
    static final long ALIKE_MILLIS = 12_000;

    private final @Nullable Object[] values;

    private FrozenElectorate(@Nullable Object[] values) {
        this.values = values;
    }

    static FrozenElectorate of(Electorate electorate) {
        @Nullable Object[] values = new @Nullable Object[FIELDS.size()];
        for (int i = 0; i < values.length; i++) {
            Object value = get(FIELDS.get(i), electorate);
            values[i] = value instanceof Map<?, ?> map ? Map.copyOf(map) : value;
        }
        return new FrozenElectorate(values);
    }

    Electorate thaw(Clock clock, long maxGapMillis, long searchMillis, int quorum) {
        Electorate electorate = new Electorate(clock, maxGapMillis, searchMillis, quorum);
        for (int i = 0; i < values.length; i++) {
            Object value = values[i];
            set(FIELDS.get(i), electorate, value instanceof Map<?, ?> map ? new HashMap<>(map) : value);
        }
        return electorate;
    }

    /** Returns a copy with another value of a field, for mutations. */
    FrozenElectorate with(String field, @Nullable Object value) {
        @Nullable Object[] changed = values.clone();
        for (int i = 0; i < changed.length; i++) {
            if (FIELDS.get(i).getName().equals(field)) {
                changed[i] = value;
                return new FrozenElectorate(changed);
            }
        }
        throw new AssertionError("Electorate has no field " + field);
    }

    /** Gives an electorate the value that a field had in this one, for mutations. */
    void restore(String field, Electorate into) {
        for (int i = 0; i < values.length; i++) {
            if (FIELDS.get(i).getName().equals(field)) {
                set(FIELDS.get(i), into, values[i]);
            }
        }
    }

    private static @Nullable Object get(Field field, Object of) {
        try {
            return field.get(of);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    private static void set(Field field, Electorate electorate, @Nullable Object value) {
        try {
            field.set(electorate, value);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    /** Describes it so that two that behave alike from a time on have one description. */
    String describe(long nowMillis) {
        return IntStream.range(0, values.length)
                .filter(i -> !OF_QUORUM.contains(FIELDS.get(i).getName()))
                .mapToObj(i -> values[i])
                .map(value ->
                        value instanceof Electorate.Asked asked ? age(asked, nowMillis) : describe(value, nowMillis))
                .collect(Collectors.joining(";"));
    }

    private static String age(Electorate.Asked asked, long nowMillis) {
        return String.valueOf(Math.min(nowMillis - asked.millis(), ALIKE_MILLIS));
    }

    private static String describe(@Nullable Object value, long nowMillis) {
        if (value instanceof Electorate.Asked asked) {
            return asked.memberListVersion() + "/" + asked.listHash() + "@" + age(asked, nowMillis);
        }
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .map(entry -> entry.getKey() + "=" + describe(entry.getValue(), nowMillis))
                    .sorted()
                    .collect(Collectors.joining(","));
        }
        if (value instanceof Set<?> set) {
            return set.stream().map(String::valueOf).sorted().collect(Collectors.joining(","));
        }
        if (value instanceof Record record) {
            return Arrays.stream(record.getClass().getDeclaredFields())
                    .filter(field -> !OF_QUORUM.contains(field.getName()))
                    .peek(field -> field.setAccessible(true))
                    .map(field -> describe(get(field, record), nowMillis))
                    .collect(Collectors.joining("/"));
        }
        return String.valueOf(value);
    }
}
