// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that the examples in the document on Cassandra compile. */
class DocumentationTest {
    /** The imports and declarations that the snippets leave out. */
    private static final String CONTEXT = """
            import com.datastax.oss.driver.api.core.CqlSession;
            import com.noctarius.snowcast.*;
            import com.noctarius.snowcast.cassandra.*;
            import java.time.*;
            class Snippet {
                %s
                void run() throws Exception {
            %s
                }
            }
            """;

    static List<String> snippets() {
        return Snippets.of("cassandra.md", "java");
    }

    @ParameterizedTest
    @MethodSource("snippets")
    void snippetCompiles(String snippet, @TempDir Path output) {
        Snippets.compile(CONTEXT.formatted("CqlSession session; CassandraSchema schema;", snippet), output);
    }
}
