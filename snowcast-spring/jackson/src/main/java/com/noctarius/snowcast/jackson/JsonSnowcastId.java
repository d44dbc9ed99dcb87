// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jackson;

import com.noctarius.snowcast.ids.SnowflakeId;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks an ID that Jackson writes to JSON as a string. Java could read a JSON number, but JavaScript keeps only 53 bits
 * of a number and silently rounds it to a different ID.
 *
 * <pre>{@code
 * record Order(@JsonSnowcastId long id, @JsonSnowcastId(JsonSnowcastId.Form.BASE62) List<Long> items) {}
 *
 * @JsonSnowcastId(value = JsonSnowcastId.Form.BASE32, prefix = "ord_")
 * record OrderId(long value) {}                                            // "ord_0N77GAC8R1A07"
 * }</pre>
 *
 * <p>Put the annotation on a property of type {@code long} or {@code Long}, or on an array, collection, optional or map
 * of them. In a map it applies to keys and values of type {@code Long}. On a {@code String} that already holds the
 * text, for example the key of an entity, reading checks the text and converts it to the exact form. If the annotation
 * is on a record whose only component is a {@code long}, {@code Long} or {@code String}, or on a property of such a
 * record type, Jackson writes the record as the text of its ID, not as an object. If the annotation is on the record
 * itself, Jackson also writes the text where the record is the key of a map. If the annotation is on any other type,
 * the mapper throws its usual exception when it first uses the class. The mapper must have
 * {@link SnowcastJackson2Module} or {@link SnowcastJackson3Module}; without the module the annotation has no effect.
 *
 * <p>Reading a {@code long} or {@code Long} accepts a string in the annotation's form, and also an integer JSON number,
 * because some senders keep all 64 bits. For other strings and numbers, the mapper throws its usual exceptions, with
 * the value and the path to it. Jackson reads and writes {@code null} as for a property without the annotation.
 *
 * <p>With snowcast-spring, the annotation also determines how Spring converts a path variable or request parameter: put
 * it on the parameter of the handler method, or on the parameter's type. See {@code SnowcastIdConverter}.
 *
 * <p>On the parameter of a constructor, the annotation works if Jackson knows the property that belongs to the
 * parameter. If Jackson does not know the property, as in Kotlin without Kotlin's module, the mapper throws its usual
 * exception when it first writes the class. In that case, annotate the field or the getter, in Kotlin by
 * {@code @get:JsonSnowcastId}.
 *
 * <p>Jackson ignores the annotation when it reads an object through a delegating creator with one {@code long}
 * parameter. Name the property of that parameter by {@code @JsonProperty}, or give the creator a {@code String}
 * parameter. The annotation also works inside an annotation with {@code @JacksonAnnotationsInside}.
 */
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface JsonSnowcastId {
    /**
     * Selects how an ID is written.
     *
     * @return the form
     */
    Form value() default Form.DECIMAL;

    /**
     * Sets a text in front of each ID: with {@code "ord_"}, an ID in Base32 is {@code ord_0N77GAC8R1A07}. Reading
     * rejects a string without the prefix. The prefix may have up to 32 characters of A-Z, a-z, 0-9, _ and -. If the
     * prefix is invalid, the mapper throws its usual exception when it first uses the class.
     *
     * @return the prefix
     */
    String prefix() default "";

    /** The form in which an ID is written. */
    enum Form {
        /**
         * Decimal digits, with a minus sign if the ID is negative. This is the text of {@code Long.toString} and of SQL
         * databases, so you can paste it into a query or the path of a URL. Reading rejects leading zeros and a plus
         * sign.
         */
        DECIMAL,

        /**
         * 11 characters of 0-9, A-Z and a-z, which sort as the IDs do if compared by character codes:
         * {@link SnowflakeId#toBase62}.
         */
        BASE62,

        /**
         * 13 characters in Crockford's Base32, which sort as the IDs do: {@link SnowflakeId#toBase32}. Reading also
         * accepts lower case and easily confused characters: {@link SnowflakeId#parseBase32}.
         */
        BASE32;

        String write(long id) {
            return switch (this) {
                case DECIMAL -> Long.toString(id);
                case BASE62 -> SnowflakeId.toBase62(id);
                case BASE32 -> SnowflakeId.toBase32(id);
            };
        }

        /** Throws an {@link IllegalArgumentException} if the text does not have this form. */
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
            // Accept only one text for each ID, although parseLong accepts several.
            if (!Long.toString(id).equals(text)) {
                throw new IllegalArgumentException("ID must be written " + id);
            }
            return id;
        }
    }
}
