// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jackson;

import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A property with {@link JsonSnowcastId}, and what of it is an ID: the value, its contents or its keys. The decisions
 * are the same for each version of Jackson, which brings the handlers: its serializers or deserializers.
 *
 * @param contentType the type of the elements, or of a map's values; null if it has none
 * @param keyType the type of a map's keys; null if it has none
 * @param description the type and the name, for messages
 */
record AnnotatedIds(
        JsonSnowcastId.Form form,
        Class<?> type,
        @Nullable Class<?> contentType,
        @Nullable Class<?> keyType,
        String description) {
    /** Returns the handler of the whole value, or null if only contents or keys are IDs; fails if nothing is one. */
    @Nullable
    Object forValue(
            BiFunction<JsonSnowcastId.Form, Class<?>, Object> ofId, Function<JsonSnowcastId.Form, Object> ofArray) {
        if (isId(type)) {
            return ofId.apply(form, type);
        }
        if (type == long[].class) {
            return ofArray.apply(form);
        }
        if (isId(contentType) || isId(keyType)) {
            return null;
        }
        throw new IllegalArgumentException(
                "@JsonSnowcastId must be on a long, a Long, or an array, collection, optional or map of them, not on "
                        + description);
    }

    /** Returns the handler of each element, or null if elements are no IDs or the handler of the array handles them. */
    @Nullable
    Object forContent(Function<JsonSnowcastId.Form, Object> ofId) {
        return contentType == Long.class ? ofId.apply(form) : null;
    }

    /** Returns the handler of each key, or null if keys are no IDs. */
    @Nullable
    Object forKey(Function<JsonSnowcastId.Form, Object> ofKey) {
        return keyType == Long.class ? ofKey.apply(form) : null;
    }

    private static boolean isId(@Nullable Class<?> type) {
        return type == long.class || type == Long.class;
    }
}
