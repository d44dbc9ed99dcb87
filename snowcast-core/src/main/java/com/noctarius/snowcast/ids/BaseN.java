// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.ids;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Arrays;

/** Encodes 64-bit numbers as texts of fixed width, which sort as the unsigned numbers do. */
final class BaseN {
    /** <a href="https://www.crockford.com/base32.html">Crockford's Base32</a>: writes upper case, reads either case. */
    static final BaseN BASE32 = new BaseN(
            13,
            "0-9 and A-Z without U",
            "0123456789ABCDEFGHJKMNPQRSTVWXYZ",
            "0123456789abcdefghjkmnpqrstvwxyz",
            "OI",
            "OL",
            "oi",
            "ol");

    static final BaseN BASE62 =
            new BaseN(11, "0-9, A-Z and a-z", "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");

    private static final int MAX_ECHO_LENGTH = 100;

    private final int width;
    private final int radix;
    private final String alphabet;
    private final byte[] digits;
    private final byte[] values = new byte[128];

    /** A character at index i of one of {@code otherSpellings} is also read as the digit i, but never written. */
    private BaseN(int width, String alphabet, String digits, String... otherSpellings) {
        this.width = width;
        this.radix = digits.length();
        this.alphabet = alphabet;
        this.digits = digits.getBytes(ISO_8859_1);
        Arrays.fill(values, (byte) -1);
        readAs(digits);
        for (String spelling : otherSpellings) {
            readAs(spelling);
        }
    }

    private void readAs(String spelling) {
        for (int value = 0; value < spelling.length(); value++) {
            values[spelling.charAt(value)] = (byte) value;
        }
    }

    String encode(long number) {
        byte[] text = new byte[width];
        long rest = number;
        for (int i = width - 1; i >= 0; i--) {
            long quotient = Long.divideUnsigned(rest, radix);
            text[i] = digits[(int) (rest - quotient * radix)];
            rest = quotient;
        }
        return new String(text, ISO_8859_1);
    }

    long decode(String text) {
        if (text.length() != width) {
            throw new IllegalArgumentException(
                    "Base" + radix + " must have " + width + " characters, not " + text.length() + ": " + echo(text));
        }
        long number = 0;
        for (int i = 0; i < width; i++) {
            long before = number;
            number = before * radix + valueAt(text, i);
            // If the number has not overflowed, the division reverses the multiplication.
            if (Long.divideUnsigned(number, radix) != before) {
                throw new IllegalArgumentException(
                        "Base" + radix + " must be at most " + encode(-1) + ", which is 2^64 - 1: " + echo(text));
            }
        }
        return number;
    }

    private int valueAt(String text, int index) {
        char digit = text.charAt(index);
        int value = digit < values.length ? values[digit] : -1;
        if (value < 0) {
            throw new IllegalArgumentException("Base" + radix + " must consist of " + alphabet + ", not '"
                    + printable(Character.toString(text.codePointAt(index))) + "' at index " + index + ": "
                    + echo(text));
        }
        return value;
    }

    /** Returns external input for exception messages: truncated, and without control characters, such as newlines. */
    static String echo(String text) {
        return '"' + printable(text) + '"';
    }

    private static String printable(String text) {
        String shown = text.length() > MAX_ECHO_LENGTH ? text.substring(0, MAX_ECHO_LENGTH) + "..." : text;
        return shown.replaceAll("\\p{Cntrl}", "\uFFFD");
    }
}
