// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jackson;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedMethod;
import com.fasterxml.jackson.databind.introspect.NopAnnotationIntrospector;
import java.io.Serial;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Finds {@link JsonSnowcastId}, and says what reads and writes the value, its contents or its keys. */
final class Jackson2Introspector extends NopAnnotationIntrospector {
    @Serial
    private static final long serialVersionUID = 1L;

    @Override
    public @Nullable Object findSerializer(Annotated annotated) {
        return forValue(
                annotated, (form, type) -> new Jackson2Serializers.OfId(form), Jackson2Serializers.OfIdArray::new);
    }

    @Override
    public @Nullable Object findContentSerializer(Annotated annotated) {
        return forPart(annotated, JavaType::getContentType, Jackson2Serializers.OfId::new);
    }

    @Override
    public @Nullable Object findKeySerializer(Annotated annotated) {
        return forPart(annotated, JavaType::getKeyType, Jackson2Serializers.OfIdKey::new);
    }

    @Override
    public @Nullable Object findDeserializer(Annotated annotated) {
        return forValue(annotated, Jackson2Deserializers.OfId::new, Jackson2Deserializers.OfIdArray::new);
    }

    @Override
    public @Nullable Object findContentDeserializer(Annotated annotated) {
        return forPart(annotated, JavaType::getContentType, form -> new Jackson2Deserializers.OfId(form, Long.class));
    }

    @Override
    public @Nullable Object findKeyDeserializer(Annotated annotated) {
        return forPart(annotated, JavaType::getKeyType, Jackson2Deserializers.OfIdKey::new);
    }

    private static @Nullable Object forValue(
            Annotated annotated,
            BiFunction<JsonSnowcastId.Form, Class<?>, Object> ofId,
            Function<JsonSnowcastId.Form, Object> ofArray) {
        JsonSnowcastId annotation = annotated.getAnnotation(JsonSnowcastId.class);
        if (annotation == null) {
            return null;
        }
        JavaType type = type(annotated);
        if (isId(type)) {
            return ofId.apply(annotation.value(), type.getRawClass());
        }
        if (type.hasRawClass(long[].class)) {
            return ofArray.apply(annotation.value());
        }
        if (isId(type.getContentType()) || isId(type.getKeyType())) {
            return null;
        }
        throw new IllegalArgumentException(
                "@JsonSnowcastId must be on a long, a Long, or an array, collection, optional or map of them, not on "
                        + type.toCanonical() + " " + annotated.getName());
    }

    private static @Nullable Object forPart(
            Annotated annotated,
            Function<JavaType, @Nullable JavaType> part,
            Function<JsonSnowcastId.Form, Object> ofId) {
        JsonSnowcastId annotation = annotated.getAnnotation(JsonSnowcastId.class);
        if (annotation == null) {
            return null;
        }
        JavaType partType = part.apply(type(annotated));
        // The elements of a long[] are written by what writes the array.
        return partType != null && partType.hasRawClass(Long.class) ? ofId.apply(annotation.value()) : null;
    }

    /** The type of a setter is that of its parameter. */
    private static JavaType type(Annotated annotated) {
        return annotated instanceof AnnotatedMethod method && method.getParameterCount() == 1
                ? method.getParameterType(0)
                : annotated.getType();
    }

    private static boolean isId(@Nullable JavaType type) {
        return type != null && (type.hasRawClass(long.class) || type.hasRawClass(Long.class));
    }
}
