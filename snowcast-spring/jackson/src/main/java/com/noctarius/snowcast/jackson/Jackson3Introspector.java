// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jackson;

import java.io.Serial;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedClass;
import tools.jackson.databind.introspect.AnnotatedMethod;
import tools.jackson.databind.introspect.NopAnnotationIntrospector;

/**
 * An annotation introspector that returns the serializers and deserializers for {@link JsonSnowcastId} to Jackson 3.
 */
final class Jackson3Introspector extends NopAnnotationIntrospector {
    @Serial
    private static final long serialVersionUID = 1L;

    @Override
    public @Nullable Object findSerializer(MapperConfig<?> config, Annotated annotated) {
        return choose(
                annotated,
                ids -> ids.forValue(
                        (text, type) -> new Jackson3Serializers.OfId(text), Jackson3Serializers.OfIdArray::new));
    }

    @Override
    public @Nullable Object findContentSerializer(MapperConfig<?> config, Annotated annotated) {
        return choose(annotated, ids -> ids.forContent(Jackson3Serializers.OfId::new));
    }

    @Override
    public @Nullable Object findKeySerializer(MapperConfig<?> config, Annotated annotated) {
        return choose(annotated, ids -> ids.forKey((text, type) -> new Jackson3Serializers.OfIdKey(text)));
    }

    @Override
    public @Nullable Object findDeserializer(MapperConfig<?> config, Annotated annotated) {
        return choose(
                annotated,
                ids -> ids.forValue(
                        (text, type) -> type == long.class || type == Long.class
                                ? new Jackson3Deserializers.OfId(text, type)
                                : new Jackson3Deserializers.OfText(text, type),
                        Jackson3Deserializers.OfIdArray::new));
    }

    @Override
    public @Nullable Object findContentDeserializer(MapperConfig<?> config, Annotated annotated) {
        return choose(annotated, ids -> ids.forContent(text -> new Jackson3Deserializers.OfId(text, Long.class)));
    }

    @Override
    public @Nullable Object findKeyDeserializer(MapperConfig<?> config, Annotated annotated) {
        return choose(annotated, ids -> ids.forKey(Jackson3Deserializers.OfIdKey::new));
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
