// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.ids;

/** Text from outside for exception messages: truncated, and without characters that would start a new line in a log. */
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
