// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Tests that the ledger of mechanisms, {@code docs/dev/mechanisms.md}, agrees with the code. The line count of a row is
 * wrong if it is off by more than a tenth; {@code -Dmechanisms=write} updates all line counts.
 */
class MechanismsTest {
    private static final Path LEDGER = Path.of("../docs/dev/mechanisms.md");
    private static final Path MAIN = Path.of("src/main/java");

    /** Matches a row of a table: the first group is the row's first cell, the second group is the other cells. */
    private static final Pattern ROW = Pattern.compile("(?m)^\\| (?!mechanism )([^|]+) \\|(.*)\\|$");

    private static final Pattern CLASSES_ROW = Pattern.compile("(?m)^\\| ([^|]+) \\| (`[^|]+`) \\| ([\\d,]+) \\|$");
    private static final Pattern CODE = Pattern.compile("`(\\w+)`");

    private static List<String> classesOf(String row) {
        return CODE.matcher(row).results().map(found -> found.group(1)).toList();
    }

    private static Map<String, List<String>> classes() throws IOException {
        Map<String, List<String>> classes = new TreeMap<>();
        Matcher row = CLASSES_ROW.matcher(Files.readString(LEDGER));
        while (row.find()) {
            classes.put(row.group(1), classesOf(row.group(2)));
        }
        return classes;
    }

    private static Map<String, Long> linesOfMain() throws IOException {
        Map<String, Long> lines = new HashMap<>();
        try (Stream<Path> files = Files.walk(MAIN)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".java")).toList()) {
                String name = file.getFileName().toString().replace(".java", "");
                if (!name.endsWith("-info")) {
                    try (Stream<String> text = Files.lines(file)) {
                        lines.put(name, text.count());
                    }
                }
            }
        }
        return lines;
    }

    @Test
    void everyClassOfTheCoreStandsInOneRow() throws IOException {
        List<String> named =
                classes().values().stream().flatMap(List::stream).sorted().toList();
        assertThat(named).isEqualTo(linesOfMain().keySet().stream().sorted().toList());
    }

    private static Set<String> sources() throws IOException {
        Set<String> names = new HashSet<>();
        Files.walkFileTree(Path.of("..").toRealPath(), new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                String name = directory.getFileName().toString();
                boolean isSource = !name.equals("target") && !name.startsWith(".");
                return isSource ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                names.add(file.getFileName().toString());
                return FileVisitResult.CONTINUE;
            }
        });
        return names;
    }

    @Test
    void everyMechanismHasAPromiseALossAndTestsThatExist() throws IOException {
        Set<String> sources = sources();
        List<String> described = new ArrayList<>();
        for (MatchResult row : ROW.matcher(Files.readString(LEDGER)).results().toList()) {
            String[] cells = row.group(2).split("\\|");
            if (cells.length == 3) {
                described.add(row.group(1));
                assertThat(cells).as(row.group(1)).allMatch(cell -> cell.strip().length() > 3);
                assertThat(classesOf(cells[2]))
                        .as(row.group(1))
                        .isNotEmpty()
                        .allMatch(test -> sources.contains(test + ".java"));
            }
        }
        assertThat(described).containsExactlyInAnyOrderElementsOf(classes().keySet());
    }

    @Test
    void theLinesOfEachRowAreThoseOfItsClasses() throws IOException {
        Map<String, Long> lines = linesOfMain();
        String ledger = Files.readString(LEDGER);
        String present = CLASSES_ROW.matcher(ledger).replaceAll(row -> {
            long sum = sum(lines, row.group(2));
            return Matcher.quoteReplacement("| %s | %s | %,d |".formatted(row.group(1), row.group(2), sum));
        });
        if ("write".equals(System.getProperty("mechanisms"))) {
            Files.writeString(LEDGER, present);
            return;
        }
        assertThat(CLASSES_ROW.matcher(ledger).results()).allSatisfy(row -> {
            double written = Double.parseDouble(row.group(3).replace(",", ""));
            assertThat(written)
                    .as("-Dmechanisms=write; lines of %s", row.group(1))
                    .isBetween(0.9 * sum(lines, row.group(2)), 1.1 * sum(lines, row.group(2)));
        });
    }

    private static long sum(Map<String, Long> lines, String row) {
        return classesOf(row).stream()
                .mapToLong(name -> lines.getOrDefault(name, 0L))
                .sum();
    }
}
