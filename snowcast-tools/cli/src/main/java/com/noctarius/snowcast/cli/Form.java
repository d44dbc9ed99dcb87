// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import com.noctarius.snowcast.ids.SnowflakeId;
import org.jspecify.annotations.Nullable;

/** The forms of an ID as text; see {@code docs/ids.md}. */
enum Form {
    DECIMAL,
    UNSIGNED,
    BASE62,
    BASE32,
    READABLE,
    UUID;

    private static final int BASE62_LENGTH = 11;
    private static final int BASE32_LENGTH = 13;
    private static final int UUID_LENGTH = 36;

    String write(SnowflakeId id) {
        return switch (this) {
            case DECIMAL -> Long.toString(id.value());
            case UNSIGNED -> Long.toUnsignedString(id.value());
            case BASE62 -> SnowflakeId.toBase62(id.value());
            case BASE32 -> SnowflakeId.toBase32(id.value());
            case READABLE -> id.toString();
            case UUID -> uuid(id);
        };
    }

    private static String uuid(SnowflakeId id) {
        try {
            return id.toUuid().toString();
        } catch (ArithmeticException e) {
            throw new WrongUseException(e.getMessage(), e);
        }
    }

    /** Reads an ID in any form, told by its length; digits only are a number. */
    static SnowflakeId read(String text, Definition.Known known) {
        try {
            if (isNumber(text)) {
                return known.id(number(text));
            }
            return switch (text.length()) {
                case BASE62_LENGTH -> known.id(SnowflakeId.parseBase62(text));
                case BASE32_LENGTH -> known.id(SnowflakeId.parseBase32(text));
                case UUID_LENGTH ->
                    text.charAt(8) == '-'
                            ? SnowflakeId.ofUuid(java.util.UUID.fromString(text), known.layout(), known.epoch())
                            : SnowflakeId.parse(text, known.layout(), known.epoch());
                default -> SnowflakeId.parse(text, known.layout(), known.epoch());
            };
        } catch (IllegalArgumentException e) {
            throw new WrongUseException(e.getMessage(), e);
        }
    }

    /** Reads an ID in any form, or an integer where layout and epoch are not known. */
    static long value(String text, Definition.@Nullable Known known) {
        return known == null || isNumber(text)
                ? number(text)
                : read(text, known).value();
    }

    private static boolean isNumber(String text) {
        int first = text.startsWith("-") ? 1 : 0;
        for (int i = first; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return text.length() > first;
    }

    /** Reads a decimal number, signed or unsigned. */
    static long number(String text) {
        try {
            return text.startsWith("-") ? Long.parseLong(text) : Long.parseUnsignedLong(text);
        } catch (NumberFormatException e) {
            throw new WrongUseException("ID must be a number of 64 bits, signed or unsigned: " + text, e);
        }
    }
}
