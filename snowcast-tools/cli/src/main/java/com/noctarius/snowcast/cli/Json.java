// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes values as JSON: strings, numbers, booleans, null, lists, and maps in their iteration order. */
final class Json {
    private Json() {}

    static String of(@Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .map(entry -> quoted(String.valueOf(entry.getKey())) + ": " + of(entry.getValue()))
                    .collect(Collectors.joining(", ", "{", "}"));
        }
        if (value instanceof Iterable<?> list) {
            StringBuilder all = new StringBuilder("[");
            for (Object each : list) {
                all.append(all.length() == 1 ? "" : ", ").append(of(each));
            }
            return all.append(']').toString();
        }
        return value == null || value instanceof Number || value instanceof Boolean
                ? String.valueOf(value)
                : quoted(value.toString());
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            if (character == '"' || character == '\\') {
                quoted.append('\\').append(character);
            } else if (character < ' ') {
                quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) character));
            } else {
                quoted.append(character);
            }
        }
        return quoted.append('"').toString();
    }
}
