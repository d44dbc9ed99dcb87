// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests {@link UserDialect}. */
@Tag("integration")
class UserDialectTest implements DialectContract {
    private final MemoryShards memory = MemoryShards.of(3);

    /** In this mode, H2 has no {@code LIMIT}. */
    @Override
    public List<String> urls() {
        return IntStream.range(0, 3)
                .mapToObj(i -> memory.url(i) + ";MODE=STRICT")
                .toList();
    }

    @Override
    public String table() {
        return UserDialect.TABLE_PREFIX;
    }

    @Override
    public String shortLockTimeout() {
        return "SET LOCK_TIMEOUT 500";
    }

    @Test
    void theDocumentationShowsThisDialect() {
        String source = UserDialect.read(Path.of("src/test/java/com/noctarius/snowcast/jdbc/UserDialect.java"));
        String begin = "// docs/reference/dialects.md begin";
        String shown = source.substring(
                        source.indexOf(begin) + begin.length(), source.indexOf("// docs/reference/dialects.md end"))
                .stripIndent()
                .strip();
        assertThat(UserDialect.read(Path.of("../../docs/reference/dialects.md")))
                .contains(shown);
    }

    @Test
    void whatIsMissingIsSaid() {
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> Dialect.builder("new").script("").server("''").build())
                .withMessageContaining("reserve or lock");
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> Dialect.builder("new")
                        .script("")
                        .server("''")
                        .lock("")
                        .leases("", "0")
                        .forUpdate("")
                        .build())
                .withMessageContaining("its forUpdate is empty");
    }
}
