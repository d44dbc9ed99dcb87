// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** docs/reference/messages.md has each exception that the code throws, in the words of the code. */
class MessageReferenceTest {
    private static final Path ROOT = Path.of("../..");
    private static final List<String> SOURCES = List.of(
            "snowcast-core/src/main/java",
            "snowcast-stores/jdbc/src/main/java",
            "snowcast-stores/cassandra/src/main/java",
            "snowcast-spring/starter/src/main/java");

    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([^`]+)`(.*)$");
    private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\\n]|\\\\.)*)\"");
    private static final Pattern THROWN = Pattern.compile("new ((?:Snowcast\\w*|IntegerSequence\\w*|\\w*BlockStore\\w*"
            + "|ShardMismatch|RetryableHazelcast)Exception)\\(");
    /** Answers to forged requests, which no call of an application makes. */
    private static final String FORGED = "sent by no member of this cluster";
    /** Of the rest only names and values are left. */
    private static final int FEWEST_LETTERS = 16;

    private static final List<Row> ROWS = new ArrayList<>();
    private static final List<Site> SITES = new ArrayList<>();
    private static String literals = "";

    /** A line of the page: words of a message, and the rest. */
    record Row(List<String> words, String rest) {
        private static Row of(String message, String rest) {
            return new Row(Stream.of(message.split("…")).map(String::strip).toList(), rest);
        }

        private boolean isOf(Site site) {
            String longest =
                    words.stream().max(Comparator.comparing(String::length)).orElse("");
            boolean namesIt = !rest.contains("Exception`") || rest.contains("`" + site.exception() + "`");
            return longest.length() >= FEWEST_LETTERS / 2 && site.words().contains(longest) && namesIt;
        }
    }

    /** A place at which an exception is made. */
    record Site(String file, String exception, String words) {}

    @BeforeAll
    static void read() throws IOException {
        Matcher row = ROW.matcher(Files.readString(ROOT.resolve("docs/reference/messages.md")));
        while (row.find()) {
            ROWS.add(Row.of(row.group(1), row.group(2)));
        }
        List<String> all = new ArrayList<>();
        for (String directory : SOURCES) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(directory))) {
                for (Path file :
                        files.filter(path -> path.toString().endsWith(".java")).toList()) {
                    // Without comments, and with each text in one piece.
                    String code = Files.readString(file)
                            .replaceAll("(?m)^\\s*(//|\\*|/\\*).*$", "")
                            .replaceAll("\"\\s*\\+\\s*\"", "");
                    all.add(words(code));
                    Matcher thrown = THROWN.matcher(code);
                    while (thrown.find()) {
                        String arguments = code.substring(thrown.end(), end(code, thrown.end()));
                        SITES.add(new Site(file.getFileName().toString(), thrown.group(1), words(arguments)));
                    }
                }
            }
        }
        literals = String.join("\n", all);
    }

    private static String words(String code) {
        return LITERAL.matcher(code).results().map(literal -> literal.group(1)).collect(Collectors.joining(" … "));
    }

    /** Returns where the parenthesis closes that was opened before an index. */
    private static int end(String code, int from) {
        int depth = 1;
        boolean isText = false;
        for (int i = from; i < code.length(); i++) {
            char c = code.charAt(i);
            if (c == '"' && code.charAt(i - 1) != '\\') {
                isText = !isText;
            } else if (!isText && c == '(') {
                depth++;
            } else if (!isText && c == ')' && --depth == 0) {
                return i;
            }
        }
        throw new AssertionError("no end of " + code.substring(from));
    }

    @Test
    void theWordsOfThePageAreInTheCode() {
        assertThat(ROWS).hasSizeGreaterThan(100);
        assertThat(ROWS.stream().flatMap(row -> row.words().stream()))
                .allSatisfy(words -> assertThat(literals).contains(words));
    }

    @Test
    void eachExceptionOfTheCodeIsOnThePage() {
        assertThat(SITES).hasSizeGreaterThan(100);
        List<Site> missing = SITES.stream()
                .filter(site -> site.words().chars().filter(Character::isLetter).count() >= FEWEST_LETTERS)
                .filter(site -> !site.words().contains(FORGED))
                .filter(site -> ROWS.stream().noneMatch(row -> row.isOf(site)))
                .toList();
        assertThat(missing).isEmpty();
    }
}
