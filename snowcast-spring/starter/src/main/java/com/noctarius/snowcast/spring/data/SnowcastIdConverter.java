// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.data;

import com.noctarius.snowcast.jackson.IdText;
import com.noctarius.snowcast.jackson.JsonSnowcastId;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.core.convert.converter.ConditionalGenericConverter;

/**
 * Reads IDs from the text of path variables, request parameters and other values that Spring converts, and writes them
 * into the URLs that it makes, as {@link JsonSnowcastId} on the parameter, or on the record that is its type, says.
 * Spring Boot declares one by auto-configuration and gives it to Spring MVC; without Boot, add it to the
 * {@code FormatterRegistry}.
 *
 * <pre>{@code
 * @GetMapping("/orders/{id}")
 * Order get(@PathVariable @JsonSnowcastId(value = JsonSnowcastId.Form.BASE32, prefix = "ord_") long id) { … }
 * }</pre>
 *
 * <p>It stands on a {@code long}, {@code Long}, {@code String} or a record with one of them alone. Text of another
 * form, or with another prefix, is an {@link IllegalArgumentException}, which Spring answers with status 400, as for a
 * number that has letters. Where the parameter is a {@code long} or {@code Long}, Spring MVC reads a decimal number as
 * well: it tries that by itself when the conversion has failed. Thread-safe.
 */
public final class SnowcastIdConverter implements ConditionalGenericConverter {
    /** More specific than Spring's own pairs, as of {@code String} and {@code Number}, which would come before. */
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

    /** Returns whether one of the types is text and the other has the annotation. */
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

    /** Of an ID itself: elements of collections are converted one by one. */
    private static @Nullable JsonSnowcastId annotation(TypeDescriptor type) {
        if (!IdText.isId(type.getType())) {
            return null;
        }
        JsonSnowcastId own = type.getAnnotation(JsonSnowcastId.class);
        return own == null ? type.getType().getAnnotation(JsonSnowcastId.class) : own;
    }
}
