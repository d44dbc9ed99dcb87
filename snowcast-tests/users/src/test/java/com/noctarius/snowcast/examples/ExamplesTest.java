// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs each example of {@code docs/examples.md}, and tests that it prints what the page shows, except for numbers. */
@Tag("integration")
class ExamplesTest {
    private static final Path ROOT = Path.of("../..");
    private static final Pattern BLOCK = Pattern.compile("```\n(.*?)```", Pattern.DOTALL);
    private static final Pattern COMMAND =
            Pattern.compile("mvn -q compile -pl examples/(\\w+) -am -Dquickstart(?: -Dexample=(\\w+))?\n");
    private static final Pattern DEFAULT_EXAMPLE = Pattern.compile("<example>(\\w+)</example>");
    private static final Pattern MAIN_CLASS = Pattern.compile("(com\\.noctarius[\\w.]+)\\.\\$\\{example}");
    private static final Pattern NUMBER = Pattern.compile("[0-9][0-9.,:TZ-]*");

    /** @param output the lines of output that the page shows, if any */
    record Example(String module, String main, List<String> output) {
        boolean isSlow() {
            return module.equals("cassandra") || module.equals("shop");
        }

        @Override
        public String toString() {
            return main;
        }
    }

    static List<Example> examples() throws IOException {
        List<Example> examples = new ArrayList<>();
        Matcher blocks = BLOCK.matcher(Files.readString(ROOT.resolve("docs/examples.md")));
        while (blocks.find()) {
            Matcher command = COMMAND.matcher(blocks.group(1));
            if (command.matches()) {
                String module = command.group(1);
                String pom = Files.readString(
                        ROOT.resolve("examples").resolve(module).resolve("pom.xml"));
                String name = command.group(2) == null ? first(DEFAULT_EXAMPLE, pom) : command.group(2);
                examples.add(new Example(module, first(MAIN_CLASS, pom) + '.' + name, new ArrayList<>()));
            } else {
                examples.get(examples.size() - 1)
                        .output()
                        .addAll(blocks.group(1).lines().toList());
            }
        }
        return examples;
    }

    private static String first(Pattern pattern, String text) {
        Matcher found = pattern.matcher(text);
        assertThat(found.find()).as("%s in %s", pattern, text).isTrue();
        return found.group(1);
    }

    static Stream<Example> quick() throws IOException {
        return examples().stream().filter(example -> !example.isSlow());
    }

    static Stream<Example> slow() throws IOException {
        return examples().stream().filter(Example::isSlow);
    }

    @ParameterizedTest
    @MethodSource("quick")
    void runsAsItIsShown(Example example) throws Exception {
        run(example);
    }

    @Tag("faults")
    @ParameterizedTest
    @MethodSource("slow")
    void runsAsItIsShownWithServersOfItsOwn(Example example) throws Exception {
        run(example);
    }

    private static void run(Example example) throws Exception {
        Path target = ROOT.resolve("examples").resolve(example.module()).resolve("target");
        String classPath = target.resolve("classes").toAbsolutePath()
                + System.getProperty("path.separator")
                + Files.readString(target.resolve("class-path.txt")).strip();
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        classPath,
                        example.main())
                .redirectErrorStream(true)
                .directory(ROOT.toFile())
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        List<String> lines = output.lines().toList();
        int next = 0;
        for (String shown : example.output()) {
            Pattern expected = Pattern.compile("\\Q" + NUMBER.matcher(shown).replaceAll("\\\\E\\\\S+\\\\Q") + "\\E");
            while (next < lines.size() && !expected.matcher(lines.get(next)).matches()) {
                next++;
            }
            assertThat(next++).as("\"%s\" in%n%s", shown, output).isLessThan(lines.size());
        }
    }
}
