// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.mybatis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

    @Test
    void snippetsCompile(@TempDir Path output) throws IOException {
        List<JavaFileObject> sources = new ArrayList<>();
        JAVA_BLOCK
                .matcher(Files.readString(DOCUMENT))
                .results()
                .map(match -> match.group(1))
                .forEach(code -> {
                    if (code.contains("mybatis")) {
                        sources.add(source("Snippet" + sources.size(), code));
                    }
                });
        assertThat(sources).hasSize(3);
        StringWriter messages = new StringWriter();
        boolean compiled = ToolProvider.getSystemJavaCompiler()
                .getTask(messages, null, null, List.of("-d", output.toString(), "-proc:none"), null, sources)
                .call();
        assertThat(compiled).as(messages.toString()).isTrue();
    }

    private static JavaFileObject source(String name, String code) {
        String source = IMPORTS + lines(code, true) + "class " + name + " {\n" + lines(code, false) + "}\n";
        return new SimpleJavaFileObject(URI.create("string:///" + name + ".java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return source;
            }
        };
    }

    private static String lines(String code, boolean imports) {
        return code.lines()
                .filter(line -> line.startsWith("import ") == imports)
                .collect(Collectors.joining("\n", "", "\n"));
    }
}
