// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Tests that docs/reference/messages.md lists the exceptions and warnings in the code, with the text in the code.
 * Messages about refused arguments may instead be listed by their kind.
 */
class MessageReferenceTest {
    private static final Path ROOT = Path.of("../..");
    private static final Path PAGE = ROOT.resolve("docs/reference/messages.md");
    private static final List<String> SOURCES = List.of(
            "snowcast-core/src/main/java",
            "snowcast-stores/jdbc/src/main/java",
            "snowcast-stores/cassandra/src/main/java",
            "snowcast-spring/hibernate/src/main/java",
            "snowcast-spring/jackson/src/main/java",
            "snowcast-spring/mybatis/src/main/java",
            "snowcast-frameworks/micronaut/src/main/java",
            "snowcast-spring/starter/src/main/java");

    /** Matches a row: one or more messages with the same remedy, and the rest of the row. */
    private static final Pattern ROW = Pattern.compile("\\| (`.+?) \\|(.*)");

    private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\\n]|\\\\.)*)\"");
    private static final String EXCEPTION =
            "((?:Snowcast\\w*|IntegerSequence\\w*|\\w*BlockStore\\w*|ShardMismatch|RetryableHazelcast)Exception)";
    /** Matches exceptions of persistence libraries, and of snowcast's Spring Boot starter. */
    private static final Pattern THROWN_OF_LIBRARIES =
            Pattern.compile("new ((?:RefusedStart|Mapping|Persistence|Hibernate|IdentifierGeneration|TransientObject"
                    + "|TransientDataAccessResource|DataAccess|DataIntegrityViolation)Exception)\\(");

    /** Matches exceptions for a wrong argument or setting. The page describes most of them by their kind. */
    private static final Pattern REFUSED =
            Pattern.compile("new ((?:IllegalArgument|InvalidProperty|InvalidSetting)Exception)\\(");

    private static final String KINDS_TABLE = "| kind |";
    private static final String END_OF_KINDS = "Others have a row";
    /** Matches files whose exceptions reach only members of other versions, or snowcast itself. */
    private static final Pattern INTERNAL = Pattern.compile(".*/(Handlers|SnowcastDataSerializerHook|WireInput).java");
    /** A literal that begins with these words is only the end of a message. Other code builds the beginning. */
    private static final String REMEDY = "Set it to ";

    private static final Pattern THROWN = Pattern.compile("new " + EXCEPTION + "\\(");
    /** Matches a method that creates an exception with its caller's text. */
    private static final Pattern MAKER = Pattern.compile(EXCEPTION + " (\\w+)\\([^;{)]*\\bString\\b[^;{]*\\{");

    private static final Pattern MADE = Pattern.compile("throw (?:\\w+\\.)*(\\w+)\\(");
    /** Matches a query whose rows are texts of a {@code ShardMismatchException}. */
    private static final Pattern QUERIED = Pattern.compile("\\.lossQuery\\(");

    private static final Pattern LOGGED = Pattern.compile("(?:\\.(?:warning|severe)|\\b(?:warn|logStep|misread))\\("
            + "|\\.log\\(\\s*(?:System\\.Logger\\.)?Level\\.(?:WARNING|ERROR),");
    private static final String LOG = "a line of the log";
    private static final String LOG_SECTION = "## Warnings in the log";

    private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");
    private static final Pattern CODE_BLOCK = Pattern.compile("(?s)```.*?```");
    private static final Pattern SENTENCE = Pattern.compile("(?:[A-Za-z,;:'-]+ ){3,}[A-Za-z,;:'-]+");
    /** A message with these words answers a forged request or a late replica, and reaches no application. */
    private static final String FORGED = "sent by no member of this cluster";
    /** The minimum number of letters of a checked text, because shorter ones consist only of names and values. */
    private static final int FEWEST_LETTERS = 16;

    private static final List<Row> ROWS = new ArrayList<>();
    private static final List<Site> SITES = new ArrayList<>();
    private static final List<Site> REFUSALS = new ArrayList<>();
    private static final List<String> KINDS = new ArrayList<>();
    private static String literals = "";

    /**
     * A message of the page. {@code words} are its words between the ellipses. {@code text} names its exception, and is
     * the rest of the row or the paragraph above the table.
     */
    record Row(List<String> words, String text, boolean isOfLog) {
        private static Row of(String message, String text, boolean isOfLog) {
            return new Row(Stream.of(message.split("…")).map(String::strip).toList(), text, isOfLog);
        }

        private boolean isOf(Site site) {
            String longest =
                    words.stream().max(Comparator.comparing(String::length)).orElse("");
            boolean namesIt = !namesException(text) || text.contains("`" + site.exception() + "`");
            return isOfLog == site.exception().equals(LOG)
                    && longest.length() >= FEWEST_LETTERS / 2
                    && site.words().contains(longest)
                    && namesIt;
        }

        private boolean contains(String quoted) {
            return words.stream()
                    .filter(each -> each.length() >= FEWEST_LETTERS / 2)
                    .anyMatch(each -> each.contains(quoted) || quoted.contains(each));
        }
    }

    /** A place in the code that creates an exception or logs a warning. */
    record Site(String file, String exception, String words) {}

    @BeforeAll
    static void read() throws IOException {
        readPage(Files.readAllLines(PAGE));
        Map<String, String> codes = new TreeMap<>();
        for (String directory : SOURCES) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(directory))) {
                for (Path file :
                        files.filter(path -> path.toString().endsWith(".java")).toList()) {
                    // Removes comments and the literal '"', and joins the parts of each string.
                    String code = Files.readString(file)
                            .replace("'\"'", "' '")
                            .replaceAll("(?m)^\\s*(//|\\*|/\\*).*$", "")
                            .replaceAll("\"\\s*\\+\\s*\"", "");
                    codes.put(file.toString(), code);
                }
            }
        }
        literals = codes.values().stream().map(MessageReferenceTest::words).collect(Collectors.joining("\n"));
        Map<String, String> makers = new HashMap<>();
        codes.values()
                .forEach(code ->
                        MAKER.matcher(code).results().forEach(maker -> makers.put(maker.group(2), maker.group(1))));
        codes.forEach((file, code) -> {
            addSites(SITES, file, code, THROWN, thrown -> thrown.group(1));
            addSites(SITES, file, code, THROWN_OF_LIBRARIES, thrown -> thrown.group(1));
            addSites(SITES, file, code, MADE, made -> makers.get(made.group(1)));
            addSites(SITES, file, code, QUERIED, queried -> "ShardMismatchException");
            addSites(SITES, file, code, LOGGED, logged -> LOG);
            addSites(REFUSALS, file, code, REFUSED, refused -> refused.group(1));
        });
    }

    private static void readPage(List<String> lines) {
        boolean isOfLog = false;
        boolean isOfKinds = false;
        String paragraph = "";
        String before = "";
        for (String line : lines) {
            isOfLog |= line.equals(LOG_SECTION);
            isOfKinds = (isOfKinds || line.startsWith(KINDS_TABLE)) && !line.startsWith(END_OF_KINDS);
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                String text = namesException(row.group(2)) ? row.group(2) : paragraph;
                for (String message : quotes(row.group(1)).toList()) {
                    if (isOfKinds) {
                        KINDS.add(message);
                    } else {
                        ROWS.add(Row.of(message, text, isOfLog));
                    }
                }
            } else if (!line.isBlank() && !line.startsWith("|")) {
                paragraph = before.isBlank() || before.startsWith("#") ? line : paragraph + " " + line;
            }
            before = line;
        }
    }

    private static boolean namesException(String text) {
        return text.contains("Exception`");
    }

    private static Stream<String> quotes(String text) {
        return QUOTED.matcher(text).results().map(quoted -> quoted.group(1));
    }

    private static void addSites(
            List<Site> sites,
            String file,
            String code,
            Pattern pattern,
            Function<MatchResult, @Nullable String> exceptionOf) {
        pattern.matcher(code).results().forEach(found -> {
            String exception = exceptionOf.apply(found);
            if (exception != null) {
                sites.add(new Site(file, exception, words(code.substring(found.end(), end(code, found.end())))));
            }
        });
    }

    private static String words(String code) {
        return LITERAL.matcher(code).results().map(literal -> literal.group(1)).collect(Collectors.joining(" … "));
    }

    /** Returns the index of the parenthesis that closes the one just before {@code from}. */
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
    void eachExceptionAndWarningOfTheCodeIsOnThePage() {
        assertThat(SITES).hasSizeGreaterThan(200);
        assertThat(SITES.stream().filter(site -> site.exception().equals(LOG))).hasSizeGreaterThan(40);
        List<Site> missing = SITES.stream()
                .filter(site -> site.words().chars().filter(Character::isLetter).count() >= FEWEST_LETTERS)
                .filter(site -> !site.words().contains(FORGED))
                .filter(site -> ROWS.stream().noneMatch(row -> row.isOf(site)))
                .toList();
        assertThat(missing).isEmpty();
    }

    @Test
    void eachRefusedArgumentIsOfAKindOrHasARow() {
        assertThat(KINDS).hasSizeGreaterThan(3);
        assertThat(REFUSALS).hasSizeGreaterThan(100);
        assertThat(REFUSALS.stream()
                        .filter(site ->
                                site.words().chars().filter(Character::isLetter).count() >= FEWEST_LETTERS)
                        .filter(site -> !INTERNAL.matcher(site.file()).matches()
                                && !site.words().startsWith(REMEDY))
                        .filter(site -> KINDS.stream().noneMatch(site.words()::contains))
                        .filter(site -> ROWS.stream().noneMatch(row -> row.isOf(site))))
                .isEmpty();
    }

    @Test
    void eachMessageThatAnotherPageQuotesIsOnThePage() throws IOException {
        try (Stream<Path> pages = Files.walk(ROOT.resolve("docs"))) {
            List<String> missing = pages.filter(path -> path.toString().endsWith(".md"))
                    .filter(path ->
                            !path.toString().contains("node_modules") && !path.startsWith(ROOT.resolve("docs/dev")))
                    .flatMap(path -> quoted(path).map(words -> path + ": " + words))
                    .toList();
            assertThat(missing).isEmpty();
        }
    }

    /** Returns a page's words in code font that are part of a message in the code, but not on the reference page. */
    private static Stream<String> quoted(Path path) {
        String page;
        try {
            page = CODE_BLOCK.matcher(Files.readString(path)).replaceAll("");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return quotes(page)
                .flatMap(code -> Stream.of(code.replaceAll("\\s+", " ").split("…")))
                .map(String::strip)
                .filter(words -> SENTENCE.matcher(words).matches() && !words.matches(".*[A-Z]{3}.*"))
                .filter(literals::contains)
                .filter(words -> ROWS.stream().noneMatch(row -> row.contains(words)));
    }
}
