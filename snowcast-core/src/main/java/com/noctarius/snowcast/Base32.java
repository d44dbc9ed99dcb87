// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Arrays;

/**
 * 64 bits as 13 digits of <a href="https://www.crockford.com/base32.html">Crockford's Base32</a>, in upper case. The
 * digits are in the order of their codes, so texts sort as unsigned numbers.
 */
final class Base32 {
    private static final int WIDTH = 13;
    private static final int DIGIT_BITS = 5;
    private static final int DIGIT_MASK = 31;
    /** 13 digits hold 65 bits; the first has to leave its highest at 0. */
    private static final int GREATEST_FIRST = 15;

    private static final byte[] DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ".getBytes(ISO_8859_1);
    private static final byte[] VALUES = values();

    private Base32() {}

    private static byte[] values() {
        byte[] values = new byte[128];
        Arrays.fill(values, (byte) -1);
        for (int value = 0; value < DIGITS.length; value++) {
            values[DIGITS[value]] = (byte) value;
        }
        values['O'] = 0;
        values['I'] = 1;
        values['L'] = 1;
        for (int letter = 'A'; letter <= 'Z'; letter++) {
            values[Character.toLowerCase(letter)] = values[letter];
        }
        return values;
    }

    static String encode(long number) {
        byte[] text = new byte[WIDTH];
        long rest = number;
        for (int i = WIDTH - 1; i >= 0; i--) {
            text[i] = DIGITS[(int) rest & DIGIT_MASK];
            rest >>>= DIGIT_BITS;
        }
        return new String(text, ISO_8859_1);
    }

    static long decode(String text) {
        if (text.length() != WIDTH) {
            throw new IllegalArgumentException(
                    "Base32 must have " + WIDTH + " characters, not " + text.length() + ": \"" + text + '"');
        }
        long number = 0;
        for (int i = 0; i < WIDTH; i++) {
            number = number << DIGIT_BITS | valueAt(text, i);
        }
        if (valueAt(text, 0) > GREATEST_FIRST) {
            throw new IllegalArgumentException(
                    "Base32 must be at most " + encode(-1) + ", which is 2^64 - 1: \"" + text + '"');
        }
        return number;
    }

    private static int valueAt(String text, int index) {
        char digit = text.charAt(index);
        int value = digit < VALUES.length ? VALUES[digit] : -1;
        if (value < 0) {
            throw new IllegalArgumentException("Base32 must consist of 0-9 and A-Z without U, not '"
                    + Character.toString(text.codePointAt(index)) + "' at index " + index + ": \"" + text + '"');
        }
        return value;
    }
}
