// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.ids;

import java.util.Objects;
import java.util.regex.Pattern;

/**
 * An ID as the public sees it: encrypted by {@link IdCipher}, with the number of the key that decrypts it.
 *
 * @param keyNumber the number of the key, 0 or more
 * @param value the encrypted ID, any 64 bits
 */
public record PublicId(int keyNumber, long value) {
    private static final String EXAMPLE = "2-EAT4R7EA0ERZH";
    /** A stricter form than the JDK parses: no signs, no leading zeros, no digits of other scripts. */
    private static final Pattern WRITTEN_NUMBER = Pattern.compile("0|[1-9][0-9]{0,9}");

    /**
     * Creates a public ID from its parts, for example from two columns.
     *
     * @param keyNumber the number of the key, 0 or more
     * @param value the encrypted ID, any 64 bits
     * @throws IllegalArgumentException if {@code keyNumber} is negative
     */
    public PublicId {
        if (keyNumber < 0) {
            throw new IllegalArgumentException("keyNumber must be 0 or more: " + keyNumber);
        }
    }

    /**
     * Parses the text that {@link #toString()} writes. {@link SnowflakeId#parseBase32}, which parses the part after the
     * hyphen, accepts several spellings of a value: compare public IDs, not texts. The key number must have no leading
     * zeros.
     *
     * @param text a key number, a hyphen, 13 characters of Crockford's Base32
     * @return the public ID
     * @throws NullPointerException if {@code text} is null
     * @throws IllegalArgumentException if {@code text} does not have this form, the key number is greater than
     *     2<sup>31</sup> - 1, or the value is greater than 2<sup>64</sup> - 1
     */
    public static PublicId parse(String text) {
        int hyphen = Objects.requireNonNull(text, "text").indexOf('-');
        if (hyphen < 0) {
            throw new IllegalArgumentException("public ID must be written like " + EXAMPLE + ": " + BaseN.echo(text));
        }
        return new PublicId(parseKeyNumber(text, hyphen), SnowflakeId.parseBase32(text.substring(hyphen + 1)));
    }

    private static int parseKeyNumber(String text, int end) {
        String digits = text.substring(0, end);
        long number = WRITTEN_NUMBER.matcher(digits).matches() ? Long.parseLong(digits) : -1;
        if (number < 0 || number > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "key number must be 0 to " + Integer.MAX_VALUE + ", without zeros in front: " + BaseN.echo(text));
        }
        return (int) number;
    }

    /**
     * Writes this public ID for URLs: the key number in decimal digits, a hyphen, and the value in 13 characters of
     * Crockford's Base32.
     *
     * @return 15 to 24 characters, for example {@code 2-EAT4R7EA0ERZH}
     */
    @Override
    public String toString() {
        return keyNumber + "-" + SnowflakeId.toBase32(value);
    }
}
