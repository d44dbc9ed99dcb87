// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.noctarius.snowcast.hibernate.SnowcastSettings;
import com.noctarius.snowcast.ids.SnowflakeId;
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
import org.springframework.util.ClassUtils;

/** Tests that the examples in docs/persistence.md and docs/json.md compile, and that names and IDs are right. */
class PersistenceDocumentationTest {
    private static final Path PERSISTENCE = Path.of("../../docs/persistence.md");
    private static final Path JSON = Path.of("../../docs/json.md");
    private static final Pattern JAVA_BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    private static final String IMPORTS = """
            import com.noctarius.snowcast.IntegerSequence;
            import com.noctarius.snowcast.Snowcast;
            import com.noctarius.snowcast.SnowcastSequencer;
            import com.noctarius.snowcast.hibernate.SnowcastSettings;
            import com.noctarius.snowcast.jackson.*;
            import com.noctarius.snowcast.spring.data.*;
            import jakarta.persistence.*;
            import java.util.List;
            import java.util.Map;
            import org.hibernate.SessionFactory;
            import org.hibernate.boot.*;
            import org.hibernate.boot.registry.*;
            import org.springframework.context.annotation.Bean;
            import org.springframework.data.jdbc.core.mapping.JdbcMappingContext;
            import org.springframework.data.r2dbc.mapping.R2dbcMappingContext;
            """;

    /** Returns the snippets, except for those with MyBatis, which snowcast-spring/mybatis compiles. */
    static Stream<String> snippets() throws IOException {
        return JAVA_BLOCK
                .matcher(Files.readString(PERSISTENCE) + Files.readString(JSON))
                .results()
                .map(match -> match.group(1))
                .filter(code -> !code.contains("mybatis"))
                .toList()
                .stream();
    }

    @ParameterizedTest
    @MethodSource("snippets")
    void snippetCompiles(String code, @TempDir Path output) {
        // Each Boot version has only one version of Jackson; snippets for the other version are skipped.
        assumeThat(code.contains("com.fasterxml.jackson") && !isPresent("com.fasterxml.jackson.databind.ObjectMapper"))
                .isFalse();
        assumeThat(code.contains("tools.jackson") && !isPresent("tools.jackson.databind.json.JsonMapper"))
                .isFalse();
        String source = IMPORTS
                + (isPresent("com.fasterxml.jackson.databind.ObjectMapper")
                        ? "import com.fasterxml.jackson.databind.ObjectMapper;\n"
                        : "import tools.jackson.databind.json.JsonMapper;\n")
                + lines(code, true)
                + (code.contains("class PurchaseOrder") ? "" : "class PurchaseOrder {}\n")
                + (code.contains("class Product ") ? "" : "class Product {}\n")
                + "class Snippet {\n" + lines(code, false) + "}\n";
        StringWriter messages = new StringWriter();
        boolean compiled = ToolProvider.getSystemJavaCompiler()
                .getTask(
                        messages,
                        null,
                        null,
                        List.of("-d", output.toString(), "-proc:none"),
                        null,
                        List.of(
                                new SimpleJavaFileObject(
                                        URI.create("string:///Snippet.java"), JavaFileObject.Kind.SOURCE) {
                                    @Override
                                    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                                        return source;
                                    }
                                }))
                .call();
        assertThat(compiled).as(messages.toString()).isTrue();
    }

    private static String lines(String code, boolean imports) {
        return code.lines()
                .filter(line -> line.startsWith("import ") == imports)
                .collect(Collectors.joining("\n", "", "\n"));
    }

    private static boolean isPresent(String className) {
        return ClassUtils.isPresent(className, PersistenceDocumentationTest.class.getClassLoader());
    }

    @Test
    void namesAndFormsAreTrue() throws IOException {
        assertThat(Files.readString(PERSISTENCE))
                .contains("<property name=\"" + SnowcastSettings.HAZELCAST_INSTANCE_NAME + "\"");
        assertThat(Files.readString(JSON))
                .contains("| `BASE62` | `\"" + SnowflakeId.toBase62(764796226110234663L) + "\"` |")
                .contains("| `BASE32` | `\"" + SnowflakeId.toBase32(764796226110234663L) + "\"` |");
    }
}
