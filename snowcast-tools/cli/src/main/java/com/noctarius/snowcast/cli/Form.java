// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import com.noctarius.snowcast.ids.SnowflakeId;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The text forms of an ID; see {@code docs/ids.md}. */
enum Form {
    DECIMAL,
    UNSIGNED,
    BASE62,
    BASE32,
    READABLE,
    UUID;

    private static final Pattern READABLE_TEXT = Pattern.compile("[+-]?\\d{4,}-\\d");
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

    /**
     * Parses an ID in any form. Digits, with or without a minus sign, are a number. For other texts, the length
     * determines the form; at 36 characters, a hyphen at index 8 distinguishes a UUID from a readable ID.
     */
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
                default -> readable(text, known);
            };
        } catch (IllegalArgumentException e) {
            throw new WrongUseException(e.getMessage(), e);
        }
    }

    /** Parses a text whose length fits no other form. */
    private static SnowflakeId readable(String text, Definition.Known known) {
        if (!READABLE_TEXT.matcher(text).lookingAt()) {
            throw new WrongUseException(
                    "an ID is a number, or has 11 characters (Base62, such as 0uUYzTIeNfz), 13 (Base32,"
                            + " such as 0N77GAC8R1A07), 36 (a UUID), or is readable, such as 2026-11-21T03:42:17.123Z-0042-0007;"
                            + " give a prefix such as ord_ by --prefix: " + Text.brief(text));
        }
        return SnowflakeId.parse(text, known.layout(), known.epoch());
    }

    /** Removes the prefix of an ID, such as {@code ord_}; throws if the ID does not begin with it. */
    static String withoutPrefix(String text, String prefix) {
        if (!text.startsWith(prefix)) {
            throw new WrongUseException("ID must begin with --prefix " + prefix + ": " + Text.brief(text));
        }
        return text.substring(prefix.length());
    }

    /** Parses an ID in any form if layout and epoch are known, or else only as a number. */
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

    static long number(String text) {
        try {
            return text.startsWith("-") ? Long.parseLong(text) : Long.parseUnsignedLong(text);
        } catch (NumberFormatException e) {
            throw new WrongUseException(
                    "ID must be a number of 64 bits, signed or unsigned: " + Text.brief(text)
                            + (isNumber(text) ? "" : "; its other forms need --epoch or --profile"),
                    e);
        }
    }
}
