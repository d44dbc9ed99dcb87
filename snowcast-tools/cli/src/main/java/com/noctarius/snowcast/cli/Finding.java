// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** One kind of problem: the number of its occurrences, and the first IDs as examples. Not thread-safe. */
final class Finding {
    private static final int MAX_EXAMPLES = 5;

    private static final int MAX_LINES = 3;

    private final String name;
    /** The example IDs, each with the first lines that contain it; without lines if they are not known. */
    private final Map<Long, List<Long>> examples = new LinkedHashMap<>();

    private long count;

    Finding(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    /** @param line the line of the ID; 0 if it is not known */
    void add(long id, long line) {
        count++;
        if (examples.size() < MAX_EXAMPLES) {
            examples.putIfAbsent(id, new ArrayList<>());
        }
        addLine(id, line);
    }

    /** Records a line that contains an ID, if the ID is an example. */
    void addLine(long id, long line) {
        List<Long> lines = line == 0 ? null : examples.get(id);
        if (lines != null && lines.size() < MAX_LINES) {
            lines.add(line);
        }
    }

    long count() {
        return count;
    }

    List<String> examples() {
        return examples.keySet().stream().map(id -> Long.toString(id)).toList();
    }

    /** Returns the lines of each example. */
    List<List<Long>> lines() {
        return List.copyOf(examples.values());
    }

    /** Returns the examples as text: {@code 7 (line 3), 8 (lines 1, 4)}. */
    String inWords() {
        return examples.entrySet().stream()
                .map(each -> each.getKey() + inWords(each.getValue()))
                .collect(Collectors.joining(", "));
    }

    private static String inWords(List<Long> lines) {
        return lines.isEmpty()
                ? ""
                : lines.stream()
                        .map(String::valueOf)
                        .collect(Collectors.joining(", ", lines.size() == 1 ? " (line " : " (lines ", ")"));
    }
}
