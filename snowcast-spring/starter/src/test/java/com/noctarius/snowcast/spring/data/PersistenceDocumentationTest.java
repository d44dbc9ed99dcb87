// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.data;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.hibernate.SnowcastSettings;
import com.noctarius.snowcast.ids.SnowflakeId;
import com.noctarius.snowcast.spring.Snippets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.util.ClassUtils;

/** Tests that the examples in docs/persistence.md and docs/json.md compile, and that names and IDs are right. */
class PersistenceDocumentationTest {
    private static final Path PERSISTENCE = Path.of("../../docs/persistence.md");
    private static final Path JSON = Path.of("../../docs/json.md");

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
    private static Stream<String> snippets() throws IOException {
        return Stream.concat(Snippets.of(PERSISTENCE, "java").stream(), Snippets.of(JSON, "java").stream())
                .filter(code -> !code.contains("mybatis"));
    }

    /** Each Boot version has only one version of Jackson; snippets for the other version are skipped. */
    @Test
    void snippetsCompile(@TempDir Path output) throws IOException {
        boolean isJackson2 = isPresent("com.fasterxml.jackson.databind.ObjectMapper");
        boolean isJackson3 = isPresent("tools.jackson.databind.json.JsonMapper");
        String mapper = isJackson2
                ? "import com.fasterxml.jackson.databind.ObjectMapper;\n"
                : "import tools.jackson.databind.json.JsonMapper;\n";
        List<String> sources = snippets()
                .filter(code -> isJackson2 || !code.contains("com.fasterxml.jackson"))
                .filter(code -> isJackson3 || !code.contains("tools.jackson"))
                .map(code -> IMPORTS + mapper + lines(code, true)
                        + (code.contains("class PurchaseOrder") ? "" : "class PurchaseOrder {}\n")
                        + (code.contains("class Product ") ? "" : "class Product {}\n")
                        + "class Snippet {\n" + lines(code, false) + "}\n")
                .toList();
        assertThat(sources).hasSizeGreaterThan(5);
        Snippets.compile(sources, output);
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
