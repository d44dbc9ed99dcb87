// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.ids;

/** Prepares external input for exception messages: truncates it, and replaces control characters, such as newlines. */
final class Echo {
    private static final int MAX_LENGTH = 100;

    private Echo() {}

    static String of(String text) {
        return '"' + printable(text) + '"';
    }

    static String printable(String text) {
        String shown = text.length() > MAX_LENGTH ? text.substring(0, MAX_LENGTH) + "..." : text;
        return shown.replaceAll("\\p{Cntrl}", "\uFFFD");
    }
}
