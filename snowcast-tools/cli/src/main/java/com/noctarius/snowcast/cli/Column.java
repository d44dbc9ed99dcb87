// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import java.io.BufferedReader;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that select the source of IDs: a column of a file or of standard input. */
final class Column {
    private static final int MAX_LINE_BYTES = 1 << 20;
    private static final Pattern SPACE = Pattern.compile("\\s+");

    @Option(names = "--file", paramLabel = "FILE", description = "Reads this file instead of standard input.")
    private @Nullable Path file;

    @Option(names = "--csv", description = "Lines are CSV. Without this option, white space separates columns.")
    private boolean isCsv;

    @Option(
            names = "--delimiter",
            paramLabel = "CHARACTER",
            description = "The character that separates CSV columns; a comma by default.")
    private char delimiter = ',';

    @Option(
            names = "--column",
            paramLabel = "COLUMN",
            description =
                    "The column with the IDs: its number, from 1 on, or its name in the first line; 1 by default.")
    private String column = "1";

    @Option(names = "--header", description = "The first line is a header, not an ID; implied if --column is a name.")
    private boolean hasHeader;

    private final Terminal terminal;

    Column(Terminal terminal) {
        this.terminal = terminal;
    }

    interface Reader {
        /** Returns whether to continue reading. */
        boolean read(String text, long line) throws IOException;
    }

    String name() {
        return column;
    }

    /** Returns whether an option selects a source or one of its columns. */
    boolean isGiven() {
        return file != null || isCsv || hasHeader || !column.equals("1");
    }

    Optional<Path> file() {
        return Optional.ofNullable(file);
    }

    /**
     * Passes the column of each line to the reader, except for blank lines and the header, until the reader returns
     * false. A message about an invalid line contains the number of the line.
     */
    void read(Reader reader) throws IOException {
        if (file == null) {
            read(terminal.in(), reader);
            return;
        }
        try (InputStream in = Files.newInputStream(file)) {
            read(in, reader);
        }
    }

    void read(InputStream in, Reader reader) throws IOException {
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(new ShortLines(in), StandardCharsets.UTF_8), 1 << 16);
        boolean isNumber = column.matches("[1-9][0-9]{0,8}");
        int index = isNumber ? Integer.parseInt(column) - 1 : -1;
        boolean isHeader = hasHeader || !isNumber;
        long number = 0;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            number++;
            if (line.isBlank()) {
                continue;
            }
            if (isHeader) {
                isHeader = false;
                index = isNumber ? index : indexOfName(line);
            } else if (!read(line, number, index, reader)) {
                return;
            }
        }
    }

    /**
     * Rejects lines that are too long, so that they cannot fill the memory. A file in another format may be one single
     * line.
     */
    private static final class ShortLines extends FilterInputStream {
        private long line = 1;
        private int bytes;

        ShortLines(InputStream in) {
            super(in);
        }

        @Override
        public int read(byte[] buffer, int from, int size) throws IOException {
            int count = super.read(buffer, from, size);
            for (int i = from; i < from + count; i++) {
                if (buffer[i] == '\n') {
                    line++;
                    bytes = 0;
                } else if (buffer[i] == '\r') {
                    bytes = 0;
                } else if (++bytes > MAX_LINE_BYTES) {
                    throw new WrongUseException("line " + line + ": it has more than " + MAX_LINE_BYTES
                            + " bytes; each line must have one ID, or one row with an ID");
                }
            }
            return count;
        }
    }

    private boolean read(String line, long number, int index, Reader reader) throws IOException {
        try {
            return reader.read(cell(line, index), number);
        } catch (WrongUseException e) {
            throw new WrongUseException("line " + number + ": " + e.getMessage(), e);
        }
    }

    private String cell(String line, int index) {
        if (index == 0 && !isCsv && line.indexOf(' ') < 0 && line.indexOf('\t') < 0) {
            return line;
        }
        List<String> cells = cells(line);
        if (index >= cells.size()) {
            throw new WrongUseException("row must have column " + (index + 1) + ", and has only " + cells.size());
        }
        return cells.get(index).strip();
    }

    private int indexOfName(String line) {
        List<String> names = cells(line);
        for (int i = 0; i < names.size(); i++) {
            if (names.get(i).strip().equals(column)) {
                return i;
            }
        }
        throw new WrongUseException("column must be a number, or one of " + names + " in the first line: " + column);
    }

    private List<String> cells(String line) {
        return isCsv ? cellsOfCsv(line) : List.of(SPACE.split(line.strip()));
    }

    /** Splits a line of CSV. A quoted cell may contain the delimiter and doubled quotes, but no line break. */
    private List<String> cellsOfCsv(String line) {
        List<String> cells = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        boolean isQuoted = false;
        for (int i = 0; i < line.length(); i++) {
            char character = line.charAt(i);
            if (character == '"' && isQuoted && i + 1 < line.length() && line.charAt(i + 1) == '"') {
                cell.append('"');
                i++;
            } else if (character == '"') {
                isQuoted = !isQuoted;
            } else if (character == delimiter && !isQuoted) {
                cells.add(cell.toString());
                cell.setLength(0);
            } else {
                cell.append(character);
            }
        }
        if (isQuoted) {
            throw new WrongUseException("a quoted value must end in the same line");
        }
        cells.add(cell.toString());
        return cells;
    }
}
