// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.data;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.type.TypeFactory;
import com.noctarius.snowcast.jackson.IdText;
import com.noctarius.snowcast.jackson.JsonSnowcastId;
import io.swagger.v3.core.converter.AnnotatedType;
import io.swagger.v3.core.converter.ModelConverter;
import io.swagger.v3.core.converter.ModelConverterContext;
import io.swagger.v3.oas.models.media.Schema;
import java.lang.annotation.Annotation;
import java.util.Arrays;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * A model converter for OpenAPI that describes an ID with {@link JsonSnowcastId} as a string with a pattern, because
 * JSON and paths contain the ID as such a string. Without the converter, the schema would contain an {@code int64}, or
 * the record that holds the ID. The auto-configuration for Spring Boot declares a converter, which springdoc uses.
 * Without Boot, call {@code ModelConverters.getInstance().addConverter(new SnowcastIdModelConverter())}. Thread-safe.
 */
public final class SnowcastIdModelConverter implements ModelConverter {
    /** Creates a converter. */
    public SnowcastIdModelConverter() {}

    @Override
    @SuppressWarnings("rawtypes") // The interface has the raw type.
    public @Nullable Schema resolve(AnnotatedType type, ModelConverterContext context, Iterator<ModelConverter> chain) {
        if (!chain.hasNext()) {
            return null;
        }
        JavaType resolved = TypeFactory.defaultInstance().constructType(type.getType());
        JsonSnowcastId own = annotation(type);
        if (resolved.isContainerType()) {
            Class<?> content = resolved.getContentType().getRawClass();
            // Drop the annotation if the content is not a long, because the content would inherit it. For example, on a
            // map from IDs to String, the annotation applies to the keys only.
            boolean isOfIds = own == null || content == Long.class || content == long.class;
            return chain.next().resolve(isOfIds ? type : unannotated(type), context, chain);
        }
        Class<?> raw = resolved.getRawClass();
        JsonSnowcastId annotation = own == null ? raw.getAnnotation(JsonSnowcastId.class) : own;
        if (annotation == null || !IdText.isId(raw)) {
            return chain.next().resolve(type, context, chain);
        }
        Schema<?> text = chain.next().resolve(copy(type).type(String.class), context, chain);
        if (text != null && text.getPattern() == null) {
            text.setPattern("^" + IdText.of(annotation, raw).pattern() + "$");
        }
        return text;
    }

    private static @Nullable JsonSnowcastId annotation(AnnotatedType type) {
        Annotation[] annotations = type.getCtxAnnotations();
        if (annotations != null) {
            for (Annotation annotation : annotations) {
                if (annotation instanceof JsonSnowcastId found) {
                    return found;
                }
                JsonSnowcastId inside = annotation.annotationType().getAnnotation(JsonSnowcastId.class);
                if (inside != null) {
                    return inside;
                }
            }
        }
        return null;
    }

    private static AnnotatedType unannotated(AnnotatedType type) {
        return copy(type)
                .ctxAnnotations(Arrays.stream(type.getCtxAnnotations())
                        .filter(annotation -> !(annotation instanceof JsonSnowcastId)
                                && !annotation.annotationType().isAnnotationPresent(JsonSnowcastId.class))
                        .toArray(Annotation[]::new));
    }

    /** Returns a copy to modify, because the given type is a key of the map of resolved types. */
    private static AnnotatedType copy(AnnotatedType type) {
        return new AnnotatedType(type.getType())
                .name(type.getName())
                .parent(type.getParent())
                .jsonUnwrappedHandler(type.getJsonUnwrappedHandler())
                .skipOverride(type.isSkipOverride())
                .schemaProperty(type.isSchemaProperty())
                .ctxAnnotations(type.getCtxAnnotations())
                .resolveAsRef(type.isResolveAsRef())
                .resolveEnumAsRef(type.isResolveEnumAsRef())
                .jsonViewAnnotation(type.getJsonViewAnnotation())
                .includePropertiesWithoutJSONView(type.isIncludePropertiesWithoutJSONView())
                .skipSchemaName(type.isSkipSchemaName())
                .skipJsonIdentity(type.isSkipJsonIdentity())
                .propertyName(type.getPropertyName())
                .subtype(type.isSubtype())
                .components(type.getComponents());
    }
}
