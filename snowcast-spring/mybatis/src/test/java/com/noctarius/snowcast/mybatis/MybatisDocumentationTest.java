// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.mybatis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that the MyBatis examples in docs/persistence.md compile. Other modules compile the other examples. */
class MybatisDocumentationTest {
    private static final Path DOCUMENT = Path.of("../../docs/persistence.md");
    private static final Pattern JAVA_BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final String IMPORTS = """
            import com.noctarius.snowcast.*;
            import com.noctarius.snowcast.mybatis.*;
            import java.util.Map;
            import org.apache.ibatis.annotations.Insert;
            import org.springframework.context.annotation.Bean;
            """;

    static Stream<String> snippets() throws IOException {
        return JAVA_BLOCK
                .matcher(Files.readString(DOCUMENT))
                .results()
                .map(match -> match.group(1))
                .filter(code -> code.contains("mybatis"))
                .toList()
                .stream();
    }

    @Test
    void documentHasSnippets() throws IOException {
        assertThat(snippets()).hasSize(3);
    }

    @ParameterizedTest
    @MethodSource("snippets")
    void snippetCompiles(String code, @TempDir Path output) {
        String source = IMPORTS + lines(code, true) + "class Snippet {\n" + lines(code, false) + "}\n";
        JavaFileObject file =
                new SimpleJavaFileObject(URI.create("string:///Snippet.java"), JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                        return source;
                    }
                };
        StringWriter messages = new StringWriter();
        boolean compiled = ToolProvider.getSystemJavaCompiler()
                .getTask(messages, null, null, List.of("-d", output.toString(), "-proc:none"), null, List.of(file))
                .call();
        assertThat(compiled).as(messages.toString()).isTrue();
    }

    private static String lines(String code, boolean imports) {
        return code.lines()
                .filter(line -> line.startsWith("import ") == imports)
                .collect(Collectors.joining("\n", "", "\n"));
    }
}
