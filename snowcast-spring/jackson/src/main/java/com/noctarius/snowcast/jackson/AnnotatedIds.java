// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jackson;

import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A property, or a record, with {@link JsonSnowcastId}. This class decides what is an ID: the value, its elements or
 * its keys. The code for Jackson 2 and the code for Jackson 3 share this class; each passes its own handlers, which are
 * serializers or deserializers.
 *
 * @param contentType the type of the elements, or of a map's values; null for a type without elements
 * @param keyType the type of a map's keys, or the type of a record that may be a key; null if there is neither
 * @param description the property or record, for messages
 */
record AnnotatedIds(
        JsonSnowcastId annotation,
        Class<?> type,
        @Nullable Class<?> contentType,
        @Nullable Class<?> keyType,
        String description) {
    /** Returns the handler of the whole value, or null if only elements or keys are IDs; throws if nothing is an ID. */
    @Nullable
    Object forValue(BiFunction<IdText, Class<?>, Object> ofId, Function<IdText, Object> ofArray) {
        if (IdText.isId(type)) {
            return ofId.apply(IdText.of(annotation, type), type);
        }
        if (type == long[].class) {
            return ofArray.apply(IdText.of(annotation, long.class));
        }
        if (contentType == Long.class || keyType == Long.class) {
            return null;
        }
        throw new IllegalArgumentException(
                "@JsonSnowcastId must be on a long, a Long, or an array, collection, optional or map of them, or on a String or"
                        + " a record that wraps one of them, not on " + description);
    }

    /** Returns the handler of each element; null if elements are not IDs, or the handler of the array handles them. */
    @Nullable
    Object forContent(Function<IdText, Object> ofId) {
        return contentType == Long.class ? ofId.apply(IdText.of(annotation, Long.class)) : null;
    }

    /** Returns the handler of each key, or null if keys are not IDs. */
    @Nullable
    Object forKey(BiFunction<IdText, Class<?>, Object> ofKey) {
        boolean isId = keyType == Long.class || keyType == type;
        return keyType != null && isId && IdText.isId(keyType)
                ? ofKey.apply(IdText.of(annotation, keyType), keyType)
                : null;
    }
}
