// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jackson;

import com.noctarius.snowcast.ids.SnowflakeId;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Writes an ID to JSON as a string. A JSON number would do for Java, but JavaScript keeps only 53 bits of a number and
 * silently rounds it to another ID.
 *
 * <pre>{@code
 * record Order(@JsonSnowcastId long id, @JsonSnowcastId(JsonSnowcastId.Form.BASE62) List<Long> items) {}
 *
 * @JsonSnowcastId(value = JsonSnowcastId.Form.BASE32, prefix = "ord_")
 * record OrderId(long value) {}                                            // "ord_0N77GAC8R1A07"
 * }</pre>
 *
 * <p>The annotation stands on a property of type {@code long} or {@code Long}, or on an array, collection, optional or
 * map of them; in a map it applies to keys and values of type {@code Long}. On a {@code String} that holds the text
 * itself, as the key of an entity may, it has what is read checked, and written the way that the form writes it. On a
 * record with one component of these types, or on a property of such a type, the whole record is the text, also as the
 * key of a map if the annotation is on the record. On another type the mapper fails with its usual exception when it
 * first meets the class. The mapper must have {@link SnowcastJackson2Module} or {@link SnowcastJackson3Module}: without
 * the module the annotation has no effect.
 *
 * <p>Reading accepts a string of the same form, exactly as it is written, and an integer JSON number, for senders that
 * keep 64 bits. Other strings and numbers fail with the mapper's usual exceptions, which name the value and the path to
 * it. {@code null} is read and written as for any {@code long} or {@code Long}.
 *
 * <p>With snowcast-spring it also says how path variables and request parameters are read, if it stands on the
 * parameter of the handler method or on its type; see {@code SnowcastIdConverter}.
 *
 * <p>On the parameter of a constructor it works if Jackson knows which property the parameter is for. If not, as in
 * Kotlin without Kotlin's module, the mapper fails with its usual exception when it first writes the class: annotate
 * the field or the getter, in Kotlin by {@code @get:JsonSnowcastId}.
 *
 * <p>Jackson ignores the annotation when it reads by a delegating creator that takes one {@code long}; name the
 * property there, or take a {@code String}. The annotation is also found inside an annotation that has
 * {@code @JacksonAnnotationsInside}.
 */
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface JsonSnowcastId {
    /**
     * Says how an ID is written.
     *
     * @return the form
     */
    Form value() default Form.DECIMAL;

    /**
     * Text in front of each ID: {@code "ord_"} makes {@code ord_0N77GAC8R1A07} of Base32. What is read must have it. At
     * most 32 characters of A-Z, a-z, 0-9, _ and -; others fail as another type does.
     *
     * @return the prefix
     */
    String prefix() default "";

    /** How an ID is written. */
    enum Form {
        /**
         * Decimal digits, with a minus sign when the ID is negative: as {@code Long.toString} and an SQL database show
         * it, so it can be pasted into a query or the path of a URL. Leading zeros and a plus sign are not read.
         */
        DECIMAL,

        /** 11 characters of 0-9, A-Z and a-z, which sort as the IDs do: {@link SnowflakeId#toBase62}. */
        BASE62,

        /**
         * 13 characters in Crockford's Base32, which sort as the IDs do: {@link SnowflakeId#toBase32}. Lower case and
         * the characters that people confuse are read, too: {@link SnowflakeId#parseBase32}.
         */
        BASE32;

        String write(long id) {
            return switch (this) {
                case DECIMAL -> Long.toString(id);
                case BASE62 -> SnowflakeId.toBase62(id);
                case BASE32 -> SnowflakeId.toBase32(id);
            };
        }

        /** Throws an {@link IllegalArgumentException} that says what is wrong with the text. */
        long read(String text) {
            return switch (this) {
                case DECIMAL -> parseDecimal(text);
                case BASE62 -> SnowflakeId.parseBase62(text);
                case BASE32 -> SnowflakeId.parseBase32(text);
            };
        }

        private static long parseDecimal(String text) {
            long id;
            try {
                id = Long.parseLong(text);
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(
                        "ID must be a decimal number from " + Long.MIN_VALUE + " to " + Long.MAX_VALUE, e);
            }
            // One text for each ID; parseLong accepts several.
            if (!Long.toString(id).equals(text)) {
                throw new IllegalArgumentException("ID must be written " + id);
            }
            return id;
        }
    }
}
