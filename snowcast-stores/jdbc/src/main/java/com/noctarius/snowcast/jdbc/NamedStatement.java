// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A statement of a dialect with named parameters: {@code :sequence}, {@code :from} and {@code :size}, in any order. */
record NamedStatement(String sql, List<String> names) {
    private static final Pattern PARAMETER = Pattern.compile("(?<!:):(sequence|from|size)\\b");

    static NamedStatement of(String text) {
        Matcher parameters = PARAMETER.matcher(text);
        return new NamedStatement(
                parameters.replaceAll("?"),
                PARAMETER.matcher(text).results().map(result -> result.group(1)).toList());
    }

    /** Returns the values in the order of the statement's parameters. */
    Object[] values(String sequence, long from, long size) {
        Object[] values = new Object[names.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = switch (names.get(i)) {
                case "sequence" -> sequence;
                case "from" -> from;
                default -> size;
            };
        }
        return values;
    }
}
