// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;

/** Puts the shares of processes of one machine together to a history: Linux gives all JVMs the same nanoseconds. */
final class HistoryParts {
    private static final Pattern BEGIN = Pattern.compile("\\{:index \\d+, :time (\\d+), ");

    private HistoryParts() {}

    private record Line(long nanos, String rest) {}

    /** Writes one history of all lines in their order; what a kill has left of a line does not count. */
    static void join(List<Path> parts, Path history) throws IOException {
        List<Line> lines = new ArrayList<>();
        for (Path part : parts) {
            String content = Files.exists(part) ? Files.readString(part) : "";
            content.substring(0, content.lastIndexOf('\n') + 1).lines().forEach(line -> lines.add(read(line)));
        }
        lines.sort(Comparator.comparing(Line::nanos));
        long start = lines.get(0).nanos;
        Files.createDirectories(history.toAbsolutePath().getParent());
        try (Writer out = new BufferedWriter(
                new OutputStreamWriter(new GZIPOutputStream(Files.newOutputStream(history)), StandardCharsets.UTF_8))) {
            for (int i = 0; i < lines.size(); i++) {
                Line line = lines.get(i);
                out.write("{:index " + i + ", :time " + (line.nanos - start) + ", " + line.rest + '\n');
            }
        }
    }

    private static Line read(String line) {
        Matcher begin = BEGIN.matcher(line);
        if (!begin.lookingAt()) {
            throw new IllegalArgumentException("no line of a history: " + line);
        }
        return new Line(Long.parseLong(begin.group(1)), line.substring(begin.end()));
    }
}
