// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSystem;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the code in the documents compiles, and that some statements in the documents are true. */
class DocumentationTest {
    private static final Path ROOT = Path.of("../..");
    /**
     * The snippets of these documents need frameworks or generators that this module does not have. Tests of other
     * modules, such as snowcast-spring/starter, compile or test these snippets.
     */
    private static final Set<String> COMPILED_ELSEWHERE = Set.of(
            "spring.md",
            "persistence.md",
            "json.md",
            "cassandra.md",
            "reactive.md",
            "testing.md",
            "quarkus.md",
            "micronaut.md",
            "node-leases-adapters.md");

    private static final Pattern JAVA_BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern BLOCK = Pattern.compile("(?ms)^ *```.*?```");
    private static final Pattern JAVADOC_BLOCK = Pattern.compile("(?s)<pre>\\{@code.*?</pre>");
    /** Matches a sequencer's epoch in Java, properties, YAML or XML. */
    private static final Pattern EPOCH = Pattern.compile("\\.epoch\\([^)]|\\bepoch(=|: )");

    private static final Pattern LAYOUT =
            Pattern.compile("\\.(layout|maxLogicalNodeCount)\\([^)]|\\b(layout|max-logical-nodes)(=|: )");
    private static final Pattern LINK = Pattern.compile("\\]\\((?!https:)([^)#]*)(#[^)]*)?\\)");
    private static final Pattern PICTURE = Pattern.compile("\\b(?:src|srcset)=\"([^\"]+)\"");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} (.*)$");
    private static final int MAX_COLUMNS = 120;
    /** Declarations that snippets use without showing them. */
    private static final String CONTEXT = """
            import com.hazelcast.core.*;
            import com.noctarius.snowcast.*;
            import com.noctarius.snowcast.jdbc.*;
            import com.noctarius.snowcast.ids.*;
            import com.noctarius.snowcast.status.*;
            import java.time.*;
            import java.util.*;
            import javax.sql.DataSource;
            class Snippet {
                HazelcastInstance hazelcast;
                Snowcast snowcast;
                SnowcastEpoch epoch;
                SnowcastSequencer orders;
                long id;
                DataSource dataSource, database0, database1, database2;
                String ddl, leasesDdl;
                void run() throws Exception {
            %s
                }
            }
            """;

    record Snippet(Path document, String code) {}

    static Stream<Path> documents() throws IOException {
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            return Stream.concat(
                    Stream.of("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
                            .map(ROOT::resolve),
                    docs)
                    .filter(path ->
                            path.toString().endsWith(".md") && !path.toString().contains("node_modules"))
                    .toList()
                    .stream();
        }
    }

    private static List<Snippet> snippets() throws IOException {
        List<Snippet> snippets = new ArrayList<>();
        for (Path document : documents().toList()) {
            if (COMPILED_ELSEWHERE.contains(document.getFileName().toString())) {
                continue;
            }
            Matcher matcher = JAVA_BLOCK.matcher(Files.readString(document));
            while (matcher.find()) {
                if (!matcher.group(1).contains("org.springframework")) {
                    snippets.add(new Snippet(document, matcher.group(1)));
                }
            }
        }
        assertThat(snippets).hasSizeGreaterThan(20);
        return snippets;
    }

    /** Compiles all snippets at once, each in a package of its own. */
    @Test
    void snippetsCompile(@TempDir Path output) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<JavaFileObject> sources = new ArrayList<>();
        for (Snippet snippet : snippets()) {
            String code = "package snippet" + sources.size() + "; "
                    + (isProgram(snippet.code()) ? snippet.code() : CONTEXT.formatted(snippet.code()));
            URI name = URI.create(
                    "string:///" + snippet.document().getFileName() + '-' + sources.size() + "/Snippet.java");
            sources.add(new SimpleJavaFileObject(name, JavaFileObject.Kind.SOURCE) {
                @Override
                public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                    return code;
                }
            });
        }
        StringWriter messages = new StringWriter();
        // Some snippets use the SQL store, on which this module does not depend: compile them with its sources.
        List<String> options = List.of(
                "-d",
                output.toString(),
                "-proc:none",
                "-implicit:none",
                "-sourcepath",
                ROOT.resolve("snowcast-stores/jdbc/src/main/java").toString());
        boolean compiled =
                compiler.getTask(messages, null, null, options, null, sources).call();
        assertThat(compiled).as(messages.toString()).isTrue();
    }

    /** A sequencer that is created without a layout has the default layout forever. Its IDs later turn negative. */
    @ParameterizedTest
    @MethodSource("documents")
    void eachBlockWithAnEpochNamesTheLayout(Path document) throws IOException {
        if (document.startsWith(ROOT.resolve("docs/dev"))) {
            return;
        }
        assertLayouts(BLOCK, document);
    }

    @Test
    void eachExampleOfTheJavadocWithAnEpochNamesTheLayout() throws IOException {
        int found = 0;
        for (String module : List.of("core", "stores/jdbc", "spring/starter", "spring/hibernate", "test-support")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve("snowcast-" + module + "/src/main/java"))) {
                for (Path file :
                        files.filter(path -> path.toString().endsWith(".java")).toList()) {
                    found += assertLayouts(JAVADOC_BLOCK, file);
                }
            }
        }
        assertThat(found).isPositive();
    }

    private static int assertLayouts(Pattern blocks, Path file) throws IOException {
        List<String> found = blocks.matcher(Files.readString(file))
                .results()
                .map(MatchResult::group)
                .toList();
        assertThat(found)
                .as(file.toString())
                .allSatisfy(block -> assertThat(LAYOUT.matcher(block).results().count())
                        .isGreaterThanOrEqualTo(EPOCH.matcher(block).results().count()));
        return found.size();
    }

    private static boolean isProgram(String code) {
        return code.startsWith("import ");
    }

    @Test
    void readmesIdIsWhatThePictureSays() throws IOException {
        Matcher matcher = Pattern.compile("(\\d+) = (\\S+), node ID (\\d+), counter (\\d+)")
                .matcher(Files.readString(ROOT.resolve("README.md")));
        assertThat(matcher.find()).isTrue();
        long id = Long.parseLong(matcher.group(1));
        SnowcastEpoch epoch = SnowcastEpoch.byInstant(Instant.parse("2024-01-01T00:00:00Z"));
        SnowcastLayout layout = SnowcastLayout.POSITIVE;
        assertThat(Instant.ofEpochMilli(epoch.getEpochOffset() + layout.timestampValue(id)))
                .isEqualTo(Instant.parse(matcher.group(2)));
        assertThat(layout.logicalNodeId(id)).isEqualTo(Integer.parseInt(matcher.group(3)));
        assertThat(layout.counterValue(id)).isEqualTo(Integer.parseInt(matcher.group(4)));
        assertThat(Files.readString(ROOT.resolve("README.md"))).contains("orders.next();   // " + id);
    }

    /**
     * These classes are outside the main package. Most snippets have no imports, so the pages must name the packages.
     */
    @ParameterizedTest
    @CsvSource({
        "guide.md, SnowflakeId, ids",
        "ids.md, SnowflakeId, ids",
        "ids.md, IdCipher, ids",
        "ids.md, PublicId, ids",
        "operate/monitoring.md, ClusterStatus, status"
    })
    void pageNamesThePackageOfAClass(String page, String type, String packageName) throws Exception {
        String name = SnowcastSystem.class.getPackageName() + '.' + packageName;
        assertThat(Class.forName(name + '.' + type)).isNotNull();
        assertThat(Files.readString(ROOT.resolve("docs").resolve(page))).contains(type, '`' + name + '`');
    }

    @Test
    void readmesDependencyHasThePresentVersion() throws IOException {
        Matcher version =
                Pattern.compile("<version>(.*?)</version>").matcher(Files.readString(ROOT.resolve("pom.xml")));
        assertThat(version.find()).isTrue();
        assertThat(Files.readString(ROOT.resolve("README.md"))).contains("snowcast-spring:" + version.group(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"dev/evidence.md", "dev/tests.md"})
    void testsThatAreSaidToShowAGuaranteeExist(String document) throws IOException {
        Matcher test = Pattern.compile("`(\\w+(?:Test|Contract))(?:\\.(\\w+))?`")
                .matcher(Files.readString(ROOT.resolve("docs").resolve(document)));
        Map<String, String> sources = testSources();
        int found = 0;
        while (test.find()) {
            found++;
            assertThat(sources).containsKey(test.group(1));
            if (test.group(2) != null) {
                assertThat(sources.get(test.group(1))).contains("void " + test.group(2) + "(");
            }
        }
        assertThat(found).isPositive();
    }

    private static Map<String, String> testSources() throws IOException {
        Map<String, String> sources = new HashMap<>();
        for (String directory : List.of(
                "snowcast-core/src/test",
                "snowcast-stores/contract/src/main",
                "snowcast-stores/contract/src/test",
                "snowcast-stores/jdbc/src/test",
                "snowcast-stores/cassandra/src/test",
                "snowcast-spring/hibernate/src/test",
                "snowcast-spring/starter/src/test",
                "snowcast-spring/mybatis/src/test",
                "snowcast-tests/cluster/src/test",
                "snowcast-tests/benchmarks/src/test",
                "snowcast-tests/spring-integrations-boot3/src/test",
                "snowcast-tests/users/src/test",
                "snowcast-tests/release/src/test",
                "snowcast-tools/cli/src/test",
                "snowcast-tools/server/src/test")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(directory))) {
                for (Path file : files.filter(path -> path.toString().matches(".*(Test|Contract)\\.java"))
                        .toList()) {
                    sources.put(file.getFileName().toString().replace(".java", ""), Files.readString(file));
                }
            }
        }
        return sources;
    }

    @ParameterizedTest
    @MethodSource("documents")
    void linksAndPicturesLeadSomewhere(Path document) throws IOException {
        Matcher link = LINK.matcher(Files.readString(document));
        while (link.find()) {
            Path target = link.group(1).isEmpty() ? document : document.resolveSibling(link.group(1));
            assertThat(target).exists();
            if (link.group(2) != null) {
                assertThat(anchors(target)).contains(link.group(2));
            }
        }
        assertThat(PICTURE.matcher(Files.readString(document)).results())
                .allSatisfy(picture ->
                        assertThat(document.resolveSibling(picture.group(1))).exists());
    }

    /** A blank line splits a table. The second part has no header, and is rendered as text with pipes. */
    @ParameterizedTest
    @MethodSource("documents")
    void everyTableHasAHeader(Path document) throws IOException {
        List<String> lines = Files.readAllLines(document);
        List<String> headless = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            boolean begins =
                    lines.get(i).startsWith("|") && (i == 0 || !lines.get(i - 1).startsWith("|"));
            if (begins && (i + 1 == lines.size() || !lines.get(i + 1).matches("\\|[-:| ]+\\|"))) {
                headless.add(lines.get(i));
            }
        }
        assertThat(headless).isEmpty();
    }

    /** Returns the anchors of a document's headings, as GitHub makes them for headings that occur once. */
    private static List<String> anchors(Path document) throws IOException {
        return HEADING.matcher(Files.readString(document))
                .results()
                .map(heading -> heading.group(1).toLowerCase(Locale.ROOT))
                .map(heading -> "#" + heading.replaceAll("[^\\w\\- ]", "").replace(' ', '-'))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("documents")
    void linesAreWrapped(Path document) throws IOException {
        boolean isCode = false;
        List<String> tooLong = new ArrayList<>();
        for (String line : Files.readAllLines(document)) {
            if (line.strip().startsWith("```")) {
                isCode = !isCode;
            } else if (!isCode && !line.startsWith("|") && !line.startsWith("    ") && line.length() > MAX_COLUMNS) {
                tooLong.add(line);
            }
        }
        assertThat(tooLong)
                .as("lines of %s that are longer than %d characters", document, MAX_COLUMNS)
                .isEmpty();
    }
}
