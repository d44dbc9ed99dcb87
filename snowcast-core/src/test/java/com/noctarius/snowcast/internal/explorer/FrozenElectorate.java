// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.explorer;

import com.noctarius.snowcast.internal.base.Clock;
import com.noctarius.snowcast.internal.vote.Electorate;
import com.noctarius.snowcast.internal.vote.Moment;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * An immutable copy of an {@link Electorate} without split-brain protection, and without its clock and its settings.
 * The fields are copied by reflection, so that new fields are included; {@code knowledge} has no effect without
 * protection.
 */
final class FrozenElectorate {
    private static final List<Field> FIELDS = Arrays.stream(Electorate.class.getDeclaredFields())
            .filter(field -> !Modifier.isStatic(field.getModifiers()))
            .filter(field -> !Set.of("clock", "maxGapMillis", "searchMillis", "quorum", "knowledge")
                    .contains(field.getName()))
            .peek(field -> field.setAccessible(true))
            .toList();

    /** Each decision sets this field anew, so descriptions omit it. */
    private static final Set<String> DECIDED = Set.of("acts");

    private static final int[] DESCRIBED = IntStream.range(0, FIELDS.size())
            .filter(i -> !DECIDED.contains(FIELDS.get(i).getName()))
            .toArray();

    private static final ClassValue<List<Field>> COMPONENTS = new ClassValue<>() {
        @Override
        protected List<Field> computeValue(Class<?> type) {
            return Arrays.stream(type.getDeclaredFields())
                    .filter(field -> !DECIDED.contains(field.getName()))
                    .peek(field -> field.setAccessible(true))
                    .toList();
        }
    };

    /**
     * An event more than this many milliseconds ago has no further effect, so descriptions do not contain its exact
     * age.
     */
    static final long ALIKE_MILLIS = 12_000;

    private final @Nullable Object[] values;
    /** The last description is cached, because most steps change one member only. */
    private @Nullable String description;

    private long describedMillis;

    private FrozenElectorate(@Nullable Object[] values) {
        this.values = values;
    }

    static FrozenElectorate of(Electorate electorate) {
        @Nullable Object[] values = new @Nullable Object[FIELDS.size()];
        for (int i = 0; i < values.length; i++) {
            Object value = FrozenTable.get(FIELDS.get(i), electorate);
            values[i] = value instanceof Map<?, ?> map ? Map.copyOf(map) : value;
        }
        return new FrozenElectorate(values);
    }

    Electorate thaw(Clock clock, long maxGapMillis, long searchMillis, int quorum) {
        Electorate electorate = new Electorate(clock, maxGapMillis, searchMillis, quorum);
        for (int i = 0; i < values.length; i++) {
            Object value = values[i];
            FrozenTable.set(FIELDS.get(i), electorate, value instanceof Map<?, ?> map ? new HashMap<>(map) : value);
        }
        return electorate;
    }

    /** Returns a copy in which a field has another value, to leave out a rule. */
    FrozenElectorate with(String field, @Nullable Object value) {
        @Nullable Object[] changed = values.clone();
        changed[FrozenTable.indexOf(FIELDS, field)] = value;
        return new FrozenElectorate(changed);
    }

    /** Copies the value of one field into an electorate, to leave out a rule. */
    void restore(String field, Electorate into) {
        int index = FrozenTable.indexOf(FIELDS, field);
        FrozenTable.set(FIELDS.get(index), into, values[index]);
    }

    /**
     * Describes the electorate at a time. Without split-brain protection, electorates with equal descriptions behave
     * the same from that time on. Not thread-safe.
     */
    String describe(long nowMillis) {
        if (description == null || describedMillis != nowMillis) {
            describedMillis = nowMillis;
            StringBuilder text = new StringBuilder();
            for (int i : DESCRIBED) {
                Object value = values[i];
                describe(value, nowMillis, text);
                text.append(';');
            }
            description = text.toString();
        }
        return description;
    }

    private static void describe(@Nullable Object value, long nowMillis, StringBuilder text) {
        if (value instanceof Moment moment) {
            text.append(Math.min(nowMillis - moment.millis(), ALIKE_MILLIS));
        } else if (value instanceof Map<?, ?> map) {
            new TreeMap<>(map).forEach((key, each) -> {
                text.append(key).append('=');
                describe(each, nowMillis, text);
                text.append(',');
            });
        } else if (value instanceof Set<?> set) {
            new TreeSet<>(set).forEach(each -> text.append(each).append(','));
        } else if (value instanceof Record record) {
            for (Field field : COMPONENTS.get(record.getClass())) {
                describe(FrozenTable.get(field, record), nowMillis, text);
                text.append('/');
            }
        } else {
            text.append(value);
        }
    }
}
