// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import java.util.ArrayList;
import java.util.List;

/** Formats rows in columns as wide as their widest cell. A {@code >} in a heading marks a column of numbers. */
final class Table {
    private final String[] headings;
    private final List<String[]> rows = new ArrayList<>();

    Table(String... headings) {
        this.headings = headings;
        rows.add(headings);
    }

    void row(String... cells) {
        for (int i = 0; i < cells.length; i++) {
            // Escape line breaks, because a name with a line break could look like another row.
            cells[i] = Text.visible(cells[i]).replace("\n", "\\u000a").replace("\t", "\\u0009");
        }
        rows.add(cells);
    }

    List<String> lines() {
        int[] widths = new int[headings.length];
        for (String[] row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row == headings ? heading(i).length() : row[i].length());
            }
        }
        return rows.stream().map(row -> line(row, widths)).toList();
    }

    private String line(String[] row, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            String cell = row == headings ? heading(i) : row[i];
            line.append(i == 0 ? "" : "  ")
                    .append(headings[i].startsWith(">") ? Text.right(cell, widths[i]) : Text.left(cell, widths[i]));
        }
        return line.toString().stripTrailing();
    }

    private String heading(int column) {
        String heading = headings[column];
        return heading.startsWith(">") ? heading.substring(1) : heading;
    }
}
