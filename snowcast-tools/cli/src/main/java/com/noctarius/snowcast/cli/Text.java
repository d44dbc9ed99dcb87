// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

/** Formats text without {@code String.format}, whose loading would take a tenth of the run time of {@code decode}. */
final class Text {
    private static final int MAX_LENGTH = 100;

    private Text() {}

    /** Returns a text with escapes for characters that move the cursor, change colours or reverse the direction. */
    static String visible(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (isObeyed(text.charAt(i))) {
                return escaped(text);
            }
        }
        return text;
    }

    private static String escaped(String text) {
        StringBuilder visible = new StringBuilder();
        text.chars().forEach(character -> {
            if (isObeyed((char) character)) {
                visible.append("\\u").append(Integer.toHexString(0x10000 + character), 1, 5);
            } else {
                visible.append((char) character);
            }
        });
        return visible.toString();
    }

    /** Returns whether a terminal would obey the character. Newlines and tabs do not count. */
    private static boolean isObeyed(char character) {
        if (character < 0x7f) {
            return character < ' ' && character != '\n' && character != '\t';
        }
        int type = Character.getType(character);
        return type == Character.CONTROL
                || type == Character.FORMAT
                || type == Character.LINE_SEPARATOR
                || type == Character.PARAGRAPH_SEPARATOR;
    }

    /** Formats whole seconds as {@code 10s}, and other durations as {@code PT0.5S}. */
    static String duration(Duration duration) {
        return duration.truncatedTo(ChronoUnit.SECONDS).equals(duration)
                ? duration.toSeconds() + "s"
                : duration.toString();
    }

    /** Returns the beginning of a text that may be too long for a message. */
    static String brief(String text) {
        return text.length() > MAX_LENGTH ? text.substring(0, MAX_LENGTH) + "..." : text;
    }

    /** Returns a line that fits into the columns; otherwise, its beginning and a {@code ~} in the last column. */
    static String cut(String line, int columns) {
        return line.length() <= columns ? line : line.substring(0, Math.max(0, columns - 1)) + "~";
    }

    static String left(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }

    static String right(String text, int width) {
        return " ".repeat(Math.max(0, width - text.length())) + text;
    }
}
