// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Arrays;

/** 64 bits as 11 of the digits 0-9, A-Z, a-z. These are in the order of their codes, so texts sort as unsigned numbers. */
final class Base62 {
    private static final int WIDTH = 11;
    private static final int RADIX = 62;
    private static final byte[] DIGITS =
            "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".getBytes(ISO_8859_1);
    private static final byte[] VALUES = values();
    private static final String GREATEST = encode(-1);

    private Base62() {}

    private static byte[] values() {
        byte[] values = new byte[128];
        Arrays.fill(values, (byte) -1);
        for (int value = 0; value < RADIX; value++) {
            values[DIGITS[value]] = (byte) value;
        }
        return values;
    }

    static String encode(long number) {
        byte[] text = new byte[WIDTH];
        long rest = number;
        for (int i = WIDTH - 1; i >= 0; i--) {
            // An unsigned division: halved first, the number fits into the positive half.
            long quotient = (rest >>> 1) / (RADIX / 2);
            text[i] = DIGITS[(int) (rest - quotient * RADIX)];
            rest = quotient;
        }
        return new String(text, ISO_8859_1);
    }

    static long decode(String text) {
        if (text.length() != WIDTH) {
            throw new IllegalArgumentException(
                    "Base62 must have " + WIDTH + " characters, not " + text.length() + ": \"" + text + '"');
        }
        long number = 0;
        for (int i = 0; i < WIDTH; i++) {
            number = number * RADIX + valueAt(text, i);
        }
        if (text.compareTo(GREATEST) > 0) {
            throw new IllegalArgumentException(
                    "Base62 must be at most " + GREATEST + ", which is 2^64 - 1: \"" + text + '"');
        }
        return number;
    }

    private static int valueAt(String text, int index) {
        char digit = text.charAt(index);
        int value = digit < VALUES.length ? VALUES[digit] : -1;
        if (value < 0) {
            throw new IllegalArgumentException("Base62 must consist of 0-9, A-Z and a-z, not '"
                    + Character.toString(text.codePointAt(index)) + "' at index " + index + ": \"" + text + '"');
        }
        return value;
    }
}
