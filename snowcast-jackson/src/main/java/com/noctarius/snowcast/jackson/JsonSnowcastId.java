// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jackson;

import com.noctarius.snowcast.SnowcastId;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Has an ID written to JSON as a string. A JSON number would do for Java, but JavaScript keeps only 53 bits of it and
 * makes another ID of the rest, silently.
 *
 * <pre>{@code
 * record Order(@JsonSnowcastId long id, @JsonSnowcastId(JsonSnowcastId.Form.BASE62) List<Long> items) {}
 * }</pre>
 *
 * <p>It stands on a property of type {@code long} or {@code Long}, or on an array, collection, optional or map of them; of
 * a map all keys and values that are {@code Long} are written so. Another type is refused by the mapper's usual
 * exception when it first meets the class. The mapper must have {@link SnowcastJackson2Module} or
 * {@link SnowcastJackson3Module}: without, the annotation has no effect.
 *
 * <p>What is read is a string of the same form, exactly as it is written, and also an integer JSON number, for
 * senders that know 64 bits. Other strings and numbers are refused by the mapper's usual exceptions, which name the
 * value and the path to it. {@code null} is read and written as for any {@code long} or {@code Long}.
 *
 * <p>Jackson does not look at the annotations of a delegating creator that takes one {@code long}; give it a property, or
 * have it take a {@code String}. In an annotation that has {@code @JacksonAnnotationsInside} it is found as well.
 */
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface JsonSnowcastId {
    /**
     * Says how an ID is written.
     *
     * @return the form
     */
    Form value() default Form.DECIMAL;

    /** How an ID is written. */
    enum Form {
        /**
         * Decimal digits, with a minus sign when the ID is negative: as {@code Long.toString} and an SQL database show it,
         * so it can be pasted into a query or the path of a URL. Reads neither leading zeros nor a plus sign.
         */
        DECIMAL {
            @Override
            String write(long id) {
                return Long.toString(id);
            }

            @Override
            long read(String text) {
                return parseDecimal(text);
            }
        },

        /** 11 characters of 0-9, A-Z and a-z, which sort as the IDs do: {@link SnowcastId#toBase62}. */
        BASE62 {
            @Override
            String write(long id) {
                return SnowcastId.toBase62(id);
            }

            @Override
            long read(String text) {
                return SnowcastId.parseBase62(text);
            }
        },

        /**
         * 13 characters in Crockford's Base32, which sort as the IDs do: {@link SnowcastId#toBase32}. Also reads lower case
         * and the characters that people confuse: {@link SnowcastId#parseBase32}.
         */
        BASE32 {
            @Override
            String write(long id) {
                return SnowcastId.toBase32(id);
            }

            @Override
            long read(String text) {
                return SnowcastId.parseBase32(text);
            }
        };

        abstract String write(long id);

        /** Fails with an {@link IllegalArgumentException} that says what is wrong. */
        abstract long read(String text);

        private static long parseDecimal(String text) {
            long id;
            try {
                id = Long.parseLong(text);
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(
                        "ID must be a decimal number from " + Long.MIN_VALUE + " to " + Long.MAX_VALUE, e);
            }
            // One ID, one text; parseLong takes many.
            if (!Long.toString(id).equals(text)) {
                throw new IllegalArgumentException("ID must be written " + id);
            }
            return id;
        }
    }
}
