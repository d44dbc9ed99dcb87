// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

/** Columns of text. {@code String.format} would take a tenth of a decode's time to load. */
final class Text {
    private Text() {}

    static String left(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }

    static String right(String text, int width) {
        return " ".repeat(Math.max(0, width - text.length())) + text;
    }
}
