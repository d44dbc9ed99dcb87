// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.data;

import com.noctarius.snowcast.jackson.IdText;
import com.noctarius.snowcast.jackson.JsonSnowcastId;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.core.convert.converter.ConditionalGenericConverter;

/**
 * A Spring converter between IDs and text, for path variables, request parameters, URLs and other values that Spring
 * converts. {@link JsonSnowcastId} on the parameter, or on the record type of the parameter, selects the form of the
 * text. The auto-configuration for Spring Boot declares a converter, and Boot registers it with Spring MVC. Without
 * Boot, add it to the {@code FormatterRegistry}.
 *
 * <pre>{@code
 * @GetMapping("/orders/{id}")
 * Order get(@PathVariable @JsonSnowcastId(value = JsonSnowcastId.Form.BASE32, prefix = "ord_") long id) { … }
 * }</pre>
 *
 * <p>The parameter is a {@code long}, {@code Long} or {@code String}, or a record with one of these as its only
 * component. For text that lacks the prefix or has a different form, the converter throws an
 * {@link IllegalArgumentException}, and Spring MVC responds with status 400. If the parameter is a {@code long} or
 * {@code Long}, Spring MVC also accepts a number as {@code Long.decode} does, such as {@code 31} or {@code 0x1F},
 * because it parses a number itself after the converter has thrown. Thread-safe.
 */
public final class SnowcastIdConverter implements ConditionalGenericConverter {
    /**
     * Pairs of source and target types. Spring prefers the most specific pair. The pairs with {@code Long} are more
     * specific than Spring's own pairs for numbers, such as {@code String} and {@code Number}.
     */
    private static final Set<ConvertiblePair> PAIRS = Set.of(
            new ConvertiblePair(String.class, Long.class),
            new ConvertiblePair(String.class, Object.class),
            new ConvertiblePair(Long.class, String.class),
            new ConvertiblePair(Object.class, String.class));

    /** Creates a converter. */
    public SnowcastIdConverter() {}

    @Override
    public Set<ConvertiblePair> getConvertibleTypes() {
        return PAIRS;
    }

    /** Returns whether one of the types is {@code String} and the other has the annotation. */
    @Override
    public boolean matches(TypeDescriptor source, TypeDescriptor target) {
        return (source.getType() == String.class && annotation(target) != null)
                || (target.getType() == String.class && annotation(source) != null);
    }

    @Override
    public @Nullable Object convert(@Nullable Object source, TypeDescriptor sourceType, TypeDescriptor targetType) {
        if (source == null) {
            return null;
        }
        JsonSnowcastId read = annotation(targetType);
        if (read != null) {
            return IdText.of(read, targetType.getType()).read((String) source);
        }
        JsonSnowcastId written = annotation(sourceType);
        return written == null
                ? source
                : IdText.of(written, sourceType.getType()).write(source);
    }

    /**
     * Returns the annotation of an ID type; null for other types, which include collections. Spring passes each element
     * of a collection to the converter.
     */
    private static @Nullable JsonSnowcastId annotation(TypeDescriptor type) {
        if (!IdText.isId(type.getType())) {
            return null;
        }
        JsonSnowcastId own = type.getAnnotation(JsonSnowcastId.class);
        return own == null ? type.getType().getAnnotation(JsonSnowcastId.class) : own;
    }
}
