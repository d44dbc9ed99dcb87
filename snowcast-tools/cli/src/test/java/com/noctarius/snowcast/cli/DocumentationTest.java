// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs the commands in {@code docs/cli.md}, in their order, and compares their output with the document. */
@Tag("faults")
class DocumentationTest {
    private static final Path DOCUMENT = Path.of("../../docs/cli.md");
    private static final Pattern FILE =
            Pattern.compile("`([\\w.-]+)`:\n\n```(?:properties|csv)\n(.*?)```", Pattern.DOTALL);
    private static final Pattern CONSOLE = Pattern.compile("```console( varies)?\n(.*?)```", Pattern.DOTALL);
    private static final Pattern PROMPT = Pattern.compile("(?m)^\\$ ");
    private static final Pattern NUMBER = Pattern.compile("[0-9][0-9,.:TZ-]*");

    @AutoClose
    @SuppressWarnings("NullAway.Init")
    private static TestMember member;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private static Path directory;

    /** A command and its output, in which numbers may differ if {@code isVarying}. */
    record Example(String command, String output, boolean isVarying) {
        @Override
        public String toString() {
            return command;
        }
    }

    static Stream<Example> examples() throws IOException {
        List<Example> examples = new ArrayList<>();
        CONSOLE.matcher(Files.readString(DOCUMENT)).results().forEach(block -> {
            for (String each : PROMPT.splitAsStream(block.group(2)).toList()) {
                if (!each.isEmpty()) {
                    int end = each.replace("\\\n", "  ").indexOf('\n');
                    examples.add(new Example(each.substring(0, end), each.substring(end + 1), block.group(1) != null));
                }
            }
        });
        return examples.stream();
    }

    /** Creates the files, the cluster and the database that the document uses. */
    @BeforeAll
    static void prepare() throws Exception {
        member = TestMember.start();
        for (String name : List.of("orders", "carts", "trial")) {
            member.sequencer(name);
        }
        try (Connection connection =
                        DriverManager.getConnection("jdbc:h2:" + directory.resolve("shop"), "shop", "secret");
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE orders(id BIGINT)");
        }
        for (var file : FILE.matcher(Files.readString(DOCUMENT)).results().toList()) {
            Files.writeString(directory.resolve(file.group(1)), file.group(2));
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void exampleDoesWhatIsShown(Example example) throws Exception {
        String output = Shell.run(directory, environment(), example.command()).output();
        assertThat(comparable(example, output)).isEqualTo(comparable(example, example.output()));
    }

    private static Map<String, String> environment() {
        Map<String, String> environment = new HashMap<>(member.environment());
        environment.put("SHOP_PASSWORD", "secret");
        return environment;
    }

    private static String comparable(Example example, String output) {
        return example.isVarying() ? NUMBER.matcher(output).replaceAll("#").replaceAll("[ -]{2,}", " ") : output;
    }

    @Test
    void thereAreExamples() throws IOException {
        assertThat(examples()).hasSizeGreaterThan(5);
    }
}
