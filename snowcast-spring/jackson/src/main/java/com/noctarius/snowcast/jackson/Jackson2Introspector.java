// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jackson;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedClass;
import com.fasterxml.jackson.databind.introspect.AnnotatedMethod;
import com.fasterxml.jackson.databind.introspect.NopAnnotationIntrospector;
import java.io.Serial;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An annotation introspector that returns the serializers and deserializers for {@link JsonSnowcastId} to Jackson 2.
 */
final class Jackson2Introspector extends NopAnnotationIntrospector {
    @Serial
    private static final long serialVersionUID = 1L;

    @Override
    public @Nullable Object findSerializer(Annotated annotated) {
        return choose(
                annotated,
                ids -> ids.forValue(
                        (text, type) -> new Jackson2Serializers.OfId(text), Jackson2Serializers.OfIdArray::new));
    }

    @Override
    public @Nullable Object findContentSerializer(Annotated annotated) {
        return choose(annotated, ids -> ids.forContent(Jackson2Serializers.OfId::new));
    }

    @Override
    public @Nullable Object findKeySerializer(Annotated annotated) {
        return choose(annotated, ids -> ids.forKey((text, type) -> new Jackson2Serializers.OfIdKey(text)));
    }

    @Override
    public @Nullable Object findDeserializer(Annotated annotated) {
        return choose(
                annotated,
                ids -> ids.forValue(
                        (text, type) -> type == long.class || type == Long.class
                                ? new Jackson2Deserializers.OfId(text, type)
                                : new Jackson2Deserializers.OfText(text, type),
                        Jackson2Deserializers.OfIdArray::new));
    }

    @Override
    public @Nullable Object findContentDeserializer(Annotated annotated) {
        return choose(annotated, ids -> ids.forContent(text -> new Jackson2Deserializers.OfId(text, Long.class)));
    }

    @Override
    public @Nullable Object findKeyDeserializer(Annotated annotated) {
        return choose(annotated, ids -> ids.forKey(Jackson2Deserializers.OfIdKey::new));
    }

    private static @Nullable Object choose(Annotated annotated, Function<AnnotatedIds, @Nullable Object> choice) {
        JsonSnowcastId annotation = annotated.getAnnotation(JsonSnowcastId.class);
        if (annotation == null) {
            return null;
        }
        // For a setter, take the type of its parameter.
        JavaType type = annotated instanceof AnnotatedMethod method && method.getParameterCount() == 1
                ? method.getParameterType(0)
                : annotated.getType();
        return choice.apply(new AnnotatedIds(
                annotation,
                type.getRawClass(),
                rawClass(type.getContentType()),
                annotated instanceof AnnotatedClass ? type.getRawClass() : rawClass(type.getKeyType()),
                type.toCanonical() + " " + annotated.getName()));
    }

    private static @Nullable Class<?> rawClass(@Nullable JavaType type) {
        return type == null ? null : type.getRawClass();
    }
}
