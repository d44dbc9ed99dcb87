// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ConnectionFileTest {
    @Test
    void eachKeyIsInTheReference() throws IOException {
        String page = Files.readString(Path.of("../../docs/reference/configuration.md"));
        int start = page.indexOf("## cassandra.properties");
        List<String> described = Pattern.compile("(?m)^\\| `([\\w.]+)` \\|")
                .matcher(page.substring(start, page.indexOf("\n## ", start)))
                .results()
                .map(row -> row.group(1))
                .toList();
        assertThat(described).containsExactlyInAnyOrderElementsOf(ConnectionFile.KEYS);
    }
}
